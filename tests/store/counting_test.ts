/**
 * What counting each blob of an account once costs: the rows of other holdings
 * that SQLite visits, however many copies of a blob lie in the trash.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { lapsedTrash, type TrashPart } from "../../src/features/trash.ts";
import {
  HELD_BLOBS,
  MISMARKED_HOLDINGS,
  TRASHED_HOLDINGS,
  USED_HOLDINGS,
} from "../../src/store/sqlite/counting_once.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { expectCounted } from "../support/check.ts";
import { expectEmpty, expectJson } from "../support/expect.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
} from "../support/people.ts";
import { numbered, numberedUuid, writeRows } from "../support/rows.ts";
import {
  countersOf,
  DAY,
  expectConsistent,
  sendDelete,
  sendPurge,
  sendRestore,
} from "../support/trash.ts";

/** Every look at another holding of a blob, of a trigger or a query. */
const LOOKS = /\bfrom holding as other\b.*?\bwhere\b/gs;

/** The same, with a function that is called for each row that is visited. */
function counting(sql: string): string {
  assert.match(sql, LOOKS);
  return sql.replaceAll(LOOKS, "$& visited() and");
}

/** Does something with a database, and takes it back. */
function tried<T>(app: TestApp, act: (database: Tried) => T): T {
  const sqlite = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
  let visits = 0;
  sqlite.function("visited", () => {
    visits += 1;
    return 1;
  });
  try {
    sqlite.exec("begin immediate");
    const triggers = sqlite.prepare(
      "select name, sql from sqlite_schema where type = 'trigger'",
    ).all().filter(({ sql }) => String(sql).includes("holding as other"));
    assert(triggers.length > 0);
    for (const { name, sql } of triggers) {
      sqlite.exec(`drop trigger ${name}; ${counting(String(sql))}`);
    }
    return act({
      sqlite,
      visitsOf(work) {
        visits = 0;
        work();
        return visits;
      },
    });
  } finally {
    sqlite.exec("rollback");
    sqlite.close();
  }
}

interface Tried {
  readonly sqlite: DatabaseSync;
  /** Rows of other holdings that a piece of work visits. */
  readonly visitsOf: (work: () => void) => number;
}

/** Writes many copies of a photo into the trash of its owner, a ms apart. */
function trashCopies(
  app: TestApp,
  { userId }: Person,
  { original }: LiveAsset,
  count: number,
): void {
  const { now } = app.clock;
  const hash = hashOf(original);
  writeRows(
    app,
    `${numbered(count)} insert into asset (asset_id, owner_id, state,
      chain_head, sync_seq, created_at, updated_at, deleted_at)
      select ${numberedUuid("0a0a0a0a")}, '${userId}', 'deleted', '${hash}', n,
        0, 0, ${now} + n from numbers`,
    `${numbered(count)} insert into holding (owner_id, asset_id, role, hash,
      size, upload_id, finalized_at, receipt_seq, applied)
      select '${userId}', ${numberedUuid("0a0a0a0a")}, 'original', '${hash}',
        ${original.length}, '', 0, 0, 1 from numbers`,
  );
}

/** An account with a photo and so many copies of it in the trash. */
async function withCopies(
  count: number,
  test: (app: TestApp, ada: Person, asset: LiveAsset) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    trashCopies(app, ada, asset, count);
    await test(app, ada, asset);
  });
}

/** Everything that moves a counter: of the photo, of a copy, of a new one. */
const WORK = [
  "update asset set state = 'deleted' where asset_id = $photo",
  "update holding set applied = 0 where asset_id = $copy",
  "update holding set applied = 1 where asset_id = $copy",
  "update asset set state = 'live' where asset_id = $copy",
  "update asset set state = 'deleted' where asset_id = $copy",
  "delete from asset where asset_id = $copy",
  "delete from holding where asset_id = $copy",
  "update asset set state = 'live' where asset_id = $photo",
  `insert into holding (owner_id, asset_id, role, hash, size, upload_id,
    finalized_at, receipt_seq, applied) select owner_id, 'new', role, hash,
    size, '', 0, 0, 1 from holding where asset_id = $photo`,
  `insert into asset (asset_id, owner_id, state, chain_head, sync_seq,
    created_at, updated_at) select 'new', owner_id, 'deleted', '', 0, 0, 0
    from asset where asset_id = $photo`,
  "delete from holding where asset_id = $photo",
  "insert into holding select owner_id, 'more', role, hash, size, '', 0, 0, 1" +
  ", 0 from holding where asset_id = 'new'",
  "delete from holding where asset_id = 'new'",
  "delete from holding where role = 'original'",
];

