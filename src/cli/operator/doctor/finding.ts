/**
 * What the doctor finds: one line a finding, with the fix where not all is
 * well.
 *
 * @module
 */

import { fillIn, say, type Sentence } from "../../../core/sentence.ts";

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

type Status = "ok" | "warning" | "fault";

export interface Finding {
  readonly check: CheckName;
  readonly status: Status;
  readonly detail: Sentence;
  /** What to do; absent where all is well. */
  readonly mend?: Sentence;
}

/** A string has no places: it is said as it stands. */
type Words = Sentence | string;

/** The findings that one check can make. */
export function findingsOf(check: CheckName) {
  return {
    ok: (detail: Words): Finding => ({
      check,
      status: "ok",
      detail: sentenceOf(detail),
    }),
    warning: (detail: Words, mend: Words): Finding => ({
      check,
      status: "warning",
      detail: sentenceOf(detail),
      mend: sentenceOf(mend),
    }),
    fault: (detail: Words, mend: Words): Finding => ({
      check,
      status: "fault",
      detail: sentenceOf(detail),
      mend: sentenceOf(mend),
    }),
  };
}

/** Braces of a name, such as a path's, are no places. */
function sentenceOf(words: Words): Sentence {
  if (typeof words !== "string") return words;
  return /\{\d\}/.test(words) ? say("{1}", words) : say(words);
}

/** A finding in English, as `--json` and people are told it. */
export function inEnglish({ check, status, detail, mend }: Finding) {
  return {
    check,
    status,
    detail: fillIn(detail.says, detail.values),
    ...mend && { mend: fillIn(mend.says, mend.values) },
  };
}

/** A finding for people: one line, and one more with the fix. */
export function linesOf(finding: Finding): string[] {
  const { check, status, detail, mend } = inEnglish(finding);
  const name = check.replace("_", " ");
  const line = `${status.padEnd("warning".length)}  ${name}: ${detail}`;
  return mend === undefined ? [line] : [line, `         fix: ${mend}`];
}
