/**
 * No request walks a library: what SQLite plans for the statements of everyday
 * requests (scaling.md#measured-capacity).
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { type TestApp } from "../support/app.ts";
import { readBlob, withFaultlessApp } from "../support/api.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  emptyTrash,
  sendDelete,
  sendPurge,
  sendRestore,
} from "../support/trash.ts";
import { verifyOne } from "../support/storage.ts";
import { growthByMonth } from "../../src/features/operators/store.ts";
import { sumBlobs } from "../../src/features/metrics/store.ts";
import { listHeld } from "../../src/features/account_deletion/closing_store.ts";
import { hasExpired } from "../../src/features/uploads/uploads.ts";
import { expectJson } from "../support/expect.ts";

/** Tables that have a row or more for each photo. */
const LARGE = "(asset|holding|manifest|receipt|feed|blob|small_blob|upload)";
/** A table from its beginning, with an index or without. */
const WALKED = new RegExp(`^SCAN ${LARGE}\\b`);
/** All rows of one account or album. */
const ALL_OF_ONE = new RegExp(
  `^SEARCH ${LARGE} .*\\((owner_id|user_id|album_id|album_owner_id)=\\?\\)`,
);

/** The statements that are prepared or sent to the writer meanwhile. */
async function statementsOf(act: () => Promise<void>): Promise<Set<string>> {
  const seen = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  const { postMessage } = Worker.prototype;
  DatabaseSync.prototype.prepare = function (sql, ...more) {
    seen.add(sql);
    return prepare.call(this, sql, ...more);
  };
  Worker.prototype.postMessage = function (this: Worker, ...sent: unknown[]) {
    for (const order of Array.isArray(sent[0]) ? sent[0] : []) {
      if (typeof order?.sql === "string") seen.add(order.sql);
    }
    return Reflect.apply(postMessage, this, sent);
  };
  try {
    await act();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
    Worker.prototype.postMessage = postMessage;
  }
  return seen;
}

/** Steps of a plan that grow with a library, each with its statement. */
function walks(app: TestApp, statements: Iterable<string>): string[] {
  const sqlite = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
  try {
    return [...statements].filter((sql) =>
      /^\s*(select|with|insert|update|delete)\b/i.test(sql)
    ).flatMap((sql) => {
      const plan = sqlite.prepare(`explain query plan ${sql}`).all()
        .map(({ detail }) => String(detail));
      // In the order of an index, a limit ends it. One that only bounds a count
      // may be any number.
      const ends = /\blimit\b/i.test(sql) &&
        !/\bselect count\(\*\) from \(/i.test(sql) &&
        !plan.some((step) => step.includes("TEMP B-TREE"));
      return ends ? [] : plan
        .filter((step) => WALKED.test(step) || ALL_OF_ONE.test(step))
        .map((step) => `${step}: ${sql}`);
    });
  } finally {
    sqlite.close();
  }
}

async function everyday(app: TestApp, ada: Person): Promise<void> {
  const { token } = ada;
  const get = async (path: string) =>
    await expectJson(await app.send("GET", path, { token }), 200);
  const { assetId, original } = await createAsset(app, ada, "photo");
  await uploadBlob(app, ada, ciphertext("waiting", 60), {
    fileId: uuidOf("waiting"),
  });
  await createUpload(app, ada, ciphertext("open", 70));
  await get("/v1/auth/profile");
  await get("/v1/storage/usage");
  await get("/v1/sync?limit=200");
  await get("/v1/receipts?limit=10");
  await get(`/v1/assets/${assetId}`);
  await expectJson(
    await app.send("POST", "/v1/assets/query", {
      token,
      json: { asset_ids: [assetId] },
    }),
    200,
  );
  const blob = await readBlob(app, ada, assetId, hashOf(original));
  assert.equal(blob.status, 200);
  await blob.arrayBuffer();
  await verifyOne(app, ada, assetId, [hashOf(original)]);
  await expectJson(await sendDelete(app, ada, assetId), 200);
  await expectJson(await sendRestore(app, ada, assetId), 200);
  await expectJson(await sendDelete(app, ada, assetId), 200);
  assert.equal((await sendPurge(app, ada, assetId)).status, 204);
  const other = await createAsset(app, ada, "other");
  await expectJson(await sendDelete(app, ada, other.assetId), 200);
  await emptyTrash(app, ada);
  // What the operator's page, the metrics and a departure ask.
  const { db, platform } = app.app;
  await growthByMonth(db, 0);
  await sumBlobs(db);
  await listHeld(db, ada.userId as never);
  await hasExpired(db, platform.now(), ada.userId as never);
}

Deno.test("no everyday request walks a table that grows with the library", async () => {
  await withFaultlessApp(async (app) => {
    const statements = await statementsOf(async () =>
      await everyday(app, await registerWriter(app, "ada"))
    );
    assert(statements.size > 40, `${statements.size} statements`);
    assert.deepEqual(walks(app, statements), []);
    // What the rule is for is found by it.
    const found = [
      "select count(*) from holding where owner_id = ?",
      "select count(*) from (select 1 from holding where owner_id = ? limit 9)",
      "select sum(size) from blob",
    ];
    assert.equal(walks(app, found).length, found.length);
  });
});
