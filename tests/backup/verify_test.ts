/**
 * What is wrong with a backup, or with the data that one is made of, is found,
 * named, and not restored.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectRefused } from "../support/ended.ts";
import {
  parseManifest,
  renderManifest,
} from "../../src/features/backup/manifest.ts";
import { verifyBackup as verifyBackupHere } from "../../src/features/backup/directory/verify.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { SCHEMA } from "../../src/store/sqlite/migrations.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import {
  backUp,
  faultsOf,
  filesUnder,
  hashFileOf,
  namesIn,
  placesIn,
  restore,
  signIn,
  tryBackup,
  tryRestore,
  verifyBackup,
  withBackup,
  withRoom,
  withServer,
} from "../support/backups.ts";
import type { Json } from "../support/expect.ts";
import { createAsset, hashOf, registerWriter } from "../support/people.ts";
import { damageBlob } from "../support/storage.ts";
import { runProgram } from "../support/program.ts";

/** Changes one byte of a file, and gives the way back. */
async function flip(path: string, at: number): Promise<() => Promise<void>> {
  const bytes = await Deno.readFile(path);
  const changed = bytes.slice();
  changed[at] = (changed[at] ?? 0) ^ 1;
  // A file of its own: a blob's name may be the server's file as well.
  const put = async (content: Uint8Array) => {
    await Deno.remove(path);
    await Deno.writeFile(path, content, { mode: 0o600 });
  };
  await put(changed);
  return () => put(bytes);
}

const notLock = (name: string) => name !== "lock";

/** Makes the manifest say something else, as if the program had. */
async function rewrite(
  backup: string,
  change: (snapshot: Json, manifest: Json) => Promise<void> | void,
): Promise<void> {
  const path = `${backup}/strongroom-backup.json`;
  const manifest: Json = parseManifest(await Deno.readFile(path));
  await change(manifest.snapshot, manifest);
  await Deno.writeFile(path, renderManifest(manifest));
}

async function record(backup: string, path: string): Promise<void> {
  await rewrite(backup, async (snapshot) => {
    const file = snapshot.files.find((one: Json) => one.path === path);
    const place = `${backup}/snapshots/${snapshot.name}/${path}`;
    Object.assign(file, await hashFileOf(place));
  });
}

Deno.test("one changed byte anywhere is found and named, and is not restored", async () => {
  await withBackup(async ({ backup, restored }) => {
    // Neither is a part of the backup.
    const files = [...(await filesUnder(backup)).keys()]
      .filter((path) => !["lock", "state.json"].includes(path));
    // Database, four keys, manifest, three blobs.
    assert.equal(files.length, 9);
    for (const path of files) {
      const { size } = await Deno.stat(`${backup}/${path}`);
      const isManifest = path === "strongroom-backup.json";
      for (const at of [0, Math.floor(size / 2), size - 1]) {
        const mend = await flip(`${backup}/${path}`, at);
        const verified = verifyBackupHere(denoFiles, backup);
        if (isManifest) await assert.rejects(verified, /json was changed/);
        else {
          const { findings } = await verified;
          assert.deepEqual(
            findings.map(({ subject }) => subject),
            [path],
            `${path} at ${at}`,
          );
          assert.notEqual(findings[0]?.mend, "");
        }
        if (at === 0) {
          expectRefused(
            await tryRestore(backup, restored),
            isManifest
              ? /strongroom-backup\.json was changed/
              : new RegExp(`is damaged: ${path} was changed`),
          );
          assert.deepEqual((await namesIn(restored)).filter(notLock), []);
          const verify = await runProgram(["backup", "verify", backup]);
          if (isManifest) expectRefused(verify, /json was changed/);
          else assert.match(verify.stdout, new RegExp(`^${path}: [^\n]+\n`));
          assert.equal(verify.status, 1);
        }
        await mend();
      }
    }
    assert.deepEqual((await verifyBackup(backup)).findings, []);
    await restore(backup, restored);
    assert.deepEqual(await faultsOf(restored), []);
  });
});

