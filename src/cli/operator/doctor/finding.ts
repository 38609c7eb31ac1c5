/**
 * What the doctor finds: one line a finding, with the fix where not all is
 * well.
 *
 * @module
 */

export const CHECKS = [
  "configuration",
  "permissions",
  "disk",
  "object_store",
  "database",
  "keys",
  "witnesses",
  "blobs",
  "base_url",
  "tls",
  "proxy_headers",
  "oidc",
  "clock",
  "backup",
  "notices",
  "updates",
  "phones",
] as const;

/** What is looked at, in this order. */
export type CheckName = typeof CHECKS[number];

export type Status = "ok" | "warning" | "fault";

export interface Finding {
  readonly check: CheckName;
  readonly status: Status;
  readonly detail: string;
  /** What to do; absent where all is well. */
  readonly mend?: string;
}

/** The findings that one check can make. */
export function findingsOf(check: CheckName) {
  return {
    ok: (detail: string): Finding => ({ check, status: "ok", detail }),
    warning: (detail: string, mend: string): Finding => ({
      check,
      status: "warning",
      detail,
      mend,
    }),
    fault: (detail: string, mend: string): Finding => ({
      check,
      status: "fault",
      detail,
      mend,
    }),
  };
}

/** A finding for people: one line, and one more with the fix. */
export function linesOf({ check, status, detail, mend }: Finding): string[] {
  const name = check.replace("_", " ");
  const line = `${status.padEnd("warning".length)}  ${name}: ${detail}`;
  return mend === undefined ? [line] : [line, `         fix: ${mend}`];
}
