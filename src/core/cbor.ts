/**
 * Canonical CBOR (RFC 8949 section 4.2.1) in the profile of
 * protocol/signed-things.md#canonical-cbor: shortest forms, definite lengths,
 * text-keyed maps in the bytewise order of their encoded keys, no duplicates,
 * no floats, no tags, no undefined, integers within the safe range.
 *
 * One value has one encoding, so a hash or a signature over bytes speaks of the
 * value. The profile is small enough to be implemented here. General libraries
 * accept more than it allows, and a web page would have to load them.
 *
 * @module
 */

import { asBufferSource, type Bytes, fromUtf8, utf8 } from "./bytes.ts";

/** A value of the profile. Decoded maps have no prototype. */
export type CborValue =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | CborValue[]
  | CborMap;

/** A text-keyed map; any text is a safe key, `__proto__` too. */
export type CborMap = { [key: string]: CborValue };

/** Bounds on what {@link decodeCanonical} takes. */
export interface CborLimits {
  /** How deep arrays and maps may be nested; default 16. */
  readonly maxDepth?: number;
  /**
   * Total of items, map keys included; by default only the input's length
   * limits it.
   */
  readonly maxItems?: number;
}

/** Bytes or a value outside the profile; the message says what and where. */
export class CborError extends Error {
  override readonly name = "CborError";
}

const DEFAULT_MAX_DEPTH = 16;
/** The values of 20, 21 and 22 of major type 7. */
const SIMPLE_VALUES = [false, true, null] as const;
/** Whether a value is a map: not null, not an array, not bytes. */
export function isCborMap(value: CborValue | undefined): value is CborMap {
  return typeof value === "object" && value !== null &&
    !Array.isArray(value) && !(value instanceof Uint8Array);
}

/**
 * The one canonical encoding of a value. Throws {@link CborError} for a float,
 * an unsafe integer, a text that is not well-formed Unicode, undefined
 * (properties too), or nesting beyond 16.
 */
export function encodeCanonical(value: CborValue): Bytes {
  return encodeBounded(value, DEFAULT_MAX_DEPTH);
}

/**
 * The value of canonical bytes. Throws {@link CborError} for anything that
 * {@link encodeCanonical} would have written differently, and for nesting
 * beyond `limits.maxDepth` or more items than `limits.maxItems`. Work and memory stay proportional to the input.
 */
export function decodeCanonical(
  bytes: Uint8Array,
  limits: CborLimits = {},
): CborValue {
  const maxDepth = limits.maxDepth ?? DEFAULT_MAX_DEPTH;
  scanHeads(bytes, maxDepth, limits.maxItems ?? Infinity);
  return new Reader(asBufferSource(bytes)).value();
}

/** Reads what {@link scanHeads} has found to be whole and well-formed. */
class Reader {
  #offset = 0;
  constructor(readonly bytes: Bytes) {}

