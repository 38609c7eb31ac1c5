/**
 * What a create-upload request must agree with itself about: pure
 * (completions.md section 6, Create).
 *
 * @module
 */
import { isUuid, type UserId } from "../../core/ids.ts";
import type { FieldError } from "../../core/catalogue.ts";
import { CRYPTO_SUITES } from "../../core/protocol.ts";
import { DAY_MS } from "../../core/time.ts";
import type { UploadRequest } from "./wire.ts";

/** A retention floor lies at most this far ahead. */
const RETENTION_MAX_MS = 3_653 * DAY_MS;

/** Every contradiction of a request, each at its place in the envelope. */
export function contradictions(
  request: UploadRequest,
  caller: UserId,
  now: number,
): FieldError[] {
  const { manifest_envelope: manifest, blob_role: role } = request;
  const original = manifest.original_blob_hash ?? undefined;
  const metadata = manifest.metadata_blob_hash ?? undefined;
  const rules: readonly [boolean, string, string][] = [
    [
      CRYPTO_SUITES.includes(request.crypto_suite_id) &&
      manifest.crypto_suite_id === request.crypto_suite_id,
      "crypto_suite_id",
      "must be the request's, and one that this server knows",
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
    [manifest.created_by_user === caller, "created_by_user", "must be you"],
    [isUuid(manifest.file_id), "file_id", "must be a UUID"],
    [
      isUuid(manifest.created_by_device),
      "created_by_device",
      "must be a UUID",
    ],
    [
      manifest.key_mode === "derived" || manifest.key_mode === "wrapped",
      "key_mode",
      "must be derived or wrapped",
    ],
    [
      manifest.action === "create" || manifest.action === "replace",
      "action",
      "must be create or replace",
    ],
    [
      original !== undefined || manifest.action !== "replace",
      "original_blob_hash",
      "is required on replace",
    ],
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
    [
      (manifest.retention_until ?? 0) <= now + RETENTION_MAX_MS,
      "retention_until",
      "must lie at most ten years ahead",
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, field, message]) => ({
    path: `/manifest_envelope/${field}`,
    message,
  }));
}
