/**
 * Answers of the operator's page (protocol/operators.md).
 *
 * @module
 */
import * as z from "zod/mini";
import { count, flag, instant, text, uuid } from "../fields.ts";
import type { Opened } from "../open.ts";
import { secondFactor } from "./accounts.ts";

export const PresentationResponse = z.strictObject({ valid_until: instant });

/** A sentence in English with `{1}`, `{2}` for its values. */
const sentence = z.strictObject({ says: text, values: z.array(text) });

export const Finding = z.strictObject({
  check: text,
  status: z.enum(["warning", "fault"]),
  detail: sentence,
  mend: sentence,
});

export const OverviewResponse = z.strictObject({
  version: text,
  server_id: text,
  registration: z.enum(["open", "closed", "domains"]),
  /** Whether mail can be sent to people. */
  mail: flag,
  accounts: count,
  room: z.strictObject({
    used_bytes: count,
    trash_bytes: count,
    database_bytes: count,
    free_bytes: count,
    /** What uploads leave free. */
    reserved_bytes: count,
  }),
  /** Bytes stored in each of the last twelve months, the newest first. */
  growth: z.array(z.strictObject({ month: text, bytes: count })),
  /** Absent where none was made. */
  backup: z.optional(z.strictObject({
    made_at: instant,
    /** What it found damaged or missing here. */
    damaged: count,
    blobs: z.optional(count),
    bytes: z.optional(count),
    is_old: flag,
  })),
  /** The check that the server makes by itself; absent before it began. */
  check: z.optional(z.strictObject({
    began_at: instant,
    ended_at: z.optional(instant),
    done_bytes: count,
    total_bytes: count,
    lost: count,
  })),
  /** The server's own; absent where a proxy has one. */
  certificate: z.optional(z.strictObject({ ends_at: instant })),
  notices: z.array(z.strictObject({
    target: text,
    waiting: count,
    sent_at: z.optional(instant),
    failing_since: z.optional(instant),
    fault: z.optional(text),
  })),
  findings: z.array(Finding),
});

export const PersonResponse = z.strictObject({
  user_id: uuid,
  address: z.optional(text),
  display_name: z.optional(text),
  created_at: instant,
  last_used_at: z.optional(instant),
  suspended_at: z.optional(instant),
  is_deleting: flag,
  is_operator: flag,
  used_bytes: count,
  trash_bytes: count,
  /** Absent: no limit. */
  quota_bytes: z.optional(count),
  /** Whether the quota is the one for everybody. */
  quota_is_default: flag,
  second_factor: secondFactor,
  has_password: flag,
  sessions: count,
});
/** An account as the operator sees it. */
export type OperatedPerson = Opened<typeof PersonResponse>;

export const PeopleResponse = z.strictObject({
  people: z.array(PersonResponse),
  /** Behind which user id there are more. */
  next: z.optional(uuid),
});

const invitation = {
  invitation_id: uuid,
  expires_at: instant,
  quota_bytes: z.optional(count),
};

export const InvitationsResponse = z.strictObject({
  invitations: z.array(z.strictObject(invitation)),
});
/** An unused invitation. */
export type OpenInvitation = Opened<
  typeof InvitationsResponse
>["invitations"][number];

export const InviteResponse = z.strictObject({
  ...invitation,
  link: text,
  mailed: flag,
});

export const SignedOutResponse = z.strictObject({ closed_sessions: count });
