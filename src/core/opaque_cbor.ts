/**
 * Any canonical CBOR (RFC 8949 section 4.2.1), for documents that the server
 * stores and does not read (protocol/signed-things.md#opaque-bytes): keys of
 * every type, integers of every size, floats and tags are taken. The bytes are
 * walked once, without recursion, and nothing is built from them.
 *
 * @module
 */
import { fromUtf8, toHex, utf8 } from "./bytes.ts";
import { CborError } from "./cbor.ts";

/** Bounds on what {@link scanOpaqueMap} takes. */
interface OpaqueLimits {
  /** How deep arrays, maps and tags may be nested, the map itself included. */
  readonly maxDepth: number;
  /** Total of items, map keys and tags included. */
  readonly maxItems: number;
}

interface Head {
  readonly major: number;
  readonly info: number;
  /** Beyond 2^53 rounded, but never below a bound that is less than that. */
  readonly argument: number;
  /** Where the content begins. */
  readonly end: number;
}

/** An array, a map or a tag whose items are not all read. */
interface Open {
  itemsLeft: number;
  readonly isMap: boolean;
  readonly isBignum: boolean;
  /** Where the item that is being read began. */
  itemStart: number;
  /** The key before, or the one whose value is being read. */
  key: Uint8Array | undefined;
}

/**
 * Checks that bytes are one canonical map, and returns the encoded values of
 * those of its text keys that are wanted. Throws {@link CborError}.
 */
export function scanOpaqueMap(
  bytes: Uint8Array,
  wanted: readonly string[],
  limits: OpaqueLimits,
): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const names = new Map(
    wanted.map((name) => [spelled(encodedKey(name)), name]),
  );
  const open: Open[] = [];
  let offset = 0;
  let seen = 0;
  do {
    seen += 1;
    if (seen > limits.maxItems) {
      throw new CborError(`more than ${limits.maxItems} items`);
    }
    const start = offset;
    const head = readHead(bytes, offset);
    if (seen === 1 && head.major !== 5) throw new CborError("not a map");
    const parent = open.at(-1);
    if (parent !== undefined) parent.itemStart = start;
    if (parent?.isBignum) requireBignum(bytes, head);
    offset = contentEnd(bytes, head);
    const items = itemsOf(head);
    if (items > bytes.length - offset) {
      throw new CborError(`items beyond the end at ${start}`);
    }
    const isContainer = head.major >= 4 && head.major <= 6;
    if (isContainer && open.length >= limits.maxDepth) {
      throw new CborError(`nested deeper than ${limits.maxDepth}`);
    }
    if (isContainer) {
      open.push({
        itemsLeft: items,
        isMap: head.major === 5,
        isBignum: head.major === 6 &&
          (head.argument === 2 || head.argument === 3),
        itemStart: offset,
        key: undefined,
      });
      if (items > 0) continue;
      open.pop();
    }
    // An item has ended, and with it each of those that it was the last of.
    for (let holder = open.at(-1); holder !== undefined;) {
      const item = bytes.subarray(holder.itemStart, offset);
      if (holder.isMap) {
        const isKey = holder.itemsLeft % 2 === 0;
        if (isKey) requireAfter(holder.key, item);
        else if (open.length === 1) {
          const name = names.get(spelled(holder.key ?? item));
          if (name !== undefined) found.set(name, item);
        }
        if (isKey) holder.key = item;
      }
      holder.itemsLeft -= 1;
      if (holder.itemsLeft > 0) break;
      open.pop();
      holder = open.at(-1);
    }
  } while (open.length > 0);
  if (offset !== bytes.length) {
    throw new CborError(`bytes after the end at ${offset}`);
  }
  return found;
}

/** The encoding of a text of at most 23 bytes, the names that are wanted. */
function encodedKey(name: string): Uint8Array {
  const text = utf8(name);
  return Uint8Array.of(0x60 + text.length, ...text);
}

/** Bytes as a key of a map; only short ones are ever equal to a name. */
function spelled(bytes: Uint8Array): string {
  return bytes.length > 24 ? "" : toHex(bytes);
}

