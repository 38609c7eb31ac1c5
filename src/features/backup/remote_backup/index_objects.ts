/**
 * The index of a generation: the name and the content's size of every blob that
 * it holds, so that what it needs is known without its database. It goes in
 * objects of a share of the names each, of which only those change in which a
 * name came or went.
 *
 *     32 bytes of the name, 6 of the size, and so on, in the order of names
 *
 * @module
 */
import { createHash } from "node:crypto";
import { toHex } from "../../../core/bytes.ts";
import type { Repository } from "../../../store/remote/backup/repository.ts";
import type { NamedSize } from "../../../store/remote/backup/scratch.ts";
import { Unsealable } from "../../../store/remote/backup/sealing.ts";
import type { GenerationRecord } from "./generation.ts";

const NAME_BYTES = 32;
const ENTRY_BYTES = NAME_BYTES + 6;
/** Names that an object has, about. */
const NAMES = 32 * 1024;
const OBJECTS_MAX_BITS = 16;
/** Twice what one has at most, by any accident. */
const OBJECT_MAX_BYTES = 16 * 1024 * 1024;

interface IndexObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
}

/** Names in their order, as so many objects as their count asks for. */
export function* indexObjects(
  entries: Iterable<NamedSize>,
  count: number,
): Generator<IndexObject, void, void> {
  let bits = 0;
  while (count / 2 ** bits > NAMES && bits < OBJECTS_MAX_BITS) bits += 1;
  const shareOf = ({ name }: NamedSize) =>
    parseInt(name.slice(0, 4), 16) >> (16 - bits);
  let share: NamedSize[] = [];
  for (const entry of entries) {
    const [first] = share;
    if (first !== undefined && shareOf(first) !== shareOf(entry)) {
      yield objectOf(share);
      share = [];
    }
    share.push(entry);
  }
  if (share.length > 0) yield objectOf(share);
}

function objectOf(share: readonly NamedSize[]): IndexObject {
  const bytes = new Uint8Array(share.length * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [at, { name, size }] of share.entries()) {
    const offset = at * ENTRY_BYTES;
    bytes.set(Uint8Array.fromHex(name), offset);
    view.setUint16(offset + NAME_BYTES, Math.floor(size / 2 ** 32));
    view.setUint32(offset + NAME_BYTES + 2, size % 2 ** 32);
  }
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** An object of an index that cannot be read. */
export class IndexDamaged extends Error {
  constructor(readonly object: string, readonly how: "missing" | "damaged") {
    super(`the index ${object} is ${how}`);
  }
}

/** The names of a generation's blobs; throws {@link IndexDamaged}. */
export async function* indexOf(
  repository: Repository,
  { index }: Pick<GenerationRecord, "index">,
): AsyncGenerator<NamedSize, void, void> {
  for (const { name, bytes } of index) {
    if (bytes > OBJECT_MAX_BYTES) throw new IndexDamaged(name, "damaged");
    const found = await repository.object(name, bytes);
    if (typeof found === "string") throw new IndexDamaged(name, found);
    yield* entriesOf(await gather(found.content, bytes, name));
  }
}

async function gather(
  content: AsyncIterable<Uint8Array>,
  bytes: number,
  name: string,
): Promise<Uint8Array> {
  const whole = new Uint8Array(bytes);
  let at = 0;
  try {
    for await (const piece of content) {
      whole.set(piece, at);
      at += piece.length;
    }
  } catch (error) {
    if (error instanceof Unsealable || error instanceof RangeError) {
      throw new IndexDamaged(name, "damaged");
    }
    throw error;
  }
  if (at === bytes) return whole;
  throw new IndexDamaged(name, "damaged");
}

function* entriesOf(bytes: Uint8Array): Generator<NamedSize, void, void> {
  const view = new DataView(bytes.buffer);
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    yield {
      name: toHex(bytes.subarray(at, at + NAME_BYTES)),
      size: view.getUint16(at + NAME_BYTES) * 2 ** 32 +
        view.getUint32(at + NAME_BYTES + 2),
    };
  }
}
