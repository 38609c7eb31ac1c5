/**
 * What the public logs cost over a million receipts, or --receipts as many:
 * taking one up, signing a checkpoint, bytes on the disk, starting again, and
 * what a client reads and how long it computes for its daily check. They take nothing of an upload's own
 * time: the log follows what is committed.
 *
 * @module
 */
import {
  consistencyNodes,
  inclusionNodes,
  parseTilePath,
  rootNodes,
  tileOfNode,
  tilePath,
  type TreeHead,
  type TreeNode,
} from "../../src/crypto/merkle.ts";
import { createClient } from "../../src/client/mod.ts";
import { LogTiles, openHead } from "../../src/client/library/log_reading.ts";
import { hybridSignerFromSeeds } from "../../src/crypto/hybrid.ts";
import { noteSigner } from "../../src/crypto/signed_note.ts";
import { beginLife } from "../../src/features/log/life.ts";
import { Logs } from "../../src/features/log/logs.ts";
import { serveDatabase } from "../../src/store/database.ts";
import { denoFiles } from "../../src/store/deno_files.ts";
import { keyGeneration } from "../../src/store/generation.ts";
import { logPath } from "../../src/store/data_paths.ts";
import { openSqlite } from "../../src/store/sqlite.ts";
import { sleep } from "../../src/server/sleep.ts";

const ROUNDS = 50;
/** Receipts between two checks of a client. */
const A_DAY = 1_000;

const given = Deno.args.find((one) => one.startsWith("--receipts="));
const count = Number(given?.split("=")[1] ?? 1_000_000);
const root = await Deno.makeTempDir({ prefix: "strongroom-bench-logs-" });
try {
  const path = `${root}/strongroom.sqlite`;
  const { db } = await serveDatabase(path, "bench");
  append(path, count);
  const seed = (byte: number) => new Uint8Array(32).fill(byte);
  const keys = {
    logKeys: [{ signer: await noteSigner(seed(1)) }],
    active: {
      signer: await hybridSignerFromSeeds({
        ed25519: seed(2),
        mlDsa65: seed(3),
      }),
      generation: await keyGeneration(db),
    },
    refresh: () => Promise.resolve(),
  };
  /** Opens a checkpoint and follows the one before, as the library does. */
  const checkAsClient = async (
    logs: Logs,
    note: string,
    before: TreeHead,
  ): Promise<void> => {
    const { keyId, publicKey } = keys.active.signer;
    const head = await openHead("custody", note, {
      serverId: "https://photos.example",
      keys: [{ keyId, publicKey, activeFrom: 0, activeTo: null }],
    });
    if (head === undefined) throw new Error("the checkpoint is not signed");
    const client = createClient({ baseUrl: "http://unused", fetch });
    const asking = {
      account: { pause: () => Promise.reject(new Error("no pause")) },
      client: {
        ...client,
        logTile: async (_: string, path: string) => {
          const tile = parseTilePath(path);
          const bytes = tile && await logs.tile("custody", tile);
          if (bytes === undefined) throw new Error(`no ${path}`);
          return bytes;
        },
      },
    };
    const verdict = await new LogTiles(asking, head).follows(before);
    if (!verdict.ok) throw new Error("another tree");
  };
  const life = await beginLife(db, "https://photos.example", "00".repeat(32));
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const platform = {
    now: Date.now,
    monotonic: () => performance.now(),
    sleep,
    fetch,
    log,
  };
  const place = { db, files: denoFiles, platform, root, life };
  const logs = new Logs(place, keys);
  const all = await timed(() => logs.advance());
  say(
    "take up a receipt, from the first",
    `${us(all / count)} µs (target: under 100)`,
  );

  const rounds: number[] = [];
  for (let at = 0; at < ROUNDS; at++) {
    append(path, 1);
    // What another connection commits is seen in the next turn.
    await sleep(1, new AbortController().signal);
    rounds.push(await timed(() => logs.advance()));
  }
  say(
    "a checkpoint of one more",
    `${median(rounds).toFixed(1)} ms (target: under 5)`,
  );

  const { size: signed } = await logs.served("custody") ?? {};
  if (signed !== count + ROUNDS) throw new Error(`signed ${signed}`);
  const bytes = await bytesUnder(logPath(root));
  say(
    "bytes on the disk",
    `${(bytes / count).toFixed(1)} a receipt (target: 33)`,
  );

  const again = new Logs(place, keys);
  const start = await timed(async () => {
    await again.served("custody");
  });
  say(
    "the same after a start, before the first answer",
    `${start.toFixed(0)} ms`,
  );

  const seen = await logs.served("custody");
  append(path, A_DAY);
  await sleep(1, new AbortController().signal);
  await logs.advance();
  const { note, size = 0 } = await logs.served("custody") ?? {};
  if (seen === undefined || note === undefined) throw new Error("none served");
  const check = [
    ...consistencyNodes(seen.size, size).flat(),
    ...rootNodes(size),
  ];
  say(
    `tiles for consistency over ${A_DAY} receipts`,
    `${kib(bytesOf(check, size))} KiB (target: under 100 KB)`,
  );
  const checks: number[] = [];
  for (let at = 0; at < ROUNDS; at++) {
    checks.push(await timed(() => checkAsClient(logs, note, seen)));
  }
  say(
    "a client's check of them, computed",
    `${median(checks).toFixed(1)} ms (target: under 50)`,
  );
  const one = inclusionNodes(Math.floor(size / 3), size).flat();
  say("tiles for the proof of one receipt", `${kib(bytesOf(one, size))} KiB`);
  await logs.close();
  await db.destroy();
} finally {
  await Deno.remove(root, { recursive: true });
}

/** Appends receipts as another process commits them. */
function append(path: string, receipts: number): void {
  using sqlite = openSqlite(path);
  sqlite.exec(`
    insert into receipt
      (receipt_seq, owner_id, asset_id, upload_id, receipt_hash, body)
    with recursive one (at) as (
      select 1 union all select at + 1 from one where at < ${receipts}
    )
    select (select coalesce(max(receipt_seq), 0) from receipt) + at,
      'owner', null, lower(hex(randomblob(16))),
      lower(hex(randomblob(32))), randomblob(16)
    from one`);
}

/** Bytes of the tiles that these nodes lie in. */
function bytesOf(nodes: readonly TreeNode[], size: number): number {
  const tiles = new Map(nodes.map((node) => {
    const tile = tileOfNode(node, size);
    return [tilePath(tile), tile.width * 32];
  }));
  return tiles.values().reduce((sum, bytes) => sum + bytes, 0);
}

async function bytesUnder(directory: string): Promise<number> {
  let sum = 0;
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const path = `${directory}/${name}`;
    sum += isDirectory ? await bytesUnder(path) : (await Deno.stat(path)).size;
  }
  return sum;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function us(ms: number): string {
  return (ms * 1000).toFixed(1);
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

function say(what: string, figure: string): void {
  // deno-lint-ignore no-console
  console.log(`${what.padEnd(50)} ${figure}`);
}