  value(): CborValue {
    const { major, argument, length } = readHead(this.bytes, this.#offset);
    this.#offset += length;
    switch (major) {
      case 0:
        return argument;
      case 1:
        return -1 - argument;
      case 2:
        // A copy, so that a byte string which is kept does not keep the whole
        // input in memory.
        return this.#take(argument).slice();
      case 3:
        return this.#text(argument);
      case 4:
        return Array.from({ length: argument }, () => this.value());
      case 5:
        return this.#map(argument);
      default:
        return SIMPLE_VALUES[argument] ?? null;
    }
  }

  #take(length: number): Bytes {
    const start = this.#offset;
    this.#offset += length;
    return this.bytes.subarray(start, this.#offset);
  }

  #text(length: number): string {
    const text = fromUtf8(this.#take(length));
    if (text === undefined) throw new CborError("text is not valid UTF-8");
    return text;
  }

  #map(entries: number): CborMap {
    const map: CborMap = Object.create(null);
    let before: Bytes | undefined;
    for (let i = 0; i < entries; i++) {
      const { major, argument, length } = readHead(this.bytes, this.#offset);
      if (major !== 3) throw new CborError("map key is not text");
      this.#offset += length;
      const from = this.#offset;
      const key = this.#text(argument);
      const encoded = this.bytes.subarray(from, this.#offset);
      if (before !== undefined && compareKeys(before, encoded) >= 0) {
        throw new CborError(
          "not the canonical encoding: map keys out of order",
        );
      }
      before = encoded;
      map[key] = this.value();
    }
    return map;
  }
}

/**
 * Compares two keys, given as UTF-8, by their encodings. In shortest form a
 * longer text has the greater head, so the length decides first.
 */
function compareKeys(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [i, byte] of a.entries()) {
    const difference = byte - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Checks all heads before anything is allocated for the lengths that they
 * claim, and without recursion. Refuses a head whose content cannot fit into
 * the remaining bytes, indefinite lengths, tags, floats and unknown simple
 * values.
 */
function scanHeads(
  bytes: Uint8Array,
  maxDepth: number,
  maxItems: number,
): void {
  const openItems: number[] = [1];
  let offset = 0;
  let seen = 0;
  while (openItems.length > 0) {
    const depth = openItems.length - 1;
    const left = openItems[depth] ?? 0;
    if (left === 0) {
      openItems.pop();
      continue;
    }
    openItems[depth] = left - 1;
    seen += 1;
    if (seen > maxItems) throw new CborError(`more than ${maxItems} items`);
    const head = readHead(bytes, offset);
    offset += head.length;
    const room = bytes.length - offset;
    if (head.major === 2 || head.major === 3) {
      if (head.argument > room) {
        throw new CborError(`string beyond the end at ${offset}`);
      }
      offset += head.argument;
    } else if (head.major === 4 || head.major === 5) {
      const items = head.argument * (head.major === 5 ? 2 : 1);
      if (items > room) {
        throw new CborError(`items beyond the end at ${offset}`);
      }
      if (depth + 1 > maxDepth) {
        throw new CborError(`nested deeper than ${maxDepth}`);
      }
      openItems.push(items);
    }
  }
  if (offset !== bytes.length) {
    throw new CborError(`bytes after the end at ${offset}`);
  }
}

interface Head {
  readonly major: number;
  readonly argument: number;
  readonly length: number;
}

function readHead(bytes: Uint8Array, offset: number): Head {
  const first = bytes[offset];
  if (first === undefined) throw new CborError(`ends early at ${offset}`);
  const major = first >>> 5;
  const info = first & 0x1f;
  if (major === 6) throw new CborError(`tag at ${offset}`);
  if (major === 7) {
    if (info < 20 || info > 22) {
      throw new CborError(`float, undefined or simple value at ${offset}`);
    }
    return { major, argument: info - 20, length: 1 };
  }
  if (info < 24) return { major, argument: info, length: 1 };
  if (info > 27) throw new CborError(`indefinite or reserved at ${offset}`);
  const width = 1 << (info - 24);
  if (offset + 1 + width > bytes.length) {
    throw new CborError(`ends early at ${offset}`);
  }
  let argument = 0;
  for (let i = 1; i <= width; i++) {
    argument = argument * 256 + (bytes[offset + i] ?? 0);
  }
  const shortest = width === 1 ? 24 : 256 ** (width / 2);
  if (argument < shortest) {
    throw new CborError(`not the shortest form at ${offset}`);
  }
  // A negative integer is -1 - argument, so its bound is one lower. Beyond 2^53
  // the sum above is rounded, but never to a value below the bound.
  const bound = Number.MAX_SAFE_INTEGER - (major === 1 ? 1 : 0);
  if (argument > bound) throw new CborError(`integer too large at ${offset}`);
  return { major, argument, length: 1 + width };
}

function encodeBounded(value: CborValue, maxDepth: number): Bytes {
  const writer = new Writer();
  writer.value(value, maxDepth);
  return writer.written();
}

/** Bytes that grow as they are written. */
class Writer {
  #bytes = new Uint8Array(256);
  #length = 0;

  /**
   * A copy of the bytes written, so that the result does not expose the larger
   * buffer.
   */
  written(): Bytes {
    return this.#bytes.slice(0, this.#length);
  }

  value(value: CborValue, depthLeft: number): void {
    if (value === null) return this.#head(7, 22);
    switch (typeof value) {
      case "boolean":
        return this.#head(7, value ? 21 : 20);
      case "number":
        if (!Number.isSafeInteger(value)) {
          throw new CborError(`${value} is not a safe integer`);
        }
        return value < 0 ? this.#head(1, -1 - value) : this.#head(0, value);
      case "string":
        return this.#string(3, encodedText(value));
      case "object":
        break;
      default:
        // The types rule this out, but a value may come from untyped code.
        throw new CborError(`${typeof value} is not in the profile`);
    }
    if (value instanceof Uint8Array) return this.#string(2, value);
    if (depthLeft === 0) throw new CborError("nested too deep");
    if (Array.isArray(value)) {
      this.#head(4, value.length);
      // forEach would skip the holes of a sparse array.
      for (const item of value) this.value(item, depthLeft - 1);
      return;
    }
    const entries = Object.entries(value)
      .map(([key, item]) => ({ key: encodedText(key), item }))
      .sort((a, b) => compareKeys(a.key, b.key));
    this.#head(5, entries.length);
    for (const { key, item } of entries) {
      this.#string(3, key);
      this.value(item, depthLeft - 1);
    }
  }

  #string(major: number, bytes: Uint8Array): void {
    this.#head(major, bytes.length);
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #head(major: number, argument: number): void {
    this.#room(9);
    const put = (byte: number) => {
      this.#bytes[this.#length++] = byte;
    };
    if (major === 7 || argument < 24) return put(major << 5 | argument);
    const power = [8, 16, 32].findIndex((bits) => argument < 2 ** bits);
    const info = power < 0 ? 3 : power;
    put(major << 5 | 24 + info);
    for (let left = 1 << info; left > 0; left--) {
      put(Math.floor(argument / 256 ** (left - 1)) % 256);
    }
  }

  #room(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

function encodedText(text: string): Bytes {
  if (!text.isWellFormed()) throw new CborError("text has a lone surrogate");
  return utf8(text);
}
