/**
 * Checking that the server still has what it gave receipts for, by asking it
 * and by reading blobs back: the custody states `confirmed`, `read_back`,
 * `missing` and `damaged` of rows
 * (protocol/receipts.md#structural-and-deep-verification).
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import { chunks } from "../../core/chunks.ts";
import { toRfc3339 } from "../../core/time.ts";
import { ApiProblem } from "../../client/api/api.ts";
import type { Verdict } from "../../wire/answers/assets.ts";
import { persist } from "../../client/api/send.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import { inParallel } from "../base/parallel.ts";
import { primitivesOf } from "../base/platform.ts";
import { DamagedBlob, fetchBlob } from "../rows/pull.ts";
import { ownBlobs, type Row } from "../rows/rows.ts";
import type { Vault } from "../vault/vault.ts";

/** Most assets and hashes that the server takes in one request. */
const MOST_ASSETS = 100;
const MOST_HASHES = 1_000;

/** What the checks work with. */
interface ConfirmContext {
  readonly vault: Vault;
  readonly index: AssetIndex;
}

/** Options of the checks. */
export interface ConfirmOptions {
  /** Default: every own live asset. The server is asked of one's own alone. */
  readonly assetIds?: readonly string[];
  /** Whether the server reads and hashes the bytes again, within its budget. */
  readonly deep?: boolean;
  /** Gets the number of assets done and the number of all. */
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

/** Assets that are read back at a time. */
const READ_AT_ONCE = 4;
/** Assets that are read back between two writes of the index. */
const READ_BATCH = 64;

/** The results: ids of assets. */
export interface ConfirmReport {
  readonly confirmed: readonly string[];
  /** A blob is missing or cannot be fetched. */
  readonly missing: readonly string[];
  /** A blob's bytes have changed. */
  readonly damaged: readonly string[];
  /** The server's hourly budget is spent: ask again later. */
  readonly unexamined: readonly string[];
}

/** Asks the server whether it still has what it gave receipts for. */
export async function confirmAssets(
  context: ConfirmContext,
  options: ConfirmOptions = {},
): Promise<ConfirmReport> {
  const { vault, index } = context;
  const { account, platform } = vault.session;
  const { userId } = vault.session;
  // Of what others own the server says that there is no such asset.
  const rows = rowsOf(context, options.assetIds)
    .filter(({ owner }) => owner === userId);
  const report: Report = newReport();
  let done = 0;
  for (const group of groupsOf(rows)) {
    options.signal?.throwIfAborted();
    const asked = group.map((row) => ({
      asset_id: row.id,
      blob_hashes: ownBlobs(row).map(({ hash }) => hash),
    }));
    const verdicts = await persist(
      account,
      () => account.verifyStorage(asked, options.deep),
      {},
    );
    const at = toRfc3339(platform.now());
    for (const [i, row] of group.entries()) {
      const found = judge(row, verdicts[i], options.deep === true);
      note(report, index, row, found, at);
    }
    await index.commit();
    done += group.length;
    options.onProgress?.(done, rows.length);
  }
  return report;
}

/**
 * Fetches every blob of assets and compares it with its content address,
 * without trusting the server's claims.
 */
export async function readBackAssets(
  context: ConfirmContext,
  options: Omit<ConfirmOptions, "deep"> = {},
): Promise<ConfirmReport> {
  const { vault, index } = context;
  const rows = rowsOf(context, options.assetIds);
  const report: Report = newReport();
  let done = 0;
  for (const batch of chunks(rows, READ_BATCH)) {
    try {
      await inParallel(batch, READ_AT_ONCE, async (row) => {
        options.signal?.throwIfAborted();
        const found = await examined(context, row, options.signal);
        const at = toRfc3339(vault.session.platform.now());
        note(report, index, row, found, at);
        options.onProgress?.(++done, rows.length);
      });
    } finally {
      // Findings from before a connection broke are kept.
      await index.commit();
    }
  }
  return report;
}

type Finding = "confirmed" | "read_back" | "missing" | "damaged" | "unexamined";
type Report = { -readonly [K in keyof ConfirmReport]: string[] };

function newReport(): Report {
  return { confirmed: [], missing: [], damaged: [], unexamined: [] };
}

function rowsOf(
  { vault, index }: ConfirmContext,
  assetIds: readonly string[] | undefined,
): Row[] {
  if (assetIds !== undefined) {
    return assetIds.flatMap((id) => index.get(id) ?? []);
  }
  const { userId } = vault.session;
  return [...index.rows()]
    .filter(({ owner, state }) => owner === userId && state === "live");
}

function* groupsOf(rows: readonly Row[]): Generator<Row[]> {
  let group: Row[] = [];
  let hashes = 0;
  for (const row of rows) {
    const full = group.length === MOST_ASSETS ||
      hashes + row.blobs.length > MOST_HASHES;
    if (full && group.length > 0) {
      yield group;
      group = [];
      hashes = 0;
    }
    group.push(row);
    hashes += row.blobs.length;
  }
  if (group.length > 0) yield group;
}

/** Reads a verdict; one for another asset counts as "missing". */
function judge(
  row: Row,
  verdict: Verdict | undefined,
  deep: boolean,
): Finding {
  if (verdict?.asset_id !== row.id) return "missing";
  const blobs = new Map(verdict.blobs.map((blob) => [blob.hash, blob]));
  const told = ownBlobs(row).map(({ hash }) => blobs.get(hash));
  if (told.some((blob) => blob?.deep === "corrupt")) return "damaged";
  const there = verdict.durable &&
    told.every((blob) => blob?.stored && blob.indexed && blob.retrievable);
  if (!there) return "missing";
  if (!deep) return "confirmed";
  const examined = told.every((blob) => blob?.deep === "intact");
  return examined ? "read_back" : "unexamined";
}

async function examined(
  { vault }: ConfirmContext,
  row: Row,
  signal: AbortSignal | undefined,
): Promise<Finding> {
  const { account, platform } = vault.session;
  for (const { hash } of ownBlobs(row)) {
    const running = primitivesOf(platform).sha256();
    try {
      for await (const piece of fetchBlob(account, row.id, hash, signal)) {
        running.update(piece);
      }
    } catch (error) {
      if (error instanceof DamagedBlob) return "damaged";
      const gone = error instanceof ApiProblem && error.status === 404;
      if (!gone) throw error;
      return "missing";
    }
    if (toHex(running.digest()) !== hash) return "damaged";
  }
  return "read_back";
}

function note(
  report: Report,
  index: AssetIndex,
  row: Row,
  found: Finding,
  at: string,
): void {
  if (found === "unexamined") {
    report.unexamined.push(row.id);
    return;
  }
  report[found === "read_back" ? "confirmed" : found].push(row.id);
  const now = index.get(row.id);
  // Changed or gone while the server was asked: this is not about what is there.
  if (now === undefined || now.head !== row.head) return;
  const custody = found === "confirmed" ? confirmedFrom(now.custody) : found;
  index.put({ ...now, custody, custody_at: at });
}

/** What an asset's state becomes where the server says that it has it. */
function confirmedFrom(before: Row["custody"]): Row["custody"] {
  // To be there is less than to have been read back, and the server's word does
  // not stand in for its receipts.
  return before === "read_back" || before === "unverified"
    ? before
    : "confirmed";
}
