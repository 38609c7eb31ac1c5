/**
 * Receipts: each is compared with what was sent, verified against the
 * attestation keys that this device has pinned, and checked for contradictions
 * with the receipts held here (protocol/receipts.md).
 *
 * @module
 */
import {
  type Bytes,
  equalBytes,
  fromBase64,
  fromHex,
  fromUtf8,
  toHex,
  utf8,
} from "../../core/bytes.ts";
import {
  type CborMap,
  decodeCanonical,
  encodeCanonical,
  isCborMap,
} from "../../core/cbor.ts";
import type { BlobRole } from "../../crypto/blob_role.ts";
import { sha256 } from "../../crypto/sha256.ts";
import {
  type OpenedReceipt,
  openReceipt,
  readReceipt,
  ReceiptError,
  receiptHash,
  type ReceiptPayload,
} from "../../crypto/receipt.ts";
import {
  type PublishedKeys,
  verifyOpened,
} from "../../crypto/receipt_chain.ts";
import type { Vault } from "../vault/vault.ts";
import { CustodyError } from "../base/faults.ts";
import { openPins } from "./pins.ts";
import type { Trust } from "./trust.ts";
import { numberKey, type Store, type StoreChange } from "../base/store.ts";

/** A blob that was sent, which its receipt has to name. */
export interface SentBlob {
  /** Null for a guest's file that is not adopted yet. */
  readonly assetId: string | null;
  readonly role: BlobRole;
  readonly hash: string;
  readonly size: number;
  /** The id of the upload session, if it is known. */
  readonly uploadId?: string;
}

/** How much of a verified receipt is kept: all of it, or its digest. */
export type KeptReceipts = "whole" | "digest";

/** A verified receipt that is kept. */
export interface HeldReceipt {
  readonly seq: number;
  readonly assetId: string | undefined;
  /** Undefined if only its digest is kept. */
  readonly cbor: Bytes | undefined;
  /** SHA-256 of the receipt. */
  digest(): Bytes;
  /** SHA-256 of the receipt before it. */
  prior(): Uint8Array | null;
  /** The name of its blob; see {@link blobName}. */
  blob(): string;
}

/** A verified receipt, and the store change that keeps it. */
interface VerifiedReceipt {
  readonly receipt: ReceiptPayload;
  readonly change: StoreChange;
}

/** The receipts that this device holds. */
export interface Custody {
  /**
   * Verifies the receipt of a blob and keeps it. Throws {@link CustodyError}.
   */
  accept(sent: SentBlob, receiptCbor: string): Promise<ReceiptPayload>;
  /**
   * Verifies the receipt of a blob and returns the change that keeps it. The
   * caller writes it together with other changes of the asset, because each
   * write waits for the disk. Throws {@link CustodyError}.
   */
  verify(sent: SentBlob, receiptCbor: string): Promise<VerifiedReceipt>;
  /**
   * The same for several, as an asset has them. Their signatures are verified
   * at the same time, which a native backend does in other threads.
   */
  verifyAll(
    given: readonly {
      readonly sent: SentBlob;
      readonly receiptCbor: string;
    }[],
  ): Promise<VerifiedReceipt[]>;
  /** The receipts that are held, in the order of their numbers, after one. */
  held(after?: number, limit?: number): Promise<readonly HeldReceipt[]>;
  /**
   * The number of the newest receipt that any device of the account verified.
   */
  newest(): number | undefined;
  /**
   * The attestation keys that this device has pinned; with `renew`, those that
   * follow them too. Throws CustodyError `keys_replaced`.
   */
  keys(options?: { readonly renew?: boolean }): Promise<PublishedKeys>;
  /** How much of each receipt is kept; by default all of it. */
  kept(): Promise<KeptReceipts>;
  /**
   * Sets how much is kept from now on. Digests take a hundredth of the room
   * (150 bytes). They still reveal a receipt that the server changed or denies,
   * but they prove nothing to others until a sweep fetches the receipts again
   * (`receipts.ts`, `all`).
   */
  keep(kept: KeptReceipts): Promise<void>;
}

const KEPT = "receipts/kept";
/** Receipts that are remembered in memory until they are written. */
const MOST_UNWRITTEN = 256;
const PAGE = 1_000;

