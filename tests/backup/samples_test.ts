/**
 * Backups that an earlier program wrote (tests/backup/samples): every file and
 * every blob of them comes back as it was (backup.md,
 * backup-off-site/format.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { platform } from "../../main.ts";
import { isBlobHash } from "../../src/core/ids.ts";
import { renderManifest } from "../../src/features/backup/manifest.ts";
import { readManifest } from "../../src/features/backup/directory/place.ts";
import {
  chooseGeneration,
  requireGeneration,
} from "../../src/features/backup/remote_backup/generation.ts";
import { sourceOf } from "../../src/features/backup/remote_backup/source.ts";
import { verifyRemoteBackup } from "../../src/features/backup/remote_backup/verify.ts";
import { sourceIn } from "../../src/features/backup/directory/source.ts";
import type { RestoreSource } from "../../src/features/backup/source.ts";
import { readState } from "../../src/features/backup/state.ts";
import { denoFiles as files } from "../../src/store/files/deno_files.ts";
import { DirectoryRemote } from "../../src/store/remote/backup/directory_remote.ts";
import { Repository } from "../../src/store/remote/backup/repository.ts";
import { withRoom } from "../support/backups.ts";
import { hashOf } from "../support/people.ts";

const SAMPLES = new URL("samples/", import.meta.url).pathname;
const PLAIN = { files, dir: `${SAMPLES}plain` };

/** What both of them hold. */
const BLOBS = [
  ["db625095aec04e068ec2ca6c01fda7711156228bd9ef772f9f55e1811e36315d", 66_000],
  ["e1620eaab2bee45721dbfde936dbc4660ade4c902ff025746d5eac065745ba71", 300],
] as const;
const LOST = "1".repeat(64);
const IDENTITY = hashOf(new TextEncoder().encode("identity\n"));

async function openSealed(byte: number): Promise<Repository> {
  const place = `${SAMPLES}sealed`;
  const remote = await DirectoryRemote.open("the sample", place, platform);
  const key = new Uint8Array(32).fill(byte);
  const repository = await Repository.open(
    remote,
    () => Promise.resolve({ kind: "key_file", key }),
    platform,
  );
  assert(repository !== undefined);
  return repository;
}

/** Brings everything that a restore would, and compares it. */
async function expectAll(source: RestoreSource, name: string): Promise<void> {
  const { snapshot } = source;
  assert.equal(source.attestationKey, IDENTITY);
  assert.deepEqual(
    [snapshot.name, snapshot.made_at, snapshot.server_id, snapshot.schema],
    [name, "2026-11-25T04:00:00.000Z", "https://photos.example.org", 1],
  );
  assert.deepEqual(snapshot.blobs, { count: 2, bytes: 66_300 });
  assert.deepEqual(snapshot.lost, [LOST]);
  assert.deepEqual(snapshot.settings?.given, [
    { name: "STRONGROOM_LISTEN", value: "127.0.0.1:8080" },
    { name: "STRONGROOM_NOTIFY", value: null },
  ]);
  await withRoom(async (room) => {
    assert.deepEqual(snapshot.files.map(({ path }) => path), [
      "strongroom.sqlite",
      "keys/access.json",
      "keys/attestation.json",
      "keys/sealing.json",
      "keys/log.json",
    ]);
    for (const [at, file] of snapshot.files.entries()) {
      const { bytes, sha256 } = file;
      const brought = await source.bringFile(file, `${room}/${at}`);
      assert.deepEqual(brought, { bytes, sha256 });
      assert.equal(hashOf(await Deno.readFile(`${room}/${at}`)), sha256);
    }
    for (const [hash, size] of BLOBS) {
      assert(isBlobHash(hash));
      const to = `${room}/${hash}`;
      assert.equal(await source.bringBlob({ hash, size }, to), "copied");
      assert.equal(hashOf(await Deno.readFile(to)), hash);
    }
    assert(isBlobHash(LOST));
    const lost = { hash: LOST, size: 5 };
    assert.equal(await source.bringBlob(lost, `${room}/lost`), "missing");
  });
}

Deno.test("a plain backup of an earlier program is read back, byte for byte", async () => {
  await expectAll(await sourceIn(PLAIN), "2");
});

Deno.test("the manifest and the notes of an earlier program are what this one writes", async () => {
  const manifest = await readManifest(PLAIN);
  assert(manifest !== undefined);
  const path = `${PLAIN.dir}/strongroom-backup.json`;
  assert.deepEqual(renderManifest(manifest), await Deno.readFile(path));
  assert.deepEqual(readState(PLAIN), {
    clean: true,
    blobs_after: "ab".repeat(32),
    receipts_after: 7,
    damaged_receipts: [3],
  });
});

Deno.test("a sealed backup of an earlier program is read back, byte for byte", async () => {
  const repository = await openSealed(0x5a);
  assert.equal(repository.attestationKey, IDENTITY);
  const generation = await requireGeneration(
    repository,
    await chooseGeneration(repository, undefined),
  );
  await expectAll(sourceOf(files, repository, generation), "1");
  const { generations, findings, objects, leftovers } =
    await verifyRemoteBackup(files, repository, { deep: false, work: "" });
  assert.deepEqual(generations.map(({ number }) => number), [1]);
  assert.deepEqual(findings.map(({ kind, subject }) => `${kind} ${subject}`), [
    `blob_lost ${LOST}`,
  ]);
  // Two blobs, the database and the index.
  assert.deepEqual([objects.count, leftovers], [4, 0]);
  await assert.rejects(openSealed(0x5b), /encrypted with another key file/);
});
