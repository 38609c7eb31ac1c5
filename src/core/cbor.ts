/**
 * Canonical CBOR (RFC 8949 section 4.2.1) in the profile of
 * protocol/signed-things.md#canonical-cbor: shortest forms, definite lengths,
 * text-keyed maps in the bytewise order of their encoded keys, no duplicates,
 * no floats, no tags, no undefined, integers within the safe range.
 *
 * One value has one encoding, so a hash or a signature over bytes speaks of the
 * value. cborg parses and writes; what it tolerates is refused here, before it
 * allocates (heads, depth, lengths) and after (the re-encoding must be equal).
 *
 * @module
 */

import {
  decode,
  type DecodeOptions,
  encode,
  rfc8949EncodeOptions,
  Token,
  Tokenizer,
  Type,
} from "cborg";
import { asBufferSource, type Bytes, equalBytes, fromUtf8 } from "./bytes.ts";
import { reasonOf } from "./reason.ts";

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
  /** Arrays and maps inside each other; default 16. */
  readonly maxDepth?: number;
  /** Items in all, map keys included; not said: as many as there are bytes. */
  readonly maxItems?: number;
}

/** Bytes or a value outside the profile; the message says what and where. */
export class CborError extends Error {
  override readonly name = "CborError";
}

const DEFAULT_MAX_DEPTH = 16;
const DECODE_OPTIONS: DecodeOptions = {
  strict: true,
  allowIndefinite: false,
  allowUndefined: false,
  allowBigInt: false,
  allowInfinity: false,
  allowNaN: false,
  useMaps: true,
  rejectDuplicateMapKeys: true,
  retainStringBytes: true,
};

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
  let decoded: unknown;
  try {
    decoded = decode(bytes, {
      ...DECODE_OPTIONS,
      // A plain view: slicing a Node.js Buffer would alias the input.
      tokenizer: new StrictTextTokenizer(asBufferSource(bytes), DECODE_OPTIONS),
    });
  } catch (cause) {
    if (cause instanceof CborError) throw cause;
    const reason = reasonOf(cause);
    throw new CborError(reason, { cause });
  }
  const value = withoutPrototypes(decoded);
  if (!equalBytes(encodeBounded(value, maxDepth), bytes)) {
    throw new CborError("not the canonical encoding: map keys out of order");
  }
  return value;
}

/** cborg replaces invalid UTF-8 and drops a leading U+FEFF; neither may be. */
class StrictTextTokenizer extends Tokenizer {
  override next(): Token {
    const token = super.next();
    if (!Type.equals(token.type, Type.string)) return token;
    // Without bytes it is the empty text, for which cborg keeps one token.
    if (token.byteValue === undefined) return token;
    const text = fromUtf8(token.byteValue);
    if (text === undefined) throw new CborError("text is not valid UTF-8");
    return new Token(token.type, text, token.encodedLength);
  }
}

/**
 * Walks the heads without recursion and without allocating for what they
 * promise: a head whose content cannot fit into the remaining bytes is refused,
 * as are indefinite lengths, tags, floats and unknown simple values.
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
    return { major, argument: 0, length: 1 };
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
  // A negative integer is -1 - argument, so its bound is one lower. Beyond
  // 2^53 the sum above is rounded, but never to below the bound.
  const bound = Number.MAX_SAFE_INTEGER - (major === 1 ? 1 : 0);
  if (argument > bound) throw new CborError(`integer too large at ${offset}`);
  return { major, argument, length: 1 + width };
}

/** What cborg decoded with `useMaps`, as a {@link CborValue}. */
function withoutPrototypes(decoded: unknown): CborValue {
  if (decoded === null || decoded instanceof Uint8Array) return decoded;
  if (Array.isArray(decoded)) return decoded.map(withoutPrototypes);
  if (decoded instanceof Map) {
    const map: CborMap = Object.create(null);
    for (const [key, value] of decoded) {
      if (typeof key !== "string") throw new CborError("map key is not text");
      map[key] = withoutPrototypes(value);
    }
    return map;
  }
  switch (typeof decoded) {
    case "string":
    case "number":
    case "boolean":
      return decoded;
    default:
      throw new CborError(`${typeof decoded} is not in the profile`);
  }
}

function encodeBounded(value: CborValue, maxDepth: number): Bytes {
  const checked = checkedForEncoding(value, maxDepth);
  // cborg may answer with a view into a pooled buffer: copy, so that the
  // buffer behind the result holds nothing else.
  return new Uint8Array(encode(checked, rfc8949EncodeOptions));
}

type Encodable =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | Encodable[]
  | Map<string, Encodable>;

function checkedForEncoding(value: CborValue, depthLeft: number): Encodable {
  if (value === null || value instanceof Uint8Array) return value;
  switch (typeof value) {
    case "boolean":
      return value;
    case "number":
      if (!Number.isSafeInteger(value)) {
        throw new CborError(`${value} is not a safe integer`);
      }
      return value;
    case "string":
      return checkedText(value);
    case "object":
      break;
    default:
      // Types forbid it; values from JSON or from outside TypeScript do not.
      throw new CborError(`${typeof value} is not in the profile`);
  }
  if (depthLeft === 0) throw new CborError("nested too deep");
  if (Array.isArray(value)) {
    return value.map((item) => checkedForEncoding(item, depthLeft - 1));
  }
  const map = new Map<string, Encodable>();
  for (const [key, item] of Object.entries(value)) {
    map.set(checkedText(key), checkedForEncoding(item, depthLeft - 1));
  }
  return map;
}

function checkedText(text: string): string {
  if (!text.isWellFormed()) throw new CborError("text has a lone surrogate");
  return text;
}