function requireAfter(before: Uint8Array | undefined, key: Uint8Array): void {
  if (before === undefined) return;
  const shorter = Math.min(before.length, key.length);
  for (let at = 0; at < shorter; at++) {
    const difference = (before[at] ?? 0) - (key[at] ?? 0);
    if (difference < 0) return;
    if (difference > 0) break;
  }
  // No encoding begins with another one, so equal so far is equal.
  throw new CborError("not the canonical encoding: map keys out of order");
}

/** How many items belong to a head: of an array, a map or a tag. */
function itemsOf({ major, argument }: Head): number {
  if (major === 4) return argument;
  if (major === 5) return argument * 2;
  return major === 6 ? 1 : 0;
}

/** Where the bytes of a head and of its string end; checks them. */
function contentEnd(bytes: Uint8Array, head: Head): number {
  const { major, argument, end } = head;
  if (major !== 2 && major !== 3) {
    if (major === 7) requireShortestFloat(bytes, head);
    return end;
  }
  if (argument > bytes.length - end) {
    throw new CborError(`string beyond the end at ${end}`);
  }
  const content = bytes.subarray(end, end + argument);
  if (major === 3 && fromUtf8(content) === undefined) {
    throw new CborError(`text is not valid UTF-8 at ${end}`);
  }
  return end + argument;
}

/** An integer that has a form without a tag has only that one. */
function requireBignum(
  bytes: Uint8Array,
  { major, argument, end }: Head,
): void {
  if (major !== 2) throw new CborError(`bignum without bytes at ${end}`);
  if (argument <= 8 || bytes[end] === 0) {
    throw new CborError(`bignum not in the shortest form at ${end}`);
  }
}

function readHead(bytes: Uint8Array, offset: number): Head {
  const first = bytes[offset];
  if (first === undefined) throw new CborError(`ends early at ${offset}`);
  const major = first >>> 5;
  const info = first & 0x1f;
  if (info < 24) return { major, info, argument: info, end: offset + 1 };
  if (info > 27) throw new CborError(`indefinite or reserved at ${offset}`);
  const width = 1 << (info - 24);
  const end = offset + 1 + width;
  if (end > bytes.length) throw new CborError(`ends early at ${offset}`);
  let argument = 0;
  for (let at = offset + 1; at < end; at++) {
    argument = argument * 256 + (bytes[at] ?? 0);
  }
  // Of major type 7 the argument is a float, or a simple value from 32 on.
  const shortest = major === 7
    ? info === 24 ? 32 : 0
    : width === 1
    ? 24
    : 256 ** (width / 2);
  if (argument < shortest) {
    throw new CborError(`not the shortest form at ${offset}`);
  }
  return { major, info, argument, end };
}

/** Refuses a float that a shorter one holds exactly, NaN's bits included. */
function requireShortestFloat(bytes: Uint8Array, { info, end }: Head): void {
  const at = (width: number) =>
    new DataView(bytes.buffer, bytes.byteOffset + end - width, width);
  const isShortest = info === 27
    ? !fitsSingle(at(8))
    : info === 26
    ? !fitsHalf(at(4).getUint32(0))
    : true;
  if (!isShortest) {
    throw new CborError(`float not in the shortest form at ${end}`);
  }
}

function fitsSingle(double: DataView): boolean {
  const value = double.getFloat64(0);
  // The 29 bits of the fraction that a single has not.
  if (Number.isNaN(value)) return (double.getUint32(4) & 0x1fff_ffff) === 0;
  return Math.fround(value) === value;
}

function fitsHalf(single: number): boolean {
  const exponent = (single >>> 23 & 0xff) - 127;
  const fraction = single & 0x7f_ffff;
  if (exponent === -127) return fraction === 0;
  // Infinity and NaN, and what a half writes with all bits of its fraction.
  if (exponent === 128 || exponent >= -14 && exponent <= 15) {
    return (fraction & 0x1fff) === 0;
  }
  // Subnormal halves are the multiples of 2^-24.
  if (exponent < -24 || exponent > 15) return false;
  const lost = 13 + (-14 - exponent);
  return ((fraction | 0x80_0000) & (2 ** lost - 1)) === 0;
}
