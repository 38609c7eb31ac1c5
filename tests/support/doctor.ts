/**
 * `strongroom doctor`, and what it found.
 *
 * @module
 */
import assert from "node:assert/strict";
import { runProgram } from "./program.ts";

interface Found {
  readonly check: string;
  readonly status: "ok" | "warning" | "fault";
  readonly detail: string;
  readonly mend?: string;
}

export interface Examination {
  readonly status: number;
  readonly checks: readonly Found[];
  /** The lines for people, of a run of its own. */
  readonly text: string;
}

/** No disk of a test machine is the subject, unless it is. */
const SETTINGS = { STRONGROOM_RESERVED_DISK_BYTES: "1048576" };

/** Examines a data directory under some settings. */
export async function examine(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Examination> {
  const run = async (...more: string[]) => {
    const { status, stdout, stderr } = await runProgram(
      ["doctor", "--data-dir", dataDir, ...more],
      { ...SETTINGS, ...settings },
    );
    assert.equal(stderr, "");
    return { status, text: stdout };
  };
  const [{ status, text: json }, { text }] = [await run("--json"), await run()];
  const { checks } = JSON.parse(json);
  return { status, checks, text };
}

/**
 * Expects one finding of a check that is not well, its words, and a fix that
 * people are shown as well; returns the fix.
 */
export function expectFinding(
  { status, checks, text }: Examination,
  check: string,
  how: "warning" | "fault",
  detail: RegExp,
): string {
  const found = checks.filter((one) =>
    one.check === check && one.status !== "ok"
  );
  const [only] = found.filter((one) => detail.test(one.detail));
  assert(only !== undefined, `${check}: ${JSON.stringify(found)}`);
  assert.equal(only.status, how, only.detail);
  assert((only.mend ?? "").length > 10, only.detail);
  // Instants and seconds differ from one run to the next.
  const shown = text.replace(/\d/g, "0");
  const line = `${check.replace("_", " ")}: ${only.detail}\n`;
  assert(shown.includes(line.replace(/\d/g, "0")), text);
  assert(text.includes(`fix: ${only.mend}\n`), text);
  const isFaulty = checks.some((one) => one.status === "fault");
  assert.equal(status, isFaulty ? 1 : 0);
  return only.mend ?? "";
}

/** Expects a check to have found nothing. */
export function expectWell({ checks }: Examination, check: string): void {
  const found = checks.filter((one) => one.check === check);
  assert.deepEqual(found.map(({ status }) => status), ["ok"]);
}
