/**
 * What a create-upload request must agree with itself about, and with one that
 * it repeats: pure (protocol/uploads.md#create).
 *
 * @module
 */
import type { FieldError } from "../../core/catalogue.ts";
import type { UserId } from "../../core/ids.ts";
import type { UploadRequest } from "../../wire/bodies/uploads.ts";
import type { Call } from "../call.ts";
import {
  brokenRules,
  type EnvelopeRule,
  envelopeRules,
} from "../lifecycle/envelope.ts";
import {
  contradictoryReleases,
  storedReleases,
} from "../lifecycle/releases.ts";
import type { UploadRow } from "./store.ts";

/** Every contradiction of a request, each at its place in the envelope. */
export function contradictions(
  request: UploadRequest,
  caller: UserId,
  now: number,
  more: readonly EnvelopeRule[] = [],
): FieldError[] {
  const { manifest_envelope: manifest, blob_role: role } = request;
  const original = manifest.original_blob_hash ?? undefined;
  const metadata = manifest.metadata_blob_hash ?? undefined;
  const releases = request.releases ?? [];
  const broken = brokenRules([
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
    ...more,
  ]);
  const brought = [request.ciphertext_hash, original, metadata];
  return [
    ...broken,
    ...role === "provenance" || releases.length === 0
      ? contradictoryReleases(releases, brought)
      : [{ path: "/releases", message: "must come with a manifest" }],
  ];
}

/** A repeated create names the same size, album and releases. */
export function checkRepeated(
  { raise }: Call<"error.manifest.mismatch">,
  held: UploadRow,
  request: UploadRequest,
): void {
  const errors = [
    ...held.size === request.size
      ? []
      : [{ path: "/size", message: "is not the one of this session" }],
    ...held.album_id === (request.album_id ?? null) ? [] : [{
      path: "/manifest_envelope/album_id",
      message: "is not the one of this session",
    }],
    ...held.releases === storedReleases(request.releases) ? [] : [{
      path: "/releases",
      message: "are not those of this session",
    }],
  ];
  if (errors.length > 0) {
    throw raise("error.manifest.mismatch", { extra: { errors } });
  }
}