Deno.test("a missing, a cut and an unknown file are found and named, and a deleted blob comes back", async () => {
  await withBackup(async ({ data, backup, restored }) => {
    const blobs = [...(await filesUnder(`${backup}/blobs`)).keys()];
    const [gone, cut] = blobs.map((path) => `blobs/${path}`);
    assert(gone !== undefined && cut !== undefined);
    await Deno.remove(`${backup}/${gone}`);
    const bytes = await Deno.readFile(`${backup}/${cut}`);
    await Deno.remove(`${backup}/${cut}`);
    await Deno.writeFile(`${backup}/${cut}`, bytes.slice(1));
    await Deno.writeTextFile(`${backup}/notes.txt`, "mine");
    const { findings } = await verifyBackup(backup);
    assert.deepEqual(
      findings.map(({ kind, subject }: Json) => `${kind} ${subject}`)
        .toSorted(),
      [
        `blob_changed ${cut}`,
        `blob_missing ${gone}`,
        "file_foreign notes.txt",
      ],
    );
    expectRefused(await tryRestore(backup, restored), /is damaged: blobs\//);
    const { linked, kept } = await backUp(data, backup);
    assert.deepEqual([linked, kept], [2, 1]);
    await Deno.remove(`${backup}/notes.txt`);
    assert.deepEqual((await verifyBackup(backup)).findings, []);
  });
});

Deno.test("a backup of a newer program is refused, and so is one of another format", async () => {
  await withBackup(async ({ backup, restored }) => {
    const database = `${backup}/snapshots/1/strongroom.sqlite`;
    const sqlite = openSqlite(database);
    sqlite.exec("pragma journal_mode = delete");
    sqlite.exec(`pragma user_version = ${SCHEMA + 1}`);
    sqlite.close();
    await record(backup, "strongroom.sqlite");
    await rewrite(backup, (snapshot) => {
      snapshot.schema = SCHEMA + 1;
    });
    for (
      const ended of [
        await runProgram(["backup", "verify", backup]),
        await tryRestore(backup, restored),
      ]
    ) expectRefused(ended, /run the newer program that made the backup/);
    const manifest = `${backup}/strongroom-backup.json`;
    await Deno.writeTextFile(manifest, '{"format": 2}');
    expectRefused(
      await runProgram(["backup", "verify", backup]),
      /made by a newer program/,
    );
  });
});

Deno.test("keys that did not sign the receipts are refused, in the data directory and in a backup", async () => {
  await withBackup(async ({ data, backup, room, restored }) => {
    const other = `${room}/other`;
    await withServer(other, () => Promise.resolve());
    const path = "keys/attestation.json";
    const own = await Deno.readFile(`${data}/${path}`);
    const wrong = await Deno.readFile(`${other}/${path}`);
    await Deno.writeFile(`${data}/${path}`, wrong);
    expectRefused(
      await tryBackup(data, `${room}/new`),
      /attestation\.json is not the key file of this database/,
    );
    await Deno.writeTextFile(`${data}/${path}`, "{}");
    expectRefused(
      await tryBackup(data, backup),
      /attestation\.json is not a key file/,
    );
    await Deno.remove(`${data}/${path}`);
    expectRefused(
      await tryBackup(data, backup),
      /attestation\.json is missing/,
    );
    await Deno.writeFile(`${data}/${path}`, own);
    const snapshot = `${backup}/snapshots/1`;
    await Deno.writeFile(`${snapshot}/${path}`, wrong);
    await record(backup, path);
    const { findings } = await verifyBackup(backup);
    assert.match(findings[0].detail, /key_unknown/);
    expectRefused(
      await tryRestore(backup, restored),
      /attestation\.json is not the key file of this database/,
    );
    await Deno.writeFile(`${snapshot}/${path}`, own);
    await record(backup, path);
    assert.deepEqual((await verifyBackup(backup)).findings, []);
  });
});

Deno.test("blobs in the database are backed up, verified and restored with it", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    const settings = { STRONGROOM_SMALL_BLOB_BYTES: "16KiB" };
    const { ada, asset } = await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      return { ada, asset: await createAsset(server, ada, "photo") };
    }, settings);
    await backUp(data, backup);
    assert.deepEqual((await verifyBackup(backup)).findings, []);
    await restore(backup, restored);
    assert.equal((await filesUnder(`${restored}/blobs`)).size, 0);
    const { assetId, original } = asset;
    await withServer(restored, async (server) => {
      const { token } = await signIn(server, ada);
      const read = await server.send(
        "GET",
        `/v1/assets/${assetId}/blobs/${hashOf(original)}`,
        { token },
      );
      assert.deepEqual(await read.bytes(), original);
    });

    await damageBlob({ dataDir: data }, hashOf(original), "a flipped byte");
    await backUp(data, backup);
    const { findings } = await verifyBackup(backup);
    assert.match(findings[0].detail, new RegExp(`${hashOf(original)} in the`));
  });
});

Deno.test("a receipt chain that does not hold is not restored, whatever the manifest says", async () => {
  await withBackup(async ({ backup, restored }) => {
    const database = `${backup}/snapshots/1/strongroom.sqlite`;
    const sqlite = openSqlite(database);
    sqlite.exec("pragma journal_mode = delete; pragma foreign_keys = off");
    sqlite.exec("delete from receipt where receipt_seq = 2");
    sqlite.close();
    await record(backup, "strongroom.sqlite");
    expectRefused(
      await tryRestore(backup, restored),
      /receipt 3 is not sound .*contain the hash of the receipt before/,
    );
    const { findings } = await verifyBackup(backup);
    assert(findings.some(({ subject }: Json) => subject === "receipt 3"));
  });
});

Deno.test("a damaged database is not backed up over a whole one", async () => {
  await withBackup(async ({ data, backup }) => {
    const database = `${data}/db/strongroom.sqlite`;
    const { size } = await Deno.stat(database);
    using file = await Deno.open(database, { write: true });
    // Every page but the first few, which say what the rest is.
    await file.seek(40 * 4_096, Deno.SeekMode.Start);
    await file.write(new Uint8Array(Math.max(0, size - 40 * 4_096)).fill(7));
    const ended = await tryBackup(data, backup);
    assert.equal(ended.status, 1);
    assert.match(ended.stderr, /^strongroom: [^\n]+\n$/);
    assert.deepEqual((await verifyBackup(backup)).findings, []);
  });
});
