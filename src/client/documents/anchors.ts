/**
 * Trust in identity anchors (protocol/client-cryptography.md#safety-numbers):
 * an anchor is pinned on first sight, and two people can compare a safety
 * number.
 *
 * @module
 */
import { concatBytes, fromHex, utf8 } from "../../core/bytes.ts";
import { isBlobHash } from "../../core/ids.ts";
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import { sha256 } from "../../crypto/sha256.ts";
import { deriveKey } from "./suite.ts";

const LABEL = "service-safety-number/v1";
const GROUPS = 12;
const GROUP_BYTES = 5;
const GROUP_DIGITS = 5;

/** How an anchor that a server shows compares with the pinned one. */
export type AnchorVerdict =
  /** No anchor is pinned yet: pin this one. */
  | "first_sight"
  | "same"
  /**
   * It is another one: warn the person, seal nothing to it and trust nothing
   * that it signed.
   */
  | "changed";

/** Judges the `key_id` that a server shows against the pinned one. */
export function judgeAnchor(
  pinned: string | undefined,
  shown: string,
): AnchorVerdict {
  if (pinned === undefined) return "first_sight";
  return pinned === shown ? "same" : "changed";
}

/**
 * The safety number of two people, which they compare so that no server can
 * show a false identity to one of them: twelve groups of five digits. The order
 * of the two does not matter. Takes the `key_id`s of both anchors; throws a
 * RangeError for anything else.
 */
export function safetyNumber(
  one: string,
  other: string,
  primitives: Primitives = portablePrimitives,
): string {
  const ids = [one, other].toSorted().map(keyIdBytes);
  const digest = sha256(concatBytes(utf8(LABEL), new Uint8Array(1), ...ids));
  const bytes = deriveKey(
    primitives,
    digest,
    new Uint8Array(),
    LABEL,
    GROUPS * GROUP_BYTES,
  );
  const groups = Array.from({ length: GROUPS }, (_, i) => {
    const group = bytes.subarray(GROUP_BYTES * i, GROUP_BYTES * (i + 1));
    const value = group.reduce((sum, byte) => 256 * sum + byte, 0);
    return String(value % 10 ** GROUP_DIGITS).padStart(GROUP_DIGITS, "0");
  });
  return groups.join(" ");
}

/** The text of the QR code: the sixty digits without blanks. */
export function safetyCode(number: string): string {
  return number.replaceAll(" ", "");
}

/** Whether a text that was scanned or typed is this number. */
export function isSafetyNumber(number: string, given: string): boolean {
  return safetyCode(number) === given.replace(/\s+/gu, "");
}

function keyIdBytes(keyId: string): Uint8Array {
  const bytes = isBlobHash(keyId) ? fromHex(keyId) : undefined;
  if (bytes === undefined) throw new RangeError("not a key id");
  return bytes;
}
