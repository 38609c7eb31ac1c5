/**
 * How old the last backup is.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { DAY_MS } from "../../../core/time.ts";
import { type BackupNote, oldAfter } from "../../../features/backup/note.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** No timer runs any more: whatever came since would be lost. */
const STALE_MS = 31 * DAY_MS;

/** Judges the age of the last backup of a server that may hold something. */
export function judgeBackup(
  note: BackupNote | undefined,
  { now, holdsBlobs }: { readonly now: number; readonly holdsBlobs: boolean },
): Finding {
  const { ok, warning, fault } = findingsOf("backup");
  if (note === undefined) {
    return holdsBlobs
      ? warning(
        "this data directory was never backed up",
        "run strongroom backup DIR every night, preferably to another disk",
      )
      : ok("nothing is stored yet");
  }
  const { dir, made_at, damaged } = note;
  const days = Math.floor(Math.max(0, now - made_at) / DAY_MS);
  const what = days === 0
    ? say("the last one is less than a day old, in {1}", dir)
    : say("the last one is {1} days old, in {2}", days, dir);
  if (now - made_at > oldAfter(note)) {
    const judged = now - made_at > STALE_MS ? fault : warning;
    return judged(
      what,
      "run strongroom backup again, and find out why its timer does not",
    );
  }
  if (damaged > 0) {
    return warning(
      days === 0
        ? say(
          "the last one is less than a day old, in {1}, and found {2} damaged " +
            "or missing here",
          dir,
          damaged,
        )
        : say(
          "the last one is {1} days old, in {2}, and found {3} damaged or " +
            "missing here",
          days,
          dir,
          damaged,
        ),
      "strongroom check --deep lists them, with a fix for each",
    );
  }
  return ok(what);
}
