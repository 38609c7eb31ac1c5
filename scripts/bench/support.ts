/**
 * What the benchmarks share: our server with an account that may write, rounds
 * that alternate between contenders, and a table of ratios.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import {
  type Account,
  type Client,
  createClient,
  type UploadRequest,
} from "../../src/client/api/api.ts";
import { sourceOf, uploadBlob } from "../../src/client/api/upload.ts";
import { uuidV4 } from "../../src/core/ids.ts";
import { PROTOCOL_MAX } from "../../src/core/protocol.ts";
import { toRfc3339 } from "../../src/core/time.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { becomeOwner, type Owner } from "../demo/owner.ts";
import { type RunningServer, startServer } from "../demo/server.ts";
import { randomBytes } from "../demo/staging.ts";
import type { RawConnection } from "./connection.ts";

export const MIB = 1024 * 1024;
/** Bytes of one PATCH. */
export const PIECE_BYTES = 8 * MIB;
const ROUNDS = 5;
/** What a shell reports for a program that SIGINT ended. */
const INTERRUPTED = 130;

/** Our server under measurement, with a signed-in account. */
export interface Ours {
  readonly server: RunningServer;
  readonly client: Client;
  /** The identity and the album of whoever is signed in. */
  readonly owner: Owner;
  readonly account: Account;
}

/** Prints a line. */
export function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Lends a temporary directory and removes it whatever happens. */
export async function withScratch(
  use: (scratch: string) => Promise<void>,
): Promise<void> {
  const scratch = await Deno.makeTempDir({ prefix: "strongroom-bench-" });
  // Ctrl-C reaches the servers as well; gigabytes must not stay behind.
  Deno.addSignalListener("SIGINT", () => {
    Deno.removeSync(scratch, { recursive: true });
    Deno.exit(INTERRUPTED);
  });
  try {
    await use(scratch);
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

/**
 * Starts our server as `deno task start` would, without a line for each
 * request (the peers write none either) and without a viewer's budget, which
 * is there to slow down exactly what a benchmark does. `checkout` is another
 * version's folder.
 */
export async function startOurs(
  scratch: string,
  settings: Readonly<Record<string, string>> = {},
  checkout?: string,
): Promise<Ours> {
  const server = await startServer({
    ...checkout === undefined ? {} : { checkout },
    dataDir: join(scratch, "data"),
    logFile: join(scratch, "server.log"),
    settings: {
      STRONGROOM_LOG_LEVEL: "warning",
      STRONGROOM_LIMIT_SHARE_BLOB: "1000000000",
      ...settings,
    },
  });
  const client = createClient({
    baseUrl: server.origin,
    fetch: (input, init) => fetch(input, init),
  });
  const owner = await becomeOwner(client);
  return { server, client, owner, account: owner.account };
}

/** One random piece, as often as a size asks for: cheap to make and to send. */
export interface Repeated {
  readonly size: number;
  readonly piece: Uint8Array<ArrayBuffer>;
  readonly hash: string;
}

/** So many pieces; the hash of all of them is computed once. */
export function repeated(pieces: number, pieceBytes = PIECE_BYTES): Repeated {
  const piece = new Uint8Array(pieceBytes);
  for (let at = 0; at < pieceBytes; at += 65_536) {
    crypto.getRandomValues(piece.subarray(at, at + 65_536));
  }
  const hash = createHash("sha256");
  for (let i = 0; i < pieces; i++) hash.update(piece);
  return { size: pieces * pieceBytes, piece, hash: hash.digest("hex") };
}

/** The pieces of a {@link Repeated}, one after the other. */
export function* piecesOf({ size, piece }: Repeated): Generator<Uint8Array> {
  for (let sent = 0; sent < size; sent += piece.length) yield piece;
}

/** A create-upload request for a blob that is an asset's original. */
export function originalOf(
  account: Account,
  { size, hash }: Pick<Repeated, "size" | "hash">,
  fileId: string = uuidV4(randomBytes),
): UploadRequest {
  return {
    role: "original",
    hash,
    size,
    envelope: {
      crypto_suite_id: 1,
      protocol_version: PROTOCOL_MAX,
      file_id: fileId,
      amk_version: 0,
      ciphertext_hash: hash,
      original_blob_hash: hash,
      plaintext_size: size,
      chunk_size: 65_536,
      key_mode: "derived",
      created_by_user: account.userId,
      created_by_device: uuidV4(randomBytes),
      client_version: "strongroom-bench/1",
      timestamp: toRfc3339(Date.now()),
      action: "create",
    },
  };
}

/** Sends a blob in PATCH pieces over one connection and finalizes it. */
export async function patchThrough(
  { account }: Ours,
  connection: RawConnection,
  request: UploadRequest,
  blob: Repeated,
): Promise<void> {
  const { upload_id: uploadId } = await account.createUpload(request);
  for (let offset = 0; offset < blob.size; offset += blob.piece.length) {
    const answer = await connection.exchange({
      method: "PATCH",
      path: `/v1/upload/${uploadId}`,
      headers: {
        ...bearer(account),
        "Content-Type": "application/offset+octet-stream",
        "Upload-Offset": String(offset),
      },
      bodyBytes: blob.piece.length,
      body: [blob.piece],
    });
    expectStatus(answer, 204);
  }
  await account.finalize(uploadId);
}

/** The headers of a bearer's request. */
export function bearer(account: Account): Record<string, string> {
  return {
    Authorization: `Bearer ${account.tokens().access_token}`,
    "X-Service-Protocol": PROTOCOL_MAX,
  };
}

/** Makes an uploaded original live and shares it; returns the viewer's path. */
export async function shareOriginal(
  { account }: Pick<Ours, "account">,
  original: UploadRequest,
): Promise<string> {
  // To the server a manifest is bytes; no client reads this one.
  const manifest = randomBytes(1_000);
  await uploadBlob(account, {
    ...original,
    role: "provenance",
    hash: sha256Hex(manifest),
    size: manifest.length,
  }, sourceOf(manifest));
  const opaqueId = sha256Hex(randomBytes(32)).slice(0, 32);
  await account.issueShare({
    opaqueId,
    metadataHash: original.hash,
    serves: [original.hash],
  });
  return `/s/${opaqueId}/blob/${original.hash}`;
}

/** Throws unless the answer has this status. */
export function expectStatus(
  answer: { readonly status: number; readonly text: string },
  status: number,
): void {
  if (answer.status === status) return;
  throw new Error(`status ${answer.status}, not ${status}: ${answer.text}`);
}

/** A program that is measured: one run gives units a second. */
export interface Contender {
  readonly name: string;
  readonly isOurs?: true;
  /** Of its server, whose processor time is measured. */
  readonly pid?: number;
  readonly run: () => Promise<number>;
}

/** What came out for a contender, the median of its rounds. */
interface Measured {
  /** Units a second. */
  readonly rate: number;
  /** Seconds of its server's processor a unit; NaN if unknown. */
  readonly cpu: number;
}

/** Measures each contender over rounds that begin with another each. */
export async function alternate(
  contenders: readonly Contender[],
): Promise<ReadonlyMap<string, Measured>> {
  const all = new Map(contenders.map(({ name }): [string, Measured[]] => [
    name,
    [],
  ]));
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(round + turn) % contenders.length];
      if (contender === undefined) continue;
      await settle();
      all.get(contender.name)?.push(await measure(contender));
    }
  }
  return new Map([...all].map(([name, rounds]) => [name, {
    rate: median(rounds.map(({ rate }) => rate)),
    cpu: median(rounds.map(({ cpu }) => cpu)),
  }]));
}

