/**
 * Whether notices arrive.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { toRfc3339 } from "../../../core/time.ts";
import type { TargetState } from "../../../features/notices/notices.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, fault } = findingsOf("notices");

/** Judges how the targets that are set do. */
export function judgeNotices(states: readonly TargetState[]): Finding[] {
  if (states.length === 0) {
    return [
      ok("no one is notified of problems: STRONGROOM_NOTIFY is not set"),
    ];
  }
  const findings = states.flatMap((state): Finding[] => {
    if (state.failingSince !== null) {
      return [fault(
        say(
          "{1} has taken nothing since {2}: {3}",
          state.name,
          toRfc3339(state.failingSince),
          state.fault,
        ),
        "correct STRONGROOM_NOTIFY or fix the target, then run strongroom " +
          "notify test",
      )];
    }
    return state.sentAt !== null ? [] : [warning(
      say("{1} was never tried", state.name),
      "strongroom notify test sends it a test",
    )];
  });
  return findings.length > 0 ? findings : [ok(say(
    "{1} took the last one",
    states.map(({ name }) => name).join(" and "),
  ))];
}
