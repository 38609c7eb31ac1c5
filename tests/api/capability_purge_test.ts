/**
 * What is kept of capabilities: the list of revocations and the records behind
 * it do not grow with every token that ever was
 * (protocol/federation.md#revocation).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "../support/app.ts";
import {
  DAY,
  expectDead,
  expectReads,
  fromNow,
  HOUR,
  successorOf,
  withSharedAlbum,
} from "../support/capabilities.ts";
import { expectEmpty, expectJson } from "../support/expect.ts";

async function records(app: TestApp) {
  const tokens = await app.app.db.selectFrom("capability")
    .select("jti").execute();
  const grants = await app.app.db.selectFrom("capability_grant")
    .select("grant_id").execute();
  return { tokens: tokens.length, grants: grants.length };
}

async function revoked(app: TestApp): Promise<string[]> {
  const list = await expectJson(
    await app.send("GET", "/.well-known/service/revoked-jti"),
    200,
  );
  return list.revoked.map(({ jti }: { jti: string }) => jti);
}

Deno.test("a refreshed token leaves its record when it has expired, and its grant goes on", async () => {
  await withSharedAlbum(async ({ app, minted, revoke }) => {
    const first = await minted({
      ttl_seconds: 3_600,
      renewable_until: fromNow(app, 10 * DAY),
    });
    let { token } = first;
    for (let count = 0; count < 20; count++) {
      app.clock.advance(HOUR / 2);
      ({ token } = await successorOf(app, token));
    }
    await app.purge();
    // The minted one by which it is revoked, and those that still live.
    assert.deepEqual(await records(app), { tokens: 3, grants: 1 });
    await expectReads(app, token);
    ({ token } = await successorOf(app, token));
    await expectEmpty(await revoke(first.jti), 204);
    await expectDead(app, token, "revoked by the token that was minted");
  });
});

Deno.test("a revoked grant is listed as long as a token of it would live, and then it is gone", async () => {
  await withSharedAlbum(async ({ app, minted, revoke }) => {
    const held: { token: string; jti: string }[] = [];
    for (let count = 0; count < 5; count++) {
      held.push(
        await minted({
          ttl_seconds: 3_600,
          renewable_until: fromNow(app, 10 * DAY),
        }),
      );
    }
    for (const { jti } of held) await expectEmpty(await revoke(jti), 204);
    await app.purge();
    assert.deepEqual(
      (await revoked(app)).toSorted(),
      held.map(({ jti }) => jti).toSorted(),
    );
    app.clock.advance(HOUR);
    assert.deepEqual(await revoked(app), []);
    await app.purge();
    assert.deepEqual(await records(app), { tokens: 0, grants: 0 });
    for (const { token } of held) await expectDead(app, token, "long gone");
  });
});
