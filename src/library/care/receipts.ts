/**
 * Going through all receipts of the account by number, also those of other
 * devices. Each is verified and kept. Receipts that this device has and the
 * server denies are reported, and so are assets without receipts
 * (protocol/receipts.md).
 *
 * @module
 */
import { fromBase64, fromUtf8, toHex, utf8 } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { readReceipt, ReceiptError } from "../../crypto/receipt.ts";
import type { ReceiptsPage } from "../../wire/answers/receipts.ts";
import { persist } from "../../client/api/send.ts";
import { UnexpectedAnswer } from "../../client/api/transport.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import { blobName, type Custody, type SentBlob } from "../trust/custody.ts";
import { CustodyError } from "../base/faults.ts";
import { isBroken, type Row } from "../rows/rows.ts";
import type { Store } from "../base/store.ts";
import { findVanished, type VanishedContext } from "./vanished.ts";

const CURSOR = "receipts";
const PAGE = 1_000;

/** What the sweep works with. */
interface ReceiptsContext extends VanishedContext {
  readonly store: Store;
  readonly custody: Custody;
}

/** Options of the sweep. */
export interface ReceiptsOptions {
  /**
   * Whether to begin with the first receipt instead of where the last sweep
   * ended.
   */
  readonly all?: boolean;
  readonly onProgress?: (receipts: number) => void;
  readonly signal?: AbortSignal;
}

/** The findings of a sweep. */
export interface ReceiptsReport {
  /** Receipts seen, including those held before. */
  readonly seen: number;
  /** New receipts, verified and kept. */
  readonly verified: number;
  /** Receipts that are not valid. */
  readonly faults: readonly {
    readonly seq: number;
    readonly fault: CustodyError["fault"];
    readonly message: string;
  }[];
  /**
   * Numbers of receipts that this device has and the server does not list,
   * because it denies them or lost them in a restore; and the newest one that
   * any device of the account is known to have verified.
   */
  readonly denied: readonly number[];
  /** Own live assets with a blob that no verified receipt names. */
  readonly without: readonly string[];
  /**
   * Own assets of which there is a receipt of a manifest, and that are neither
   * in the index nor deleted nor at the server: they are rows now, missing.
   */
  readonly vanished: readonly string[];
}

/** Goes through the account's receipts. Throws the errors of the calls. */
export async function sweepReceipts(
  context: ReceiptsContext,
  options: ReceiptsOptions = {},
): Promise<ReceiptsReport> {
  const { store, custody, vault } = context;
  const { account } = vault.session;
  const faults: {
    seq: number;
    fault: CustodyError["fault"];
    message: string;
  }[] = [];
  const denied: number[] = [];
  let seen = 0;
  let verified = 0;
  let after = options.all === true ? 0 : await readCursor(store);
  // It may be another device's.
  const newest = custody.newest() ?? 0;
  let isListed = newest <= after;
  for (let more = true; more;) {
    options.signal?.throwIfAborted();
    const page = await persist(
      account,
      () => account.receiptsAfter(after, { limit: PAGE, include: "digest" }),
      {},
    );
    const { held, bare } = await digestsAfter(custody, after, page);
    const unknown = new Set<number>();
    for (const { receipt_seq: seq, sha256 } of page.receipts) {
      if (seq === newest) isListed = true;
      if (held.get(seq) !== sha256 || bare.has(seq)) unknown.add(seq);
      held.delete(seq);
    }
    denied.push(...held.keys());
    for await (const receipt of fetched(context, after, unknown)) {
      const { receipt_seq: seq, receipt_cbor: cbor } = receipt;
      try {
        await custody.accept(sentOf(context.index, cbor ?? ""), cbor ?? "");
        verified++;
      } catch (error) {
        if (!(error instanceof CustodyError)) throw error;
        faults.push({ seq, fault: error.fault, message: error.message });
      }
    }
    seen += page.receipts.length;
    more = page.more && page.receipts.length > 0;
    // Only a server that lies goes on without going forward.
    if (more && page.next_after <= after) {
      throw new UnexpectedAnswer(200, "receipts without an end");
    }
    after = page.next_after;
    options.onProgress?.(seen);
    if (faults.length === 0) await writeCursor(store, after);
  }
  if (!isListed && !denied.includes(newest)) denied.push(newest);
  const isAll = options.all === true;
  const without = await markReceipted(context, isAll);
  const vanished = isAll ? await findVanished(context) : [];
  return { seen, verified, faults, denied, without, vanished };
}

