/**
 * Finalizing a session of any kind: the bytes get their address and the client
 * its receipt, all of it or nothing (protocol/uploads.md#finalize).
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { BodyStream } from "../../http/body.ts";
import type { Tx } from "../../store/sqlite/database.ts";
import type { App } from "../app.ts";
import type { Call } from "../call.ts";
import type { IssuedReceipt, ReceiptOrder } from "../receipts/chain.ts";
import { findByUpload } from "../receipts/store.ts";
import type { Slot } from "./active.ts";
import { receive, type ReceiveProblem } from "./receive.ts";
import {
  type BlobSession,
  discardAll,
  heldBytes,
  type SessionHandle,
} from "./session.ts";

/** What finalizing a session has made true, other than its receipt. */
export interface Completed {
  /** The feed's entry for it; null for none. */
  readonly syncSeq: number | null;
  readonly replayed: boolean;
}

/** How one kind of session ends well. */
export interface Ending<S extends BlobSession, T> {
  /** Refuses what could not be committed, before anything is signed. */
  readonly check?: (session: S) => Promise<void>;
  readonly order: (session: S) => ReceiptOrder;
  /** Makes true what the receipt says, with SQL alone. */
  readonly commit: (
    tx: Tx,
    session: S,
    receipt: IssuedReceipt,
  ) => Promise<Completed>;
  /** The feed's entry that a finalized session was given. */
  readonly entryOf: (session: S) => number | null;
  readonly answer: (
    session: S,
    receipt: Uint8Array,
    completed: Completed,
  ) => T;
}

/** The refusals of finalizing, other than that of a session gone. */
type CompleteProblem =
  | "error.upload.incomplete"
  | "error.upload.hash_mismatch";

/** Finalizes a session that holds all its bytes; repeated, it replays. */
export async function completeSession<S extends BlobSession, T>(
  call: Call<CompleteProblem>,
  handle: SessionHandle<S>,
  ending: Ending<S, T>,
): Promise<T> {
  await handle.require();
  const complete = async () =>
    await completeExclusively(call, handle, await handle.require(), ending);
  return await call.app.uploads.exclusive(handle.uploadId, complete);
}

/** Takes a whole blob in one request and finalizes it. */
export async function putSession<S extends BlobSession, T>(
  call: Call<CompleteProblem | ReceiveProblem>,
  handle: SessionHandle<S>,
  ending: Ending<S, T>,
  body: BodyStream,
): Promise<T> {
  const { app, raise } = call;
  await handle.require();
  const put = async (slot: Slot) => {
    let session = await handle.require();
    if (session.state === "open") {
      const { declaredBytes } = body;
      if (declaredBytes !== undefined && declaredBytes < session.size) {
        const offset = await heldBytes(app, session);
        throw raise("error.upload.incomplete", { extra: { offset } });
      }
      const arrival = { offset: 0, body, slot, completes: true };
      const { bytes } = await receive(call, handle, session, arrival);
      // Bytes under a checksum that was never verified are forgotten by now.
      session = await handle.require();
      return await completeExclusively(call, handle, session, ending, bytes);
    }
    return await completeExclusively(call, handle, session, ending);
  };
  return await app.uploads.exclusive(handle.uploadId, put);
}

async function completeExclusively<S extends BlobSession, T>(
  call: Call<CompleteProblem>,
  handle: SessionHandle<S>,
  session: S,
  ending: Ending<S, T>,
  /** All bytes of the session, where they came whole and have no file. */
  whole?: Uint8Array<ArrayBuffer>,
): Promise<T> {
  const { app, raise } = call;
  const { upload_id: uploadId, ciphertext_hash: hash, size } = session;
  if (session.state === "finalized") {
    const body = await findByUpload(app.db, uploadId);
    if (body === undefined) throw new Error("finalized without a receipt");
    const syncSeq = ending.entryOf(session);
    return ending.answer(session, body, { syncSeq, replayed: true });
  }
  if (whole?.length !== size) {
    const offset = await heldBytes(app, session);
    if (offset !== size) {
      throw raise("error.upload.incomplete", { extra: { offset } });
    }
  }
  const small = whole ??
    await whileItStands(handle, () => smallOf(app, session));
  const held = small === undefined
    ? await whileItStands(handle, () => hashOf(app, session))
    : createHash("sha256").update(small).digest("hex");
  if (held !== hash) {
    await handle.require();
    app.uploads.forget(uploadId);
    await app.staging.discard(uploadId);
    throw raise("error.upload.hash_mismatch");
  }
  const issue = async () => {
    await ending.check?.(session);
    if (small === undefined) {
      await whileItStands(
        handle,
        () => app.blobs.place(uploadId, hash, size),
      );
    }
    return await whileItStands(
      handle,
      () =>
        app.receipts.issue(
          ending.order(session),
          async (tx, receipt) => {
            const completed = await ending.commit(tx, session, receipt);
            if (small !== undefined) await app.blobs.keepSmall(tx, hash, small);
            return { body: receipt.body, completed };
          },
        ),
    );
  };
  const { body, completed } = await issue().catch(async (cause) => {
    if (whole !== undefined) await stageRefused(app, handle, whole);
    throw cause;
  });
  if (completed.syncSeq !== null) app.signals.feedNotifier.notify();
  await discardAll(app, [session]);
  return ending.answer(session, body, completed);
}

/**
 * Does a part of finalizing. Where it fails because the session is gone by
 * then, its time being over or its account being deleted, that is the answer.
 */
async function whileItStands<T>(
  handle: SessionHandle<BlobSession>,
  work: () => Promise<T> | T,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    await handle.require();
    throw cause;
  }
}

/**
 * Keeps bytes that came whole and were refused: the client may repeat the call
 * without sending them again (protocol/uploads.md#finalize). Nothing is kept of
 * a session that is gone.
 */
async function stageRefused(
  app: App,
  { uploadId, require }: SessionHandle<BlobSession>,
  bytes: Uint8Array,
): Promise<void> {
  const stands = await require().then(() => true, () => false);
  if (!stands) return;
  try {
    const { synced } = await app.staging.fill(uploadId, bytes);
    await synced;
  } catch (cause) {
    // The refusal is the answer; the client then has to send them again.
    app.platform.log.warn("refused bytes not kept", { cause: String(cause) });
  }
}

/** The bytes of a session whose blob goes into the database. */
async function smallOf(
  app: App,
  { upload_id: uploadId, size }: BlobSession,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (size > app.limits.smallBlobBytes) return undefined;
  return await app.staging.readUpload(uploadId);
}

/** The hash carried along while the bytes came, or else read back. */
function hashOf(app: App, session: BlobSession): Promise<string> | string {
  const running = app.uploads.hashAt(session.upload_id, session.size);
  return running === undefined
    ? app.staging.hashUpload(session.upload_id)
    : running.hash.digest("hex");
}
