/**
 * What looks at a whole library, each in turn beside an unrelated read every
 * few milliseconds: how long the read takes meanwhile, and the scan's memory.
 * The library is of 300,000 assets (`ASSETS` says another number), its rows
 * and files laid out at once; receipts have the size of real ones. Names of
 * scans, such as `gc backup`, choose some of them.
 *
 * @module
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { sourceOf, uploadBlob } from "../../src/client/upload.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { COUNT_LIBRARIES } from "../schema.ts";
import { freePort, type RunningServer, startServer } from "../demo/server.ts";
import { randomBytes } from "../demo/staging.ts";
import { connect } from "./connection.ts";
import {
  bearer,
  expectStatus,
  originalOf,
  type Ours,
  peakMib,
  say,
  shareOriginal,
  startOurs,
  withScratch,
} from "./support.ts";

const ASSETS = Number(Deno.env.get("ASSETS") ?? 300_000);
/** A part of them goes to the trash for each collection. */
const TRASHED = Math.floor(ASSETS / 10);
const BLOB_BYTES = 4_096;
/** Between two reads (ms). */
const EVERY_MS = 5;
/** A scan that has no end by itself, and the read alone (ms). */
const RUN_MS = 5_000;
const DAY_MS = 86_400_000;
const TARGET_MS = 50;

const COLLECTING = fileURLToPath(new URL("collecting.ts", import.meta.url));

const ALONE = "nothing";
const LIBRARY = "10000000-0000-4000-8000-000000000000";

/** What is scanned, and by which server. */
interface Scene {
  readonly scratch: string;
  readonly data: string;
  readonly ours: Ours;
  readonly settings: Readonly<Record<string, string>>;
  server: RunningServer;
}

interface Outcome {
  readonly times: readonly number[];
  readonly ms: number;
  readonly peak: number | undefined;
}

function databaseOf(data: string): string {
  return join(data, "db", "strongroom.sqlite");
}

