/**
 * What an access token alone does not do: whoever has stolen one must not keep
 * the account with it (protocol/authentication.md#recent-presentation).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  directoryBytes,
  PASSWORD,
  type Person,
  publishDirectory,
  registerPerson,
  storeEscrow,
} from "../support/people.ts";
import { confirm, enroll } from "../support/second_factor.ts";
import { refreshed, withFaultlessApp } from "../support/api.ts";

const MINUTE = 60_000;
const REFUSED = "error.auth.reauthentication_required";

/** An account whose last presentation is too long ago, and a fresh token. */
async function stolen(app: TestApp, person: Person): Promise<Person> {
  app.clock.advance(5 * MINUTE);
  return await refreshed(app, person);
}

async function present(app: TestApp, { token }: Person): Promise<void> {
  await expectJson(
    await app.send("POST", "/v1/auth/reauthenticate", {
      token,
      json: { password: PASSWORD },
    }),
    200,
  );
}

function enrollFactor(app: TestApp, { token }: Person): Promise<Response> {
  return app.send("POST", "/v1/auth/totp/enroll", { token });
}

Deno.test("it stores no escrow over one that is held, and the first one it may", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const thief = await stolen(app, ada);
    const held = await expectJson(await storeEscrow(app, thief, "first"), 200);
    assert.equal(held.replaced, false);
    await expectProblem(await storeEscrow(app, thief, "theirs"), REFUSED);
    const kept = await app.send("GET", "/v1/auth/escrow", {
      token: thief.token,
    });
    assert.equal(await kept.text(), "first");
    await present(app, thief);
    const { replaced } = await expectJson(
      await storeEscrow(app, thief, "second"),
      200,
    );
    assert.equal(replaced, true);
  });
});

Deno.test("it enrolls no second factor, nor takes the place of a pending one", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const pending = await enroll(app, ada);
    const thief = await stolen(app, ada);
    await expectProblem(await enrollFactor(app, thief), REFUSED);
    await expectEmpty(await confirm(app, thief, pending.code()), 204);
    const bob = await registerPerson(app, "bob");
    const other = await stolen(app, bob);
    await expectProblem(await enrollFactor(app, other), REFUSED);
    await present(app, other);
    await expectJson(await enrollFactor(app, other), 200);
  });
});

Deno.test("it publishes no directory over one that is held, and the first one it may", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const thief = await stolen(app, ada);
    await expectJson(await publishDirectory(app, thief, 1), 200);
    await expectProblem(await publishDirectory(app, thief, 2), REFUSED);
    const kept = await app.send("GET", `/v1/users/${ada.userId}/directory`, {
      token: thief.token,
    });
    assert.deepEqual(
      new Uint8Array(await kept.arrayBuffer()).length,
      (await directoryBytes(ada, 1)).length,
    );
    await present(app, thief);
    const published = await expectJson(
      await publishDirectory(app, thief, 2),
      200,
    );
    assert.equal(published.directory_version, 2);
  });
});

Deno.test("a presentation that a clock far ahead dated no longer counts once the clock is right", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const hour = 60 * MINUTE;
    app.clock.advance(hour);
    const ahead = await refreshed(app, ada);
    await present(app, ahead);
    app.clock.advance(-hour);
    await expectProblem(await enrollFactor(app, ada), REFUSED);
  });
});