async function measure({ pid, run }: Contender): Promise<Measured> {
  const seconds = async () => pid === undefined ? NaN : await treeSeconds(pid);
  const [before, started] = [await seconds(), performance.now()];
  const rate = await run();
  const units = rate * (performance.now() - started) / 1_000;
  return { rate, cpu: (await seconds() - before) / units };
}

/** What one contender left unwritten must not slow the next one down. */
async function settle(): Promise<void> {
  await new Deno.Command("sync").output();
}

/** What so large a share of sorted values is not above; 0 of none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Names the file that `deno task bench` has every ratio noted in. */
export const RATIOS_FILE = "BENCH_RATIOS";

/** A ratio of ours to a peer's; below 1 strongroom takes less. */
export interface Ratio {
  readonly what: string;
  readonly peer: string;
  readonly ratio: number;
}

/** Notes a ratio for the table of `deno task bench`. */
export function noteRatio(ratio: Ratio): void {
  const path = Deno.env.get(RATIOS_FILE);
  if (path === undefined) return;
  Deno.writeTextFileSync(path, `${JSON.stringify(ratio)}\n`, { append: true });
}

/** How a table says the processor time of a unit. */
interface CpuColumn {
  /** Such as `s of processor a GiB`. */
  readonly name: string;
  /** How often the seconds of one of our units are in it. */
  readonly factor: number;
}

export const CPU_A_GIB: CpuColumn = { name: "CPU s/GiB", factor: 1_024 };
export const CPU_AN_ANSWER: CpuColumn = { name: "CPU µs", factor: 1e6 };

