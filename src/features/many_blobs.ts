/**
 * Many small blobs in one answer (protocol/manifests.md#many-blobs): each with
 * its length before it. They are read as the client takes them, so that a slow
 * one holds none of them in memory.
 *
 * @module
 */
import type { BlobHash } from "../core/ids.ts";
import type { App } from "./app.ts";

/** Bytes of blobs in one answer. */
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;

/** In the place of a length: the caller cannot read it. */
const UNREADABLE = 0xffff_ffff;
/** In the place of a length: the answer is full, ask again. */
const LEFT = 0xffff_fffe;

const LENGTH_BYTES = 4;

/** A blob that the caller was found to be allowed to read. */
export interface SizedBlob {
  readonly hash: BlobHash;
  readonly size: number;
}

type Part = SizedBlob | typeof UNREADABLE | typeof LEFT;

type Parts = Pick<App, "blobs" | "signals">;

/** The answer that holds these, in order; undefined for one that is unreadable. */
export async function manyBlobs(
  app: Parts,
  wanted: readonly (SizedBlob | undefined)[],
): Promise<{ bytes: ReadableStream<Uint8Array>; length: number }> {
  const parts = await choose(app, wanted);
  const length = parts.reduce<number>(
    (sum, part) =>
      sum + LENGTH_BYTES + (typeof part === "number" ? 0 : part.size),
    0,
  );
  return { bytes: streamOf(app, parts), length };
}

/** What becomes of each: from the first that there is no room for, nothing. */
async function choose(
  { blobs, signals: { lostBlobs } }: Parts,
  wanted: readonly (SizedBlob | undefined)[],
): Promise<Part[]> {
  await blobs.warm(wanted.filter((blob) => blob !== undefined));
  const parts: Part[] = [];
  let left = ANSWER_MAX_BYTES;
  for (const blob of wanted) {
    if (left < 0) {
      parts.push(LEFT);
    } else if (blob === undefined || blob.size > ANSWER_MAX_BYTES) {
      parts.push(UNREADABLE);
    } else if (!await blobs.isReadable(blob.hash, blob.size)) {
      await lostBlobs.note(blob.hash);
      parts.push(UNREADABLE);
    } else {
      left -= blob.size;
      parts.push(left < 0 ? LEFT : blob);
    }
  }
  return parts;
}

function streamOf(app: Parts, parts: readonly Part[]) {
  const pieces = piecesOf(app, parts);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return();
    },
  }, { highWaterMark: 0 });
}

async function* piecesOf(
  { blobs }: Parts,
  parts: readonly Part[],
): AsyncGenerator<Uint8Array, void, void> {
  for (const part of parts) {
    if (typeof part === "number") {
      yield lengthOf(part);
      continue;
    }
    const { hash, size } = part;
    const bytes = await blobs.read(hash, size, 0, size - 1);
    // Its length is told already: the connection is cut off, and not lied on.
    if (bytes === undefined) throw new Error(`blob ${hash} is gone`);
    if (bytes instanceof Uint8Array) {
      yield withLength(bytes);
    } else {
      yield lengthOf(size);
      for await (const piece of bytes) yield piece;
    }
  }
}

/** Small bytes with their length before them: one piece, not two. */
function withLength(bytes: Uint8Array): Uint8Array {
  const piece = new Uint8Array(LENGTH_BYTES + bytes.length);
  piece.set(lengthOf(bytes.length));
  piece.set(bytes, LENGTH_BYTES);
  return piece;
}

/** Four bytes, the highest first. */
function lengthOf(value: number): Uint8Array {
  const bytes = new Uint8Array(LENGTH_BYTES);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
