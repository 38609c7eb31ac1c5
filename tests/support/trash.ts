/**
 * The trash and the disk in tests: what was deleted, what was collected, and
 * what lies in the blob directory.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  collectGarbage,
  type CollectOptions,
} from "../../src/features/garbage_collection/collection.ts";
import type { Sender, TestApp } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import { ciphertext, hashOf, type Person, uploadBlob } from "./people.ts";
import { OBJECT_SUFFIX } from "./object_suffix.ts";
import { blobFile } from "./storage.ts";
import { readAsset, readBlob, refreshed, sendManifest } from "./api.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** DELETEs an asset. */
export function sendDelete(
  app: Sender,
  person: Person,
  assetId: string,
): Promise<Response> {
  return app.send("DELETE", `/v1/assets/${assetId}`, { token: person.token });
}

/** DELETEs an asset for good. */
export function sendPurge(
  app: Sender,
  { token }: Person,
  assetId: string,
): Promise<Response> {
  return app.send("DELETE", `/v1/assets/${assetId}?forever=true`, { token });
}

/** Empties the trash; returns the answer. */
export async function emptyTrash(app: Sender, person: Person): Promise<Json> {
  const { token } = person;
  return await expectJson(
    await app.send("DELETE", "/v1/trash", { token }),
    200,
  );
}

/** A page of the trash. */
export async function listTrash(
  app: Sender,
  { token }: Person,
  query = "",
): Promise<Json> {
  return await expectJson(
    await app.send("GET", `/v1/trash${query}`, { token }),
    200,
  );
}

/** POSTs a restore. */
export function sendRestore(
  app: Sender,
  person: Person,
  assetId: string,
): Promise<Response> {
  return app.send("POST", `/v1/assets/${assetId}/restore`, {
    token: person.token,
  });
}

/** Deletes an asset; returns the answer. */
export async function trash(
  app: TestApp,
  person: Person,
  assetId: string,
): Promise<Json> {
  return await expectJson(await sendDelete(app, person, assetId), 200);
}

/** Restores an asset; returns the answer. */
export async function restore(
  app: TestApp,
  person: Person,
  assetId: string,
): Promise<Json> {
  return await expectJson(await sendRestore(app, person, assetId), 200);
}

/** Lets time pass; returns the person with an access token of then. */
export async function later(
  app: TestApp,
  person: Person,
  ms: number,
): Promise<Person> {
  app.clock.advance(ms);
  return await refreshed(app, person);
}

/** Collects garbage, as the periodic task does or the operator. */
export function collect(app: TestApp, options: CollectOptions = {}) {
  return collectGarbage(app.app, options);
}

/** The three counters of an account: used, reserved, trash. */
export async function countersOf(
  app: TestApp,
  person: Person,
): Promise<{ used: number; reserved: number; trash: number }> {
  const row = await app.app.db.selectFrom("usage").selectAll()
    .where("user_id", "=", person.userId as Json)
    .executeTakeFirstOrThrow();
  return {
    used: row.used_bytes,
    reserved: row.reserved_bytes,
    trash: row.trash_bytes,
  };
}

/**
 * The files below a directory of the data directory, names with sizes, the
 * objects where blobs lie in a bucket, and the blobs in the database.
 */
export async function filesIn(
  { dataDir, objectsDir, app }: TestApp,
  directory: "blobs" | "uploads",
): Promise<Map<string, number>> {
  const files = new Map<string, number>();
  if (directory === "blobs") {
    const rows = await app.db.selectFrom("small_blob").selectAll().execute();
    for (const { hash, bytes } of rows) files.set(hash, bytes.length);
  }
  const visit = async (path: string, suffix = ""): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(path)) {
      if (isDirectory) {
        await visit(`${path}/${name}`, suffix);
      } else if (name.endsWith(suffix)) {
        const { size } = await Deno.stat(`${path}/${name}`);
        files.set(name.slice(0, name.length - suffix.length), size);
      }
    }
  };
  await visit(`${dataDir}/${directory}`);
  if (objectsDir === undefined || directory === "uploads") return files;
  await visit(`${objectsDir}/blobs`, OBJECT_SUFFIX).catch((cause) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  });
  return files;
}

