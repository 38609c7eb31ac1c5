/**
 * The whole upload of an account's blob, from its session to its receipt.
 *
 * @module
 */
import type { Finalized } from "../../wire/answers/uploads.ts";
import type { Account, UploadRequest } from "./api.ts";
import {
  type BlobSource,
  persist,
  PIECE_BYTES,
  sendBlob,
  type SendOptions,
  sourceOf,
} from "./send.ts";

export { type BlobSource, PIECE_BYTES, type SendOptions, sourceOf };

/**
 * Opens an upload session or finds the existing one, sends the missing bytes
 * and finalizes. After a failure, another call continues from there. Throws
 * ApiProblem, or the last error after too many temporary failures in a row.
 */
export async function uploadBlob(
  account: Account,
  request: UploadRequest,
  source: BlobSource,
  options: SendOptions = {},
): Promise<Finalized> {
  const upload = await persist(
    account,
    () => account.createUpload(request),
    options,
  );
  return await sendBlob(account, upload, source, options);
}