/** Fetches the whole receipts of some numbers, in their order. */
async function* fetched(
  { vault }: ReceiptsContext,
  start: number,
  wanted: ReadonlySet<number>,
): AsyncGenerator<ReceiptsPage["receipts"][number]> {
  const { account } = vault.session;
  let left = wanted.size;
  for (let after = start; left > 0;) {
    const page = await persist(
      account,
      () => account.receiptsAfter(after, { limit: PAGE, include: "cbor" }),
      {},
    );
    for (const receipt of page.receipts) {
      if (!wanted.has(receipt.receipt_seq)) continue;
      left--;
      yield receipt;
    }
    if (!page.more || page.next_after <= after) return;
    after = page.next_after;
  }
}

/**
 * The SHA-256 of each held receipt in the span of a page, by number. `bare` are
 * the numbers of receipts of which only the digest is held although whole ones
 * are wanted.
 */
async function digestsAfter(
  custody: Custody,
  after: number,
  page: ReceiptsPage,
): Promise<{ held: Map<number, string>; bare: Set<number> }> {
  const last = page.more ? page.receipts.at(-1)?.receipt_seq : undefined;
  const digests = new Map<number, string>();
  const bare = new Set<number>();
  const isWhole = await custody.kept() === "whole";
  for (let at = after;;) {
    const held = await custody.held(at, PAGE);
    for (const { seq, cbor, digest } of held) {
      if (last !== undefined && seq > last) return { held: digests, bare };
      digests.set(seq, toHex(digest()));
      if (isWhole && cbor === undefined) bare.add(seq);
      at = seq;
    }
    if (held.length < PAGE) return { held: digests, bare };
  }
}

/**
 * The blob that a receipt should name, according to this device's row. For a
 * blob that is not known here (of an earlier manifest or a deleted file), it is
 * the receipt's own claim.
 */
function sentOf(index: AssetIndex, cbor: string): SentBlob {
  const bytes = fromBase64(cbor) ?? new Uint8Array();
  try {
    const receipt = readReceipt(bytes);
    const hash = toHex(receipt.ciphertext_hash);
    const assetId = receipt.asset_id ?? "";
    const role = receipt.blob_role;
    const row = index.get(assetId);
    const known = row?.blobs.find((blob) => blob.hash === hash);
    return {
      assetId: receipt.asset_id,
      hash,
      role: known?.role ?? role,
      size: known?.size ?? receipt.size,
    };
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    throw new CustodyError("receipt_forged", `no receipt: ${error.message}`);
  }
}

/**
 * Marks the rows whose every blob has a receipt; returns the ids of the others.
 */
async function markReceipted(
  { vault, index, custody }: ReceiptsContext,
  isAll: boolean,
): Promise<string[]> {
  const { platform, userId } = vault.session;
  const waiting = new Map<string, Row>();
  for (const row of index.rows()) {
    const asks = row.owner === userId && row.state === "live" &&
      (row.custody === "unverified" || (isAll && !isBroken(row)));
    if (asks) waiting.set(row.id, row);
  }
  if (waiting.size === 0) return [];
  const named = new Map<string, Set<string>>();
  for (let at = 0;;) {
    const held = await custody.held(at, PAGE);
    for (const { seq, assetId, blob } of held) {
      at = seq;
      if (assetId === undefined || !waiting.has(assetId)) continue;
      const names = named.get(assetId) ?? new Set();
      names.add(blob());
      named.set(assetId, names);
    }
    if (held.length < PAGE) break;
  }
  const without: string[] = [];
  const now = toRfc3339(platform.now());
  for (const row of waiting.values()) {
    const names = named.get(row.id);
    const whole = row.blobs.every(({ role, hash }) =>
      names?.has(blobName(role, hash))
    );
    if (!whole) without.push(row.id);
    // What was called proven is not, without its receipts.
    const custody = !whole
      ? "unverified"
      : row.custody === "unverified"
      ? "receipted"
      : row.custody;
    if (custody !== row.custody && index.get(row.id) === row) {
      index.put({ ...row, custody, custody_at: now });
    }
  }
  await index.commit();
  return without;
}

async function readCursor(store: Store): Promise<number> {
  const value = await store.get("pins", CURSOR);
  const at = Number(fromUtf8(value ?? new Uint8Array()) ?? "");
  return Number.isSafeInteger(at) && at >= 0 ? at : 0;
}

async function writeCursor(store: Store, after: number): Promise<void> {
  const value = utf8(String(after));
  await store.write([{ space: "pins", key: CURSOR, value }]);
}
