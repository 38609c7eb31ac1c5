/**
 * Sending a blob so that a broken connection costs only one piece. A small blob
 * goes in one PUT. A larger one goes in pieces by PATCH, each from the offset
 * that the server reports (protocol/uploads.md#bytes; tus 1.0.0). Where a proxy
 * in between refuses requests of that size, the pieces of the whole session
 * become smaller.
 *
 * @module
 */
import { type Bytes, letGo } from "../../core/bytes.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Finalized } from "../../wire/answers/uploads.ts";
import type { OpenUpload, UploadCalls } from "./upload_calls.ts";
import { isFull } from "./refusals.ts";
import { ApiProblem, ConnectionError, UnexpectedAnswer } from "./transport.ts";

/** Bytes of one PATCH; a blob up to this size goes in one PUT. */
export const PIECE_BYTES: number = 8 * 1024 * 1024;

/**
 * Pieces that a proxy refuses for their size are halved down to this (bytes).
 */
const LEAST_PIECE_BYTES = 512 * 1024;

/** What a proxy in between lets through, as each session has found (bytes). */
const passing = new WeakMap<UploadTarget, number>();

const MOST_FAILURES = 6;
const LONGEST_PAUSE_MS = 30 * SECOND_MS;

/**
 * A blob of which any part can be read, because an upload may have to go back.
 */
export interface BlobSource {
  /** Exactly `length` bytes from `offset` on. */
  read(offset: number, length: number): Promise<Bytes>;
  /** Each read gives bytes of its own, which are freed once they were used. */
  readonly isFresh?: true;
}

/** Frees bytes that were read, if they are used nowhere else. */
export function doneWith({ isFresh }: BlobSource, bytes: Bytes): void {
  if (isFresh) letGo(bytes);
}

/** Options of sending an upload. */
export interface SendOptions {
  /** Gets the number of bytes that the server holds, as it grows. */
  readonly onProgress?: (heldBytes: number) => void;
  /** At most; default {@link PIECE_BYTES}. */
  readonly pieceBytes?: number;
  /** Failures in a row before it gives up; default 6. */
  readonly mostFailures?: number;
  /** Ends it, also within a request; the server keeps what arrived. */
  readonly signal?: AbortSignal | undefined;
}

/** The uploads of an account or of a link, to which a blob is sent. */
export interface UploadTarget extends UploadCalls {
  pause(ms: number): Promise<void>;
}

/** A source over bytes in memory. */
export function sourceOf(bytes: Bytes): BlobSource {
  return {
    read: (offset, length) =>
      Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

/**
 * Sends the missing bytes of an open upload and finalizes it. Throws
 * ApiProblem, or the last error after too many temporary failures in a row.
 */
export async function sendBlob(
  target: UploadTarget,
  upload: OpenUpload,
  source: BlobSource,
  options: SendOptions = {},
): Promise<Finalized> {
  const { upload_id: uploadId, size } = upload;
  if (upload.state === "open") {
    const small = size <= mostBytes(target, options);
    const put = small && upload.offset === 0
      ? await putWhole(target, upload, source, options)
      : undefined;
    const sent = put ?? await sendPieces(target, upload, source, options);
    options.onProgress?.(size);
    if (sent !== undefined) return sent;
  }
  return await persist(target, () => target.finalize(uploadId), options);
}

function mostBytes(
  target: UploadTarget,
  { pieceBytes = PIECE_BYTES }: SendOptions,
): number {
  return Math.min(pieceBytes, passing.get(target) ?? pieceBytes);
}

/**
 * Notes for the session that a proxy refuses requests of that size. Throws the
 * error if it is another one, or if no smaller piece is worth a try.
 */
function halve(
  error: unknown,
  target: UploadTarget,
  size: number,
  options: SendOptions,
): void {
  if (!(error instanceof UnexpectedAnswer) || error.status !== 413) throw error;
  let most = mostBytes(target, options);
  while (most >= size) most /= 2;
  if (most < LEAST_PIECE_BYTES) throw error;
  passing.set(target, most);
}

/** Undefined where a proxy refuses it for its size: it has to go in pieces. */
async function putWhole(
  target: UploadTarget,
  { upload_id: uploadId, size }: OpenUpload,
  source: BlobSource,
  options: SendOptions,
): Promise<Finalized | undefined> {
  const body = await source.read(0, size);
  try {
    // A repeated PUT starts over, or replays the answer of a finalized session.
    return await persist(
      target,
      () => target.putUpload(uploadId, body, options.signal),
      options,
    );
  } catch (error) {
    halve(error, target, size, options);
    return undefined;
  } finally {
    doneWith(source, body);
  }
}

async function sendPieces(
  target: UploadTarget,
  upload: OpenUpload,
  source: BlobSource,
  options: SendOptions,
): Promise<undefined> {
  const { onProgress, signal } = options;
  const { mostFailures = MOST_FAILURES } = options;
  const { upload_id: uploadId, size } = upload;
  let offset = upload.offset;
  let failures = 0;
  while (offset < size) {
    onProgress?.(offset);
    const length = Math.min(mostBytes(target, options), size - offset);
    const body = await source.read(offset, length);
    try {
      offset = await target.patchUpload(uploadId, offset, body, signal);
      failures = 0;
    } catch (error) {
      if (!mayPass(error)) {
        halve(error, target, length, options);
        continue;
      }
      if (++failures === mostFailures) throw error;
      await target.pause(pauseMs(failures));
      // The server keeps what arrived before the connection broke, so the
      // offset is asked for.
      const held = await persist(
        target,
        () => target.headUpload(uploadId),
        options,
      );
      if (held > offset) failures = 0;
      offset = held;
    } finally {
      doneWith(source, body);
    }
  }
}

/**
 * Repeats a call as long as its failure may be temporary. A call that failed
 * may have been carried out, so it must be safe to repeat.
 */
export async function persist<T>(
  target: Pick<UploadTarget, "pause">,
  call: () => Promise<T>,
  { mostFailures = MOST_FAILURES }: SendOptions,
): Promise<T> {
  for (let failures = 1;; failures++) {
    try {
      return await call();
    } catch (error) {
      if (!mayPass(error) || failures === mostFailures) throw error;
      await target.pause(pauseMs(failures));
    }
  }
}

/**
 * The pause after so many failures: half a second, doubled each time, up to
 * half a minute.
 */
function pauseMs(failures: number): number {
  return Math.min(SECOND_MS / 4 * 2 ** failures, LONGEST_PAUSE_MS);
}

/** Whether the same call may succeed later, without anything being changed. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (error instanceof UnexpectedAnswer) return error.status >= 500;
  return error instanceof ApiProblem &&
    (error.code === "error.upload.offset_conflict" ||
      (error.status >= 500 && !isFull(error)));
}
