/**
 * Reading a person's file as a plaintext source of the library.
 *
 * @module
 */
import type { PlainSource } from "../sealer.ts";
import { collectAfter } from "./collecting.ts";

/** A source that may be a file, which other threads can read as well. */
export interface FileSource extends PlainSource {
  readonly file?: Blob;
}

interface Ahead {
  readonly offset: number;
  readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * A file or a Blob as a plaintext. While someone works on one part in order,
 * the next part of the same length is read already.
 */
export function sourceOfFile(file: Blob): FileSource {
  const read = async (offset: number, length: number) => {
    collectAfter(length);
    return new Uint8Array(
      await file.slice(offset, offset + length).arrayBuffer(),
    );
  };
  let end = -1;
  let ahead: Ahead | undefined;
  return {
    file,
    size: file.size,
    // A browser would collect them only after hundreds of megabytes.
    isFresh: true,
    read: async (offset, length) => {
      const isNext = offset === end;
      const early = ahead?.offset === offset ? ahead : undefined;
      // Only their receiver may free them.
      if (early !== undefined) ahead = undefined;
      const held = await early?.bytes;
      const bytes = held?.length === length ? held : await read(offset, length);
      end = offset + length;
      ahead = isNext && end < file.size
        ? { offset: end, bytes: read(end, Math.min(length, file.size - end)) }
        : undefined;
      // Whoever reads it hears of its failure.
      ahead?.bytes.catch(() => {});
      return bytes;
    },
  };
}
