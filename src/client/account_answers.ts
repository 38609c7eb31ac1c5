/**
 * Schemas and types of the answers of the operations of accounts, devices and
 * albums. Unknown keys are ignored, because a newer server may send more.
 *
 * @module
 */
import * as z from "zod/mini";
import { ENROLLMENT_CODE } from "./enrollment_link.ts";
import { count, hash, instant, uuid } from "./fields.ts";

const factor = z.enum(["none", "pending", "confirmed"]);
export const profileResponse = z.object({
  user_id: uuid,
  address: z.nullish(z.string()),
  display_name: z.nullish(z.string()),
  created_at: instant,
  second_factor: factor,
  passkeys: z.nullish(count),
  has_password: z.boolean(),
  recent_until: z.nullish(instant),
  password_reset_at: z.nullish(instant),
  is_operator: z.nullish(z.boolean()),
});
export const recordResponse = z.object({
  handle: z.string(),
  display_name: z.nullish(z.string()),
});
export const reauthenticateResponse = z.object({
  reauthenticated_at: instant,
  valid_until: instant,
});
export const sessionsResponse = z.object({
  sessions: z.array(z.object({
    session_id: uuid,
    cohort_hash: z.nullish(hash),
    device_id: z.nullish(z.string()),
    created_at: instant,
    last_used_at: instant,
    expires_at: instant,
    current: z.boolean(),
  })),
  cohorts: z.array(z.object({
    cohort_hash: hash,
    first_seen: instant,
    last_seen: instant,
  })),
});
export const challengeResponse = z.object({
  challenge_id: uuid,
  challenge: z.base64(),
  expires_at: instant,
});
export const revokeAllResponse = z.object({ revoked_sessions: count });
export const totpResponse = z.object({
  secret: z.string(),
  otpauth_uri: z.string(),
});
export const oidcResponse = z.object({
  authorization_url: z.string(),
  state: z.string(),
  expires_at: instant,
});
export const moderationResponse = z.object({
  standing: z.string(),
  suspended_since: z.nullish(instant),
  events: z.array(z.object({
    action: z.string(),
    asset_id: z.nullish(uuid),
    at: instant,
    reason: z.nullish(z.string()),
  })),
});
export const enrollmentCodeResponse = z.object({
  code: z.string().check(z.regex(ENROLLMENT_CODE)),
  expires_at: instant,
});
export const enrollmentResponse = z.object({
  state: z.enum(["none", "issued", "redeemed"]),
  channel_id: z.nullish(z.string()),
  expires_at: z.nullish(instant),
});
export const channelResponse = z.object({
  channel_id: z.string(),
  expires_at: instant,
});
export const drainResponse = z.object({
  direction: z.enum(["to_initiator", "to_enrollee"]),
  payloads: z.array(z.base64()).check(z.maxLength(64)),
});
export const escrowResponse = z.object({
  size: count,
  sha256: hash,
  stored_at: instant,
  replaced: z.boolean(),
});
export const userResponse = z.object({
  user_id: uuid,
  display_name: z.nullish(z.string()),
  handle: z.nullish(z.string()),
  directory_version: z.nullish(z.int().check(z.gte(1))),
  identity_key: z.nullish(z.base64()),
});
export const albumEntry = z.object({
  album_id: uuid,
  role: z.enum(["owner", "contributor", "viewer"]),
  protocol_version: z.string(),
  roster_version: count,
  amk_epoch: count,
  tombstoned: z.boolean(),
  successor_album_id: z.nullish(uuid),
  created_at: instant,
});
export const albumsResponse = z.object({ albums: z.array(albumEntry) });
export const publishRosterResponse = z.object({
  album_id: uuid,
  roster_version: z.int().check(z.gte(1)),
  amk_epoch: count,
  member_count: count,
  replayed: z.boolean(),
});
export const upgradeResponse = z.object({
  album_id: uuid,
  intent_id: z.nullish(uuid),
  to_protocol_version: z.nullish(z.string()),
  expires_at: z.nullish(instant),
  in_flight: count,
});
export const committedUpgradeResponse = z.object({
  album_id: uuid,
  successor_album_id: uuid,
  protocol_version: z.string(),
  committed_at: instant,
});
export const mintedResponse = z.object({
  token: z.string(),
  jti: z.string(),
  album_id: uuid,
  peer: z.string(),
  member: z.string(),
  scope: z.string(),
  issued_at: instant,
  expires_at: instant,
  not_after: instant,
  renewable: z.boolean(),
});
export const renewedCapabilityResponse = z.object({
  token: z.string(),
  jti: z.string(),
  expires_at: instant,
  not_after: instant,
  replayed: z.boolean(),
});
export const reportResponse = z.object({
  report_id: z.string(),
  received_at: instant,
});

/** An account as its owner sees it. */
export interface Profile {
  readonly user_id: string;
  readonly created_at: string;
  readonly second_factor: "none" | "pending" | "confirmed";
  readonly has_password: boolean;
  /** How many passkeys sign in to it. */
  readonly passkeys?: number | null | undefined;
  readonly address?: string | null | undefined;
  readonly display_name?: string | null | undefined;
  readonly recent_until?: string | null | undefined;
  /** When the operator last let the password be replaced, for a while. */
  readonly password_reset_at?: string | null | undefined;
  /** Whether the account has the operator's page. */
  readonly is_operator?: boolean | null | undefined;
}
/** A person as a lookup shows them. */
export interface User {
  readonly user_id: string;
  readonly display_name?: string | null | undefined;
  readonly handle?: string | null | undefined;
  readonly directory_version?: number | null | undefined;
  readonly identity_key?: string | null | undefined;
}
/** An album that the account owns or that it is a member of. */
export interface AlbumEntry {
  readonly album_id: string;
  readonly role: "owner" | "contributor" | "viewer";
  readonly protocol_version: string;
  readonly roster_version: number;
  readonly amk_epoch: number;
  readonly tombstoned: boolean;
  readonly created_at: string;
  readonly successor_album_id?: string | null | undefined;
}
/** A challenge that a proof by the identity key has to cover. */
export interface Challenge {
  readonly challenge_id: string;
  readonly challenge: string;
  readonly expires_at: string;
}
/** The live sessions of an account, and the devices that it signed in from. */
export interface Sessions {
  readonly sessions: readonly {
    readonly session_id: string;
    readonly created_at: string;
    readonly last_used_at: string;
    readonly expires_at: string;
    readonly current: boolean;
    readonly cohort_hash?: string | null | undefined;
    readonly device_id?: string | null | undefined;
  }[];
  readonly cohorts: readonly {
    readonly cohort_hash: string;
    readonly first_seen: string;
    readonly last_seen: string;
  }[];
}
/** The operator's actions on an account. */
export interface ModerationRecord {
  readonly standing: string;
  readonly events: readonly {
    readonly action: string;
    readonly at: string;
    readonly asset_id?: string | null | undefined;
    readonly reason?: string | null | undefined;
  }[];
  readonly suspended_since?: string | null | undefined;
}
/** How far an enrollment has come, as its initiator sees it. */
export interface EnrollmentState {
  readonly state: "none" | "issued" | "redeemed";
  readonly channel_id?: string | null | undefined;
  readonly expires_at?: string | null | undefined;
}
/** A relay channel between two devices. */
export interface Channel {
  readonly channel_id: string;
  readonly expires_at: string;
}
/** An album's upgrade ceremony. */
export interface UpgradePhase {
  readonly album_id: string;
  readonly in_flight: number;
  readonly intent_id?: string | null | undefined;
  readonly to_protocol_version?: string | null | undefined;
  readonly expires_at?: string | null | undefined;
}
