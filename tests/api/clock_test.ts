/**
 * Credentials of a time when the clock was ahead, after it was set right: each
 * fails safe, and none closes a door for good
 * (protocol/authentication.md#sessions).
 *
 * @module
 */
import assert from "node:assert/strict";
import { fromBase64, toBase64 } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import { signIn } from "../support/backups.ts";
import {
  askCode,
  issueCode,
  openChannel,
  redeem,
} from "../support/enrollment.ts";
import { drain } from "../support/enrollment.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  PASSWORD,
  type Person,
  registerPerson,
  registerWriter,
} from "../support/people.ts";
import {
  challengeOf,
  enrollConfirmed,
  verify,
} from "../support/second_factor.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Reads the profile with an access token. */
function profile(app: TestApp, token: string): Promise<Response> {
  return app.send("GET", "/v1/auth/profile", { token });
}

/** A fresh access token of a person's session. */
async function refresh(app: TestApp, person: Person): Promise<string> {
  const { access_token } = await expectJson(
    await app.send("POST", "/v1/auth/refresh", {
      json: { session_token: person.sessionToken },
    }),
    200,
  );
  return access_token;
}

Deno.test("an access token that was issued in the future is refused, and its session mints another", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.jump(2 * HOUR_MS);
    const ahead = await refresh(app, ada);
    await expectJson(await profile(app, ahead), 200);
    app.clock.jump(-2 * HOUR_MS);
    await expectProblem(await profile(app, ahead), "error.auth.token_invalid");
    // By another process too, which has not seen it before.
    const again = await app.reopen();
    await expectProblem(
      await profile(again, ahead),
      "error.auth.token_invalid",
    );
    await expectJson(await profile(again, await refresh(again, ada)), 200);
    // A clock that is put right by a little ends nothing.
    const token = await refresh(again, ada);
    app.clock.jump(-30_000);
    await expectJson(await profile(again, token), 200);
  });
});

Deno.test("a password change ends every token from before it, those of a clock that was ahead as well", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.jump(HOUR_MS);
    const ahead = await refresh(app, ada);
    app.clock.jump(-HOUR_MS);
    // A process that has not seen how far the clock was.
    const again = await app.reopen();
    const changed = await expectJson(
      await again.send("POST", "/v1/auth/password", {
        token: ada.token,
        json: { current_password: PASSWORD, new_password: `${PASSWORD} 2` },
      }),
      200,
    );
    assert.equal(changed.session_id, ada.sessionId);
    await expectJson(await profile(again, changed.access_token), 200);
    app.clock.advance(HOUR_MS);
    await expectProblem(
      await profile(again, ahead),
      "error.auth.token_invalid",
    );
    const after = { ...ada, sessionToken: changed.session_token };
    await expectJson(await profile(again, await refresh(again, after)), 200);
  });
});

Deno.test("a key that was retired in the future has no grace until then", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.jump(10 * DAY_MS);
    await app.rotateAccessKey();
    app.clock.jump(-10 * DAY_MS);
    await expectProblem(
      await profile(app, ada.token),
      "error.auth.token_invalid",
    );
    await expectJson(await profile(app, await refresh(app, ada)), 200);
  });
});

Deno.test("a presentation in the future is not recent", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { code: _, ...first } = await expectJson(
      await askCode(app, ada),
      200,
    );
    assert(first.expires_at);
    app.clock.jump(2 * HOUR_MS);
    await expectJson(
      await app.send("POST", "/v1/auth/reauthenticate", {
        token: await refresh(app, ada),
        json: { password: PASSWORD },
      }),
      200,
    );
    app.clock.jump(-2 * HOUR_MS);
    await expectProblem(
      await askCode(app, ada),
      "error.auth.reauthentication_required",
    );
  });
});

Deno.test("enrollment codes and channels of the future are dead, and a new one takes their place", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    app.clock.jump(2 * HOUR_MS);
    const then = await signIn(app, ada);
    const channel = await openChannel(app, then);
    const code = await issueCode(app, then);
    app.clock.jump(-2 * HOUR_MS);
    await expectProblem(
      await redeem(app, code),
      "error.enrollment.code_refused",
    );
    await expectProblem(
      await drain(app, channel, "to_initiator"),
      "error.enrollment.channel_not_found",
    );
    const now = await signIn(app, ada);
    const { state } = await expectJson(
      await app.send("GET", "/v1/auth/devices/enroll/code", {
        token: now.token,
      }),
      200,
    );
    assert.equal(state, "none");
    await openChannel(app, now);
  });
});

Deno.test("a challenge of the future ends no session", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const attempt = async (jumpMs: number) => {
      app.clock.jump(jumpMs);
      const { token } = await signIn(app, ada);
      const challenge = await expectJson(
        await app.send("POST", "/v1/auth/logout/all/challenge", { token }),
        200,
      );
      app.clock.jump(-jumpMs);
      const payload = encodeCanonical([
        ORIGIN,
        ada.userId,
        challenge.challenge_id,
        fromBase64(challenge.challenge) ?? new Uint8Array(),
      ]);
      const proof = toBase64(
        await ada.signer.sign("service-revoke-all/v1", payload),
      );
      return await app.send("POST", "/v1/auth/logout/all", {
        json: { challenge_id: challenge.challenge_id, proof },
      });
    };
    await expectProblem(
      await attempt(2 * HOUR_MS),
      "error.auth.proof_required",
    );
    await expectJson(await attempt(0), 200);
  });
});

Deno.test("a second factor's challenge of the future is dead, and a code that was spent then does not lock its owner out", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    app.clock.jump(2 * HOUR_MS);
    const spent = await challengeOf(app, ada);
    await expectJson(
      await verify(app, spent.challenge_id, authenticator.code()),
      200,
    );
    const open = await challengeOf(app, ada);
    app.clock.jump(-2 * HOUR_MS);
    await expectProblem(
      await verify(app, open.challenge_id, authenticator.code()),
      "error.auth.challenge_expired",
    );
    const { challenge_id } = await challengeOf(app, ada);
    const code = authenticator.code();
    await expectJson(await verify(app, challenge_id, code), 200);
    // And a code is still good for once alone.
    const next = await challengeOf(app, ada);
    await expectProblem(
      await verify(app, next.challenge_id, code),
      "error.auth.second_factor_invalid",
    );
    app.clock.advance(60_000);
    const { access_token } = await expectJson(
      await verify(app, next.challenge_id, authenticator.code()),
      200,
    );
    app.clock.advance(60_000);
    await expectEmpty(
      await app.send("POST", "/v1/auth/totp/disable", {
        token: access_token,
        json: { code: authenticator.code() },
      }),
      204,
    );
  });
});
