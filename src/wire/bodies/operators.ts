/**
 * Bodies of the operator's page (protocol/operators.md).
 *
 * @module
 */
import { z } from "zod";
import { presentedPassword } from "./accounts.ts";
import { boundedText, integer } from "./fields.ts";

/** An invitation lasts so many days at most. */
const MAX_DAYS = 365;
const REASON_MAX = 2_000;

export const PresentationRequest = z.strictObject({
  password: presentedPassword,
  code: boundedText(64),
});

export const InviteRequest = z.strictObject({
  days: z.int().min(1).max(MAX_DAYS),
  quota_bytes: integer(0).optional(),
  /** Where the link is to be mailed. */
  mail_to: boundedText(254).optional(),
});

export const QuotaRequest = z.strictObject({
  /** Null: no limit; `default`: the one for everybody. */
  quota_bytes: z.union([integer(0), z.null(), z.literal("default")]),
});

export const SuspensionRequest = z.strictObject({
  suspended: z.boolean(),
  reason: boundedText(REASON_MAX).optional(),
});
