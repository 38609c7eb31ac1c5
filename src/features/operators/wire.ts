import { z } from "zod";
import { presentedPassword } from "../accounts/wire.ts";
import { boundedText, count, instant, integer, text } from "../wire.ts";

/** An invitation lasts so many days at most. */
const MAX_DAYS = 365;
const REASON_MAX = 2_000;

export const PresentationRequest = z.strictObject({
  password: presentedPassword,
  code: boundedText(64),
});

export const PresentationResponse = z.strictObject({ valid_until: instant });

export const OverviewResponse = z.strictObject({
  version: text,
  server_id: text,
  registration: z.enum(["open", "closed", "domains"]),
  /** Whether mail can be sent to people. */
  mail: z.boolean(),
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
  backup: z.strictObject({
    made_at: instant,
    /** What it found damaged or missing here. */
    damaged: count,
    blobs: count.optional(),
    bytes: count.optional(),
    is_old: z.boolean(),
  }).optional(),
  /** The check that the server makes by itself; absent before it began. */
  check: z.strictObject({
    began_at: instant,
    ended_at: instant.optional(),
    done_bytes: count,
    total_bytes: count,
    lost: count,
  }).optional(),
  /** The server's own; absent where a proxy has one. */
  certificate: z.strictObject({ ends_at: instant }).optional(),
  notices: z.array(z.strictObject({
    target: text,
    waiting: count,
    sent_at: instant.optional(),
    failing_since: instant.optional(),
    fault: text.optional(),
  })),
  findings: z.array(z.strictObject({
    check: text,
    status: z.enum(["warning", "fault"]),
    detail: text,
    mend: text,
  })),
}).meta({ id: "OperatorOverview" });

export const Person = z.strictObject({
  user_id: text,
  address: text.optional(),
  display_name: text.optional(),
  created_at: instant,
  last_used_at: instant.optional(),
  suspended_at: instant.optional(),
  is_deleting: z.boolean(),
  is_operator: z.boolean(),
  used_bytes: count,
  trash_bytes: count,
  /** Absent: no limit. */
  quota_bytes: count.optional(),
  /** Whether the quota is the one for everybody. */
  quota_is_default: z.boolean(),
  second_factor: z.enum(["none", "pending", "confirmed"]),
  has_password: z.boolean(),
  sessions: count,
}).meta({ id: "OperatorPerson" });

export const PeopleResponse = z.strictObject({
  people: z.array(Person),
  /** Behind which user id there are more. */
  next: text.optional(),
});

const Invitation = z.strictObject({
  invitation_id: text,
  expires_at: instant,
  quota_bytes: count.optional(),
});

export const InvitationsResponse = z.strictObject({
  invitations: z.array(Invitation),
});

export const InviteRequest = z.strictObject({
  days: z.int().min(1).max(MAX_DAYS),
  quota_bytes: integer(0).optional(),
  /** Where the link is to be mailed. */
  mail_to: boundedText(254).optional(),
});

export const InviteResponse = z.strictObject({
  invitation_id: text,
  expires_at: instant,
  quota_bytes: count.optional(),
  link: text,
  mailed: z.boolean(),
});

export const QuotaRequest = z.strictObject({
  /** Null: no limit; `default`: the one for everybody. */
  quota_bytes: z.union([integer(0), z.null(), z.literal("default")]),
});

export const SuspensionRequest = z.strictObject({
  suspended: z.boolean(),
  reason: boundedText(REASON_MAX).optional(),
});

export const SignedOutResponse = z.strictObject({ closed_sessions: count });

export const ResetRequest = z.strictObject({
  /** Whether the link is mailed to the account's address as well. */
  mail: z.boolean(),
});

export const ResetResponse = z.strictObject({
  link: text,
  expires_at: instant,
  mailed: z.boolean(),
});
