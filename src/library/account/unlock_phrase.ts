/**
 * The unlock phrase, which a device asks for before it opens its stored data.
 * The phrase seals a key of 32 bytes, so that it is stretched once and not with
 * every change of the data.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import {
  EscrowError,
  openWithPassphrase,
  sealWithPassphrase,
} from "../../client/documents/escrow.ts";
import { type LibraryPlatform, passphraseOptions } from "../base/platform.ts";

/** A label of its own: such a box opens nothing at the server. */
const LABEL = "service-device-unlock/v1";
/** Of the box that the PIN of hidden photos opens. */
export const HIDDEN_PIN_LABEL = "service-hidden-pin/v1";

/** Seals a key under an unlock phrase. */
export function sealWithPhrase(
  platform: LibraryPlatform,
  phrase: string,
  key: Uint8Array,
  label = LABEL,
): Promise<Bytes> {
  const options = passphraseOptions(platform);
  return sealWithPassphrase(phrase, key, label, platform.random, options);
}

/** Opens the key; undefined if the phrase is another. */
export async function openWithPhrase(
  platform: LibraryPlatform,
  phrase: string,
  box: Uint8Array,
  label = LABEL,
): Promise<Bytes | undefined> {
  const options = passphraseOptions(platform);
  try {
    return await openWithPassphrase(phrase, box, label, options);
  } catch (error) {
    const wrong = error instanceof EscrowError &&
      error.fault === "passphrase_wrong";
    if (wrong) return undefined;
    throw error;
  }
}
