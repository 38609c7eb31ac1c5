/**
 * `deno task try:ceph:library`: a library of a million assets whose blobs lie
 * in a real Ceph bucket: the server starts, serves a share, goes on after the
 * gateway was away for a minute, and moves everything back to a directory,
 * which is found sound byte for byte. Exit status 3 where Ceph is not
 * installed. A million takes 5 GB of disk, 2 GB of memory for 60,000 objects,
 * and an hour or two where others work on the machine.
 *
 * The rows of all but a hundred assets are written into the database, with
 * receipts that are stand-ins, and they share so many objects: 100,000, or as
 * many as the first argument says. The second says another number of assets.
 *
 * @module
 */
import { COUNT_LIBRARIES } from "../support/counting.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { platform } from "../../main.ts";
import {
  originalOf,
  say,
  shareOriginal,
  startOurs,
  withScratch,
} from "../../scripts/bench/support.ts";
import { type RunningServer, startServer } from "../../scripts/demo/server.ts";
import { freePort } from "../../src/server/free_port.ts";
import { randomBytes } from "../../scripts/demo/staging.ts";
import { sourceOf, uploadBlob } from "../../src/client/api/upload.ts";
import { parseBlobHash } from "../../src/core/ids.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { databasePath } from "../../src/store/data_paths.ts";
import { S3Client } from "../../src/store/remote/s3/client.ts";
import { S3Objects } from "../../src/store/remote/s3/objects.ts";
import { keyOf } from "../../src/store/remote/s3/s3_blobs.ts";
import { runProcess } from "../support/program.ts";

const ASSETS = Number(Deno.args[1] ?? 1_000_000);
const REAL = 100;
const OBJECTS = Number(Deno.args[0] ?? 100_000);
const OBJECT_BYTES = 1_000;
const AT_ONCE = 16;
const AWAY_MS = 60_000;
const STARTS = 3;
/** Of what /proc counts in; the kernel has had this one for decades. */
const TICKS_A_SECOND = 100;
const SCRIPT = new URL("ceph.sh", import.meta.url).pathname;
const NOT_INSTALLED = 3;
const ROLES = ["original", "metadata", "provenance"];

/** Says how long something took. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const done = await work();
  const seconds = (performance.now() - began) / 1_000;
  say(`${what}: ${seconds.toFixed(1)} s`);
  return done;
}

/** How long starts take, and how much of a processor; the last one goes on. */
async function timedStarts(
  what: string,
  start: () => Promise<RunningServer>,
): Promise<RunningServer> {
  for (let n = 1;; n++) {
    const began = performance.now();
    const server = await start();
    const seconds = (performance.now() - began) / 1_000;
    const [load = 0] = Deno.loadavg();
    say(
      `${what}: ${seconds.toFixed(2)} s, ${
        (await processorSeconds(server.pid)).toFixed(2)
      } s of a processor, at a load of ${load.toFixed(1)}`,
    );
    if (n === STARTS) return server;
    assert.equal(await server.stop(), 0);
  }
}

/** What a process has had of the processors so far, in user and in system. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function bytesOf(n: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(OBJECT_BYTES);
  new DataView(bytes.buffer).setUint32(0, n);
  return bytes;
}

/** Puts the objects; returns their hashes. */
async function putObjects(endpoint: string): Promise<string[]> {
  const client = new S3Client({
    endpoint,
    region: "us-east-1",
    bucket: "photos",
    prefix: "library/",
    style: "path",
    accessKeyId: "strongroom",
    secretAccessKey: "strongroom-secret",
    cacheBytes: 0,
    timeoutMs: 60_000,
  }, platform);
  const objects = new S3Objects(client, platform.random);
  const hashes: string[] = [];
  const waiting = Array.from({ length: OBJECTS }, (_, n) => n).values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const n of waiting) {
      const bytes = bytesOf(n);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const hash = parseBlobHash(sha256);
      assert(hash !== undefined);
      hashes.push(hash);
      const put = await objects.put(keyOf(hash), bytes, hash, {
        unlessThere: false,
      });
      assert.equal(put, "put");
    }
  }));
  return hashes;
}

