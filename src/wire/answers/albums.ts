/**
 * Answers about albums, rosters, capabilities and upgrades
 * (protocol/albums.md, protocol/federation.md).
 *
 * @module
 */
import * as z from "zod/mini";
import { CAPABILITY_SCOPES } from "../../core/caller.ts";
import { count, date, flag, instant, ordinal, text, uuid } from "../fields.ts";
import type { Opened } from "../open.ts";

export const ProvisionAlbumResponse = z.strictObject({
  album_id: uuid,
  protocol_version: date,
  created: flag,
});
/** An album and the protocol date that it is pinned to. */
export type AlbumResponse = Opened<typeof ProvisionAlbumResponse>;

export const ListedAlbum = z.strictObject({
  album_id: uuid,
  role: z.enum(["owner", "contributor", "viewer"]),
  protocol_version: date,
  roster_version: count,
  amk_epoch: count,
  tombstoned: flag,
  successor_album_id: z.optional(uuid),
  created_at: instant,
});
/** An album that the account owns or that it is a member of. */
export type AlbumEntry = Opened<typeof ListedAlbum>;

export const AlbumsResponse = z.strictObject({ albums: z.array(ListedAlbum) });

export const RosterResponse = z.strictObject({
  album_id: uuid,
  roster_version: ordinal,
  amk_epoch: count,
  member_count: count,
  replayed: flag,
});

export const MintedCapabilityResponse = z.strictObject({
  token: text,
  jti: uuid,
  album_id: uuid,
  peer: text,
  member: text,
  scope: z.enum(CAPABILITY_SCOPES),
  issued_at: instant,
  expires_at: instant,
  not_after: instant,
  renewable: flag,
  min_protocol_version: date,
});
/** The first token of a new grant. */
export type MintedCapability = Opened<typeof MintedCapabilityResponse>;

export const RefreshedCapabilityResponse = z.strictObject({
  token: text,
  jti: uuid,
  expires_at: instant,
  not_after: instant,
  replayed: flag,
});

/** A live token of a grant. */
export type RefreshedCapability = Opened<typeof RefreshedCapabilityResponse>;

export const RevokedJtiResponse = z.strictObject({
  generated_at: instant,
  max_staleness_seconds: count,
  revoked: z.array(z.strictObject({ jti: uuid, expires_at: instant })),
});
/** Capabilities that were revoked before they expire. */
export type RevokedCapabilities = Opened<typeof RevokedJtiResponse>;

export const UpgradePhaseResponse = z.strictObject({
  album_id: uuid,
  intent_id: z.optional(uuid),
  to_protocol_version: z.optional(date),
  expires_at: z.optional(instant),
  in_flight: count,
});
/** An album's upgrade ceremony. */
export type UpgradePhase = Opened<typeof UpgradePhaseResponse>;

export const UpgradeCommitResponse = z.strictObject({
  album_id: uuid,
  successor_album_id: uuid,
  protocol_version: date,
  committed_at: instant,
});
