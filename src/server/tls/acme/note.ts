/**
 * How the last try to get a certificate went, for `strongroom doctor`.
 *
 * @module
 */
import { z } from "zod";
import type { AcmeSettings } from "../../../config.ts";
import { fromUtf8, utf8 } from "../../../core/bytes.ts";
import { type Files, writeDurably } from "../../../store/files/files.ts";

const noteSchema = z.strictObject({
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
  /** Why it failed; absent where it did not. */
  fault: z.string().optional(),
  /** When it is tried again. */
  next: z.number().optional(),
});

/** How a try went, and when. */
type AcmeNote = z.infer<typeof noteSchema>;

const pathOf = ({ directoryPath }: AcmeSettings) =>
  `${directoryPath}/last.json`;

/** Notes how a try went. */
export function noteAttempt(
  files: Files,
  settings: AcmeSettings,
  note: AcmeNote,
): Promise<void> {
  return writeDurably(files, pathOf(settings), utf8(JSON.stringify(note)));
}

/** How the last try went; undefined where there was none. */
export function readAttempt(
  files: Pick<Files, "readWhole">,
  settings: AcmeSettings,
): AcmeNote | undefined {
  const text = fromUtf8(files.readWhole(pathOf(settings)) ?? new Uint8Array());
  if (text === undefined || text === "") return undefined;
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