function withDatabase<T>(data: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(databaseOf(data), { timeout: 60_000 });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

const ASSET = `printf('%08x-0000-4000-8000-%012x', i, i)`;
const HASH = `printf('%08x%056x', (i * 2654435761) & 0xffffffff, i)`;

/** Writes a library of an account of its own. */
function writeRows(data: string): void {
  const now = Date.now();
  const numbers = `with recursive number(i) as (
    select 1 union all select i + 1 from number where i < ${ASSETS})`;
  withDatabase(data, (database) => {
    const run = (text: string) => database.exec(text);
    run("pragma synchronous = off; pragma foreign_keys = off; begin");
    run(`create temp table real as
      select body from receipt order by receipt_seq desc limit 1`);
    run(`create temp table head as select chain_head, size
      from asset join blob on blob.hash = chain_head limit 1`);
    run(`insert into account (user_id, address, created_at)
      values ('${LIBRARY}', 'library@example.org', ${now})`);
    run(`${numbers} insert into blob (hash, size, stored_at)
      select ${HASH}, ${BLOB_BYTES}, ${now} from number order by 1`);
    run(`${numbers} insert into holding
      (owner_id, asset_id, role, hash, size, upload_id, finalized_at,
        receipt_seq, applied)
      select '${LIBRARY}', ${ASSET}, 'original', ${HASH}, ${BLOB_BYTES},
        ${ASSET}, ${now}, 1000 + i, 1 from number`);
    run(`${numbers} insert into holding
      (owner_id, asset_id, role, hash, size, upload_id, finalized_at,
        receipt_seq, applied)
      select '${LIBRARY}', ${ASSET}, 'provenance', chain_head, size,
        ${ASSET}, ${now}, 1000 + i, 1 from number, temp.head`);
    run(`${numbers} insert into receipt
      (receipt_seq, owner_id, asset_id, upload_id, receipt_hash, body)
      select 1000 + i, '${LIBRARY}', ${ASSET}, ${ASSET}, ${HASH}, body
      from number, temp.real`);
    run(`${numbers} insert into feed
      (user_id, action, asset_id, chain_head, at)
      select '${LIBRARY}', 'create', ${ASSET}, chain_head, ${now}
      from number, temp.head`);
    run(`${numbers} insert into asset (asset_id, owner_id, state, chain_head,
        sync_seq, created_at, updated_at)
      select ${ASSET}, '${LIBRARY}', 'live', chain_head, 1000 + i, ${now},
        ${now} from number, temp.head`);
    run(`${numbers} insert into manifest
      (owner_id, asset_id, manifest_hash, action, envelope, sync_seq,
        receipt_seq, applied_at)
      select '${LIBRARY}', ${ASSET}, chain_head, 'create',
        printf('%.1000c', 'x'), 1000 + i, 1000 + i, ${now}
      from number, temp.head`);
    run(`insert into usage (user_id, used_bytes) select '${LIBRARY}', sum(size)
      from holding where owner_id = '${LIBRARY}'`);
    run(COUNT_LIBRARIES);
    run("commit; pragma wal_checkpoint(truncate)");
  });
}

/** Gives every blob of the library its file: a name of one and the same. */
async function writeFiles(data: string): Promise<void> {
  const first = join(data, "first");
  await Deno.writeFile(first, new Uint8Array(BLOB_BYTES));
  const hashes = withDatabase(data, (database) =>
    database.prepare(
      `select hash from holding where owner_id = ? and role = 'original'`,
    ).all(LIBRARY).map(({ hash }) => String(hash)));
  let name = first;
  for (const [index, hash] of hashes.entries()) {
    const leaf = join(data, "blobs", hash.slice(0, 2), hash.slice(2, 4));
    await Deno.mkdir(leaf, { recursive: true });
    const path = join(leaf, hash);
    // A file may have some ten thousand names.
    if (index % 30_000 === 29_999) {
      await Deno.copyFile(first, path);
      name = path;
    } else await Deno.link(name, path);
  }
  await Deno.remove(first);
}

/** Puts the next part of the library into the trash, as it was long ago. */
function moveToTrash(data: string): void {
  const at = Date.now() - 60 * DAY_MS;
  withDatabase(data, (database) =>
    database.exec(`begin immediate;
      update asset set state = 'deleted', deleted_at = ${at},
        deleted_by = owner_id
      where asset_id in (select asset_id from asset
        where owner_id = '${LIBRARY}' and state = 'live' limit ${TRASHED});
      update usage set trash_bytes = trashed, used_bytes = held - trashed
      from (select sum(size) as held,
          sum(size) filter (where state = 'deleted') as trashed
        from holding join asset using (asset_id)
        where holding.owner_id = '${LIBRARY}')
      where user_id = '${LIBRARY}';
      ${COUNT_LIBRARIES};
      commit`));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Reads something unrelated until `scan` ends; ours is asked every so often. */
async function beside(
  scene: Scene,
  scan: () => Promise<number | undefined>,
): Promise<Outcome> {
  await scene.ours.account.refresh();
  const read = {
    method: "GET",
    path: "/v1/auth/profile",
    headers: bearer(scene.ours.account),
  };
  const connection = await connect(scene.server.origin);
  const times: number[] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const began = performance.now();
      expectStatus(await connection.exchange(read), 200);
      times.push(performance.now() - began);
      await pause(EVERY_MS);
    }
  })();
  const began = performance.now();
  try {
    const peak = await scan();
    return { times, ms: performance.now() - began, peak };
  } finally {
    isOver = true;
    await reading;
    connection.close();
  }
}

/** Runs a command of the operator's; returns its peak of memory (MiB). */
async function command(
  { data, settings }: Scene,
  args: readonly string[],
): Promise<number | undefined> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-prompt", "main.ts", ...args],
    env: { ...settings, STRONGROOM_DATA_DIR: data },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let peak: number | undefined;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peak = await peakMib(child.pid).catch(() => undefined) ?? peak;
      await pause(50);
    }
  })();
  for await (const _ of child.stdout) { /* thrown away */ }
  const { code } = await child.status;
  isOver = true;
  await watching;
  // A check finds that the receipts are copies of one, and ends with 1.
  if (code > 1) throw new Error(`${args.join(" ")} ended with ${code}`);
  return peak;
}

/** Asks for something heavy over and over. */
async function repeatedly(
  scene: Scene,
  request: { method: string; path: string; json?: unknown },
): Promise<undefined> {
  const connection = await connect(scene.server.origin);
  const body = request.json === undefined
    ? undefined
    : new TextEncoder().encode(JSON.stringify(request.json));
  const began = performance.now();
  while (performance.now() - began < RUN_MS) {
    expectStatus(
      await connection.exchange({
        method: request.method,
        path: request.path,
        headers: {
          ...bearer(scene.ours.account),
          ...(body !== undefined && { "Content-Type": "application/json" }),
        },
        ...(body !== undefined && { bodyBytes: body.length, body: [body] }),
      }),
      200,
    );
  }
  connection.close();
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[
    Math.min(sorted.length - 1, Math.floor(sorted.length * part))
  ] ??
    NaN;
}

/** Named on the command line by how they begin, or all. */
function isWanted(name: string): boolean {
  return name === ALONE || Deno.args.length === 0 ||
    Deno.args.some((word) => name.startsWith(word));
}

