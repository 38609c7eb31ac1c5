import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { registerPerson } from "../support/people.ts";

const HOUR_MS = 3_600_000;

Deno.test("after a rotation old tokens live on, new ones are signed by the new key, and it is published", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const key = async () =>
      (await expectJson(
        await app.send("GET", "/.well-known/service/server-info"),
        200,
      )).signing_key;
    const before = await key();
    await app.rotateAccessKey();
    assert.notEqual(await key(), before);
    const profile = (token: string) =>
      app.send("GET", "/v1/auth/profile", { token });
    await expectJson(await profile(ada.token), 200);
    const after = await app.reopen();
    await expectJson(
      await after.send("GET", "/v1/auth/profile", { token: ada.token }),
      200,
    );
    const { access_token } = await expectJson(
      await after.send("POST", "/v1/auth/refresh", {
        json: { session_token: ada.sessionToken },
      }),
      200,
    );
    const [oldKid, newKid] = [ada.token, access_token].map((token: string) =>
      JSON.parse(atob(token.split(".")[0] ?? "")).kid
    );
    assert.notEqual(oldKid, newKid);
    await expectJson(
      await after.send("GET", "/v1/auth/profile", { token: access_token }),
      200,
    );
  });
});

Deno.test("a retired key verifies for 24 hours, not even a long token of its own longer", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    // What a thief of the key would sign: a token that lives for a year.
    const stolen = await app.app.secrets.accessTokens.issue(
      {
        userId: app.app.newId(),
        sessionId: app.app.newId(),
        jti: app.app.newId(),
      },
      app.clock.now,
      app.clock.now + 365 * 24 * HOUR_MS,
    );
    await app.rotateAccessKey();
    const verifies = () =>
      app.app.secrets.accessTokens.verify(stolen, app.clock.now).then(
        () => true,
        () => false,
      );
    app.clock.advance(24 * HOUR_MS - 1);
    assert.ok(await verifies());
    app.clock.advance(1);
    assert.ok(!(await verifies()));
    await expectProblem(
      await app.send("GET", "/v1/auth/profile", { token: ada.token }),
      "error.auth.token_invalid",
    );
  });
});
