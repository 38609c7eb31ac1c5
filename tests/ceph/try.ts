/**
 * `deno task try:ceph`: the application over a real Ceph of Debian's packages,
 * which `tests/ceph/ceph.sh` starts and stops: what is stored is read, checked,
 * collected and moved back, and a gateway that hangs is said to be away. Exit
 * status 3 where Ceph is not installed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { moveBlobs } from "../../src/features/blob_migration/migration.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { faultsOf, withRoom, withServer } from "../support/backups.ts";
import { check, namesOf } from "../support/check.ts";
import { expectJson } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type Person,
  putBytes,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { runProcess } from "../support/program.ts";
import {
  expectBytes,
  issueShare,
  readBlob,
  refreshed,
  viewShare,
} from "../support/api.ts";
import { collect, DAY, filesIn, trash } from "../support/trash.ts";

const SCRIPT = new URL("ceph.sh", import.meta.url).pathname;
const NOT_INSTALLED = 3;
const MIB = 1024 * 1024;

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

async function ceph(command: "start" | "stop", folder: string) {
  const { code, stdout } = await new Deno.Command("bash", {
    args: [SCRIPT, command, folder],
    stderr: "inherit",
  }).output();
  return { code, said: new TextDecoder().decode(stdout).trim() };
}

async function run(endpoint: string, folder: string): Promise<void> {
  const settings = {
    STRONGROOM_BLOBS: "s3",
    STRONGROOM_S3_ENDPOINT: endpoint,
    STRONGROOM_S3_BUCKET: "photos",
    STRONGROOM_S3_PREFIX: "one/",
    STRONGROOM_S3_ACCESS_KEY_ID: "strongroom",
    STRONGROOM_S3_SECRET_ACCESS_KEY: "strongroom-secret",
    STRONGROOM_S3_TIMEOUT_SECONDS: "10",
  };
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await storeAndRead(app, ada);
    await hang(app, ada, folder);
    await collectAll(app, ada);
    const here = await app.reopen({ STRONGROOM_BLOBS: "directory" });
    await moveBack(here);
  }, { settings, fetch });
}

async function storeAndRead(app: TestApp, ada: Person): Promise<void> {
  const habits = await app.app.objectStore?.objects.habits();
  say(`it ${JSON.stringify(habits)}`);
  assert.deepEqual(habits, { checksHashes: true, conditions: "kept" });
  const asset = await createAsset(app, ada, "photo", { length: 700_000 });
  const hash = hashOf(asset.original);
  const part = await readBlob(app, ada, asset.assetId, hash, {
    Range: "bytes=1000-600999",
  });
  assert.equal(part.status, 206);
  expectBytes(
    new Uint8Array(await part.arrayBuffer()),
    asset.original.slice(1_000, 601_000),
    "a part",
  );
  const link = await issueShare(app, ada, "link", [
    hashOf(asset.metadata),
    hash,
  ]);
  const shared = await viewShare(app, `${link}/blob/${hash}`);
  assert.equal(shared.status, 200);
  expectBytes(
    new Uint8Array(await shared.arrayBuffer()),
    asset.original,
    "a shared blob",
  );
  const large = new Uint8Array(65 * MIB);
  for (let at = 0; at < large.length; at += 4_096) large[at] = at >> 12;
  const upload = await createUpload(app, ada, large, { fileId: uuidOf("big") });
  const began = performance.now();
  await expectJson(await putBytes(app, ada, upload.upload_id, large), 200);
  const seconds = (performance.now() - began) / 1_000;
  say(`65 MiB in parts: ${seconds.toFixed(1)} s`);
  assert.deepEqual(namesOf(await check(app, { deep: true })), []);
  say("stored, read, shared, and sound byte for byte");
}

/** A gateway that takes connections and answers nothing. */
async function hang(app: TestApp, ada: Person, folder: string): Promise<void> {
  const gateway = Number(await Deno.readTextFile(`${folder}/rgw.pid`));
  const bytes = ciphertext("meanwhile", 3_000);
  const upload = await createUpload(app, ada, bytes, {
    fileId: uuidOf("meanwhile"),
  });
  Deno.kill(gateway, "SIGSTOP");
  const refused = await putBytes(app, ada, upload.upload_id, bytes);
  Deno.kill(gateway, "SIGCONT");
  assert.equal(refused.status, 500);
  assert.notEqual(refused.headers.get("retry-after"), null);
  await refused.body?.cancel();
  app.clock.advance(60_000);
  await expectJson(await putBytes(app, ada, upload.upload_id, bytes), 200);
  say("a gateway that hung was said to be away, and is used again");
}

