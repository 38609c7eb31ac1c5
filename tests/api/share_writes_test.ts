/**
 * What changing share links may cost everybody else
 * (protocol/links.md#share-links): the difference is written, within a budget,
 * one change of an account at a time.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sql } from "kysely";
import type { UserId } from "../../src/core/ids.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { HeldTime } from "../support/held_time.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { hashOf, type Person, registerWriter } from "../support/people.ts";
import { opaqueId, refreshed, shareRequest } from "../support/api.ts";

const MINUTE = 60_000;
const MANY = 50_000;

function hashes(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => hashOf(`hash ${from + n}`));
}

function issue(
  app: TestApp,
  { token }: Person,
  word: string,
  serves: string[],
) {
  const json = shareRequest(word, serves);
  return app.send("POST", "/v1/shares", { token, json });
}

function change(app: TestApp, { token }: Person, word: string, json: Json) {
  const path = `/v1/shares/${opaqueId(word)}`;
  return app.send("PATCH", path, { token, json });
}

/** What a link serves, by its table. */
async function servedBy(app: TestApp, word: string): Promise<string[]> {
  const rows = await app.app.db.selectFrom("share_blob").select("hash")
    .where("opaque_id", "=", opaqueId(word) as Json).execute();
  return rows.map(({ hash }): string => hash).toSorted();
}

/** Counts the rows of what links serve that are written from now on. */
async function countWrites(app: TestApp): Promise<() => Promise<number>> {
  const { db } = app.app;
  await sql`create table written (what text)`.execute(db);
  for (const what of ["insert", "delete"]) {
    await sql.raw(`create trigger on_${what} after ${what} on share_blob
      begin insert into written values ('${what}'); end`).execute(db);
  }
  return async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from written`.execute(db);
    return rows[0]?.count ?? NaN;
  };
}

Deno.test("a change writes what is new and what goes, and nothing else", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const all = hashes(0, 12_000);
    await expectJson(await issue(app, ada, "link", all), 201);
    const written = await countWrites(app);
    await expectJson(await change(app, ada, "link", { serves: all }), 200);
    assert.equal(await written(), 0);
    const next = [...all.slice(0, 11_990), ...hashes(20_000, 6_000)];
    const changed = await change(app, ada, "link", { serves: next });
    assert.equal((await expectJson(changed, 200)).serves_count, 17_990);
    assert.equal(await written(), 6_000 + 10);
    assert.deepEqual(await servedBy(app, "link"), next.toSorted());
  });
});

Deno.test("a change that fails at its end leaves nothing of its beginning", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const all = hashes(0, 10);
    await expectJson(await issue(app, ada, "link", all), 201);
    await sql.raw(`create trigger full before update on share
      begin select raise(abort, 'no more'); end`).execute(app.app.db);
    const next = hashes(5, 12_000);
    const failed = await change(app, ada, "link", {
      serves: next,
      metadata_hash: next[0],
    });
    await expectProblem(failed, "error.internal");
    assert.deepEqual(await servedBy(app, "link"), all.toSorted());
  });
});

Deno.test("an account writes 200,000 hashes a minute, and what is there already costs none", async () => {
  await withTestApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    for (let n = 0; n < 3; n++) {
      const serves = hashes(n * MANY, MANY);
      await expectJson(await issue(app, ada, `link ${n}`, serves), 201);
    }
    const first = hashes(0, MANY);
    for (let n = 0; n < 3; n++) {
      await expectJson(
        await change(app, ada, "link 0", { serves: first }),
        200,
      );
      await expectJson(
        await issue(app, ada, "link 1", hashes(MANY, MANY)),
        201,
      );
    }
    const refused = async (answer: Response) => {
      assert.equal(answer.status, 422);
      const after = answer.headers.get("retry-after") ?? "";
      assert.match(after, /^[1-9]\d?$/);
      const body = await expectProblem(answer, "error.account.limit_reached");
      assert.equal(body.limit, "share_hashes");
      const now = Math.ceil(app.clock.now / 1_000);
      assert.equal(body.retry_after, now + Number(after));
    };
    // Half of them are new, and half of those of before go.
    const half = [...first.slice(0, MANY / 2), ...hashes(9 * MANY, MANY / 2)];
    await refused(await change(app, ada, "link 0", { serves: half }));
    assert.deepEqual(await servedBy(app, "link 0"), first.toSorted());
    await refused(await issue(app, ada, "link 4", hashes(4 * MANY, MANY)));
    await expectJson(await issue(app, bob, "bobs", hashes(0, 10)), 201);
    app.clock.advance(MINUTE);
    ada = await refreshed(app, ada);
    await expectJson(await change(app, ada, "link 0", { serves: half }), 200);
  });
});

Deno.test("links that are issued in parallel wait their turn, and none is refused", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const answers = await Promise.all(
      Array.from(
        { length: 64 },
        (_, n) => issue(app, ada, `link ${n}`, hashes(n, 3)),
      ),
    );
    for (const answer of answers) await expectJson(answer, 201);
    const changes = await Promise.all(
      answers.map((_, n) =>
        change(app, ada, `link ${n}`, { serves: hashes(n, 2) })
      ),
    );
    for (const answer of changes) await expectJson(answer, 200);
  });
});

Deno.test("a change of links waits for its turn for 30 seconds, and others' do not wait for it", async () => {
  const time = new HeldTime();
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    for (const [person, word] of [[ada, "hers"], [bob, "his"]] as const) {
      await expectJson(await issue(app, person, word, hashes(0, 3)), 201);
    }
    const gate = Promise.withResolvers<void>();
    const { shareChanges } = app.app.signals;
    const running = shareChanges.run(ada.userId as UserId, () => gate.promise);
    const serves = hashes(0, 2);
    const late = change(app, ada, "hers", { serves });
    await time.asleep(1, 30_000);
    await expectJson(await change(app, bob, "his", { serves }), 200);
    time.advance(30_000);
    const refused = await late;
    assert.equal(refused.headers.get("retry-after"), "1");
    const body = await expectProblem(refused, "error.account.limit_reached");
    assert.equal(body.limit, "share_hashes");
    gate.resolve();
    await running;
    // What was refused is not done when its turn comes.
    assert.equal((await servedBy(app, "hers")).length, 3);
    await expectJson(await change(app, ada, "hers", { serves }), 200);
  }, { time });
});

Deno.test("what waits for its turn is bounded by the hashes it names", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await expectJson(await issue(app, ada, "hers", hashes(0, 3)), 201);
    const gate = Promise.withResolvers<void>();
    const { shareChanges } = app.app.signals;
    const user = ada.userId as UserId;
    const running = shareChanges.run(user, () => gate.promise, 400_000);
    const refused = await change(app, ada, "hers", { serves: hashes(0, 2) });
    await expectProblem(refused, "error.account.limit_reached");
    gate.resolve();
    await running;
  });
});
