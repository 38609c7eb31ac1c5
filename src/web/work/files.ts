/**
 * Reading a person's file as a plaintext source of the library.
 *
 * @module
 */
import type { PlainSource } from "../../client/library/mod.ts";

/** A source that may be a file, which other threads can read as well. */
export interface FileSource extends PlainSource {
  readonly file?: Blob;
}

interface Ahead {
  readonly offset: number;
  readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * A file or a Blob as a plaintext. While somebody works on one part in order,
 * the next part of the same length is read already, from a stream: that takes
 * a browser a tenth of the time that asking for each part takes.
 */
export function sourceOfFile(file: Blob): FileSource {
  const part = async (offset: number, length: number) =>
    new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  let end = -1;
  let ahead: Ahead | undefined;
  /** Reads on from `ahead`. */
  let stream: ReadableStreamBYOBReader | undefined;
  const next = (length: number): Ahead => {
    stream ??= readerOf(file.slice(end));
    const bytes = stream === undefined
      ? part(end, length)
      : filled(stream, length);
    // Whoever reads it hears of its failure.
    bytes.catch(() => {});
    return { offset: end, bytes };
  };
  return {
    file,
    size: file.size,
    read: async (offset, length) => {
      const isNext = offset === end;
      const held = ahead?.offset === offset ? await ahead.bytes : undefined;
      const fits = held?.length === length;
      const bytes = fits ? held : await part(offset, length);
      if (!fits) {
        stream?.cancel().catch(() => {});
        stream = undefined;
      }
      end = offset + length;
      ahead = isNext && end < file.size
        ? next(Math.min(length, file.size - end))
        : undefined;
      return bytes;
    },
  };
}

/** Reads a Blob from its beginning; undefined in browsers that cannot so. */
function readerOf(blob: Blob): ReadableStreamBYOBReader | undefined {
  try {
    return blob.stream().getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

/** The next bytes of a stream; fewer only at its end. */
async function filled(
  stream: ReadableStreamBYOBReader,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  let buffer = new ArrayBuffer(length);
  for (let at = 0; at < length;) {
    const { value } = await stream.read(
      new Uint8Array(buffer, at, length - at),
    );
    if (value === undefined || value.length === 0) {
      return new Uint8Array(buffer.slice(0, at));
    }
    at += value.length;
    buffer = value.buffer;
  }
  return new Uint8Array(buffer);
}
