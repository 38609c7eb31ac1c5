/**
 * The custody chain: one receipt after the other, each naming the hash of the
 * one before (completions.md section 7, Receipt payload).
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
import { type Db, transaction, type Tx } from "../../store/database.ts";
import { keyGeneration } from "../../store/generation.ts";
import { toRfc3339 } from "../../core/time.ts";
import { insertReceipt, readHead } from "./store.ts";

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

/** The attestation key in office, as of a generation of the server's keys. */
export interface ReceiptKey {
  readonly signer: HybridSigner;
  /** Milliseconds since the Unix epoch. */
  readonly activeFrom: number;
  readonly generation: number;
}

/** Where the chain has its key from. */
export interface ReceiptKeys {
  readonly active: ReceiptKey;
  /** Reads the keys anew: another generation is in force. */
  readonly refresh: () => Promise<void>;
}

/** What was signed does not follow the chain any more: nothing of it stays. */
class Overtaken extends Error {}

export class ReceiptChain {
  /** Resolves when the turn before has ended. */
  #turn: Promise<unknown> = Promise.resolve();
  #issued = 0;

  constructor(
    private readonly db: Db,
    private readonly serverId: string,
    private readonly keys: ReceiptKeys,
    private readonly now: () => number,
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

  /** The same for several receipts: consecutive ones, all of them or none. */
  issueAll<T>(
    orders: readonly ReceiptOrder[],
    commit: (tx: Tx, receipts: readonly IssuedReceipt[]) => Promise<T>,
  ): Promise<T> {
    const turn = this.#turn.then(() => this.#issueNow(orders, commit));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #issueNow<T>(
    orders: readonly ReceiptOrder[],
    commit: (tx: Tx, receipts: readonly IssuedReceipt[]) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const key = this.keys.active;
      const signed = await this.#signAll(orders, key);
      const outcome = await transaction(this.db, async (tx) => {
        // A key that was retired meanwhile signs nothing that comes later.
        if (await keyGeneration(tx) !== key.generation) throw new Overtaken();
        for (const { receiptSeq, body, hash, order } of signed) {
          // Another process may have taken the number meanwhile: sign anew.
          const issued = await insertReceipt(tx, {
            receipt_seq: receiptSeq,
            owner_id: order.ownerId,
            asset_id: order.assetId,
            upload_id: order.uploadId,
            receipt_hash: hash,
            body,
          });
          if (!issued) throw new Overtaken();
        }
        return { value: await commit(tx, signed) };
      }).catch((thrown) => {
        if (thrown instanceof Overtaken) return undefined;
        throw thrown;
      });
      if (outcome !== undefined) {
        this.#issued += signed.length;
        return outcome.value;
      }
      await this.keys.refresh();
    }
  }

  /**
   * Signs what follows the chain's head, each over the one before it. Numbers
   * are above those that were given out before a restore and lost with it, and
   * dates never go back along the chain: where the clock does, the next ones
   * have the date of the last until it has caught up. So the newest receipt of
   * a key is the latest, and its time in office ends no earlier.
   */
  async #signAll(orders: readonly ReceiptOrder[], key: ReceiptKey) {
    const head = await readHead(this.db);
    let prior = head?.receipt_hash ?? undefined;
    let receiptSeq = head?.receipt_seq ?? 0;
    // A damaged receipt, which `check` names, holds nobody up.
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

function digest(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes === undefined) throw new Error("not a digest");
  return bytes;
}
