/**
 * The names that a server had stay published, so that its old receipts verify
 * (protocol/discovery.md#attestation-keys).
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { fromBase64 } from "../../src/core/bytes.ts";
import {
  parsePublishedKeys,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import { ORIGIN, START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { publishedRecord, uploadNamed } from "../support/custody.ts";
import type { Json } from "../support/expect.ts";
import { type Person, registerWriter } from "../support/people.ts";

const NAMED = "https://photos.example";
const RENAMED = "https://pictures.example";
const HOUR_MS = 3_600_000;

const at = (ms: number) => new Date(ms).toISOString();

async function receiptUnder(
  app: TestApp,
  person: Person,
  name: string,
): Promise<Uint8Array> {
  const receipt = await uploadNamed(app, person, name);
  return fromBase64(receipt.receipt_cbor) ?? new Uint8Array();
}

/** Opens the server under another name, an hour later. */
async function rename(app: TestApp, name: string): Promise<TestApp> {
  app.clock.advance(HOUR_MS);
  return await app.reopen({ STRONGROOM_BASE_URL: name });
}

async function namesOf(app: TestApp): Promise<Json> {
  const { server_ids } = await publishedRecord(app);
  return server_ids;
}

function toldNames(app: TestApp): Json[] {
  return app.logged
    .filter(({ properties }) => "formerly" in properties)
    .map(({ level, properties }) => [
      level,
      properties.formerly,
      properties.server_id,
    ]);
}

Deno.test("a server that is called something else says so at its start, and its receipts of before verify offline by what it publishes", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const first = await receiptUnder(app, ada, "first");
    const renamed = await rename(app, NAMED);
    assert.deepEqual(toldNames(renamed), [["warn", ORIGIN, NAMED]]);
    assert.deepEqual(await namesOf(renamed), [
      { server_id: ORIGIN, from: at(START_MS), to: at(START_MS + HOUR_MS) },
      { server_id: NAMED, from: at(START_MS + HOUR_MS) },
    ]);
    const record = await publishedRecord(renamed);
    const verified = await verifyReceiptChain(
      [first],
      parsePublishedKeys(record),
    );
    assert.equal(verified.ok, true, JSON.stringify(verified));
    const { server_ids: _, ...withoutNames } = record;
    const refused = await verifyReceiptChain(
      [first],
      parsePublishedKeys(withoutNames),
    );
    assert(!refused.ok && refused.fault === "foreign_server");
  });
});

Deno.test("a server that keeps its name says nothing, and has that name alone", async () => {
  await withTestApp(async (app) => {
    const again = await (await rename(app, ORIGIN)).reopen();
    assert.deepEqual(toldNames(again), []);
    assert.deepEqual(await namesOf(again), [
      { server_id: ORIGIN, from: at(START_MS) },
    ]);
  });
});

Deno.test("a name under which no receipt was given is told of and not published", async () => {
  await withTestApp(async (app) => {
    const renamed = await rename(app, NAMED);
    assert.deepEqual(toldNames(renamed), [["warn", ORIGIN, NAMED]]);
    assert.deepEqual(await namesOf(renamed), [
      { server_id: NAMED, from: at(START_MS + HOUR_MS) },
    ]);
  });
});

Deno.test("the names of a database that never wrote them down are found in its receipts", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await receiptUnder(app, ada, "first");
    await receiptUnder(app, ada, "second");
    const renamed = await rename(app, NAMED);
    // The tokens of before are the other name's.
    const bob = await registerWriter(renamed, "bob");
    for (const name of ["third", "fourth", "fifth"]) {
      renamed.clock.advance(1_000);
      await receiptUnder(renamed, bob, name);
    }
    const sqlite = new DatabaseSync(
      `${app.dataDir}/db/strongroom.sqlite`,
    );
    sqlite.exec("delete from server_name");
    // As a restore leaves it: numbers that no receipt has.
    sqlite.exec(
      "update receipt set receipt_seq = receipt_seq + 1000000" +
        " where receipt_seq > 3",
    );
    sqlite.close();
    const again = await rename(renamed, RENAMED);
    assert.deepEqual(toldNames(again), [["warn", NAMED, RENAMED]]);
    assert.deepEqual(await namesOf(again), [
      {
        server_id: ORIGIN,
        from: at(START_MS),
        to: at(START_MS + HOUR_MS + 1_000),
      },
      {
        server_id: NAMED,
        from: at(START_MS + HOUR_MS + 1_000),
        to: at(START_MS + 2 * HOUR_MS + 3_000),
      },
      { server_id: RENAMED, from: at(START_MS + 2 * HOUR_MS + 3_000) },
    ]);
  });
});
