/**
 * Adopting a guest's contribution: an upload whose bytes are here already
 * (protocol/uploads.md#adopt).
 *
 * @module
 */
import type { FieldError } from "../../core/catalogue.ts";
import type { AssetId, UploadId, UserId } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import type { Db, Tx } from "../../store/database.ts";
import type { App } from "../app.ts";
import { insertHolding } from "../lifecycle/store.ts";
import type { IssuedReceipt } from "../receipts/chain.ts";
import {
  findContribution,
  type GuestUploadRow,
  takeContribution,
} from "./contributions.ts";
import {
  endUploads,
  findByPurpose,
  holdsItsBlob,
  insertUpload,
  type UploadRow,
} from "./store.ts";
import { checkRepeated } from "./rules.ts";
import { type RaiseFull, withRoom } from "./room.ts";
import {
  checkAlbum,
  checkAsset,
  checkRequest,
  discardAll,
  dropExpired,
  newUpload,
  type RaiseRequest,
} from "./uploads.ts";
import type { UploadRequest } from "./wire.ts";

type RaiseAdopt = RaiseRequest & RaiseFull & Raise<"error.upload.not_found">;

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
  app: App,
  userId: UserId,
  adopts: UploadId,
  request: UploadRequest,
  raise: RaiseAdopt,
): Promise<{ upload: UploadRow; created: boolean }> {
  const assetId = await checkRequest(app, userId, request, raise);
  const now = app.platform.now();
  const purpose = purposeOf(userId, assetId, request);
  const held = await findByPurpose(app.db, purpose);
  if (held !== undefined && await stands(app.db, held, now)) {
    checkRepeated(held, request, raise);
    return { upload: held, created: false };
  }
  const contribution = await findContribution(app.db, userId, adopts, now);
  if (contribution === undefined) throw raise("error.upload.not_found");
  checkSame(contribution, request, raise);
  await checkTakes(app.db, userId, assetId, request, raise);
  const upload: UploadRow = {
    ...newUpload(app, userId, assetId, request),
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
      await checkTakes(tx, userId, assetId, request, raise);
      await checkAlbum(app, tx, userId, assetId, request, raise);
      await commit(tx, contribution, upload, receipt, raise);
      return expired;
    };
    const expired = await withRoom(
      raise,
      () => app.receipts.issue(order, finalize),
    );
    await discardAll(app, expired);
    return { upload, created: true };
  } catch (thrown) {
    if (!(thrown instanceof AdoptedMeanwhile)) throw thrown;
    checkRepeated(thrown.upload, request, raise);
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
  db: Db,
  userId: UserId,
  assetId: AssetId,
  request: UploadRequest,
  raise: Raise<"error.manifest.mismatch">,
): Promise<void> {
  const state = await checkAsset(db, userId, assetId, request, raise);
  if (state !== "ended") return;
  throw raise("error.manifest.mismatch", {
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
  contribution: GuestUploadRow,
  request: UploadRequest,
  raise: Raise<"error.manifest.mismatch">,
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
  tx: Tx,
  contribution: GuestUploadRow,
  upload: UploadRow,
  receipt: IssuedReceipt,
  raise: Raise<"error.upload.not_found">,
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
