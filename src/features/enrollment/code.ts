/**
 * The text of an enrollment code: 10 characters of Crockford base32, of which
 * only the SHA-256 is stored (protocol/devices.md#enrollment).
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Platform } from "../../core/platform.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/;
const LENGTH = 10;
const GROUP = 5;
/** Longer than anybody types one, hyphens and spaces included. */
const TYPED_MAX = 64;

/** Draws a code in its canonical form. */
export function drawCode(random: Platform["random"]): string {
  // 32 divides 256, so that the low five bits of a byte are evenly spread.
  return Array.from(
    random(LENGTH),
    (byte) => ALPHABET.charAt(byte & 0x1f),
  ).join("");
}

/** A code as people are shown it: `XXXXX-XXXXX`. */
export function showCode(code: string): string {
  return `${code.slice(0, GROUP)}-${code.slice(GROUP)}`;
}

/**
 * The canonical form of a typed code: case, hyphens and spaces do not count,
 * and letters that look like digits are those digits. Undefined for what no
 * code looks like.
 */
export function readCode(typed: string): string | undefined {
  if (typed.length > TYPED_MAX) return undefined;
  const bare = typed.replace(/[- ]/g, "");
  // Before the case: some foreign letters have a capital that is ASCII.
  if (!/^[0-9A-Za-z]*$/.test(bare)) return undefined;
  const code = bare.toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  return CODE.test(code) ? code : undefined;
}

/** What the store keeps of a code in its canonical form. */
export function hashCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
