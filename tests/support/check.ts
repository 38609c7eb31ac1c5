/**
 * A data directory with a history, and checking it.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type CheckOptions,
  type CheckReport,
  checkStore,
  publishedKeys,
} from "../../src/features/verification/check.ts";
import type { Db } from "../../src/store/sqlite/database.ts";
import { opRequest, provisionAlbum, sendOp } from "./albums.ts";
import type { TestApp } from "./app.ts";
import { expectEmpty, expectJson } from "./expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type LiveAsset,
  patchBytes,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "./people.ts";
import { setAsset } from "./storage.ts";
import { sendManifest } from "./api.ts";

/** Checks an application's data directory, or another database next to it. */
export function check(
  app: TestApp,
  options: CheckOptions = {},
  db: Db = app.app.db,
): Promise<CheckReport> {
  const { staging, blobs, objectStore, secrets } = app.app;
  const keys = publishedKeys(secrets.attestationKeys);
  return checkStore({ db, staging, blobs, objectStore, keys }, options);
}

/** Expects every account's counters to say what its tables add up to. */
export async function expectCounted(app: TestApp): Promise<void> {
  const { findings } = await check(app, { steps: ["usage"] });
  assert.deepEqual(findings, []);
}

/** Findings as `kind subject`, sorted. */
export function namesOf(report: CheckReport): string[] {
  return report.findings.map(({ kind, subject }) => `${kind} ${subject}`)
    .toSorted();
}

export interface History {
  readonly ada: Person;
  /** A live asset that was never changed. */
  readonly asset: LiveAsset;
}

/** Two accounts' uploads, replaces, lifecycle writes, and what they gave up. */
export async function makeHistory(app: TestApp): Promise<History> {
  const ada = await registerWriter(app, "ada");
  const bob = await registerWriter(app, "bob");
  const replaced = await createAsset(app, ada, "replaced");
  await replace(app, ada, replaced);
  await makeOps(app, ada);
  // The same bytes as another account's, and under two assets.
  const shared = ciphertext("original replaced", 5_000);
  await uploadBlob(app, bob, shared, { fileId: uuidOf("bob's") });
  await uploadBlob(app, bob, shared, { fileId: uuidOf("bob's other") });
  await makeSessions(app, bob);
  const trashed = await createAsset(app, bob, "trashed", { length: 100 });
  await moveToTrash(app, trashed);
  const asset = await createAsset(app, ada, "photo");
  return { ada, asset };
}

async function replace(app: TestApp, ada: Person, { assetId, manifest }: {
  readonly assetId: string;
  readonly manifest: Uint8Array;
}): Promise<void> {
  await uploadBlob(app, ada, ciphertext("preview", 70), {
    fileId: assetId,
    role: "derivative",
  });
  const edited = ciphertext("edited", 120);
  await uploadBlob(app, ada, edited, { fileId: assetId });
  await expectJson(
    await sendManifest(app, ada, assetId, ciphertext("second", 60), {
      action: "replace",
      original: edited,
      prior: hashOf(manifest),
    }),
    200,
  );
}

/** Lifecycle writes, their metadata inline. */
async function makeOps(app: TestApp, ada: Person): Promise<void> {
  const albumId = await provisionAlbum(app, ada, "history");
  const assetId = uuidOf("written");
  const original = ciphertext("written", 90);
  await uploadBlob(app, ada, original, { fileId: assetId, albumId });
  const first = ciphertext("first manifest", 50);
  const write = (manifest: Uint8Array, metadata: string, over = {}) =>
    sendOp(
      app,
      ada,
      albumId,
      opRequest(ada, albumId, assetId, manifest, {
        original,
        metadata: ciphertext(metadata, 40),
        ...over,
      }),
    );
  await expectJson(await write(first, "one"), 200);
  await expectJson(
    await write(ciphertext("second manifest", 55), "two", {
      action: "replace",
      prior: hashOf(first),
    }),
    200,
  );
}

/** Open, cancelled and expired sessions, empty, half full and full. */
async function makeSessions(app: TestApp, bob: Person): Promise<void> {
  const open = async (name: string, sent: number) => {
    const bytes = ciphertext(name, 80);
    const { upload_id } = await createUpload(app, bob, bytes, {
      fileId: uuidOf(name),
    });
    if (sent > 0) {
      await expectEmpty(
        await patchBytes(app, bob, upload_id, 0, bytes.slice(0, sent)),
        204,
      );
    }
    return upload_id;
  };
  for (const sent of [0, 40, 80]) {
    await open(`open ${sent}`, sent);
    const id = await open(`cancelled ${sent}`, sent);
    await expectEmpty(
      await app.send("DELETE", `/v1/upload/${id}`, { token: bob.token }),
      204,
    );
  }
}

async function moveToTrash(
  app: TestApp,
  { assetId }: LiveAsset,
): Promise<void> {
  await setAsset(app, assetId, {
    state: "deleted",
    deleted_at: app.clock.now,
  });
}
