/**
 * How far the deep check is that a running server makes by itself.
 *
 * @module
 */
import { blobsInWords, counted } from "../../../core/sizes.ts";
import { DAY_MS, toRfc3339 } from "../../../core/time.ts";
import type {
  RollingState,
  Round,
} from "../../../features/verification/rolling.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** A server that runs all day needs half of it. */
const LATE_MS = 60 * DAY_MS;

/** Judges the state of the check; undefined where none has begun. */
export function judgeRolling(
  state: RollingState | undefined,
  now: number,
): Finding {
  const { ok, warning } = findingsOf("blobs");
  if (state === undefined) {
    return ok(
      "not read again yet; a running server reads a thirtieth of them " +
        "each day",
    );
  }
  const { current, last } = state;
  const said = current.ended_at === null
    ? progressOf(current) + (last === null ? "" : `; before: ${resultOf(last)}`)
    : resultOf(current);
  const lost = current.lost + (current.ended_at === null ? last?.lost ?? 0 : 0);
  if (lost > 0) {
    return warning(
      said,
      "strongroom check --deep lists every blob that is still lost, with " +
        "its fix",
    );
  }
  return current.ended_at === null && now - current.began_at > LATE_MS
    ? warning(
      said,
      "a server reads them only while it runs; to read all of them now, " +
        "run strongroom check --deep",
    )
    : ok(said);
}

function progressOf({ began_at, done, total, lost }: Round): string {
  const share = total.bytes === 0 ? 1 : done.bytes / total.bytes;
  const percent = Math.min(99, Math.floor(share * 100));
  return `${percent} % read again since ${dayOf(began_at)}, ` +
    (lost === 0 ? "all whole" : `${counted(lost, "blob")} lost`);
}

function resultOf({ began_at, ended_at, done, lost }: Round): string {
  return `${blobsInWords(done)} read again from ${dayOf(began_at)} to ` +
    `${dayOf(ended_at ?? began_at)}, ` +
    (lost === 0 ? "all whole" : `${counted(lost, "blob")} lost`);
}

function dayOf(instant: number): string {
  return toRfc3339(instant).slice(0, 10);
}
