/**
 * Which generations stay, as the command line says it.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import type { Policy } from "../../../features/backup/remote_backup/retention.ts";

export interface PolicyOptions {
  readonly keepLast?: string;
  readonly keepDaily?: string;
  readonly keepWeekly?: string;
  readonly keepMonthly?: string;
  readonly keepYearly?: string;
}

export const POLICY_OPTIONS: readonly (readonly [string, string])[] = [
  ["--keep-last <n>", "keep the n newest generations"],
  ["--keep-daily <n>", "keep the newest of each of n days"],
  ["--keep-weekly <n>", "keep the newest of each of n weeks"],
  ["--keep-monthly <n>", "keep the newest of each of n months"],
  ["--keep-yearly <n>", "keep the newest of each of n years"],
];

/** Undefined where nothing is said, and nothing goes. */
export function policyOf(options: PolicyOptions): Policy | undefined {
  const policy = {
    last: countOf("--keep-last", options.keepLast),
    daily: countOf("--keep-daily", options.keepDaily),
    weekly: countOf("--keep-weekly", options.keepWeekly),
    monthly: countOf("--keep-monthly", options.keepMonthly),
    yearly: countOf("--keep-yearly", options.keepYearly),
  };
  return Object.values(policy).some((count) => count > 0) ? policy : undefined;
}

function countOf(flag: string, text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new OperatorFault(
    `${flag} ${JSON.stringify(text)}: give a number of 1 or more`,
  );
}
