/**
 * Sending a blob so that a broken connection costs one piece, not the whole:
 * small ones in one PUT, others in PATCH pieces that go on where the server
 * says it stands (completions.md section 6, Bytes; tus 1.0.0).
 *
 * @module
 */
import type { Bytes } from "../core/bytes.ts";
import { SECOND_MS } from "../core/time.ts";
import type { FinalizeResponse } from "./answers.ts";
import type { Account, UploadRequest } from "./api.ts";
import { ApiProblem, ConnectionError, UnexpectedAnswer } from "./transport.ts";

/** Bytes of one PATCH; a blob of up to as many goes in one PUT. */
export const PIECE_BYTES = 8 * 1024 * 1024;

const MOST_FAILURES = 6;

/** A blob that can be read anywhere, because an upload may have to go back. */
export interface BlobSource {
  /** Exactly `length` bytes from `offset` on. */
  read(offset: number, length: number): Promise<Bytes>;
}

/** How an upload is sent. */
export interface SendOptions {
  /** Told how many bytes the server holds, as it grows. */
  readonly onProgress?: (heldBytes: number) => void;
  /** Default {@link PIECE_BYTES}. */
  readonly pieceBytes?: number;
}

/** Bytes at hand as a source. */
export function sourceOf(bytes: Bytes): BlobSource {
  return {
    read: (offset, length) =>
      Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

/**
 * Opens an upload session (or finds the one that there is), sends what is
 * missing and finalizes. Repeating the call after any failure goes on from
 * there. Throws ApiProblem, and the last error of several that did not pass.
 */
export async function uploadBlob(
  account: Account,
  request: UploadRequest,
  source: BlobSource,
  options: SendOptions = {},
): Promise<FinalizeResponse> {
  const upload = await persist(
    account,
    () => account.createUpload(request),
  );
  if (upload.state === "open") {
    const small = request.size <= (options.pieceBytes ?? PIECE_BYTES);
    const sent = small && upload.offset === 0
      ? await putWhole(account, upload.upload_id, request.size, source)
      : await sendPieces(account, upload, source, options);
    options.onProgress?.(request.size);
    if (sent !== undefined) return sent;
  }
  return await persist(account, () => account.finalize(upload.upload_id));
}

async function putWhole(
  account: Account,
  uploadId: string,
  size: number,
  source: BlobSource,
): Promise<FinalizeResponse> {
  const body = await source.read(0, size);
  // Sent again it starts over, and on a finalized session it replays.
  return await persist(account, () => account.putUpload(uploadId, body));
}

async function sendPieces(
  account: Account,
  upload: {
    readonly upload_id: string;
    readonly offset: number;
    readonly size: number;
  },
  source: BlobSource,
  { onProgress, pieceBytes = PIECE_BYTES }: SendOptions,
): Promise<undefined> {
  const { upload_id: uploadId, size } = upload;
  let offset = upload.offset;
  let failures = 0;
  while (offset < size) {
    onProgress?.(offset);
    const body = await source.read(offset, Math.min(pieceBytes, size - offset));
    try {
      offset = await account.patchUpload(uploadId, offset, body);
      failures = 0;
    } catch (error) {
      if (!mayPass(error) || ++failures === MOST_FAILURES) throw error;
      await account.pause(pauseMs(failures));
      // What arrived before the connection broke is kept: ask, don't assume.
      const held = await persist(account, () => account.headUpload(uploadId));
      if (held > offset) failures = 0;
      offset = held;
    }
  }
}

/** Repeats an idempotent call while its failure may be a passing one. */
async function persist<T>(
  account: Account,
  call: () => Promise<T>,
): Promise<T> {
  for (let failures = 1;; failures++) {
    try {
      return await call();
    } catch (error) {
      if (!mayPass(error) || failures === MOST_FAILURES) throw error;
      await account.pause(pauseMs(failures));
    }
  }
}

/** Half a second, then twice as long each time. */
function pauseMs(failures: number): number {
  return SECOND_MS / 4 * 2 ** failures;
}

function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (error instanceof UnexpectedAnswer) return error.status >= 500;
  return error instanceof ApiProblem &&
    (error.code === "error.upload.offset_conflict" ||
      (error.status >= 500 && error.status !== 507));
}