/** Expects exactly these blobs on the disk, each whole. */
export async function expectStored(
  app: TestApp,
  ...blobs: readonly Uint8Array[]
): Promise<void> {
  const expected = blobs.map((bytes) => [hashOf(bytes), bytes.length] as const);
  assert.deepEqual(
    [...await filesIn(app, "blobs")].toSorted(),
    [...new Map(expected)].toSorted(),
  );
}

/** The path of a blob's file, or of the file behind its object. */
export function blobPath(app: TestApp, bytes: Uint8Array): string {
  return blobFile(app, hashOf(bytes));
}

/** The status of reading a blob of an asset. */
export async function statusOfBlob(
  app: TestApp,
  person: Person,
  assetId: string,
  bytes: Uint8Array,
): Promise<number> {
  const response = await readBlob(app, person, assetId, hashOf(bytes));
  await response.body?.cancel();
  return response.status;
}

/** Sets a column of an asset, as the operator's commands do. */
export async function mark(
  app: TestApp,
  assetId: string,
  change: {
    readonly held_at?: number | null;
    readonly withheld_at?: number | null;
  },
): Promise<void> {
  await app.app.db.updateTable("asset").set(change)
    .where("asset_id", "=", assetId as Json).execute();
}

/**
 * Expects what `check` looks at: every row that is referenced has its file,
 * every file its row, and the counters are the sums of what is held.
 */
export async function expectConsistent(app: TestApp): Promise<void> {
  const { db } = app.app;
  const files = await filesIn(app, "blobs");
  for (
    const { hash, size } of await db.selectFrom("blob").selectAll().execute()
  ) {
    const held = await db.selectFrom("holding").select("size")
      .where("hash", "=", hash).execute();
    if (held.length > 0) assert.equal(files.get(hash), size, `blob ${hash}`);
  }
  for (const usage of await db.selectFrom("usage").selectAll().execute()) {
    const held = await db.selectFrom("holding")
      .leftJoin(
        "asset",
        (join) =>
          join.onRef("asset.asset_id", "=", "holding.asset_id")
            .onRef("asset.owner_id", "=", "holding.owner_id"),
      )
      .select(["hash", "holding.size", "holding.applied", "asset.state"])
      .where("holding.owner_id", "=", usage.user_id).execute();
    // Each blob once, and in use where any asset outside the trash holds it.
    const inTrash = new Map<string, boolean>();
    const sizes = new Map<string, number>();
    for (const { hash, size, applied, state } of held) {
      const isTrash = applied === 1 && state === "deleted";
      inTrash.set(hash, isTrash && (inTrash.get(hash) ?? true));
      sizes.set(hash, size);
    }
    let [used, trashed] = [0, 0];
    for (const [hash, size] of sizes) {
      if (inTrash.get(hash)) trashed += size;
      else used += size;
    }
    assert.deepEqual(
      [usage.used_bytes, usage.trash_bytes, usage.held_blobs],
      [used, trashed, sizes.size],
    );
  }
}

/** Replaces an asset's original, without metadata; returns the manifest. */
export async function replaceOriginal(
  app: TestApp,
  person: Person,
  assetId: string,
  original: Uint8Array<ArrayBuffer>,
  name: string,
): Promise<Uint8Array> {
  const { chain_head } = await readAsset(app, person, assetId);
  const manifest = ciphertext(`replace ${name}`, 40);
  await uploadBlob(app, person, original, { fileId: assetId });
  await expectJson(
    await sendManifest(app, person, assetId, manifest, {
      action: "replace",
      original,
      prior: chain_head,
    }),
    200,
  );
  return manifest;
}
