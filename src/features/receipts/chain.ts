/**
 * The custody chain: one receipt after the other, each naming the hash of the
 * one before (protocol/receipts.md#receipts).
 *
 * @module
 */
import { fromHex, toHex } from "../../core/bytes.ts";
import type { AssetId, BlobHash, UploadId, UserId } from "../../core/ids.ts";
import type { HybridSigner } from "../../crypto/hybrid.ts";
import {
  receiptHash,
  type ReceiptPayload,
  receivedAtOf,
  signReceipt,
} from "../../crypto/receipt.ts";
import {
  type Db,
  dropMark,
  setMark,
  transaction,
  type Tx,
  undoToMark,
} from "../../store/sqlite/database.ts";
import { toRfc3339 } from "../../core/time.ts";
import { insertReceipts, readHead } from "./store.ts";

/** What a receipt is to say; the rest the chain knows. */
export interface ReceiptOrder {
  readonly ownerId: UserId;
  readonly uploadId: UploadId;
  readonly assetId: AssetId | null;
  readonly blobRole: ReceiptPayload["blob_role"];
  readonly ciphertextHash: BlobHash;
  readonly size: number;
  /** SHA-256 of the signed manifest, on a provenance receipt only. */
  readonly envelopeHash: BlobHash | null;
}

export interface IssuedReceipt {
  readonly order: ReceiptOrder;
  readonly receiptSeq: number;
  /** The whole signed receipt, canonical CBOR. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The active attestation key, as of a generation of the server's keys. */
interface ReceiptKey {
  readonly signer: HybridSigner;
  /** Milliseconds since the Unix epoch. */
  readonly activeFrom: number;
  readonly generation: number;
}

/** Where the chain has its key from. */
interface ReceiptKeys {
  readonly active: ReceiptKey;
  /** Reads the keys again: another generation is in force. */
  readonly refresh: () => Promise<void>;
}

/** Receipts that are committed together at most. */
const MAX_TOGETHER = 64;

/** Receipts that a caller waits for, all of them or none. */
interface Issue {
  readonly orders: readonly ReceiptOrder[];
  /** Makes true what they say; returns what tells whoever waits. */
  readonly commit: (
    tx: Tx,
    receipts: readonly IssuedReceipt[],
  ) => Promise<() => void>;
  readonly reject: (cause: unknown) => void;
}

interface Signed extends IssuedReceipt {
  readonly hash: string;
}

/** What a transaction has made of several issues. */
interface Outcome {
  readonly kept: readonly {
    readonly issue: Issue;
    readonly resolve: () => void;
    /** The number of its last receipt. */
    readonly newest: number | undefined;
  }[];
  readonly failed?: { readonly issue: Issue; readonly cause: unknown };
  /** Those behind the one that failed: signed for a chain that is not. */
  readonly left: readonly Issue[];
}

/** What was signed does not follow the chain any more: nothing of it stays. */
class Overtaken extends Error {}

/** Says whether this process may still issue, and learns what it did. */
interface ReceiptFence {
  /** Throws where another process issues by now. */
  readonly hold: () => void;
  readonly note: (receiptSeq: number) => void;
}

export class ReceiptChain {
  /** Resolves when the turn before has ended. */
  #turn: Promise<void> = Promise.resolve();
  readonly #waiting: Issue[] = [];
  #issued = 0;

  constructor(
    private readonly db: Db,
    private readonly serverId: string,
    private readonly keys: ReceiptKeys,
    private readonly now: () => number,
    private readonly fence: ReceiptFence,
  ) {}

  /** Receipts issued since the server started, for metrics. */
  get issued(): number {
    return this.#issued;
  }

  /**
   * Signs a receipt and stores it in the one transaction in which `commit`
   * makes true what it says. Turns are taken one by one, and signing happens
   * outside the transaction. When `commit` throws, nothing was issued.
   */
  issue<T>(
    order: ReceiptOrder,
    commit: (tx: Tx, receipt: IssuedReceipt) => Promise<T>,
  ): Promise<T> {
    return this.issueAll([order], (tx, [receipt]) => {
      if (receipt === undefined) throw new Error("one order, no receipt");
      return commit(tx, receipt);
    });
  }

  /**
   * The same for several receipts: consecutive ones, all of them or none. All
   * that wait for their turn are committed together, which is one sync of the
   * disk; one that fails leaves without disturbing the others.
   */
  issueAll<T>(
    orders: readonly ReceiptOrder[],
    commit: (tx: Tx, receipts: readonly IssuedReceipt[]) => Promise<T>,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({
      orders,
      commit: async (tx, receipts) => {
        const value = await commit(tx, receipts);
        return () => resolve(value);
      },
      reject,
    });
    this.#turn = this.#turn.then(() => this.#issueWaiting());
    return promise;
  }

  /** Never rejects: each issue is told of its own failure. */
  async #issueWaiting(): Promise<void> {
    for (let issues = this.#take(); issues.length > 0; issues = this.#take()) {
      await this.#issueTogether(issues);
    }
  }

