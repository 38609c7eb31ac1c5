/**
 * How old the last backup is.
 *
 * @module
 */
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
  const age = days === 0 ? "less than a day" : `${days} days`;
  const what = `the last one is ${age} old, in ${dir}`;
  if (now - made_at > oldAfter(note)) {
    const judged = now - made_at > STALE_MS ? fault : warning;
    return judged(
      what,
      "run strongroom backup again, and find out why its timer does not",
    );
  }
  if (damaged > 0) {
    return warning(
      `${what}, and found ${damaged} damaged or missing here`,
      "strongroom check --deep lists them, with a fix for each",
    );
  }
  return ok(what);
}
