/**
 * The receipts that the server issues for a manifest and its metadata, fetched
 * for many assets in one request and verified one by one. They are in the list
 * of all the account's receipts, among those of other devices, so an asset
 * whose receipts are not among the next few hundred is asked for by itself.
 *
 * @module
 */
import { fromBase64, toHex } from "../../core/bytes.ts";
import type { BlobRole } from "../../crypto/blob_role.ts";
import { readReceipt, ReceiptError } from "../../crypto/receipt.ts";
import { persist } from "../../client/api/send.ts";
import type { Custody } from "../trust/custody.ts";
import type { StoreChange } from "../base/store.ts";
import {
  type LateReceipts,
  type Storing,
  verifyReceipts,
} from "../trust/asset_receipts.ts";

/** Assets that one request is made for at most; ... */
const MOST_TOGETHER = 32;
/** ... and how long the first of them waits for others (ms). */
const LONGEST_WAIT_MS = 500;
/** Receipts of a page. */
const PAGE = 200;
/** Pages that are read for one round: enough for it and a few other devices. */
const MOST_PAGES = 3;

/** Fetches receipts for several assets at a time. */
interface ReceiptRounds {
  /**
   * Verifies the receipts of an asset; returns the changes that keep them. Of
   * `underWay` assets that may join, this one included, the last does not wait.
   * Throws CustodyError if one is missing or wrong.
   */
  verify(late: LateReceipts, underWay: number): Promise<StoreChange[]>;
}

interface Waiter {
  readonly late: LateReceipts;
  readonly resolve: (changes: StoreChange[]) => void;
  readonly reject: (cause: unknown) => void;
}

const rounds = new WeakMap<Custody, ReceiptRounds>();

/** The rounds of a library. */
export function receiptRounds(storing: Storing): ReceiptRounds {
  const held = rounds.get(storing.custody) ?? openRounds(storing);
  rounds.set(storing.custody, held);
  return held;
}

function openRounds(storing: Storing): ReceiptRounds {
  const { account } = storing.vault.session;
  let waiters: Waiter[] = [];
  /** Assets of rounds that are not over. */
  let asked = 0;
  const begin = async () => {
    const round = waiters;
    waiters = [];
    asked += round.length;
    if (round.length > 0) await verifyRound(storing, round);
    asked -= round.length;
  };
  return {
    verify(late, underWay) {
      const promise = new Promise<StoreChange[]>((resolve, reject) =>
        waiters.push({ late, resolve, reject })
      );
      if (waiters.length >= Math.min(MOST_TOGETHER, underWay - asked)) begin();
      else if (waiters.length === 1) {
        const [first] = waiters;
        const beginIfStill = async () => {
          if (waiters[0] === first) await begin();
        };
        account.pause(LONGEST_WAIT_MS).then(beginIfStill, beginIfStill);
      }
      return promise;
    },
  };
}

/** Never rejects: each is told of its own failure. */
async function verifyRound(
  storing: Storing,
  round: readonly Waiter[],
): Promise<void> {
  const [only, ...others] = round;
  try {
    const found = others.length === 0
      ? new Map<string, string>()
      : await fetchBetween(storing, round.map(({ late }) => late));
    for (const { late, resolve, reject } of round) {
      await verifyOne(storing, late, found).then(resolve, reject);
    }
  } catch (cause) {
    only?.reject(cause);
    for (const { reject } of others) reject(cause);
  }
}

async function verifyOne(
  storing: Storing,
  { assetId, blobs }: LateReceipts,
  found: ReadonlyMap<string, string>,
): Promise<StoreChange[]> {
  const all = [];
  for (const { role, hash, size } of blobs) {
    const receiptCbor = found.get(nameOf(assetId, role, hash));
    if (receiptCbor === undefined) {
      return await verifyReceipts(storing, assetId, blobs);
    }
    all.push({ sent: { assetId, role, hash, size }, receiptCbor });
  }
  return (await storing.custody.verifyAll(all)).map(({ change }) => change);
}

/**
 * The receipts of several assets as they are listed, unverified, by the name of
 * their blob. What is not found here is asked for by itself.
 */
async function fetchBetween(
  { vault }: Storing,
  lates: readonly LateReceipts[],
): Promise<Map<string, string>> {
  const { account } = vault.session;
  const wanted = new Set(
    lates.flatMap(({ assetId, blobs }) =>
      blobs.map(({ role, hash }) => nameOf(assetId, role, hash))
    ),
  );
  const seen = new Set(lates.map(({ after }) => after));
  const newest = Math.max(...seen);
  // An upload that was finalized long ago would begin far back.
  let after = Math.min(...[...seen].filter((one) => newest - one <= PAGE));
  const found = new Map<string, string>();
  for (let page = 0; page < MOST_PAGES && wanted.size > 0; page++) {
    const from = after;
    const { receipts, more } = await persist(
      account,
      () => account.receiptsAfter(from, { limit: PAGE, include: "cbor" }),
      {},
    );
    for (const { receipt_seq: seq, receipt_cbor: cbor } of receipts) {
      if (seen.has(seq) || typeof cbor !== "string") continue;
      const name = nameIn(cbor);
      if (name !== undefined && wanted.delete(name)) found.set(name, cbor);
    }
    after = receipts.at(-1)?.receipt_seq ?? after;
    if (!more || after <= from) break;
  }
  return found;
}

function nameOf(assetId: string, role: BlobRole, hash: string): string {
  return `${assetId}/${role}/${hash}`;
}

function nameIn(cbor: string): string | undefined {
  try {
    const { asset_id: assetId, blob_role: role, ciphertext_hash: hash } =
      readReceipt(fromBase64(cbor) ?? new Uint8Array());
    return nameOf(assetId ?? "", role, toHex(hash));
  } catch (error) {
    if (error instanceof ReceiptError) return undefined;
    throw error;
  }
}
