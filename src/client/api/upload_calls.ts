/**
 * The calls of an open upload session, which are the same for accounts and for
 * guests except for their path.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { Finalized } from "../../wire/answers/uploads.ts";
import type { OpenSchema } from "../../wire/open.ts";
import { jsonOf, type Transport, UnexpectedAnswer } from "./transport.ts";

/** An upload session that may still want bytes. */
export interface OpenUpload {
  readonly upload_id: string;
  readonly state: "open" | "finalized";
  /** Bytes that the server holds. */
  readonly offset: number;
  readonly size: number;
}

/** The calls of an existing upload session. */
export interface UploadCalls {
  /** Bytes that the server holds of an upload. */
  headUpload(uploadId: string): Promise<number>;
  /** Appends bytes at an offset; returns the new offset. */
  patchUpload(
    uploadId: string,
    offset: number,
    body: Bytes,
    signal?: AbortSignal,
  ): Promise<number>;
  /** Sends a whole blob and finalizes it. */
  putUpload(
    uploadId: string,
    body: Bytes,
    signal?: AbortSignal,
  ): Promise<Finalized>;
  finalize(uploadId: string): Promise<Finalized>;
  cancelUpload(uploadId: string): Promise<void>;
}

/**
 * Makes the calls over a function that sends; `folder` is the path of the
 * sessions, and `finalized` what finalizing one answers.
 */
export function uploadCalls(
  send: Transport["send"],
  folder: string,
  finalized: OpenSchema<Finalized>,
): UploadCalls {
  const pathOf = (uploadId: string) => `${folder}/${uploadId}`;
  return {
    async headUpload(uploadId) {
      return offsetOf(await send({ method: "HEAD", path: pathOf(uploadId) }));
    },
    async patchUpload(uploadId, offset, body, signal) {
      return offsetOf(
        await send({
          method: "PATCH",
          path: pathOf(uploadId),
          headers: { "Upload-Offset": String(offset) },
          bytes: { mediaType: "application/offset+octet-stream", body },
          signal,
        }),
      );
    },
    async putUpload(uploadId, body, signal) {
      const response = await send({
        method: "PUT",
        path: pathOf(uploadId),
        bytes: { mediaType: "application/octet-stream", body },
        signal,
      });
      return await jsonOf(response, finalized);
    },
    async finalize(uploadId) {
      const path = `${pathOf(uploadId)}/finalize`;
      return await jsonOf(
        await send({ method: "POST", path }),
        finalized,
      );
    },
    async cancelUpload(uploadId) {
      await send({ method: "DELETE", path: pathOf(uploadId) });
    },
  };
}

function offsetOf(response: Response): number {
  const offset = response.headers.get("Upload-Offset") ?? "";
  if (/^\d{1,15}$/.test(offset)) return Number(offset);
  throw new UnexpectedAnswer(response.status, "no Upload-Offset");
}
