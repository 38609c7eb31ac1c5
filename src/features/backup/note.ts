/**
 * A note of the last backup: when it ended and where it lies. It is a small
 * file in the data directory, so that the server's metrics and the doctor can
 * tell how old a backup is without its disk.
 *
 * @module
 */
import { z } from "zod";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import { type Files, writeDurably } from "../../store/files/files.ts";

/** A backup is old after this long if it is unknown how often one is made. */
const OLD_MS = 8 * DAY_MS;
/** One that is made more often may still be late by this much (ms). */
const LEAST_OLD_MS = 2 * DAY_MS;

const Note = z.strictObject({
  version: z.literal(1),
  dir: z.string(),
  /** Of what moment it is (ms). */
  made_at: z.int(),
  /** Of what moment the one before it is (ms); absent for the first. */
  before_at: z.int().optional(),
  /** Blobs and receipts that it found damaged or missing on the server. */
  damaged: z.int().min(0),
  /** What it holds. */
  blobs: z.int().min(0),
  bytes: z.int().min(0),
});

export type BackupNote = Omit<z.infer<typeof Note>, "version">;

/** Where a data directory has the note. */
function notePath(root: string): string {
  return `${root}/backup.json`;
}

/** The last backup; undefined if none was noted, or the note cannot be read. */
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

/**
 * After how long a backup is old (ms): twice the time that lay between the last
 * two and half a day, but no less than two days and no more than eight.
 */
export function oldAfter({ made_at, before_at }: BackupNote): number {
  if (before_at === undefined || before_at >= made_at) return OLD_MS;
  const usual = 2 * (made_at - before_at) + 12 * HOUR_MS;
  return Math.min(OLD_MS, Math.max(LEAST_OLD_MS, usual));
}

/** Writes the note of a backup; the note before it says when the last was. */
export async function writeBackupNote(
  files: Files,
  root: string,
  note: Omit<BackupNote, "before_at">,
): Promise<void> {
  const before_at = readBackupNote(files, root)?.made_at;
  const text = JSON.stringify({ version: 1, ...note, before_at });
  const bytes = new TextEncoder().encode(`${text}\n`);
  await writeDurably(files, notePath(root), bytes);
}
