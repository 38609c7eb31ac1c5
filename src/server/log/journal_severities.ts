/**
 * Severities for systemd's journal.
 *
 * @module
 */
import { fstatSync } from "node:fs";

/** Kernel severities, as sd-daemon(3) has them in front of a line. */
const SEVERITIES = {
  trace: 7,
  debug: 7,
  info: 6,
  warning: 4,
  error: 3,
  fatal: 2,
} as const;

type Level = keyof typeof SEVERITIES;

/**
 * Whether standard error is the journal's: `JOURNAL_STREAM` names its device
 * and inode (systemd.exec(5)). A program that was started by a service and
 * writes elsewhere inherits the name, so the name alone says nothing.
 */
export function isJournal(): boolean {
  try {
    const named = Deno.env.get("JOURNAL_STREAM");
    if (named === undefined) return false;
    const { dev, ino } = fstatSync(STDERR, { bigint: true });
    return named === `${dev}:${ino}`;
  } catch {
    // Neither may be looked at everywhere; a line without it is as good.
    return false;
  }
}

const STDERR = 2;

/** Text with its severity in front of each of its lines, where wanted. */
export function withSeverity(
  text: string,
  level: Level,
  wanted: boolean,
): string {
  return wanted ? text.replace(/^(?=.)/gm, `<${SEVERITIES[level]}>`) : text;
}
