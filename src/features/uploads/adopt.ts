/**
 * Adopting a guest's contribution: an upload whose bytes are here already
 * (protocol/uploads.md#adopt).
 *
 * @module
 */
import type { FieldError } from "../../core/catalogue.ts";
import type { AssetId, UploadId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/database.ts";
import { asOfNow, type Call, type CallBy } from "../call.ts";
import { insertHolding } from "../lifecycle/store.ts";
import type { IssuedReceipt } from "../receipts/chain.ts";
import {
  findContribution,
  type GuestUploadRow,
  takeContribution,
} from "./contributions.ts";
import { discardAll } from "./session.ts";
import {
  endUploads,
  findByPurpose,
  holdsItsBlob,
  insertUpload,
  type UploadRow,
} from "./store.ts";
import { checkRepeated } from "./rules.ts";
import { type FullProblem, withRoom } from "./room.ts";
import {
  checkAlbum,
  checkAsset,
  checkRequest,
  dropExpired,
  newUpload,
  type RequestProblem,
} from "./uploads.ts";
import type { UploadRequest } from "./wire.ts";

type AdoptProblem = RequestProblem | FullProblem | "error.upload.not_found";

/** The very same request came first: this one takes back its receipt. */
class AdoptedMeanwhile extends Error {
  override readonly name = "AdoptedMeanwhile";
  constructor(readonly upload: UploadRow) {
    super("adopted meanwhile");
  }
}

/**
 * Makes a contribution the original of the caller's asset: a session that is
 * finalized from the start, with a receipt of its own. Repeated, it is the
 * session that the caller has.
 */
export async function adoptContribution(
  call: CallBy<"session", AdoptProblem>,
  adopts: UploadId,
  request: UploadRequest,
): Promise<{ upload: UploadRow; created: boolean }> {
  const { app, caller: { userId }, now, raise } = call;
  const assetId = await checkRequest(call, request);
  const purpose = purposeOf(userId, assetId, request);
  const held = await findByPurpose(app.db, purpose);
  if (held !== undefined && await stands(app.db, held, now)) {
    checkRepeated(call, held, request);
    return { upload: held, created: false };
  }
  const contribution = await findContribution(app.db, userId, adopts, now);
  if (contribution === undefined) throw raise("error.upload.not_found");
  checkSame(call, contribution, request);
  await checkTakes(call, app.db, assetId, request);
  const upload: UploadRow = {
    ...newUpload(call, assetId, request),
    state: "finalized",
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
      const expired = await dropExpired(tx, now, userId);
      const held = await findByPurpose(tx, purpose);
      if (held !== undefined) {
        if (await stands(tx, held, now)) throw new AdoptedMeanwhile(held);
        // Open, or of bytes that were replaced since: this takes its place.
        await endUploads(tx, [held]);
        expired.push(held);
      }
      // Again: it may have been taken down, or a ceremony begun, meanwhile.
      await checkTakes(call, tx, assetId, request);
      await checkAlbum(asOfNow(call), tx, assetId, request);
      await commit(call, tx, contribution, upload, receipt);
      return expired;
    };
    const expired = await withRoom(
      call,
      () => app.receipts.issue(order, finalize),
    );
    await discardAll(app, expired);
    return { upload, created: true };
  } catch (thrown) {
    if (!(thrown instanceof AdoptedMeanwhile)) throw thrown;
    checkRepeated(call, thrown.upload, request);
    return { upload: thrown.upload, created: false };
  }
}

/** Whether a session is what an adoption would make. */
async function stands(db: Db, held: UploadRow, now: number): Promise<boolean> {
  return held.state === "finalized" && held.expires_at > now &&
    await holdsItsBlob(db, held);
}

/**
 * The asset takes the bytes: this is their only copy, and one that was deleted
 * would never be created with them.
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

function purposeOf(userId: UserId, assetId: AssetId, request: UploadRequest) {
  const { blob_role: role, ciphertext_hash: hash } = request;
  return { userId, assetId, role, hash };
}

/** What is adopted are the very bytes that the request names. */
function checkSame(
  { raise }: Call<"error.manifest.mismatch">,
  contribution: GuestUploadRow,
  request: UploadRequest,
): void {
  const rules: [holds: boolean, path: string, message: string][] = [
    [
      request.blob_role === "original",
      "/blob_role",
      "must be original for what is adopted",
    ],
    [
      request.ciphertext_hash === contribution.ciphertext_hash,
      "/manifest_envelope/ciphertext_hash",
      "must be the contribution's",
    ],
    [
      request.size === contribution.size,
      "/size",
      "must be the contribution's",
    ],
  ];
  const errors: FieldError[] = rules.filter(([holds]) => !holds)
    .map(([, path, message]) => ({ path, message }));
  if (errors.length > 0) {
    throw raise("error.manifest.mismatch", { extra: { errors } });
  }
}

/** The contribution's bytes change hands: counted once, before and after. */
async function commit(
  { raise }: Call<"error.upload.not_found">,
  tx: Tx,
  contribution: GuestUploadRow,
  upload: UploadRow,
  receipt: IssuedReceipt,
): Promise<void> {
  if (!await takeContribution(tx, contribution)) {
    throw raise("error.upload.not_found");
  }
  await insertUpload(tx, upload);
  await insertHolding(tx, {
    owner_id: upload.user_id,
    asset_id: upload.asset_id,
    role: upload.blob_role,
    hash: upload.ciphertext_hash,
    size: upload.size,
    upload_id: upload.upload_id,
    finalized_at: upload.created_at,
    receipt_seq: receipt.receiptSeq,
    applied: 0,
  });
}
