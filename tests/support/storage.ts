/**
 * Stored blobs in tests: asking the server about them, and damaging them behind
 * its back.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type Sender, type TestApp, yieldToEventLoop } from "./app.ts";
import { OBJECT_SUFFIX } from "./object_suffix.ts";
import { expectJson, type Json } from "./expect.ts";
import {
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
} from "./people.ts";
import { withFaultlessApp } from "./api.ts";
import { COUNT_LIBRARIES } from "./counting.ts";
import { writeRows } from "./rows.ts";
import { until } from "./until.ts";

/** A verify request's asset. */
interface AskedAsset {
  readonly asset_id: string;
  readonly blob_hashes: readonly string[];
}

/** POSTs a verify request. */
export function sendVerify(
  app: Sender,
  person: Person,
  assets: readonly AskedAsset[],
  over: Json = {},
): Promise<Response> {
  return app.send("POST", "/v1/storage/verify", {
    token: person.token,
    json: { assets, ...over },
  });
}

/** Verifies assets; returns the verdicts. */
export async function verify(
  app: Sender,
  person: Person,
  assets: readonly AskedAsset[],
  over: Json = {},
): Promise<Json> {
  const { verdicts } = await expectJson(
    await sendVerify(app, person, assets, over),
    200,
  );
  return verdicts;
}

/** Verifies one asset; returns its verdict. */
export async function verifyOne(
  app: Sender,
  person: Person,
  assetId: string,
  hashes: readonly string[],
  over: Json = {},
): Promise<Json> {
  const asked = [{ asset_id: assetId, blob_hashes: hashes }];
  return (await verify(app, person, asked, over))[0];
}

/** Every content address that a client of this asset relies on. */
export function hashesOf(asset: LiveAsset): string[] {
  return [asset.original, asset.metadata, asset.manifest].map(hashOf);
}

/** A server's database; it waits while the server itself writes. */
export function openDatabase(dataDir: string): DatabaseSync {
  return new DatabaseSync(`${dataDir}/db/strongroom.sqlite`, {
    timeout: 60_000,
  });
}

