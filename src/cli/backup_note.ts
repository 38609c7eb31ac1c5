/**
 * A note of the last backup: when it ended and where it lies. It is a small
 * file in the data directory, so that the server's metrics and the doctor can
 * tell how old a backup is without its disk.
 *
 * @module
 */
import { z } from "zod";
import { DAY_MS } from "../core/time.ts";
import { type Files, writeDurably } from "../store/files.ts";
import { type Finding, findingsOf } from "./doctor/finding.ts";

/** Who backs up every week is not troubled. */
const OLD_MS = 8 * DAY_MS;

const Note = z.strictObject({
  version: z.literal(1),
  dir: z.string(),
  /** Of what moment it is (ms). */
  made_at: z.int(),
  /** Blobs and receipts that it was made without. */
  damaged: z.int().min(0),
});

export type BackupNote = Omit<z.infer<typeof Note>, "version">;

/** Where a data directory has the note. */
function notePath(root: string): string {
  return `${root}/backup.json`;
}

/** The last backup; undefined where none was noted, or nobody can read it. */
export function readBackupNote(
  files: Files,
  root: string,
): BackupNote | undefined {
  try {
    const text = new TextDecoder().decode(files.readWhole(notePath(root)));
    const { version: _, ...note } = Note.parse(JSON.parse(text));
    return note;
  } catch {
    return undefined;
  }
}

export async function writeBackupNote(
  files: Files,
  root: string,
  note: BackupNote,
): Promise<void> {
  const text = JSON.stringify({ version: 1, ...note });
  const bytes = new TextEncoder().encode(`${text}\n`);
  await writeDurably(files, notePath(root), bytes);
}

/** Judges the age of the last backup of a server that may hold something. */
export function judgeBackup(
  note: BackupNote | undefined,
  { now, holdsBlobs }: { readonly now: number; readonly holdsBlobs: boolean },
): Finding {
  const { ok, warning } = findingsOf("backup");
  if (note === undefined) {
    return holdsBlobs
      ? warning(
        "none was made from this data directory",
        "strongroom backup DIR, best on another disk and every night",
      )
      : ok("nothing is stored yet");
  }
  const { dir, made_at, damaged } = note;
  const days = Math.floor(Math.max(0, now - made_at) / DAY_MS);
  const age = days === 0 ? "less than a day" : `${days} days`;
  const what = `the last one is ${age} old, in ${dir}`;
  if (now - made_at > OLD_MS) {
    return warning(
      what,
      "run strongroom backup again, and see why its timer does not",
    );
  }
  if (damaged > 0) {
    return warning(
      `${what}, and was made without ${damaged} that are damaged here`,
      "strongroom check --deep names them, and what mends each",
    );
  }
  return ok(what);
}
