/**
 * A session as the data plane sees it. Those of accounts and those of guests
 * lie in tables of their own; offsets, checksums, pre-emption, expiry and
 * finalizing are the same for both (protocol/uploads.md#bytes,
 * protocol/links.md#guests).
 *
 * @module
 */
import type { AlbumId, AssetId, UploadId } from "../../core/ids.ts";
import type { Problem } from "../../core/problem.ts";
import { toRfc3339 } from "../../core/time.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import type { BlobRole } from "../../store/sqlite/schema.ts";
import type { App } from "../app.ts";
import type { ServiceContext } from "../service_context.ts";
import type { Call, CallBy } from "../call.ts";
import { receiptToWire } from "../receipts/receipts.ts";
import { findByUpload } from "../receipts/store.ts";
import {
  OPEN_AT_ONCE,
  pageOfOpen,
  type SessionChange,
  type UploadRow,
} from "./store.ts";
import { yieldToEventLoop } from "../yield_to_event_loop.ts";

/** What every kind of session has. */
export type BlobSession = Pick<
  UploadRow,
  | "upload_id"
  | "ciphertext_hash"
  | "size"
  | "state"
  | "expires_at"
  | "unverified_from"
>;

/** A session with the part that its blob plays; a guest's is of no asset. */
export interface NamedSession<A extends AssetId | null> extends BlobSession {
  readonly asset_id: A;
  readonly album_id: AlbumId | null;
  readonly blob_role: BlobRole;
}

/** One session, and what differs from kind to kind. */
export interface SessionHandle<S extends BlobSession> {
  readonly uploadId: UploadId;
  /** The session as it stands; throws {@link notFound} when it is gone. */
  readonly require: () => Promise<S>;
  /** The one answer for a session that is not there for this caller. */
  readonly notFound: () => Problem;
  /** Notes a change; the new expiry, or undefined when the session is gone. */
  readonly note: (change: SessionChange) => Promise<number | undefined>;
}

/**
 * Bytes that count as arrived. Bytes under a checksum that was not verified
 * yet do not, not even after the process that was writing them died.
 */
export async function heldBytes(
  app: App,
  upload: BlobSession,
): Promise<number> {
  if (upload.state === "finalized") return upload.size;
  const onDisk = await app.staging.heldBytes(upload.upload_id);
  return Math.min(onDisk, upload.unverified_from ?? onDisk);
}

/** A session in its wire form. */
export async function uploadToWire<A extends AssetId | null>(
  app: App,
  upload: NamedSession<A>,
) {
  const receipt = upload.state === "finalized"
    ? await findByUpload(app.db, upload.upload_id)
    : undefined;
  return {
    upload_id: upload.upload_id,
    state: upload.state,
    asset_id: upload.asset_id,
    ...(upload.album_id === null ? {} : { album_id: upload.album_id }),
    blob_role: upload.blob_role,
    ciphertext_hash: upload.ciphertext_hash,
    offset: await heldBytes(app, upload),
    size: upload.size,
    expires_at: toRfc3339(upload.expires_at),
    ...(receipt === undefined ? {} : { receipt: receiptToWire(receipt) }),
  };
}

/** Cancels an open session, which `end` ends, and discards its bytes. */
export async function cancelSession<S extends BlobSession>(
  { app, raise }: Call<"error.upload.finalized">,
  handle: SessionHandle<S>,
  end: (tx: Tx, session: S) => Promise<void>,
): Promise<void> {
  await handle.require();
  await app.uploads.exclusive(handle.uploadId, async () => {
    const session = await handle.require();
    if (session.state === "finalized") throw raise("error.upload.finalized");
    await transaction(app.db, (tx) => end(tx, session));
    await discardAll(app, [session]);
  });
}

/**
 * Removes the files of sessions that ended. By then the session's end is
 * committed: a file that stays behind costs room until collection finds it,
 * and is no reason to tell the caller that the call failed.
 */
export async function discardAll(
  context: ServiceContext,
  uploads: readonly Pick<UploadRow, "upload_id">[],
): Promise<void> {
  for (const { upload_id } of uploads) {
    context.uploads.forget(upload_id);
    try {
      await context.staging.discard(upload_id);
    } catch (cause) {
      context.platform.log.warn("upload file not removed", {
        upload_id,
        cause: String(cause),
      });
    }
  }
}

/**
 * A page of the caller's open sessions (protocol/uploads.md#open-sessions): what
 * a client goes on with that was ended, and forgot where it was. Larger pages
 * are read in steps.
 */
export async function listOpenUploads(
  { app, caller, now }: CallBy<"session", never>,
  { after, limit }: {
    readonly after: UploadId | undefined;
    readonly limit: number;
  },
) {
  const read: UploadRow[] = [];
  for (let last: string = after ?? "";;) {
    const page = await pageOfOpen(app.db, caller.userId, last, now);
    read.push(...page);
    last = page.at(-1)?.upload_id ?? last;
    if (read.length > limit || page.length < OPEN_AT_ONCE) break;
    await yieldToEventLoop(app);
  }
  const uploads = [];
  for (const upload of read.slice(0, limit)) {
    // A hanging request's gathered bytes count before the offset is told.
    app.uploads.flush(upload.upload_id);
    uploads.push(await uploadToWire(app, upload));
  }
  const last = uploads.at(-1);
  return {
    uploads,
    ...(read.length > limit && last !== undefined
      ? { next_after: last.upload_id }
      : {}),
  };
}