/** Opens the custody record of a vault over the store of this device. */
export function openCustody(
  vault: Vault,
  store: Store,
  trust?: Trust,
): Custody {
  const { client, platform } = vault.session;
  const pins = openPins(client, store, platform.hybrid, {
    now: platform.now,
    trust,
  });
  let keeping: KeptReceipts | undefined;
  const kept = async (): Promise<KeptReceipts> => {
    if (keeping !== undefined) return keeping;
    const said = fromUtf8(await store.get("pins", KEPT) ?? new Uint8Array());
    return keeping = said === "digest" ? "digest" : "whole";
  };
  /** Receipts verified lately, which may not be in the store yet. */
  const unwritten = new Map<number, Links>();
  const at = async (seq: number): Promise<Links | undefined> => {
    const lately = unwritten.get(seq);
    if (lately !== undefined) return lately;
    const value = await store.get("receipts", numberKey(seq));
    return value === undefined ? undefined : readHeld(seq, value);
  };
  /** A receipt that names what was sent, and that the server signed. */
  const signed = async (sent: SentBlob, receiptCbor: string) => {
    const bytes = fromBase64(receiptCbor) ?? new Uint8Array();
    const opened = openAny(bytes);
    assertNames(opened.payload, sent);
    await assertSigned(opened, (renew) => pins.attestation(renew));
    return { sent, bytes, receipt: opened.payload };
  };
  /** Compares it with those that are held, one after the other. */
  const fitted = async (
    { sent, bytes, receipt }: Awaited<ReturnType<typeof signed>>,
  ) => {
    const { receipt_seq: seq, prior_receipt_hash: prior } = receipt;
    const digest = receiptHash(bytes);
    await assertFits(digest, receipt, at);
    const seen = { seq, sha256: toHex(digest) };
    const newest = trust?.receipt;
    if (newest?.seq === seq && newest.sha256 !== seen.sha256) usedTwice(seq);
    trust?.noteReceipt(seen);
    const whole = { asset: sent.assetId, cbor: bytes };
    const value = encodeCanonical(
      await kept() === "whole" ? whole : digested(readWhole(0, whole)),
    );
    unwritten.set(seq, { digest: () => digest, prior: () => prior });
    const [oldest] = unwritten.keys();
    if (unwritten.size > MOST_UNWRITTEN && oldest !== undefined) {
      unwritten.delete(oldest);
    }
    const change = { space: "receipts", key: numberKey(seq), value } as const;
    return { receipt, change };
  };
  const verify = async (sent: SentBlob, receiptCbor: string) =>
    await fitted(await signed(sent, receiptCbor));
  return {
    verify,
    async verifyAll(given) {
      const [first, ...others] = given;
      if (first === undefined) return [];
      // Keys that are new are fetched for the first alone.
      const all = [
        await signed(first.sent, first.receiptCbor),
        ...await Promise.all(
          others.map(({ sent, receiptCbor }) => signed(sent, receiptCbor)),
        ),
      ];
      const verified: VerifiedReceipt[] = [];
      for (const one of all) verified.push(await fitted(one));
      return verified;
    },
    async accept(sent, receiptCbor) {
      const { receipt, change } = await verify(sent, receiptCbor);
      await store.write([change]);
      return receipt;
    },
    newest: () => trust?.receipt?.seq,
    keys: ({ renew = false } = {}) => pins.attestation(renew),
    kept,
    async keep(next) {
      await store.write([{ space: "pins", key: KEPT, value: utf8(next) }]);
      keeping = next;
      if (next === "whole") return;
      for (let after: string | undefined, more = true; more;) {
        const entries = await store.list("receipts", {
          limit: PAGE,
          ...(after === undefined ? {} : { after }),
        });
        more = entries.length === PAGE;
        after = entries.at(-1)?.key;
        await store.write(entries.map(({ key, value }) => ({
          space: "receipts",
          key,
          value: encodeCanonical(digested(readHeld(Number(key), value))),
        })));
      }
    },
    async held(after, limit) {
      const entries = await store.list("receipts", {
        ...(after === undefined ? {} : { after: numberKey(after) }),
        ...(limit === undefined ? {} : { limit }),
      });
      return entries.map(({ key, value }) => readHeld(Number(key), value));
    },
  };
}

/** What ties a receipt to its neighbours. */
type Links = Pick<HeldReceipt, "digest" | "prior">;

function openAny(bytes: Uint8Array): OpenedReceipt {
  try {
    return openReceipt(bytes);
  } catch (cause) {
    if (!(cause instanceof ReceiptError)) throw cause;
    throw new CustodyError("receipt_forged", `no receipt: ${cause.message}`);
  }
}