async function collectAll(app: TestApp, ada: Person): Promise<void> {
  const { assetId } = await createAsset(app, ada, "gone");
  await trash(app, await refreshed(app, ada), assetId);
  app.clock.advance(31 * DAY);
  const { blobs, failed } = await collect(app);
  assert.equal(failed, 0);
  say(`${blobs.count} blobs collected`);
  assert.deepEqual(namesOf(await check(app, { deep: true })), []);
}

async function moveBack(app: TestApp): Promise<void> {
  const { objectStore } = app.app;
  assert(objectStore !== undefined);
  const { moved, missing, damaged, left } = await moveBlobs(
    app.app,
    objectStore,
  );
  assert.deepEqual([missing, damaged, left], [[], [], 0]);
  assert.equal((await filesIn(app, "blobs")).size, moved.count);
  const keys: string[] = [];
  for await (const page of objectStore.objects.list("")) {
    keys.push(...page.map(({ key }) => key));
  }
  assert.deepEqual(keys, []);
  assert.deepEqual(namesOf(await check(app, { deep: true })), []);
  say(`${moved.count} blobs moved to a directory, and sound there`);
}

/** Backed up into the bucket by a process, and restored from there. */
async function backUpRemotely(endpoint: string): Promise<void> {
  await withRoom(async (room) => {
    const data = `${room}/data`;
    const keyFile = `${room}/key`;
    await Deno.writeTextFile(keyFile, "7e".repeat(32), { mode: 0o600 });
    const settings = {
      STRONGROOM_BACKUP_KEY_FILE: keyFile,
      STRONGROOM_BACKUP_S3_ENDPOINT: endpoint,
      STRONGROOM_BACKUP_S3_ACCESS_KEY_ID: "strongroom",
      STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY: "strongroom-secret",
    };
    const name = "s3://photos/off-site";
    const done = async (...args: readonly string[]) => {
      const { status, stdout, stderr } = await runProcess(
        [...args, "--json"],
        settings,
      );
      assert.equal(status, 0, stderr + stdout);
      return JSON.parse(stdout);
    };
    const backUp = ["backup", name, "--data-dir", data];
    await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      await createAsset(server, ada, "photo", { length: 20 * MIB });
      const { requests } = await done(...backUp);
      say(`backed up off the premises: ${JSON.stringify(requests)}`);
      await createAsset(server, ada, "second");
      await done(...backUp, "--keep-last", "1");
    });
    const verified = await done("backup", "verify", name, "--deep");
    assert.deepEqual([verified.generations.length, verified.leftovers], [1, 0]);
    await Deno.remove(data, { recursive: true });
    await done("restore", name, "--data-dir", data);
    assert.deepEqual(await faultsOf(data), []);
    say("restored from there, and sound byte for byte");
  });
}

if (import.meta.main) {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-ceph-" });
  let status = 1;
  try {
    const { code, said } = await ceph("start", folder);
    if (code === 0) {
      await run(said, folder);
      await backUpRemotely(said);
      status = 0;
    } else if (code === NOT_INSTALLED) {
      say("NOT TRIED: Ceph is not installed here");
      status = NOT_INSTALLED;
    }
  } finally {
    await ceph("stop", folder);
    await Deno.remove(folder, { recursive: true });
  }
  Deno.exit(status);
}
