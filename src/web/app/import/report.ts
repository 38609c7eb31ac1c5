/**
 * What is said of an import beyond its numbers: files that were left out, that
 * fit to nothing, and that failed, each with the reason.
 *
 * @module
 */
import { ThreadError } from "../../../client/stream/threads/thread_messages.ts";
import type {
  SeenFile,
  Sighting,
} from "../../workers/library/exports/calls.ts";
import { faultText } from "../faults.ts";
import { messages } from "../messages.ts";
import type { DateFrom } from "../../../media/exif/about.ts";
import { type Became, dateFromOf, outcomes } from "./importing.ts";

/** A list with its heading. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What is to be told. */
interface Told {
  readonly left: Sighting["left"];
  readonly unused: readonly string[];
  /** Files without a sidecar; of an import that ended, those that it added. */
  readonly untold?: readonly SeenFile[];
  readonly tellsOfAll?: boolean;
  readonly hasEnded?: boolean;
}

/** The lists that are not empty, the worst first. */
export function reportOf(
  { left, unused, untold = [], tellsOfAll = false, hasEnded = false }: Told,
): readonly Section[] {
  const { imports } = messages.value;
  const ended = hasEnded ? outcomes() : [];
  const of = (...wanted: readonly Became["outcome"][]) =>
    ended.filter(({ outcome }) => wanted.includes(outcome));
  const without = tellsOfAll
    ? of("kept", "handed").map(({ seen }) => seen)
      .filter(({ facts }) => facts === undefined)
    : untold;
  const dated = (from: DateFrom) =>
    of("kept", "handed").filter(({ seen }) => dateFromOf(seen) === from)
      .map(({ seen }) => seen.shown);
  const sections: readonly (readonly [
    (given: { n: number }) => string,
    readonly string[],
  ])[] = [
    [
      imports.failedTitle,
      of("failed").map(({ seen, fault }) =>
        imports.line({ path: seen.shown, why: faultOf(fault) })
      ),
    ],
    [imports.stoppedTitle, of("stopped").map(({ seen }) => seen.shown)],
    [
      imports.leftTitle,
      left.map(({ shown, why }) =>
        imports.line({ path: shown, why: imports.whys[why] })
      ),
    ],
    [imports.deletedTitle, of("deleted").map(({ seen }) => seen.shown)],
    [imports.untoldTitle, without.map(({ shown }) => shown)],
    [imports.unusedTitle, unused],
    [
      imports.besidesTitle,
      of("kept", "handed").filter(({ seen }) => seen.isBesidePair)
        .map(({ seen }) => seen.shown),
    ],
    [imports.correctedTitle, dated("person")],
    [imports.undatedTitle, dated("disk")],
  ];
  return sections.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : [{ title: title({ n: lines.length }), lines }]
  );
}

function faultOf(fault: unknown): string {
  const isDamaged = fault instanceof ThreadError &&
    fault.fault.kind === "StreamError";
  return isDamaged ? messages.value.imports.whys.damaged : faultText(fault);
}
