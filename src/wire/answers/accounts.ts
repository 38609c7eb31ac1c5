/**
 * Answers about accounts and people (protocol/authentication.md#profile,
 * protocol/moderation.md).
 *
 * @module
 */
import * as z from "zod/mini";
import { base64, flag, instant, ordinal, text, uuid } from "../fields.ts";
import type { Opened } from "../open.ts";

/** How far the second factor of an account is. */
export const secondFactor = z.enum(["none", "pending", "confirmed"]);

export const ProfileResponse = z.strictObject({
  user_id: uuid,
  address: z.nullable(text),
  display_name: z.nullable(text),
  created_at: instant,
  second_factor: secondFactor,
  /** False for an account of an identity provider. */
  has_password: flag,
  /** The operator set the password: no other write before it is changed. */
  password_must_change: flag,
  /** Until when a presentation is recent; absent where none is. */
  recent_until: z.optional(instant),
  /** There, and true, for an account that has the operator's page. */
  is_operator: z.optional(z.literal(true)),
});
/** An account as its owner sees it. */
export type Profile = Opened<typeof ProfileResponse>;

export const ReauthenticateResponse = z.strictObject({
  reauthenticated_at: instant,
  valid_until: instant,
});

export const PublicRecordResponse = z.strictObject({
  handle: text,
  display_name: z.optional(text),
});

export const LookupResponse = z.strictObject({
  user_id: uuid,
  display_name: z.optional(text),
  handle: z.optional(text),
  directory_version: z.optional(ordinal),
  identity_key: z.optional(base64),
});
/** A person as a lookup shows them. */
export type User = Opened<typeof LookupResponse>;

export const TotpResponse = z.strictObject({
  secret: text,
  otpauth_uri: text,
});

export const OidcAuthorizationResponse = z.strictObject({
  authorization_url: text,
  state: text,
  expires_at: instant,
});

export const ModerationEvent = z.strictObject({
  action: z.enum([
    "suspended",
    "reinstated",
    "taken_down",
    "legal_hold",
    "hold_lifted",
  ]),
  asset_id: z.optional(uuid),
  at: instant,
  reason: z.optional(text),
});

export const ModerationRecordResponse = z.strictObject({
  standing: z.enum(["active", "suspended"]),
  suspended_since: z.optional(instant),
  events: z.array(ModerationEvent),
});
