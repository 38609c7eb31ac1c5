/**
 * Reading a person's file as a plaintext source of the library.
 *
 * @module
 */
import type { PlainSource } from "../../client/library/mod.ts";

/** A file or a Blob as a plaintext. */
export function sourceOfFile(file: Blob): PlainSource {
  return {
    size: file.size,
    read: async (offset, length) =>
      new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()),
  };
}
