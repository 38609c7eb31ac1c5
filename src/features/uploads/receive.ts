/**
 * Bytes of an upload arriving: tus PATCH with its checksum, and the body of a
 * PUT (protocol/uploads.md#bytes; tus 1.0.0).
 *
 * @module
 */
import { createHash, type Hash } from "node:crypto";
import { equalBytes } from "../../core/bytes.ts";
import type { UploadId } from "../../core/ids.ts";
import type { Problem } from "../../core/problem.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import { BodyEnded, type BodyReader } from "../../http/arrivals.ts";
import type { BodyStream } from "../../http/body.ts";
import type { StoredFile } from "../../store/files/files.ts";
import type { App } from "../app.ts";
import type { Call } from "../call.ts";
import { requireDisk } from "../disk.ts";
import { GATHER_BYTES, type RunningHash, type Slot } from "./active.ts";
import { type BlobSession, heldBytes, type SessionHandle } from "./session.ts";

/** A checksum that a request's bytes must have (tus, Checksum). */
export interface Checksum {
  readonly algorithm: "sha1" | "sha256";
  readonly digest: Uint8Array;
}

/** A body on its way into an upload. */
interface Arrival {
  readonly offset: number;
  readonly body: BodyStream;
  readonly slot: Slot;
  /** Whether the session is finalized at once: its commit is durable. */
  readonly completes?: boolean;
  /** With what it is refused if its bytes do not have that checksum. */
  readonly checked?: {
    readonly checksum: Checksum;
    readonly mismatch: () => Problem;
  };
}

/** The expiry moves with the bytes, written at most once in this time. */
const NOTE_EVERY_MS = MINUTE_MS;
/** At the end of a request it may be so much older; each note is a sync. */
const NOTE_AGAIN_MS = 5 * SECOND_MS;

/** The refusals of bytes that arrive, other than that of a session gone. */
export type ReceiveProblem =
  | "error.upload.offset_conflict"
  | "error.request.too_large"
  | "error.request.malformed";

/** Appends a request's bytes at an offset; returns the session's new state. */
export async function patchSession<S extends BlobSession>(
  call: Call<ReceiveProblem | "error.upload.checksum_mismatch">,
  handle: SessionHandle<S>,
  given: {
    readonly offset: number;
    readonly checksum: Checksum | null;
    readonly body: BodyStream;
  },
): Promise<{ readonly offset: number; readonly expiresAt: number }> {
  const { app, raise } = call;
  // Unknown first: only a session's own user may pre-empt anything on it.
  await handle.require();
  const patch = async (slot: Slot) => {
    const session = await handle.require();
    const offset = await heldBytes(app, session);
    if (session.state === "finalized" || given.offset !== offset) {
      throw raise("error.upload.offset_conflict", { extra: { offset } });
    }
    const { checksum, body } = given;
    const arrived = await receive(call, handle, session, {
      offset,
      body,
      slot,
      ...(checksum === null ? {} : {
        checked: {
          checksum,
          mismatch: () => raise("error.upload.checksum_mismatch"),
        },
      }),
    });
    if (arrived.offset > offset) await keep(app, handle.uploadId, offset === 0);
    return arrived;
  };
  return await app.uploads.exclusive(handle.uploadId, patch);
}

/**
 * Syncs the bytes that arrived before they are acknowledged. After a failed
 * sync the state of the disk is unknown, and the next sync may succeed without
 * writing: the bytes are dropped and requested again.
 */
async function keep(
  app: App,
  uploadId: UploadId,
  isFirst: boolean,
): Promise<void> {
  try {
    await app.staging.syncUpload(uploadId, isFirst);
  } catch (cause) {
    app.uploads.forget(uploadId);
    await app.staging.discard(uploadId);
    throw cause;
  }
}

