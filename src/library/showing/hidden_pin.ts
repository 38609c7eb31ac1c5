/**
 * The PIN before hidden photos: a setting of the account, so that they are
 * locked on every device and after every sign-in. It keeps out who looks on,
 * and encrypts nothing: a program that has the account's keys has the photos
 * (protocol/client-cryptography.md#state-slots).
 *
 * @module
 */
import { fromBase64, toBase64 } from "../../core/bytes.ts";
import { EscrowError } from "../../client/documents/escrow.ts";
import {
  changedAt,
  type LibraryState,
  type Setting,
} from "../../client/documents/state.ts";
import {
  HIDDEN_PIN_LABEL,
  openWithPhrase,
  sealWithPhrase,
} from "../account/unlock_phrase.ts";
import type { LibraryPlatform } from "../base/platform.ts";

type Settings = LibraryState["settings"];

const NAME = "hidden-pin";
const KEY_BYTES = 32;

/** Whether a text can be a PIN: 4 to 12 digits. */
function isPin(text: string): boolean {
  return /^[0-9]{4,12}$/.test(text);
}

function heldIn(settings: Settings): unknown {
  const { value, removed } = settings[NAME] ?? {};
  return removed === true ? undefined : value;
}

/** Whether hidden photos are locked; what is not understood locks them too. */
export function hasHiddenPin(settings: Settings): boolean {
  return (heldIn(settings) ?? false) !== false;
}

/** A box that a PIN opens, in base64. Throws a RangeError for another text. */
export async function sealHiddenPin(
  platform: LibraryPlatform,
  pin: string,
): Promise<string> {
  if (!isPin(pin)) throw new RangeError("a PIN has 4 to 12 digits");
  const key = platform.random(KEY_BYTES);
  return toBase64(await sealWithPhrase(platform, pin, key, HIDDEN_PIN_LABEL));
}

/** The settings with the box of a PIN, or without one. */
export function withHiddenPin(
  settings: Settings,
  box: string | undefined,
  now: number,
): Settings {
  const at = changedAt(settings[NAME], now);
  const entry: Setting = { value: box ?? false, at };
  return { ...settings, [NAME]: entry };
}

/** Whether a PIN is the one of the settings. */
export async function isHiddenPin(
  platform: LibraryPlatform,
  settings: Settings,
  typed: string,
): Promise<boolean> {
  const value = heldIn(settings);
  const box = typeof value === "string" ? fromBase64(value) : undefined;
  if (box === undefined) return false;
  try {
    return await openWithPhrase(platform, typed, box, HIDDEN_PIN_LABEL) !==
      undefined;
  } catch (error) {
    // What a newer program made, or no one: only the way back opens it.
    if (error instanceof EscrowError) return false;
    throw error;
  }
}