let alone: number | undefined;

function tell(name: string, { times, ms, peak }: Outcome): void {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  alone ??= p99;
  say(
    [
      name.padEnd(34),
      p50.toFixed(1).padStart(6),
      p99.toFixed(1).padStart(7),
      Math.max(...times).toFixed(0).padStart(6),
      (p99 / alone).toFixed(1).padStart(8),
      `${(ms / 1_000).toFixed(1)} s`.padStart(9),
      peak === undefined ? "" : `${peak.toFixed(0)} MiB`.padStart(9),
    ].join("  ").trimEnd(),
  );
}

/** Ends the server and starts it again where it was. */
async function restart(scene: Scene): Promise<void> {
  await scene.server.stop();
  scene.server = await startServer({
    dataDir: scene.data,
    logFile: join(scene.scratch, "again.log"),
    settings: { STRONGROOM_LOG_LEVEL: "warning", ...scene.settings },
  });
}

async function openScene(scratch: string): Promise<Scene> {
  const settings = {
    // One origin over the restart: it is what tokens are for.
    STRONGROOM_LISTEN: `127.0.0.1:${freePort()}`,
  };
  const ours = await startOurs(scratch, settings);
  const bytes = randomBytes(BLOB_BYTES);
  const original = originalOf(ours.account, {
    size: bytes.length,
    hash: sha256Hex(bytes),
  });
  await uploadBlob(ours.account, original, sourceOf(bytes));
  await shareOriginal(ours, original);
  await ours.server.stop();
  const data = join(scratch, "data");
  writeRows(data);
  await writeFiles(data);
  const scene = { scratch, data, ours, settings, server: ours.server };
  await restart(scene);
  return scene;
}

/** The same beside what the server collects by itself. */
async function besideOwn(scene: Scene): Promise<void> {
  await scene.server.stop();
  const { host } = new URL(scene.server.origin);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", COLLECTING, scene.data, host],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const lines = child.stdout.getReader();
  const orders = child.stdin.getWriter();
  try {
    await lines.read();
    const name = `server's gc, ${TRASHED.toLocaleString("en")}`;
    tell(
      name,
      await beside(scene, async () => {
        await orders.write(new Uint8Array(1));
        await lines.read();
        return await peakMib(child.pid);
      }),
    );
  } finally {
    await orders.close();
    await child.status;
    await lines.cancel();
  }
  await restart(scene);
}

await withScratch(async (scratch) => {
  const scene = await openScene(scratch);
  const { data } = scene;
  say(
    `${ASSETS.toLocaleString("en")} assets; GET /v1/auth/profile every ` +
      `${EVERY_MS} ms (target: p99 under ${TARGET_MS} ms)`,
  );
  say(
    "beside".padEnd(34) +
      "  p50 ms  p99 ms  max ms  p99 ÷ none   lasted     peak",
  );
  const measure = async (
    name: string,
    scan: () => Promise<number | undefined>,
  ) => {
    if (isWanted(name)) tell(name, await beside(scene, scan));
  };
  try {
    // What the first start does is over by then.
    await pause(2_000);
    await measure(ALONE, async () => {
      await pause(RUN_MS);
      return undefined;
    });
    const hashes = withDatabase(data, (database) =>
      database.prepare(
        "select hash from blob order by hash limit 1000 offset 1000",
      ).all().map(({ hash }) => String(hash)));
    await measure("POST storage/verify, 1,000 hashes", () =>
      repeatedly(scene, {
        method: "POST",
        path: "/v1/storage/verify",
        json: {
          assets: [{
            asset_id: "00000001-0000-4000-8000-000000000001",
            blob_hashes: hashes,
          }],
        },
      }));
    await measure(
      "GET sync from its beginning",
      () => repeatedly(scene, { method: "GET", path: "/v1/sync?limit=1000" }),
    );
    await measure("check", () => command(scene, ["check"]));
    await measure(
      "receipts export",
      () => command(scene, ["receipts", "export"]),
    );
    await measure(
      "backup",
      () => command(scene, ["backup", join(scratch, "backup")]),
    );
    if (isWanted("gc")) moveToTrash(data);
    await measure(
      `gc, ${TRASHED.toLocaleString("en")} assets`,
      () => command(scene, ["gc"]),
    );
    if (isWanted("server's gc")) {
      moveToTrash(data);
      await besideOwn(scene);
    }
    await measure(
      "account delete",
      () => command(scene, ["account", "delete", LIBRARY, "--yes"]),
    );
  } finally {
    await scene.server.stop();
  }
});