  /** The next ones to be committed together; none if no caller waits. */
  #take(): readonly Issue[] {
    let receipts = 0;
    const end = this.#waiting.findIndex(({ orders }) => {
      receipts += orders.length;
      return receipts > MAX_TOGETHER;
    });
    const count = end < 0 ? this.#waiting.length : Math.max(1, end);
    return this.#waiting.splice(0, count);
  }

  async #issueTogether(issues: readonly Issue[]): Promise<void> {
    try {
      const { kept, failed, left } = await this.#commitTogether(issues);
      this.#issued += kept.reduce((sum, { issue }) => {
        return sum + issue.orders.length;
      }, 0);
      for (const { resolve } of kept) resolve();
      failed?.issue.reject(failed.cause);
      // Receipts after one that is not committed are signed again.
      this.#waiting.unshift(...left);
    } catch (cause) {
      const [only, ...others] = issues;
      // A commit that was too much for the disk need not be so for each.
      if (others.length === 0) only?.reject(cause);
      else for (const issue of issues) await this.#issueTogether([issue]);
    }
  }

  /**
   * Signs and commits until no other writer was faster; throws why it cannot.
   */
  async #commitTogether(issues: readonly Issue[]): Promise<Outcome> {
    for (;;) {
      this.fence.hold();
      const key = this.keys.active;
      const orders = issues.flatMap((issue) => issue.orders);
      const signed = await this.#signAll(orders, key);
      try {
        const outcome = await transaction(
          this.db,
          (tx) => commitEach(tx, issues, signed, key.generation),
        );
        const newest = outcome.kept.at(-1)?.newest;
        if (newest !== undefined) this.fence.note(newest);
        return outcome;
      } catch (thrown) {
        if (!(thrown instanceof Overtaken)) throw thrown;
      }
      await this.keys.refresh();
    }
  }

  /**
   * Signs what follows the chain's head, each over the one before it. Numbers
   * are above those that were given out before a restore and lost with it, and
   * dates never go back along the chain: where the clock does, the next ones
   * have the date of the last until it has caught up. So the newest receipt of
   * a key is the latest, and its time as the active key ends no earlier.
   */
  async #signAll(
    orders: readonly ReceiptOrder[],
    key: ReceiptKey,
  ): Promise<readonly Signed[]> {
    const head = await readHead(this.db);
    let prior = head?.receipt_hash ?? undefined;
    let receiptSeq = head?.receipt_seq ?? 0;
    // A damaged receipt, which `check` names, does not stop the chain.
    const newest = head?.body ? receivedAtOf(head.body) : undefined;
    let receivedAt = Math.max(newest ?? 0, key.activeFrom);
    const signed = [];
    for (const order of orders) {
      receiptSeq += 1;
      receivedAt = Math.max(receivedAt, this.now());
      const place = { receiptSeq, prior, receivedAt };
      const body = await this.#sign(order, key, place);
      prior = toHex(receiptHash(body));
      signed.push({ order, receiptSeq, body, hash: prior });
    }
    return signed;
  }

  #sign(
    order: ReceiptOrder,
    { signer }: ReceiptKey,
    { receiptSeq, prior, receivedAt }: {
      readonly receiptSeq: number;
      /** Hash of the receipt before; undefined for the first. */
      readonly prior: string | undefined;
      /** Milliseconds since the Unix epoch. */
      readonly receivedAt: number;
    },
  ): Promise<Uint8Array<ArrayBuffer>> {
    return signReceipt(signer, {
      receipt_seq: receiptSeq,
      server_id: this.serverId,
      prior_receipt_hash: prior === undefined ? null : digest(prior),
      upload_id: order.uploadId,
      asset_id: order.assetId,
      blob_role: order.blobRole,
      ciphertext_hash: digest(order.ciphertextHash),
      size: order.size,
      envelope_hash: order.envelopeHash === null
        ? null
        : digest(order.envelopeHash),
      received_at: toRfc3339(receivedAt),
    });
  }
}

/** Stores what was signed for several issues, until one of them fails. */
async function commitEach(
  tx: Tx,
  issues: readonly Issue[],
  signed: readonly Signed[],
  generation: number,
): Promise<Outcome> {
  const kept = [];
  let at = 0;
  for (const [index, issue] of issues.entries()) {
    const receipts = signed.slice(at, at += issue.orders.length);
    // Alone, the transaction is all that there is to take back.
    const isAlone = issues.length === 1;
    if (!isAlone) await setMark(tx);
    try {
      await insertAll(tx, receipts, generation);
      kept.push({
        issue,
        resolve: await issue.commit(tx, receipts),
        newest: receipts.at(-1)?.receiptSeq,
      });
    } catch (cause) {
      if (isAlone || cause instanceof Overtaken) throw cause;
      await undoToMark(tx);
      const left = issues.slice(index + 1);
      return { kept, failed: { issue, cause }, left };
    }
    if (!isAlone) await dropMark(tx);
  }
  return { kept, left: [] };
}

async function insertAll(
  tx: Tx,
  receipts: readonly Signed[],
  generation: number,
): Promise<void> {
  const inForce = await insertReceipts(
    tx,
    receipts.map(({ receiptSeq, body, hash, order }) => ({
      receipt_seq: receiptSeq,
      owner_id: order.ownerId,
      asset_id: order.assetId,
      upload_id: order.uploadId,
      receipt_hash: hash,
      body,
    })),
  );
  // Another process may have taken the number meanwhile, and a key that was
  // retired meanwhile must not sign later receipts: sign again.
  if (inForce !== generation) throw new Overtaken();
}

function digest(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes === undefined) throw new Error("not a digest");
  return bytes;
}
