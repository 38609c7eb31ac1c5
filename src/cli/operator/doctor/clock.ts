/**
 * Whether this machine's clock is right, as far as others and the past tell.
 * No time server is asked.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { SECOND_MS, toRfc3339 } from "../../../core/time.ts";
import { LEAP_MS, type Recorded } from "../../../features/clock/clock.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, fault } = findingsOf("clock");

/** A difference that no one notices. */
const TOLERABLE_MS = 5 * SECOND_MS;
/** A second factor's code lives this long, and ID tokens little longer. */
const HARMFUL_MS = 30 * SECOND_MS;

const MEND =
  "set this machine's clock and keep it synchronized: `timedatectl " +
  "set-ntp true`, or chrony";

/** An answer that said when it was made; instants in ms. */
export interface DatedAnswer {
  readonly from: string;
  /** Its `Date` header, cut off at the second. */
  readonly date: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** How far this clock is ahead of an answer's (ms); negative: behind. */
export function aheadOf({ date, askedAt, answeredAt }: DatedAnswer): number {
  if (date > answeredAt) return answeredAt - date;
  return Math.max(0, askedAt - (date + SECOND_MS));
}

/** Judges the clock by dated answers and by what was done last. */
export function judgeClock(
  now: number,
  answers: readonly DatedAnswer[],
  done: readonly Recorded[],
  ran?: Recorded,
): Finding[] {
  const findings: Finding[] = [];
  const [newest] = done.toSorted((a, b) => b.at - a.at);
  if (newest !== undefined && newest.at - now > TOLERABLE_MS) {
    findings.push(fault(
      say(
        "this clock says {1}, and {2} is from {3}",
        toRfc3339(now),
        newest.what,
        toRfc3339(newest.at),
      ),
      `the clock was set back, or was ahead then; ${MEND}`,
    ));
  }
  if (ran !== undefined && now - ran.at > LEAP_MS) {
    findings.push(warning(
      say(
        "this clock says {1}, and the server last ran at {2}",
        toRfc3339(now),
        toRfc3339(Math.round(ran.at)),
      ),
      "if the server was off for so long, do nothing: once it has run for a " +
        "day, it trusts this clock and deletes what is due. Otherwise " + MEND,
    ));
  }
  const [worst] = answers.toSorted((a, b) =>
    Math.abs(aheadOf(b)) - Math.abs(aheadOf(a))
  );
  if (worst !== undefined && Math.abs(aheadOf(worst)) > TOLERABLE_MS) {
    const ahead = aheadOf(worst);
    const seconds = Math.round(Math.abs(ahead) / SECOND_MS);
    const judged = Math.abs(ahead) > HARMFUL_MS ? fault : warning;
    findings.push(judged(
      say(
        ahead > 0 ? "{1} s ahead of {2}" : "{1} s behind {2}",
        seconds,
        worst.from,
      ),
      MEND,
    ));
  }
  if (findings.length > 0) return findings;
  const hosts = [...new Set(answers.map(({ from }) => from))];
  return [
    ok(
      hosts.length > 0
        ? `agrees with ${hosts.join(" and ")}`
        : "not behind anything recorded; there is no other clock to compare " +
          "with",
    ),
  ];
}
