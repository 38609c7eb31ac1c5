/**
 * Plaintexts in memory: given bytes, and files small enough to be read once.
 *
 * Bytes in memory do not change, so they are hashed only once, both for looking
 * the file up in the library and for sealing it.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { type PlainSource, SourceChanged } from "../sealed_source.ts";

/** A plaintext up to this size is read into memory (bytes). */
const HELD_BYTES = 8 * 1024 * 1024;

/** The sources in memory, with their SHA-256 in hex once it was computed. */
const held = new WeakMap<PlainSource, { sha256: string | undefined }>();

/** A source over bytes in memory, which must not be changed any more. */
export function plainOf(bytes: Bytes): PlainSource {
  const source = {
    size: bytes.length,
    read: (offset: number, length: number) =>
      Promise.resolve(bytes.subarray(offset, offset + length)),
  };
  held.set(source, { sha256: undefined });
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
  if (bytes.length === source.size) return plainOf(bytes);
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