/** What is wrong with the counters and the marks of every account. */
const WRONG = `select used_bytes, trash_bytes, held_blobs from usage
  where used_bytes <> ${USED_HOLDINGS} or trash_bytes <> ${TRASHED_HOLDINGS}
    or held_blobs <> ${HELD_BLOBS} or ${MISMARKED_HOLDINGS} > 0`;

Deno.test("each change of an asset looks at a few rows, however many copies of its photo are in the trash, and leaves the counters right", async () => {
  await withCopies(3_000, (app, _, { assetId }) => {
    tried(app, ({ sqlite, visitsOf }) => {
      for (const work of WORK) {
        const sql = work.replaceAll("$photo", `'${assetId}'`)
          .replaceAll("$copy", "'0a0a0a0a-0000-4000-8000-000000000005'");
        let changes = 0;
        const visits = visitsOf(() => {
          const before = totalChanges(sqlite);
          sqlite.exec(sql);
          changes = totalChanges(sqlite) - before;
        });
        assert(changes > 0, sql);
        assert(visits <= 6 * changes, `${visits} for ${changes}: ${sql}`);
        assert.deepEqual(sqlite.prepare(WRONG).all(), [], sql);
      }
    });
    return Promise.resolve();
  });
});

function totalChanges(sqlite: DatabaseSync): number {
  return Number(sqlite.prepare("select total_changes() as n").get()?.n);
}

Deno.test("what has left the trash is summed with one look at each copy", async () => {
  const copies = 1_000;
  await withCopies(copies, async (app, ada, { assetId, original }) => {
    await expectJson(await sendDelete(app, ada, assetId), 200);
    const deletedUntil = app.clock.now + DAY;
    const horizon = { now: deletedUntil, deletedUntil };
    const at = (n: number) => ({
      deleted_at: app.clock.now + n,
      asset_id: "1",
    });
    const sum = (part?: TrashPart) => {
      const { sql, parameters } = app.app.db.selectFrom("usage")
        .select(lapsedTrash(horizon, part).as("bytes")).compile();
      return tried(app, ({ sqlite, visitsOf }) => {
        let bytes: unknown;
        const visits = visitsOf(() => {
          bytes = sqlite.prepare(counting(sql))
            .get(...parameters as number[])?.bytes;
        });
        return { bytes, visits };
      });
    };
    const all = sum();
    const { trash } = await countersOf(app, ada);
    assert.equal(all.bytes, trash);
    assert(all.visits <= copies + 20, `${all.visits} rows`);
    // The photo goes with the last of its copies, in the part that has it.
    const first = sum({ after: undefined, to: at(copies - 2) });
    const last = sum({ after: at(copies - 2), to: undefined });
    assert.deepEqual(
      [first.bytes, last.bytes],
      [trash - original.length, original.length],
    );
  });
});

Deno.test("a photo with thousands of copies in the trash is deleted, restored and purged like any other", async () => {
  await withCopies(3_000, async (app, ada, { assetId, original }) => {
    const { used } = await countersOf(app, ada);
    await expectJson(await sendDelete(app, ada, assetId), 200);
    let now = await countersOf(app, ada);
    assert.deepEqual([now.used, now.trash], [0, used]);
    await expectJson(await sendRestore(app, ada, assetId), 200);
    now = await countersOf(app, ada);
    assert.deepEqual([now.used, now.trash], [used, 0]);
    await expectJson(await sendDelete(app, ada, assetId), 200);
    await expectEmpty(await sendPurge(app, ada, assetId), 204);
    now = await countersOf(app, ada);
    assert.deepEqual([now.used, now.trash], [0, original.length]);
    await expectConsistent(app);
    await expectCounted(app);
  });
});