/** What a session has of its bytes after a request. */
interface Received {
  readonly offset: number;
  readonly expiresAt: number;
  /** All bytes of a small blob that came whole; they have no file. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/**
 * Writes a body at an offset. What arrived before a broken connection is kept,
 * unless it is under a checksum or belongs to a body that is too long.
 */
export async function receive<S extends BlobSession>(
  call: Call<ReceiveProblem>,
  handle: SessionHandle<S>,
  session: S,
  arrival: Arrival,
): Promise<Received> {
  const { app, raise } = call;
  const { uploadId } = handle;
  const { size } = session;
  const { offset, body, checked } = arrival;
  if (offset + (body.declaredBytes ?? 0) > size) {
    throw raise("error.request.too_large");
  }
  await requireDisk(app, body.declaredBytes ?? 0);
  if (checked !== undefined) {
    await handle.note({ unverified_from: offset });
  }
  const writer = await UploadWriter.open(app, uploadId, arrival, size);
  let refused: unknown;
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  try {
    await copyBody(call, writer, size, arrival, expiryNote(app, handle));
    bytes = writer.offset === size ? writer.takeUnwritten() : undefined;
    if (bytes === undefined) await writer.writeOut();
  } catch (thrown) {
    refused = thrown;
    if (checked !== undefined) await writer.rewind(offset);
  } finally {
    writer.close();
  }
  const isWhole = refused === undefined && arrival.completes === true;
  if (
    isFresh(app, session, arrival) &&
    (isWhole || app.uploads.isSettled(uploadId))
  ) {
    if (refused !== undefined) throw refused;
    // Its end is looked for by what completes it.
    const { expires_at } = isWhole ? session : await handle.require();
    return { offset: writer.offset, expiresAt: expires_at, ...whole(bytes) };
  }
  // The last byte moves the expiry, whether the request ended well or not.
  const expiresAt = await handle.note({
    expires: nextExpiry(app),
    unverified_from: null,
  });
  if (refused !== undefined) throw refused;
  // Never acknowledge bytes of a session that has ended meanwhile.
  if (expiresAt === undefined) throw handle.notFound();
  return { offset: writer.offset, expiresAt, ...whole(bytes) };
}

function whole(
  bytes: Uint8Array<ArrayBuffer> | undefined,
): Pick<Received, "bytes"> {
  return bytes === undefined ? {} : { bytes };
}

/** Whether there is nothing to note: the expiry moved seconds ago. */
function isFresh(
  app: App,
  { expires_at, unverified_from }: BlobSession,
  { checked }: Arrival,
): boolean {
  return checked === undefined && unverified_from === null &&
    nextExpiry(app).at - expires_at < NOTE_AGAIN_MS;
}

/** When a session expires whose last byte came now. */
function nextExpiry(app: App) {
  const now = app.platform.now();
  return { at: now + app.limits.uploadTtlMs, now };
}

/** Moves the expiry on while a long request runs, now and then. */
function expiryNote<S extends BlobSession>(
  app: App,
  handle: SessionHandle<S>,
): () => Promise<void> {
  let notedAt = app.platform.now();
  return async () => {
    const now = app.platform.now();
    if (now - notedAt < NOTE_EVERY_MS) return;
    notedAt = now;
    await handle.note({ expires: nextExpiry(app) });
  };
}

async function copyBody(
  call: Call<ReceiveProblem>,
  writer: UploadWriter,
  size: number,
  { offset, body, checked, slot }: Arrival,
  noteExpiry: () => Promise<void>,
): Promise<void> {
  const reader = body.open();
  reader?.hold(GATHER_BYTES);
  const stop = () => reader?.cancel();
  slot.signal.addEventListener("abort", stop, { once: true });
  // What goes into the database is not written anywhere before it is whole.
  if (checked === undefined && writer.hasFile) {
    slot.onFlush(() => writer.flush());
  }
  try {
    while (reader !== undefined && !slot.signal.aborted) {
      const piece = await readPiece(call, reader, writer);
      if (piece === undefined) break;
      if (writer.offset + piece.length > size) {
        await writer.rewind(offset);
        throw call.raise("error.request.too_large");
      }
      writer.push(piece);
      await noteExpiry();
    }
  } finally {
    slot.signal.removeEventListener("abort", stop);
    stop();
  }
  if (slot.signal.aborted) {
    // Pre-empted: what is still gathered here may be what the newer sends.
    writer.discard();
    throw call.raise("error.upload.offset_conflict", {
      extra: { offset: writer.offset },
      cause: "pre-empted",
    });
  }
  if (writer.hasFile) writer.flush();
  if (checked !== undefined && !writer.matches(checked.checksum)) {
    throw checked.mismatch();
  }
}

async function readPiece(
  { raise }: Call<"error.request.malformed" | "error.upload.offset_conflict">,
  reader: BodyReader,
  writer: UploadWriter,
): Promise<Uint8Array | undefined> {
  try {
    return await reader.read();
  } catch (cause) {
    await writer.writeOut();
    if (cause instanceof BodyEnded) {
      // The bytes that arrived stay, and the client is told where to go on.
      const { offset } = writer;
      throw raise("error.upload.offset_conflict", { extra: { offset }, cause });
    }
    // The connection broke, so no one reads this answer. The bytes are kept.
    throw raise("error.request.malformed", { cause });
  }
}

/** Gathers chunks, hashes them and writes them to the upload's file. */
class UploadWriter {
  readonly #gathered: Uint8Array<ArrayBuffer>;
  #length = 0;

