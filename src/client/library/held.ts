/**
 * Plaintexts: bytes at hand, and files that are small enough to be read once.
 *
 * What is in memory stays what it is, so that it is hashed once: whoever looks
 * whether the library has it, and then seals it, does not hash it again.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { type PlainSource, SourceChanged } from "../sealed_source.ts";

/** A plaintext of up to so many bytes is read once, and held. */
const HELD_BYTES = 8 * 1024 * 1024;

/** What is held, with its SHA-256 in hex once somebody computed it. */
const held = new WeakMap<PlainSource, { sha256: string | undefined }>();

/** Bytes at hand as a plaintext; they must not be changed any more. */
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
 * A source whose bytes nobody can change meanwhile: a small one is read here
 * and now, a large one stays what it is. Throws SourceChanged where it is
 * shorter than it was said to be.
 */
export async function heldSource(source: PlainSource): Promise<PlainSource> {
  if (source.size > HELD_BYTES || held.has(source)) return source;
  const bytes = await source.read(0, source.size);
  if (bytes.length === source.size) return plainOf(bytes);
  throw new SourceChanged("it is shorter now");
}

/** The hash of what is held, where it was computed before. */
export function heldHash(source: PlainSource): string | undefined {
  return held.get(source)?.sha256;
}

/** Remembers the hash of what is held. */
export function noteHash(source: PlainSource, sha256: string): void {
  const one = held.get(source);
  if (one !== undefined) one.sha256 = sha256;
}
