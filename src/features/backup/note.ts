/**
 * A note of the last backup: when it ended and where it lies. It is a small
 * file in the data directory, so that the server's metrics and the doctor can
 * tell how old a backup is without its disk.
 *
 * @module
 */
import { z } from "zod";
import { type Files, writeDurably } from "../../store/files.ts";

const Note = z.strictObject({
  version: z.literal(1),
  dir: z.string(),
  /** Of what moment it is (ms). */
  made_at: z.int(),
  /** Blobs and receipts that it found damaged or missing on the server. */
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