/** Writes the rows of a million assets that share some objects. */
function writeRows(path: string, userId: string, hashes: string[]): void {
  const database = new DatabaseSync(path);
  const now = Date.now();
  // Nothing reads it yet, and most of a gibibyte is written.
  database.exec("pragma synchronous = off; pragma cache_size = -1000000");
  database.exec("begin");
  database.exec("create temp table object (n integer primary key, hash text)");
  const insert = database.prepare("insert into object (n, hash) values (?, ?)");
  hashes.forEach((hash, n) => insert.run(n, hash));
  database.exec(`insert into blob (hash, size, stored_at)
    select hash, ${OBJECT_BYTES}, ${now} from object`);
  const number = `with recursive number(i) as (
    select 1 union all select i + 1 from number where i < ${ASSETS})`;
  const asset = `printf('%08x-0000-4000-8000-%012x', i, i)`;
  const user = `'${userId}'`;
  const of = (part: number) =>
    `number join object on n = (i * 3 + ${part}) % ${hashes.length}`;
  for (const [part, role] of ROLES.entries()) {
    database.exec(`${number} insert into holding
      (owner_id, asset_id, role, hash, size, upload_id, finalized_at,
        receipt_seq, applied)
      select ${user}, ${asset}, '${role}', hash, ${OBJECT_BYTES}, ${asset},
        ${now}, 1000000 + i * 3 + ${part}, 1 from ${of(part)}`);
    database.exec(`${number} insert into receipt
      (receipt_seq, owner_id, asset_id, upload_id, receipt_hash, body)
      select 1000000 + i * 3 + ${part}, ${user}, ${asset}, ${asset},
        printf('%064x', i * 4 + ${part}), x'00' from number`);
  }
  database.exec(`${number} insert into feed
    (user_id, action, asset_id, chain_head, at)
    select ${user}, 'create', ${asset}, hash, ${now} from ${of(2)}`);
  database.exec(`${number} insert into asset
    (asset_id, owner_id, state, chain_head, sync_seq, created_at, updated_at)
    select ${asset}, ${user}, 'live', hash, 1000 + i, ${now}, ${now}
    from ${of(2)}`);
  database.exec(`${number} insert into manifest
    (owner_id, asset_id, manifest_hash, action, envelope, sync_seq,
      receipt_seq, applied_at)
    select ${user}, ${asset}, hash, 'create', '{}', 1000 + i,
      1000000 + i * 3 + 2, ${now} from ${of(2)}`);
  database.exec(COUNT_LIBRARIES);
  database.exec("commit; pragma wal_checkpoint(truncate)");
  database.close();
}

/** What a viewer is answered; the body is dropped. */
async function statusOf(origin: string, link: string): Promise<number> {
  const answer = await fetch(`${origin}${link}`);
  await answer.body?.cancel();
  return answer.status;
}

async function expectSound(settings: Record<string, string>): Promise<void> {
  const { stdout, stderr } = await runProcess(
    ["check", "--deep", "--json"],
    settings,
  );
  assert.notEqual(stdout, "", stderr);
  const { checked, kinds } = JSON.parse(stdout);
  say(`checked ${JSON.stringify(checked)}, found ${JSON.stringify(kinds)}`);
  const wrong = Object.keys(kinds)
    // The stand-ins.
    .filter((kind) => !kind.startsWith("receipt_"));
  assert.deepEqual(wrong, []);
}

