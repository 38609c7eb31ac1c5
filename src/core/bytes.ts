/**
 * Bytes and their text forms. Every reader here is strict: one byte string has
 * exactly one accepted text, so that comparing texts compares bytes.
 *
 * @module
 */

/** Bytes that Web APIs accept as a `BufferSource`: never shared memory. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A source of cryptographic randomness, handed in by the platform. */
export type RandomBytes = (length: number) => Uint8Array;

/** A smaller buffer is not worth the call, and may be shared (bytes). */
const WORTH_LETTING_GO = 32 * 1024;

const HEX = /^(?:[0-9a-f]{2})*$/;
const BASE64 = /^[A-Za-z0-9+/]*$/;
const WHITE_SPACE = /\s/;
const BASE64_URL = /^[A-Za-z0-9_-]*$/;
const BASE64_ALPHABET =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** What browsers have since 2025. */
interface NativeBytes {
  toHex(): string;
  toBase64(): string;
}
interface NativeConstructor {
  fromHex(text: string): Bytes;
  fromBase64(text: string): Bytes;
}
const native: typeof Uint8Array & Partial<NativeConstructor> = Uint8Array;
const hasNativeHex = (bytes: Uint8Array): bytes is Uint8Array & NativeBytes =>
  "toHex" in bytes;
const hasNativeBase64 = (
  bytes: Uint8Array,
): bytes is Uint8Array & NativeBytes => "toBase64" in bytes;

/** Lowercase hex, two characters a byte. */
export function toHex(bytes: Uint8Array): string {
  if (hasNativeHex(bytes)) return bytes.toHex();
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** The bytes of lowercase hex; undefined for anything else, capitals too. */
export function fromHex(text: string): Bytes | undefined {
  if (!HEX.test(text)) return undefined;
  if (native.fromHex !== undefined) return native.fromHex(text);
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  }
  return bytes;
}

/** Standard base64 with padding (RFC 4648 section 4). */
export function toBase64(bytes: Uint8Array): string {
  if (hasNativeBase64(bytes)) return bytes.toBase64();
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x2000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x2000));
  }
  return btoa(binary);
}

/**
 * The bytes of standard base64; undefined unless the text is the one that
 * {@link toBase64} would give: padded, no white space, zero trailing bits.
 */
export function fromBase64(text: string): Bytes | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const digits = text.slice(0, text.length - padding);
  if (digits.length % 4 === 0 && padding > 0) return undefined;
  return decodeDigits(digits);
}

/** URL-safe base64 without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replace(/=+$/, "").replaceAll("+", "-")
    .replaceAll("/", "_");
}

/**
 * The bytes of URL-safe base64 without padding; undefined unless the text is
 * the one that {@link toBase64Url} would give.
 */
export function fromBase64Url(text: string): Bytes | undefined {
  if (!BASE64_URL.test(text)) return undefined;
  return decodeDigits(text.replaceAll("-", "+").replaceAll("_", "/"));
}

function decodeDigits(digits: string): Bytes | undefined {
  const remainder = digits.length % 4;
  if (remainder === 1) return undefined;
  // The last digit of a partial group has bits that belong to no byte. If they
  // could be set, two texts would name one byte string (RFC 4648 section 3.5).
  const unusedBits = remainder === 2 ? 0b1111 : remainder === 3 ? 0b11 : 0;
  const lastDigit = BASE64_ALPHABET.indexOf(digits.slice(-1));
  if ((lastDigit & unusedBits) !== 0) return undefined;
  if (native.fromBase64 !== undefined) {
    return nativeDigits(digits, native.fromBase64);
  }
  if (!BASE64.test(digits)) return undefined;
  return Uint8Array.from(atob(digits), (char) => char.charCodeAt(0));
}

/** The native decoder refuses wrong digits itself, but skips white space. */
function nativeDigits(
  digits: string,
  fromBase64: NativeConstructor["fromBase64"],
): Bytes | undefined {
  if (WHITE_SPACE.test(digits)) return undefined;
  try {
    return fromBase64(digits);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** One new array with the bytes of all parts in order. */
export function concatBytes(...parts: Uint8Array[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/**
 * Whether two byte strings are equal. The time taken depends on the lengths
 * alone, so a secret may be compared with a guess.
 */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let i = 0; i < left.length; i++) {
    difference |= (left[i] ?? 0) ^ (right[i] ?? 0);
  }
  return difference === 0;
}

/**
 * The same bytes as a type that Web APIs accept: a view of the same memory, or
 * a copy if that memory is shared.
 */
export function asBufferSource(bytes: Uint8Array): Bytes {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

const encoder = new TextEncoder();
// ignoreBOM keeps a leading U+FEFF: dropping it would change what was signed.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The UTF-8 bytes of a text; a lone surrogate becomes U+FFFD. */
export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

/** The text of UTF-8 bytes; undefined when they are not valid UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Gives the memory of bytes back at once, where the runtime can. A collector
 * sees large buffers as a few words each and lets hundreds of megabytes of them
 * stand, or looks through everything to find them. Who still holds the bytes
 * holds none: there is nothing wrong left to be read. Those that share their
 * buffer with others stay.
 */
export function letGo({ buffer, byteLength }: Uint8Array): void {
  const isWhole = byteLength === buffer.byteLength;
  if (!isWhole || byteLength < WORTH_LETTING_GO) return;
  // Browsers older than 2024 lack it; the type library says it is there.
  if ("transfer" in buffer) buffer.transfer(0);
}
