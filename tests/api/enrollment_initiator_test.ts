import assert from "node:assert/strict";
import { START_MS, type TestApp } from "../support/app.ts";
import {
  askCode,
  close,
  enrollmentState,
  issueCode,
  openChannel,
  redeem,
} from "../support/enrollment.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { PASSWORD, registerPerson } from "../support/people.ts";
import { refreshed, withFaultlessApp } from "../support/api.ts";

const MINUTE = 60_000;

function iso(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

function reauthenticate(app: TestApp, token: string): Promise<Response> {
  return app.send("POST", "/v1/auth/reauthenticate", {
    token,
    json: { password: PASSWORD },
  });
}

Deno.test("issuing needs a credential presented in the last five minutes; registering counts", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.advance(5 * MINUTE - 1);
    await issueCode(app, ada);
    app.clock.advance(1);
    const refused = () => askCode(app, ada);
    await expectProblem(
      await refused(),
      "error.auth.reauthentication_required",
    );
    // A new access token presents nothing.
    await expectProblem(
      await askCode(app, await refreshed(app, ada)),
      "error.auth.reauthentication_required",
    );
    await expectJson(await reauthenticate(app, ada.token), 200);
    await issueCode(app, ada);
    app.clock.advance(5 * MINUTE);
    await expectProblem(
      await refused(),
      "error.auth.reauthentication_required",
    );
  });
});

Deno.test("a refused issue leaves the older code as it is", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const code = await issueCode(app, ada);
    app.clock.advance(5 * MINUTE);
    await expectProblem(
      await askCode(app, ada),
      "error.auth.reauthentication_required",
    );
    await expectJson(await redeem(app, code), 200);
  });
});

Deno.test("a presentation belongs to its session; signing in counts, and a password change", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.advance(5 * MINUTE);
    const login = await expectJson(
      await app.send("POST", "/v1/auth/login", {
        json: { address: ada.address, password: PASSWORD },
      }),
      200,
    );
    const other = { ...ada, token: login.access_token };
    await issueCode(app, other);
    await expectProblem(
      await askCode(app, ada),
      "error.auth.reauthentication_required",
    );
    const changed = await expectJson(
      await app.send("POST", "/v1/auth/password", {
        token: ada.token,
        json: {
          current_password: PASSWORD,
          new_password: "an entirely different phrase",
        },
      }),
      200,
    );
    await issueCode(app, { ...ada, token: changed.access_token });
  });
});

Deno.test("the initiator learns the channel: none, issued, redeemed, and none once it is closed", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    assert.deepEqual(await enrollmentState(app, ada), { state: "none" });
    const code = await issueCode(app, ada);
    assert.deepEqual(await enrollmentState(app, ada), {
      state: "issued",
      expires_at: iso(START_MS + 10 * MINUTE),
    });
    app.clock.advance(MINUTE);
    const channel = await expectJson(await redeem(app, code), 200);
    assert.deepEqual(await enrollmentState(app, ada), {
      state: "redeemed",
      ...channel,
    });
    assert.deepEqual(await enrollmentState(app, bob), { state: "none" });
    await expectEmpty(await close(app, ada, channel.channel_id), 204);
    assert.deepEqual(await enrollmentState(app, ada), { state: "none" });
  });
});

Deno.test("the state is `none` again after the code or channel expired", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channelId = await openChannel(app, ada);
    app.clock.advance(MINUTE);
    await issueCode(app, ada);
    // A newer code comes first; the channel is still there behind it.
    assert.equal((await enrollmentState(app, ada)).state, "issued");
    app.clock.advance(10 * MINUTE);
    const state = await enrollmentState(app, ada);
    assert.equal(state.state, "redeemed");
    assert.equal(state.channel_id, channelId);
    app.clock.advance(19 * MINUTE - 1);
    const late = await refreshed(app, ada);
    assert.equal((await enrollmentState(app, late)).state, "redeemed");
    app.clock.advance(1);
    assert.deepEqual(await enrollmentState(app, late), { state: "none" });
    await app.purge();
    assert.deepEqual(await enrollmentState(app, late), { state: "none" });
  });
});

Deno.test("of several channels the one opened last is told", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const first = await openChannel(app, ada);
    app.clock.advance(1);
    const second = await openChannel(app, ada);
    assert.equal((await enrollmentState(app, ada)).channel_id, second);
    await expectEmpty(await close(app, ada, second), 204);
    assert.equal((await enrollmentState(app, ada)).channel_id, first);
  });
});
