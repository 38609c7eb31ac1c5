/**
 * Uploads whose bytes are here already: sessions that are finalized from the
 * start, with a receipt of their own (protocol/uploads.md#adopt,
 * protocol/uploads.md#copy).
 *
 * @module
 */
import type { AssetId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { UploadRequest } from "../../wire/bodies/uploads.ts";
import { asOfNow, type CallBy } from "../call.ts";
import { attachesNow } from "../lifecycle/apply.ts";
import { insertHolding } from "../lifecycle/store.ts";
import type { IssuedReceipt } from "../receipts/chain.ts";
import { checkRepeated } from "./rules.ts";
import { discardAll } from "./session.ts";
import {
  endUploads,
  findByPurpose,
  holdsItsBlob,
  insertUpload,
  type UploadRow,
} from "./store.ts";
import {
  checkAlbum,
  checkAsset,
  checkRequest,
  endExpired,
  newUpload,
  type RequestProblem,
} from "./uploads.ts";

export type AtOnceProblem = RequestProblem;

/** Where the bytes are. */
interface Source {
  /**
   * Refuses what could not be taken, before anything is signed. Resolves to how
   * long the bytes would lie where they are, where that has an end (ms).
   */
  readonly check: () => Promise<number | undefined>;
  /** Takes them, or refuses where they are not to be had any more. */
  readonly take: (tx: Tx) => Promise<void>;
}

/** The very same request came first: this one takes back its receipt. */
class MadeMeanwhile extends Error {
  override readonly name = "MadeMeanwhile";
  constructor(readonly upload: UploadRow) {
    super("made meanwhile");
  }
}

/**
 * Makes bytes that are here a blob of the caller's asset, at once. Repeated, it
 * is the session that the caller has.
 */
export async function finalizeAtOnce(
  call: CallBy<"session", AtOnceProblem>,
  request: UploadRequest,
  source: Source,
): Promise<{ upload: UploadRow; created: boolean }> {
  const { app, caller: { userId }, now } = call;
  const assetId = await checkRequest(call, request);
  const { blob_role: role, ciphertext_hash: hash } = request;
  const purpose = { userId, assetId, role, hash };
  const held = await findByPurpose(app.db, purpose);
  if (held !== undefined && await stands(app.db, held, now)) {
    checkRepeated(call, held, request);
    return { upload: held, created: false };
  }
  const keptUntil = await source.check() ?? 0;
  await checkTakes(call, app.db, assetId, request);
  const made = newUpload(call, assetId, request);
  const upload: UploadRow = {
    ...made,
    state: "finalized",
    // Taken bytes stay for as long as they would have stayed untaken, because
    // the manifest may be late: no other client has them.
    expires_at: Math.max(made.expires_at, keptUntil),
  };
  try {
    const order = {
      ownerId: userId,
      uploadId: upload.upload_id,
      assetId,
      blobRole: upload.blob_role,
      ciphertextHash: upload.ciphertext_hash,
      size: upload.size,
      envelopeHash: null,
    };
    const finalize = async (tx: Tx, receipt: IssuedReceipt) => {
      const expired = await endExpired(tx, now, userId);
      const held = await findByPurpose(tx, purpose);
      if (held !== undefined) {
        if (await stands(tx, held, now)) throw new MadeMeanwhile(held);
        // Open, or of bytes that were replaced since: this takes its place.
        await endUploads(tx, [held]);
        expired.push(held);
      }
      // Again: it may have been taken down, or a ceremony begun, meanwhile.
      await checkTakes(call, tx, assetId, request);
      await checkAlbum(asOfNow(call), tx, assetId, request);
      await source.take(tx);
      await keep(call, tx, upload, receipt);
      return expired;
    };
    const expired = await app.receipts.issue(order, finalize);
    await discardAll(app, expired);
    return { upload, created: true };
  } catch (thrown) {
    if (!(thrown instanceof MadeMeanwhile)) throw thrown;
    checkRepeated(call, thrown.upload, request);
    return { upload: thrown.upload, created: false };
  }
}

/** Whether a session is what this would make. */
async function stands(db: Db, held: UploadRow, now: number): Promise<boolean> {
  return held.state === "finalized" && held.expires_at > now &&
    held.heals === 0 &&
    await holdsItsBlob(db, held);
}

/**
 * The asset takes the bytes: a contribution's may be their only copy, and an
 * asset that was deleted would never be created with them.
 */
async function checkTakes(
  call: CallBy<"session", "error.manifest.mismatch">,
  db: Db,
  assetId: AssetId,
  request: UploadRequest,
): Promise<void> {
  const state = await checkAsset(call, db, assetId, request);
  if (state !== "ended") return;
  throw call.raise("error.manifest.mismatch", {
    extra: {
      errors: [{ path: "/manifest_envelope/file_id", message: "is deleted" }],
    },
  });
}

/** The session, and the blob in its role. */
async function keep(
  call: CallBy<"session", RequestProblem>,
  tx: Tx,
  upload: UploadRow,
  receipt: IssuedReceipt,
): Promise<void> {
  const { user_id: ownerId, asset_id: assetId } = upload;
  const attaches = upload.blob_role === "derivative" &&
    await attachesNow(call, tx, ownerId, assetId);
  await insertUpload(tx, upload);
  await insertHolding(tx, {
    owner_id: ownerId,
    asset_id: assetId,
    role: upload.blob_role,
    hash: upload.ciphertext_hash,
    size: upload.size,
    upload_id: upload.upload_id,
    finalized_at: upload.created_at,
    receipt_seq: receipt.receiptSeq,
    applied: attaches ? 1 : 0,
  });
}