function assertNames(receipt: ReceiptPayload, sent: SentBlob): void {
  const envelope = receipt.envelope_hash;
  const facts: readonly [string, unknown, unknown][] = [
    ["asset_id", receipt.asset_id, sent.assetId],
    ["blob_role", receipt.blob_role, sent.role],
    ["ciphertext_hash", toHex(receipt.ciphertext_hash), sent.hash],
    ["size", receipt.size, sent.size],
    ["upload_id", receipt.upload_id, sent.uploadId ?? receipt.upload_id],
    [
      "envelope_hash",
      envelope === null ? null : toHex(envelope),
      sent.role === "provenance" ? sent.hash : null,
    ],
  ];
  for (const [name, said, wanted] of facts) {
    if (said === wanted) continue;
    throw new CustodyError(
      "receipt_mismatch",
      `receipt ${receipt.receipt_seq} says ${name} ${said}, not ${wanted}`,
    );
  }
}

/** Verifies the signature under the pinned keys and those that follow them. */
async function assertSigned(
  opened: OpenedReceipt,
  keysOf: (renew: boolean) => Promise<PublishedKeys>,
): Promise<void> {
  const held = await verifyOpened(opened, await keysOf(false));
  if (held.ok) return;
  // The server may have rotated its key since the last look.
  const renewed = held.fault === "key_unknown" ||
    held.fault === "key_outside_window" || held.fault === "foreign_server";
  const verdict = renewed
    ? await verifyOpened(opened, await keysOf(true))
    : held;
  if (verdict.ok) return;
  throw new CustodyError("receipt_forged", verdict.detail);
}

/**
 * Checks that a receipt does not contradict held receipts of the same and the
 * neighbouring numbers.
 */
async function assertFits(
  digest: Bytes,
  receipt: ReceiptPayload,
  at: (seq: number) => Promise<Links | undefined>,
): Promise<void> {
  const seq = receipt.receipt_seq;
  const same = await at(seq);
  if (same !== undefined && !equalBytes(same.digest(), digest)) {
    usedTwice(seq);
  }
  const [before, after] = [await at(seq - 1), await at(seq + 1)];
  const prior = receipt.prior_receipt_hash;
  const forked = (before !== undefined && !names(prior, before.digest())) ||
    (after !== undefined && !names(after.prior(), digest));
  if (!forked) return;
  throw new CustodyError(
    "chain_forked",
    `receipt ${seq} does not fit its neighbours: the chain has a fork`,
  );
}

function usedTwice(seq: number): never {
  throw new CustodyError(
    "number_used_twice",
    `the server signed two receipts of number ${seq}`,
  );
}

function names(prior: Uint8Array | null, before: Uint8Array): boolean {
  return prior !== null && equalBytes(prior, before);
}

const NAME_BYTES = 16;

/** A short name of a blob in its role, by which its receipt is found. */
export function blobName(role: string, hash: string): string {
  return toHex(sha256(utf8(`${role} ${hash}`)).subarray(0, NAME_BYTES));
}

function readHeld(seq: number, value: Uint8Array): HeldReceipt {
  const read = decodeCanonical(value, { maxDepth: 1 });
  const entry: CborMap = isCborMap(read) ? read : {};
  if (entry["digest"] === undefined) return readWhole(seq, entry);
  const { asset, digest, prior, blob } = entry;
  return {
    seq,
    assetId: typeof asset === "string" ? asset : undefined,
    cbor: undefined,
    digest: () => bytesOr(digest),
    prior: () => prior instanceof Uint8Array ? prior : null,
    blob: () => toHex(bytesOr(blob)),
  };
}

function readWhole(seq: number, { asset, cbor }: CborMap): HeldReceipt {
  const bytes = bytesOr(cbor);
  return {
    seq,
    assetId: typeof asset === "string" ? asset : undefined,
    cbor: bytes,
    digest: () => receiptHash(bytes),
    prior: () => openReceipt(bytes).payload.prior_receipt_hash,
    blob() {
      const { blob_role, ciphertext_hash } = readReceipt(bytes);
      return blobName(blob_role, toHex(ciphertext_hash));
    },
  };
}

function bytesOr(value: unknown): Bytes {
  return new Uint8Array(value instanceof Uint8Array ? value : []);
}

/** The record of a receipt of which only the digest is kept. */
function digested(held: HeldReceipt): CborMap {
  return {
    asset: held.assetId ?? null,
    digest: held.digest(),
    prior: held.prior(),
    blob: fromHex(held.blob()) ?? new Uint8Array(),
  };
}
