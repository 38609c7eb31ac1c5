/**
 * Plaintexts in memory: given bytes, and files small enough to be read once.
 *
 * Bytes in memory do not change, so they are hashed only once, both for looking
 * the file up in the library and for sealing it.
 *
 * @module
 */
import { type Bytes, letGo } from "../../core/bytes.ts";
import { type PlainSource, SourceChanged } from "../sealed_source.ts";

/** A plaintext up to this size is read into memory (bytes). */
const HELD_BYTES = 6 * 1024 * 1024;

/** A source in memory. */
interface Held {
  /** In hex, once it was computed. */
  sha256: string | undefined;
  /** The bytes, if they were read here and nobody else has them. */
  readonly own?: Bytes;
}

const held = new WeakMap<PlainSource, Held>();

/** A source over bytes in memory, which must not be changed any more. */
export function plainOf(bytes: Bytes): PlainSource {
  return remembered(bytes, { sha256: undefined });
}

function remembered(bytes: Bytes, as: Held): PlainSource {
  const source = {
    size: bytes.length,
    read: (offset: number, length: number) =>
      Promise.resolve(bytes.subarray(offset, offset + length)),
  };
  held.set(source, as);
  return source;
}

/**
 * Reads a small source into memory, where nobody can change it; a large one is
 * returned as it is. Throws SourceChanged if it is shorter than its stated
 * size.
 */
export async function heldSource(source: PlainSource): Promise<PlainSource> {
  if (source.size > HELD_BYTES || held.has(source)) return source;
  const bytes = await source.read(0, source.size);
  if (bytes.length === source.size) {
    const own = source.isFresh ? { own: bytes } : {};
    return remembered(bytes, { sha256: undefined, ...own });
  }
  throw new SourceChanged("it is shorter now");
}

/** The hash of a source in memory, if it was computed before. */
export function heldHash(source: PlainSource): string | undefined {
  return held.get(source)?.sha256;
}

/** Remembers the hash of a source in memory. */
export function noteHash(source: PlainSource, sha256: string): void {
  const one = held.get(source);
  if (one !== undefined) one.sha256 = sha256;
}

/**
 * Frees what {@link heldSource} read: the source cannot be read any more. One
 * that somebody else has the bytes of stays.
 */
export function releaseHeld(source: PlainSource): void {
  const own = held.get(source)?.own;
  if (own !== undefined) letGo(own);
}
