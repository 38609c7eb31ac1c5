/**
 * Plaintexts in memory: given bytes, and files small enough to be read once.
 *
 * Bytes in memory do not change, so they are hashed only once, both for looking
 * the file up in the library and for sealing it.
 *
 * @module
 */
import { type Bytes, letGo } from "../../core/bytes.ts";
import {
  type PlainSource,
  SourceChanged,
} from "../../client/stream/sealed_source.ts";

/** A plaintext up to this size is read into memory (bytes). */
const HELD_BYTES = 6 * 1024 * 1024;

/** A source in memory. */
interface Held {
  /** In hex, once it was computed. */
  sha256: string | undefined;
  /** The bytes; undefined after they were freed. */
  bytes: Bytes | undefined;
  /** Where they were read, if they are used nowhere else. */
  readonly from?: PlainSource;
}

const held = new WeakMap<PlainSource, Held>();

/** A source over bytes in memory, which must not be changed any more. */
export function plainOf(bytes: Bytes): PlainSource {
  return remembered(bytes.length, { sha256: undefined, bytes });
}

function remembered(size: number, as: Held): PlainSource {
  const source = {
    size,
    async read(offset: number, length: number) {
      as.bytes ??= await wholeOf(as.from, size);
      return as.bytes.subarray(offset, offset + length);
    },
  };
  held.set(source, as);
  return source;
}

async function wholeOf(
  source: PlainSource | undefined,
  size: number,
): Promise<Bytes> {
  const bytes = await source?.read(0, size);
  if (bytes?.length === size) return bytes;
  throw new SourceChanged("it is shorter now");
}

/**
 * Reads a small source into memory, where no one can change it; a large one is
 * returned as it is. Throws SourceChanged if it is shorter than its stated
 * size.
 */
export async function heldSource(source: PlainSource): Promise<PlainSource> {
  if (source.size > HELD_BYTES || held.has(source)) return source;
  const bytes = await wholeOf(source, source.size);
  return remembered(source.size, {
    sha256: undefined,
    bytes,
    ...(source.isFresh ? { from: source } : {}),
  });
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
 * Frees what {@link heldSource} read. It is read again if it is needed once
 * more, for a second attempt, and its hash is computed again, because it may
 * have been changed. Bytes that someone else has stay.
 */
export function releaseHeld(source: PlainSource): void {
  const one = held.get(source);
  if (one?.from === undefined || one.bytes === undefined) return;
  letGo(one.bytes);
  one.bytes = one.sha256 = undefined;
}