async function run(endpoint: string, scratch: string): Promise<void> {
  const listen = `127.0.0.1:${freePort()}`;
  const settings: Record<string, string> = {
    STRONGROOM_LISTEN: listen,
    STRONGROOM_BASE_URL: `http://${listen}`,
    STRONGROOM_BLOBS: "s3",
    STRONGROOM_S3_ENDPOINT: endpoint,
    STRONGROOM_S3_BUCKET: "photos",
    STRONGROOM_S3_PREFIX: "library/",
    STRONGROOM_S3_ACCESS_KEY_ID: "strongroom",
    STRONGROOM_S3_SECRET_ACCESS_KEY: "strongroom-secret",
    STRONGROOM_S3_TIMEOUT_SECONDS: "5",
  };
  const first = await startOurs(scratch, settings);
  const links: string[] = [];
  for (let i = 0; i < REAL; i++) {
    const bytes = randomBytes(4_096);
    const hash = sha256Hex(bytes);
    const request = originalOf(first.account, { size: bytes.length, hash });
    await uploadBlob(first.account, request, sourceOf(bytes));
    links.push(await shareOriginal(first, request));
  }
  await first.server.stop();
  const [one = "", other = "", later = ""] = links;
  const dataDir = join(scratch, "data");
  const here = { ...settings, STRONGROOM_DATA_DIR: dataDir };
  const hashes = await timed(
    `${OBJECTS} objects put`,
    () => putObjects(endpoint),
  );
  await timed(`the rows of ${ASSETS} assets`, () => {
    writeRows(databasePath(dataDir), first.account.userId, hashes);
    return Promise.resolve();
  });

  const start = (over: Record<string, string> = {}) =>
    startServer({
      dataDir,
      logFile: join(scratch, "again.log"),
      settings: { ...settings, STRONGROOM_LOG_LEVEL: "warning", ...over },
    });
  const empty = await timedStarts("a start with nothing", () =>
    startServer({
      dataDir: join(scratch, "empty"),
      logFile: join(scratch, "empty.log"),
    }));
  assert.equal(await empty.stop(), 0);
  const server = await timedStarts("a start", () => start());
  assert.equal(await statusOf(server.origin, one), 200);
  say("a share is served from the bucket");

  const gateway = Number(await Deno.readTextFile(`${scratch}/ceph/rgw.pid`));
  Deno.kill(gateway, "SIGSTOP");
  const went = performance.now();
  assert.equal(await statusOf(server.origin, other), 429);
  assert.equal(await statusOf(server.origin, one), 200);
  while (performance.now() - went < AWAY_MS) {
    await new Promise((done) => setTimeout(done, 500));
    assert.equal(await statusOf(server.origin, later), 429);
  }
  Deno.kill(gateway, "SIGCONT");
  await timed(
    "from a gateway that is back to a share that is served",
    async () => {
      while (await statusOf(server.origin, other) !== 200) {
        await new Promise((done) => setTimeout(done, 200));
      }
    },
  );
  assert.equal(await server.stop(), 0);
  await timed("check --deep over the bucket", () => expectSound(here));

  const home = await start({ STRONGROOM_BLOBS: "directory" });
  const homeward = { ...here, STRONGROOM_BLOBS: "directory" };
  await timed("blobs move --to directory", async () => {
    const moved = await runProcess(
      ["blobs", "move", "--to", "directory", "--json"],
      homeward,
    );
    say(moved.stdout.trim() || moved.stderr.trim());
    assert.equal(moved.status, 0);
  });
  assert.equal(await statusOf(home.origin, later), 200);
  assert.equal(await home.stop(), 0);
  await timed("check --deep over the directory", () => expectSound(homeward));
}

async function ceph(command: "start" | "stop", folder: string) {
  const { code, stdout } = await new Deno.Command("bash", {
    args: [SCRIPT, command, folder],
    stderr: "inherit",
  }).output();
  return { code, said: new TextDecoder().decode(stdout).trim() };
}

let status = 1;
await withScratch(async (scratch) => {
  const folder = join(scratch, "ceph");
  try {
    const { code, said } = await ceph("start", folder);
    if (code === 0) {
      await run(said, scratch);
      status = 0;
    } else if (code === NOT_INSTALLED) {
      say("NOT TRIED: Ceph is not installed here");
      status = NOT_INSTALLED;
    }
  } finally {
    await ceph("stop", folder);
  }
});
Deno.exit(status);
