/**
 * Where a guest's machine remembers what is under way and what was sent, so that
 * a program that was killed goes on, and nothing is sent twice by itself. The
 * key of a file is in it until its receipt is there, and not after.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, utf8 } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { uuid } from "../fields.ts";
import { base64UpTo, decodeJson, encodeJson, key } from "../json.ts";
import { SALT_BYTES } from "../stream.ts";

/** Entries by names of 64 characters. */
export interface GuestJournal {
  read(name: string): Promise<Uint8Array | undefined>;
  /** In place of what was there; on the disk when it resolves. */
  write(name: string, entry: Bytes): Promise<void>;
}

/** A sealed name and thumbnail are smaller by far (bytes). */
const SEALED_MAX_BYTES = 64 * 1024;

const noteSchema = z.object({
  /** Begun, and not known to have arrived. Secret. */
  open: z.optional(z.object({
    key,
    salt: base64UpTo(SALT_BYTES),
    sealed: base64UpTo(SEALED_MAX_BYTES),
    upload: z.optional(uuid),
  })),
  sent: z.optional(z.literal(true)),
});
/** What is known of a file and a link. */
export type GuestNote = z.output<typeof noteSchema>;

/** The notes of a link; without a journal nothing is known. */
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