/**
 * Prints rates, and those of ours as a ratio to every peer's. With `cpu` the
 * ratio is that of processor times instead, where more is worse.
 */
export function printTable(
  title: string,
  unit: string,
  contenders: readonly Contender[],
  measured: ReadonlyMap<string, Measured>,
  cpu?: CpuColumn,
): void {
  const ours = contenders.filter((one) => one.isOurs);
  const header = [
    title,
    unit,
    ...cpu === undefined ? [] : [cpu.name],
    ...ours.map(({ name }) =>
      cpu === undefined ? `${name} ÷ peer` : `${name}, CPU ÷ peer`
    ),
  ];
  const of = (name: string) => measured.get(name) ?? { rate: NaN, cpu: NaN };
  const rows = contenders.map(({ name, isOurs }) => [
    name,
    Math.round(of(name).rate).toLocaleString("en"),
    ...cpu === undefined
      ? []
      : [(of(name).cpu * cpu.factor).toFixed(cpu.factor > 10_000 ? 1 : 2)],
    ...ours.map((one) => {
      if (isOurs) return "";
      const ratio = cpu === undefined
        ? of(one.name).rate / of(name).rate
        : of(one.name).cpu / of(name).cpu;
      if (cpu !== undefined) {
        noteRatio({ what: `${title}: ${one.name}`, peer: name, ratio });
      }
      return ratio.toFixed(2);
    }),
  ]);
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0))
  );
  for (const row of [header, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0
        ? cell.padEnd(widths[column] ?? 0)
        : cell.padStart(widths[column] ?? 0)
    );
    say(cells.join("  ").trimEnd());
  }
}

/** Units a second, of so many that `work` gets done. */
export async function rateOf(
  units: number,
  work: () => Promise<void>,
): Promise<number> {
  const started = performance.now();
  await work();
  return units / ((performance.now() - started) / 1_000);
}

/** Most memory that a process ever had resident (MiB), where Linux tells. */
export async function peakMib(pid: number): Promise<number | undefined> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    const kib = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
    return kib === undefined ? undefined : Number(kib) / 1_024;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Clock ticks of a second, in which Linux counts a process's time. */
const TICKS = 100;

/** Processor time of a process so far (seconds), where Linux tells. */
export function cpuSeconds(
  pid: number | "self",
): Promise<number | undefined> {
  return secondsOf(pid, 12);
}

/** That of all programs that this one started and that have ended (seconds). */
export async function endedSeconds(): Promise<number> {
  return await secondsOf("self", 14) ?? NaN;
}

/** The sum of two fields of `stat` (proc(5)), numbered from the name's end. */
async function secondsOf(
  pid: number | "self",
  first: number,
): Promise<number | undefined> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    // What stands before may hold blanks: the program's name.
    const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ")
      .slice(first, first + 2).map(Number);
    return user === undefined || system === undefined
      ? undefined
      : (user + system) / TICKS;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Processor time of a group of processes, with that of those which have ended
 * (seconds). Undefined where none is left.
 */
export async function groupSeconds(group: number): Promise<number | undefined> {
  let sum: number | undefined;
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")")).split(" ");
    // A zombie is over; its group is the field after its parent.
    if (fields[1] === "Z" || Number(fields[3]) !== group) continue;
    sum = fields.slice(12, 16).map(Number)
      .reduce((sum, ticks) => sum + ticks / TICKS, sum ?? 0);
  }
  return sum;
}

/** The same of a process and those that it started, such as workers. */
async function treeSeconds(pid: number): Promise<number> {
  let sum = await cpuSeconds(pid) ?? NaN;
  const threads = `/proc/${pid}/task`;
  for await (const { name } of Deno.readDir(threads)) {
    const children = await Deno.readTextFile(`${threads}/${name}/children`)
      .catch(() => "");
    for (const child of children.split(" ").filter((id) => id !== "")) {
      sum += await treeSeconds(Number(child));
    }
  }
  return sum;
}

/** Prints the peak of our server. */
export async function sayPeak({ server }: Ours): Promise<void> {
  const peak = await peakMib(server.pid);
  say(`peak resident memory of strongroom: ${peak?.toFixed(0) ?? "?"} MiB`);
}

/** Refuses to begin where the disk has too little room. */
export async function requireFreeDisk(
  path: string,
  bytes: number,
): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize >= bytes) return;
  throw new Error(
    `${path} has ${Math.floor(bavail * bsize / MIB)} MiB free; ` +
      `${Math.ceil(bytes / MIB)} MiB are needed`,
  );
}