  private constructor(
    private readonly app: App,
    private readonly uploadId: UploadId,
    /** Undefined as long as a small blob's bytes are in memory alone. */
    private file: StoredFile | undefined,
    private flushed: number,
    private running: RunningHash | undefined,
    private readonly checksum: Hash | undefined,
  ) {
    this.#gathered = app.uploads.takeBuffer();
  }

  static async open(
    app: App,
    uploadId: UploadId,
    { offset, checked, completes }: Arrival,
    size: number,
  ): Promise<UploadWriter> {
    const isSmall = completes === true && offset === 0 &&
      checked === undefined && size <= app.limits.smallBlobBytes;
    return new UploadWriter(
      app,
      uploadId,
      isSmall ? undefined : await app.staging.openUpload(uploadId, offset),
      offset,
      app.uploads.hashAt(uploadId, offset),
      checked && createHash(checked.checksum.algorithm),
    );
  }

  /** Bytes that the upload has, those gathered included. */
  get offset(): number {
    return this.flushed + this.#length;
  }

  /** Whether the bytes are written to a file as they come. */
  get hasFile(): boolean {
    return this.file !== undefined;
  }

  /** The bytes of a small blob that were written nowhere yet, if they are. */
  takeUnwritten(): Uint8Array<ArrayBuffer> | undefined {
    if (this.file !== undefined) return undefined;
    const bytes = this.#gathered.slice(0, this.#length);
    this.flushed = this.#length;
    this.#length = 0;
    this.running = undefined;
    return bytes;
  }

  /** Writes what is gathered, into a file that is made now if it is missing. */
  async writeOut(): Promise<void> {
    if (this.#length > 0) {
      this.file ??= await this.app.staging.openUpload(this.uploadId, 0);
    }
    this.flush();
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0) {
      const part = rest.subarray(0, GATHER_BYTES - this.#length);
      this.#gathered.set(part, this.#length);
      this.#length += part.length;
      rest = rest.subarray(part.length);
      if (this.#length === GATHER_BYTES) this.flush();
    }
  }

  flush(): void {
    if (this.#length === 0 || this.file === undefined) return;
    const piece = this.#gathered.subarray(0, this.#length);
    this.#length = 0;
    this.file.write(piece);
    this.flushed += piece.length;
    this.checksum?.update(piece);
    if (this.running !== undefined) {
      this.running.hash.update(piece);
      this.running.offset += piece.length;
    }
  }

  /** Discards what is gathered and was not written. */
  discard(): void {
    this.#length = 0;
  }

  /** Takes back everything from an offset on. */
  async rewind(offset: number): Promise<void> {
    this.discard();
    this.running = undefined;
    await this.file?.truncate(offset);
    this.flushed = offset;
  }

  /** Whether everything that was written has this checksum. */
  matches({ digest }: Checksum): boolean {
    const computed = this.checksum?.digest();
    return computed !== undefined && equalBytes(computed, digest);
  }

  close(): void {
    this.file?.close();
    this.app.uploads.giveBuffer(this.#gathered);
    if (this.running !== undefined) {
      this.app.uploads.keepHash(this.uploadId, this.running);
    }
  }
}
