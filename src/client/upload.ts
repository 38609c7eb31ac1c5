/**
 * An account's upload, from its session to its receipt.
 *
 * @module
 */
import type { FinalizeResponse } from "./answers.ts";
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
    options,
  );
  return await sendBlob(account, upload, source, options);
}
