/**
 * Adopting a guest's contribution: it becomes the original of an asset of its
 * link's owner (protocol/uploads.md#adopt).
 *
 * @module
 */
import type { FieldError } from "../../core/catalogue.ts";
import type { UploadId } from "../../core/ids.ts";
import type { UploadRequest } from "../../wire/bodies/uploads.ts";
import type { Call, CallBy } from "../call.ts";
import { type AtOnceProblem, finalizeAtOnce } from "./at_once.ts";
import {
  findContribution,
  type GuestUploadRow,
  takeContribution,
} from "./contributions.ts";
import type { UploadRow } from "./store.ts";

/** Makes a contribution the original of the caller's asset. */
export function adoptContribution(
  call: CallBy<"session", AtOnceProblem | "error.upload.not_found">,
  adopts: UploadId,
  request: UploadRequest,
): Promise<{ upload: UploadRow; created: boolean }> {
  const { app, caller: { userId }, now, raise } = call;
  let contribution: GuestUploadRow | undefined;
  return finalizeAtOnce(call, request, {
    check: async () => {
      contribution = await findContribution(app.db, userId, adopts, now);
      if (contribution === undefined) throw raise("error.upload.not_found");
      checkSame(call, contribution, request);
      return contribution.expires_at;
    },
    // The bytes change hands: counted once, before and after.
    take: async (tx) => {
      if (
        contribution === undefined || !await takeContribution(tx, contribution)
      ) throw raise("error.upload.not_found");
    },
  });
}

/** The adopted bytes are the very ones that the request names. */
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
