/**
 * The journal in which a guest's machine notes which files are under way and
 * which were sent, so that a killed program can continue and no file is sent
 * twice. The journal has a file's key only until its receipt is there.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, utf8 } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { uuid } from "../../client/documents/fields.ts";
import {
  base64UpTo,
  decodeJson,
  encodeJson,
  key,
} from "../../client/documents/json.ts";

/** A store of entries with names of 64 characters. */
export interface GuestJournal {
  read(name: string): Promise<Uint8Array | undefined>;
  /** Replaces the entry; resolves once it is on the disk. */
  write(name: string, entry: Bytes): Promise<void>;
}

/** Upper bound of the sealed metadata, which is much smaller (bytes). */
const SEALED_MAX_BYTES = 64 * 1024;

const noteSchema = z.object({
  /** Set while the upload is begun and not known to be complete. Secret. */
  open: z.optional(z.object({
    key,
    sealed: base64UpTo(SEALED_MAX_BYTES),
    upload: z.optional(uuid),
  })),
  sent: z.optional(z.literal(true)),
});
/** The note of one file and one link. */
type GuestNote = z.output<typeof noteSchema>;

/** Reads and writes the notes of a link; without a journal nothing is kept. */
export function guestNotes(journal: GuestJournal | undefined, link: string) {
  const nameOf = (sha256: string) => sha256Hex(utf8(`${link}\0${sha256}`));
  return {
    async read(sha256: string): Promise<GuestNote | undefined> {
      const held = await journal?.read(nameOf(sha256));
      return held && decodeJson(noteSchema, held, "guest journal");
    },
    async write(sha256: string, note: GuestNote): Promise<void> {
      const entry = encodeJson(noteSchema, note, "guest journal");
      await journal?.write(nameOf(sha256), entry);
    },
  };
}
