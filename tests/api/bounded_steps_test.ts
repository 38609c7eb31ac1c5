/**
 * Whatever looks at a whole library does so in steps, between which others
 * have their turn. Steps are counted here.
 *
 * @module
 */
import assert from "node:assert/strict";
import { COUNT_LIBRARIES } from "../support/counting.ts";
import { collectGarbage } from "../../src/features/garbage_collection/collection.ts";
import { FeedNotifier } from "../../src/features/sync/feed_notifier.ts";
import { usageOf } from "../../src/features/verification/usage.ts";
import { verifyStorage } from "../../src/features/verification/verify.ts";
import type { AssetId, BlobHash, UserId } from "../../src/core/ids.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import {
  START_MS,
  type TestApp,
  withTestApp,
  yieldToEventLoop,
} from "../support/app.ts";
import { type Person, registerWriter, uuidOf } from "../support/people.ts";
import { numbered, numberedUuid, writeRows } from "../support/rows.ts";
import { DAY } from "../support/trash.ts";

const LONG_AGO = START_MS - 60 * DAY;

/** An SQL expression: a content address, another for each `n`. */
const HASH = `printf('%064x', n)`;

/** Assets of a person in the trash, since long; some columns of them. */
function trashed(
  app: TestApp,
  { userId }: Person,
  count: number,
  retentionUntil: (n: string) => string,
): void {
  writeRows(
    app,
    `${numbered(count)} insert into blob (hash, size, stored_at)
      select ${HASH}, 10, ${LONG_AGO} from numbers`,
    `${numbered(count)} insert into asset
      (asset_id, owner_id, state, chain_head, sync_seq, created_at, updated_at,
        deleted_at, deleted_by, retention_until)
      select ${numberedUuid("0a0a0a0a")}, '${userId}', 'deleted', ${HASH}, n,
        ${LONG_AGO}, ${LONG_AGO}, ${LONG_AGO}, '${userId}',
        ${retentionUntil("n")} from numbers`,
    `${numbered(count)} insert into holding
      (owner_id, asset_id, role, hash, size, upload_id, finalized_at,
        receipt_seq, applied)
      select '${userId}', ${numberedUuid("0a0a0a0a")}, 'original', ${HASH}, 10,
        ${numberedUuid("0b0b0b0b")}, ${LONG_AGO}, n, 1 from numbers`,
    `update usage set trash_bytes = ${count * 10}
      where user_id = '${userId}'`,
    COUNT_LIBRARIES,
  );
}

/** Unapplied originals of a person, each of an asset of its own. */
function unapplied(
  app: TestApp,
  { userId }: Person,
  count: number,
  finalizedAt: string,
): void {
  writeRows(
    app,
    `${numbered(count)} insert into blob (hash, size, stored_at)
      select ${HASH}, 10, ${LONG_AGO} from numbers`,
    `${numbered(count)} insert into holding
      (owner_id, asset_id, role, hash, size, upload_id, finalized_at,
        receipt_seq, applied)
      select '${userId}', ${numberedUuid("0a0a0a0a")}, 'original', ${HASH}, 10,
        ${numberedUuid("0b0b0b0b")}, ${finalizedAt}, n, 0 from numbers`,
    `update usage set used_bytes = ${count * 10}
      where user_id = '${userId}'`,
    COUNT_LIBRARIES,
  );
}

/** Collects, and counts the turns that others had meanwhile. */
async function collectCounting(app: TestApp) {
  let turns = 0;
  const collected = await collectGarbage(app.app, {
    walk: false,
    onProgress: () => turns += 1,
  });
  return { collected, turns };
}

Deno.test("collection looks at what the trash keeps in steps, and finds the one that has left it at their end", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const before = await collectCounting(app);
    const last = 1_999;
    const floor = (n: string) =>
      `case ${n} when ${last} then null else ${START_MS + DAY} end`;
    trashed(app, ada, last + 1, floor);
    const { collected, turns } = await collectCounting(app);
    assert.deepEqual(collected.assets, { count: 1, bytes: 10 });
    assert.ok(turns - before.turns >= 10, `${turns - before.turns} turns`);
  });
});

Deno.test("collection looks at a library that is being brought in steps, and finds what was given up at their end", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const before = await collectCounting(app);
    const last = 1_999;
    const finalized = `case n when ${last} then ${LONG_AGO}
      else ${START_MS} end`;
    unapplied(app, ada, last + 1, finalized);
    const { collected, turns } = await collectCounting(app);
    assert.deepEqual(collected.unapplied, { count: 1, bytes: 10 });
    assert.ok(turns - before.turns >= 10, `${turns - before.turns} turns`);
  });
});

Deno.test("usage sums what has left the trash and waits for collection in steps", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    trashed(app, ada, 9_000, () => "null");
    await yieldToEventLoop();
    let turns = 0;
    const { platform } = app.app;
    const counted = await usageOf({
      ...app.app,
      platform: {
        ...platform,
        sleep: (ms, signal) => {
          turns += 1;
          return platform.sleep(ms, signal);
        },
      },
    }, ada.userId as UserId);
    assert.equal(counted.trash_bytes, 0);
    assert.equal(counted.blobs, 9_000);
    // Four further parts of the trash.
    assert.ok(turns >= 4, `${turns} turns`);
  });
});

