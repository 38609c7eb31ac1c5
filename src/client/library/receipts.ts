/**
 * Every receipt that the account was ever given, by number: those of other
 * devices too. Each is verified and kept; what the server denies of what this
 * device holds, and assets that have none, are named (protocol/receipts.md).
 *
 * @module
 */
import { fromBase64, fromUtf8, toHex, utf8 } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { readReceipt, ReceiptError } from "../../crypto/receipt.ts";
import type { ReceiptsPage } from "../asset_answers.ts";
import { persist } from "../send.ts";
import type { AssetIndex } from "./asset_index.ts";
import { blobName, type Custody, type SentBlob } from "./custody.ts";
import { CustodyError } from "./faults.ts";
import type { Row } from "./rows.ts";
import type { Store } from "./store.ts";
import type { Vault } from "./vault.ts";

const CURSOR = "receipts";
const PAGE = 1_000;

/** What the receipts are held against. */
export interface ReceiptsContext {
  readonly vault: Vault;
  readonly index: AssetIndex;
  readonly store: Store;
  readonly custody: Custody;
}

/** How receipts are gone through. */
export interface ReceiptsOptions {
  /** From the first one on, and not from where the last time ended. */
  readonly all?: boolean;
  readonly onProgress?: (receipts: number) => void;
  readonly signal?: AbortSignal;
}

/** What was found. */
export interface ReceiptsReport {
  /** Receipts looked at, those held before included. */
  readonly seen: number;
  /** Those that were new here, verified and kept. */
  readonly verified: number;
  /** Receipts that are not what they should be. */
  readonly faults: readonly {
    readonly seq: number;
    readonly fault: CustodyError["fault"];
    readonly message: string;
  }[];
  /**
   * Numbers of receipts that this device holds and the server does not list:
   * it denies them, or lost them with a restore.
   */
  readonly denied: readonly number[];
  /** Live assets of one's own with a blob that no verified receipt names. */
  readonly without: readonly string[];
}

/** Goes through the account's receipts. Throws what the calls throw. */
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
    after = page.next_after ?? page.receipts.at(-1)?.receipt_seq ?? after;
    more = page.more && page.receipts.length > 0;
    options.onProgress?.(seen);
    if (faults.length === 0) await writeCursor(store, after);
  }
  const without = await markReceipted(context);
  return { seen, verified, faults, denied, without };
}

/** The receipts of some numbers, whole, in their order. */
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
    const next = page.next_after ?? page.receipts.at(-1)?.receipt_seq ?? after;
    if (!page.more || next <= after) return;
    after = next;
  }
}

/**
 * SHA-256 of what is held in the span of a page, by number; `bare` are those of
 * which there is no more, where all of it is to be kept.
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
 * What a receipt should name, as far as this device knows the asset; of one that
 * it does not know (an earlier manifest, a file that is gone) its own word.
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

/** Rows whose every blob has a receipt; returns those that lack one. */
async function markReceipted(
  { vault, index, custody }: ReceiptsContext,
): Promise<string[]> {
  const { platform, userId } = vault.session;
  const waiting = new Map<string, Row>();
  for (const row of index.rows()) {
    const asks = row.owner === userId && row.state === "live" &&
      row.custody === "unverified";
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
    else index.put({ ...row, custody: "receipted", custody_at: now });
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