/** The file of a blob, or the one behind its object. */
export function blobFile(
  { dataDir, objectsDir }: Pick<TestApp, "dataDir"> & {
    readonly objectsDir?: string | undefined;
  },
  hash: string,
): string {
  const name = `blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
  return objectsDir === undefined
    ? `${dataDir}/${name}`
    : `${objectsDir}/${name}${OBJECT_SUFFIX}`;
}

/** What can befall a blob's file. */
export const DAMAGES = {
  "a flipped byte": async (path: string) => {
    const bytes = await Deno.readFile(path);
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await Deno.writeFile(path, bytes);
  },
  "a truncated file": async (path: string) => {
    const { size } = await Deno.stat(path);
    await Deno.truncate(path, size - 1);
  },
  "a missing file": (path: string) => Deno.remove(path),
} as const;

/** The same for a blob in the database. */
const ROW_DAMAGES: Readonly<Record<keyof typeof DAMAGES, string>> = {
  // One byte in 256 is 0 already.
  "a flipped byte": `update small_blob
    set bytes = cast(iif(substr(bytes, 1, 1) = x'00', x'01', x'00') ||
      substr(bytes, 2) as blob) where hash = ?`,
  "a truncated file": `update small_blob
    set bytes = substr(bytes, 1, length(bytes) - 1) where hash = ?`,
  "a missing file": "delete from small_blob where hash = ?",
};

/** Damages a blob, in the database or in its file. */
export async function damageBlob(
  app: Parameters<typeof blobFile>[0],
  hash: string,
  damage: keyof typeof DAMAGES,
): Promise<void> {
  let changed: number | bigint = 0;
  await changeDatabase(app, (database) => {
    changed = database.prepare(ROW_DAMAGES[damage]).run(hash).changes;
  });
  if (changed === 0) await DAMAGES[damage](blobFile(app, hash));
}

/** Takes every blob from a server, behind everybody's back. */
export async function loseBlobs(
  place: Parameters<typeof blobFile>[0],
): Promise<void> {
  const database = openDatabase(place.dataDir);
  const rows = database.prepare("select hash from blob").all();
  database.close();
  for (const { hash } of rows) {
    await damageBlob(place, String(hash), "a missing file");
  }
}

/** Gives a blob other bytes, or its own again, where it lies. */
export async function writeBlob(
  app: Parameters<typeof blobFile>[0],
  hash: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const path = blobFile(app, hash);
  try {
    await Deno.stat(path.slice(0, path.lastIndexOf("/")));
    await Deno.writeFile(path, bytes);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    await changeDatabase(app, (database) => {
      database.prepare("insert or replace into small_blob values (?, ?)")
        .run(hash, bytes);
    });
  }
}

/**
 * Changes a server's database behind its back. The server may run in this very
 * process, and writes only while this waits without holding up the event loop.
 */
export async function changeDatabase(
  { dataDir }: Pick<TestApp, "dataDir">,
  change: (database: DatabaseSync) => void,
): Promise<void> {
  await until(() => {
    const database = new DatabaseSync(`${dataDir}/db/strongroom.sqlite`);
    try {
      database.exec("pragma foreign_keys = off");
      database.exec("begin immediate");
      change(database);
      database.exec("commit");
      return Promise.resolve(true);
    } catch (error) {
      if (/database is locked/.test(String(error))) {
        return Promise.resolve(false);
      }
      throw error;
    } finally {
      database.close();
    }
  }, true);
  // What is read in this turn of the event loop is of its beginning.
  await yieldToEventLoop();
}

/** Takes an asset away from a server, behind everybody's back. */
export async function loseAsset(
  place: Pick<TestApp, "dataDir">,
  assetId: string,
): Promise<void> {
  await changeDatabase(place, (database) => {
    // As the server's own purge leaves the feed.
    database.prepare(
      "insert into feed (user_id, action, album_id, asset_id, at) " +
        "select owner_id, 'purge', album_id, asset_id, updated_at " +
        "from asset where asset_id = ?",
    ).run(assetId);
    for (const table of ["holding", "manifest", "asset"]) {
      database.prepare(`delete from ${table} where asset_id = ?`).run(assetId);
    }
  });
}

/** The escrow of the only account. */
export function escrowIn(
  { dataDir }: Pick<TestApp, "dataDir">,
): Uint8Array<ArrayBuffer> {
  const database = openDatabase(dataDir);
  try {
    const { body } = database.prepare("select body from escrow").get() ?? {};
    assert(body instanceof Uint8Array);
    return new Uint8Array(body);
  } finally {
    database.close();
  }
}

/** What a restore of a backup leaves that had another escrow. */
export async function restoreEscrow(
  place: Pick<TestApp, "dataDir">,
  escrow: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await changeDatabase(place, (database) => {
    database.prepare("update escrow set body = ?, sha256 = ?")
      .run(escrow, hashOf(escrow));
    database.prepare("update server set feed_epoch = ?")
      .run(crypto.randomUUID());
  });
}

/** What a restore leaves of a server's capabilities: all are revoked. */
export async function restoreCapabilities(
  place: Pick<TestApp, "dataDir">,
  now: number,
): Promise<void> {
  await changeDatabase(place, (database) => {
    database.prepare("update capability_grant set revoked_at = ?").run(now);
    database.prepare("update server set feed_epoch = ?")
      .run(crypto.randomUUID());
  });
}

/** Makes the trust record of every account unreadable, as a server can. */
export async function damageTrust(
  place: Pick<TestApp, "dataDir">,
): Promise<void> {
  await changeDatabase(place, (database) => {
    const { changes } = database.prepare(
      "update state_slot set body = zeroblob(size) where slot = 'trust'",
    ).run();
    assert.equal(changes, 1);
  });
}

/** Changes an asset's row as moderation and the trash do. */
export async function setAsset(
  app: TestApp,
  assetId: string,
  change: {
    readonly withheld_at?: number;
    readonly state?: "live" | "deleted";
    readonly deleted_at?: number;
  },
): Promise<void> {
  await app.app.db.updateTable("asset").set(change)
    .where("asset_id", "=", assetId as Json).execute();
  if (change.state !== undefined) writeRows(app, COUNT_LIBRARIES);
}

/** What is told of a blob that nothing is wrong with. */
export const SOUND = { stored: true, indexed: true, retrievable: true };

/** An application with Ada, which logs no error. */
export async function withAda(
  test: (app: TestApp, ada: Person) => Promise<void>,
): Promise<void> {
  await withFaultlessApp(async (app) => {
    await test(app, await registerWriter(app, "ada"));
  });
}
