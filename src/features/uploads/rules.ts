/**
 * What a create-upload request must agree with itself about: pure
 * (completions.md section 6, Create).
 *
 * @module
 */
import type { FieldError } from "../../core/catalogue.ts";
import type { UserId } from "../../core/ids.ts";
import { brokenRules, envelopeRules } from "../lifecycle/envelope.ts";
import type { UploadRequest } from "./wire.ts";

/** Every contradiction of a request, each at its place in the envelope. */
export function contradictions(
  request: UploadRequest,
  caller: UserId,
  now: number,
): FieldError[] {
  const { manifest_envelope: manifest, blob_role: role } = request;
  const original = manifest.original_blob_hash ?? undefined;
  const metadata = manifest.metadata_blob_hash ?? undefined;
  return brokenRules([
    [
      manifest.crypto_suite_id === request.crypto_suite_id,
      "crypto_suite_id",
      "must be the request's",
    ],
    [
      (manifest.album_id ?? null) === (request.album_id ?? null),
      "album_id",
      "must be the request's",
    ],
    [
      manifest.ciphertext_hash === request.ciphertext_hash,
      "ciphertext_hash",
      "must be the request's",
    ],
    ...envelopeRules(manifest, caller, now),
    [
      role !== "original" || original === undefined ||
      original === request.ciphertext_hash,
      "original_blob_hash",
      "must be this session's hash",
    ],
    [
      role !== "metadata" || metadata === request.ciphertext_hash,
      "metadata_blob_hash",
      "must be this session's hash",
    ],
  ]);
}
