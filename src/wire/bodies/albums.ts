/**
 * Bodies about albums, rosters and capabilities (protocol/albums.md,
 * protocol/federation.md).
 *
 * @module
 */
import { z } from "zod";
import { CAPABILITY_SCOPES } from "../../core/caller.ts";
import type { AlbumId, CapabilityId } from "../../core/ids.ts";
import { isServerId } from "../../core/origin.ts";
import { base64Bytes, blobHash, timestamp, uuid } from "./fields.ts";

export const ProvisionAlbumRequest = z.strictObject({
  album_id: uuid<AlbumId>(),
});

/** The body of a roster may have so many bytes. */
const ROSTER_BODY_MAX_BYTES = 12 * 1024 * 1024;

export const RosterRequest = z.strictObject({
  roster_cbor: base64Bytes(1, ROSTER_BODY_MAX_BYTES),
});

/** A user id, an `@` and a server id fit. */
const MEMBER_MAX = 300;

export const MintCapabilityRequest = z.strictObject({
  peer: z.string().refine(isServerId, "a server's canonical origin is wanted"),
  member: z.string().min(1).max(MEMBER_MAX),
  scope: z.enum(CAPABILITY_SCOPES),
  ttl_seconds: z.int().nullish(),
  renewable_until: timestamp.nullish(),
});

export const RenewalRequest = z.strictObject({
  /** SHA-256 of the secret. */
  verifier: blobHash,
});

/** A secret that renews a grant has so many bytes. */
const RENEWAL_SECRET_BYTES = 32;

export const RenewCapabilityRequest = z.strictObject({
  jti: uuid<CapabilityId>(),
  secret: base64Bytes(RENEWAL_SECRET_BYTES, RENEWAL_SECRET_BYTES),
});