Deno.test("files that go slowly from the disk go in transactions of their own, with a rest as long after each", async () => {
  let clock: TestApp["clock"] | undefined;
  const files = {
    ...denoFiles,
    remove: async (path: string) => {
      clock?.advance(30);
      await denoFiles.remove(path);
    },
  };
  await withTestApp(async (app) => {
    clock = app.clock;
    const ada = await registerWriter(app, "ada");
    trashed(app, ada, 40, () => "null");
    let rests = 0;
    const { platform } = app.app;
    const { blobs } = await collectGarbage({
      ...app.app,
      platform: {
        ...platform,
        sleep: (ms, signal) => {
          if (ms >= 50) rests += 1;
          return platform.sleep(ms, signal);
        },
      },
    }, { walk: false });
    assert.deepEqual(blobs, { count: 40, bytes: 400 });
    // Two in each, for the second ends past its time; and as long a rest.
    assert.ok(rests >= 19, `${rests} rests`);
  }, { files });
});

Deno.test("verification looks a thousand addresses up in steps, and has a verdict on each", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    trashed(app, ada, 1_000, () => "null");
    const { platform } = app.app;
    let turns = 0;
    const { verdicts: [verdict] } = await verifyStorage(
      {
        ...app.app,
        platform: {
          ...platform,
          sleep: (ms, signal) => {
            turns += 1;
            return platform.sleep(ms, signal);
          },
        },
      },
      ada.userId as UserId,
      {
        assets: [{
          asset_id: uuidOf("another") as AssetId,
          blob_hashes: Array.from(
            { length: 1_000 },
            (_, n) => n.toString(16).padStart(64, "0") as BlobHash,
          ),
        }],
      },
    );
    assert.equal(verdict?.blobs.length, 1_000);
    assert.ok(turns >= 3, `${turns} turns`);
  });
});

Deno.test("a change that concerns many wakes some at a time, and everybody", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { db, platform } = app.app;
    /** How many were woken without others having had a turn. */
    let together = 0;
    let most = 0;
    let woken = 0;
    const notifier = new FeedNotifier(db, {
      now: platform.now,
      monotonic: platform.monotonic,
      sleep: async (ms, signal) => {
        await platform.sleep(ms, signal);
        if (ms === 0) together = 0;
      },
    });
    const gone = new AbortController();
    const waiting = [];
    for (let i = 0; i < 200; i++) {
      const waiter = await notifier.enter({
        counted: `grant ${i}`,
        userId: ada.userId as UserId,
        albumId: undefined,
        sessionId: undefined,
        gone: gone.signal,
      }, 30_000);
      assert.ok(waiter !== undefined);
      waiting.push(
        waiter.woken().then(() => {
          woken += 1;
          together += 1;
          most = Math.max(most, together);
          notifier.leave(waiter);
        }),
      );
    }
    writeRows(
      app,
      `insert into feed (user_id, action, personal, at)
        values ('${ada.userId}', 'roster', 1, ${START_MS})`,
    );
    notifier.notify();
    await Promise.all(waiting);
    assert.equal(woken, 200);
    assert.ok(most <= 16, `${most} at once`);
  });
});

Deno.test("the log shrinks again after it grew during a long read", async () => {
  await withTestApp(async (app) => {
    const path = `${app.dataDir}/db/strongroom.sqlite`;
    const logBytes = async () => (await Deno.stat(`${path}-wal`)).size;
    const writeSome = (n: number, bytes: number) =>
      app.app.db.insertInto("receipt").values({
        receipt_seq: n,
        owner_id: "nobody" as UserId,
        asset_id: null,
        upload_id: `upload ${n}` as never,
        receipt_hash: "",
        body: new Uint8Array(bytes),
      }).execute();
    const reader = openSqlite(path);
    try {
      reader.exec("begin");
      reader.prepare("select count(*) from account").get();
      for (let i = 1; i <= 12; i++) await writeSome(i, 8 * 1024 * 1024);
      assert.ok(await logBytes() > 90 * 1024 * 1024);
    } finally {
      reader.close();
    }
    // The next commit moves the log, and the one after it starts it again.
    for (let i = 13; i <= 16; i++) await writeSome(i, 8);
    assert.ok(await logBytes() <= 64 * 1024 * 1024, `${await logBytes()}`);
  });
});

Deno.test("whether an account's row is referred to is looked up, and no table is read through for it", async () => {
  await withTestApp((app) => {
    const sqlite = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
    try {
      const scanned = sqlite.prepare(`
        select child.name as "table", refers."from" as "column"
        from sqlite_schema as child
        join pragma_foreign_key_list(child.name) as refers
        where child.type = 'table' and refers."table" = 'account'
          and not exists (
            select 1 from pragma_index_list(child.name) as held
            join pragma_index_info(held.name) as part
            where held.partial = 0 and part.seqno = 0
              and part.name = refers."from")`).all();
      assert.deepEqual(scanned.map((row) => ({ ...row })), []);
    } finally {
      sqlite.close();
    }
    return Promise.resolve();
  });
});
