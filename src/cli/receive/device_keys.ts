/**
 * What the password of a telephone opens: only what this program keeps about
 * that telephone's folder, and nothing that it took.
 *
 * The password is random and long, so a fast derivation is enough. The program
 * keeps a verifier and never the password, so names and sizes that lie on its
 * disk open only while the telephone speaks with it.
 *
 * @module
 */
import { createHmac } from "node:crypto";
import { type Bytes, equalBytes, utf8 } from "../../core/bytes.ts";
import { nativePrimitives } from "../../client/keys/native.ts";
import { sealingKeyPairFromSeed } from "../../client/keys/sealing.ts";
import { KEY_BYTES, NONCE_BYTES } from "../../client/documents/suite.ts";

/** What a telephone says of itself. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
}

/** Keys that derive from a telephone's password. */
export interface DeviceKeys {
  /** What the program keeps to know the password again. */
  readonly verifier: Bytes;
  /** Seals the names and sizes of the telephone's folder. */
  readonly listing: Bytes;
  /** Blinds names and the hashes of files. */
  readonly blind: Bytes;
  /** Opens the list of what is proven to be kept: an X-Wing seed. */
  readonly safe: Bytes;
}

const LABEL = "strongroom-receive/v1";

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
/** 24 of 31: 118 bits. */
const LENGTH = 24;
const GROUP = 6;

/** A new password, in groups that people can type. */
export function newPassword(random: (length: number) => Uint8Array): string {
  let text = "";
  while (text.length < LENGTH) {
    for (const byte of random(LENGTH)) {
      // Bytes beyond a whole multiple would make some letters more frequent.
      if (byte >= 256 - 256 % ALPHABET.length) continue;
      if (text.length < LENGTH) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text.match(new RegExp(`.{${GROUP}}`, "g"))?.join("-") ?? text;
}

/** The keys of a password. Hyphens, spaces and capitals do not count. */
export function deviceKeys(password: string, salt: Uint8Array): DeviceKeys {
  const typed = password.replace(/[\s-]/g, "").toLowerCase();
  const keys = nativePrimitives.hkdfSha256(
    utf8(typed),
    salt,
    utf8(LABEL),
    4 * KEY_BYTES,
  );
  const part = (at: number) => keys.slice(at * KEY_BYTES, (at + 1) * KEY_BYTES);
  return {
    verifier: part(0),
    listing: part(1),
    blind: part(2),
    safe: part(3),
  };
}

/** The half of a telephone's key for lists that may lie on the disk. */
export function safeKeyOf({ safe }: DeviceKeys): Bytes {
  return sealingKeyPairFromSeed(safe).publicKey;
}

/** Whether a password is the one of a verifier. */
export function isPassword(keys: DeviceKeys, verifier: Uint8Array): boolean {
  // Both are derived: how long comparing takes tells nothing of the password.
  return equalBytes(keys.verifier, verifier);
}

/** A text that cannot be guessed without the password. */
export function blinded(
  { blind }: DeviceKeys,
  kind: "place" | "content",
  text: string,
): Bytes {
  const mac = createHmac("sha256", blind).update(`${kind}\0${text}`).digest();
  return new Uint8Array(mac);
}

/** Seals what is kept about a file or a folder. */
export function sealAbout(
  { listing }: DeviceKeys,
  plaintext: Uint8Array,
  random: (length: number) => Uint8Array,
): Bytes {
  const nonce = random(NONCE_BYTES);
  const box = nativePrimitives.seal(listing, nonce, plaintext);
  const sealed = new Uint8Array(nonce.length + box.length);
  sealed.set(nonce);
  sealed.set(box, nonce.length);
  return sealed;
}

/** Opens it again; undefined if it was changed. */
export function openAbout(
  { listing }: DeviceKeys,
  sealed: Uint8Array,
): Bytes | undefined {
  return nativePrimitives.open(
    listing,
    sealed.subarray(0, NONCE_BYTES),
    sealed.subarray(NONCE_BYTES),
  );
}
