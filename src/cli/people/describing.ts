/**
 * What is known of a file before it is sent: its name, type and dates.
 *
 * @module
 */
import type { NewFile, PlainSource } from "../../client/library/mod.ts";
import type { FoundFile } from "./files.ts";
import { mediaTypeOf } from "./media_types.ts";

/** A file of this machine as a plaintext; to be closed. */
export interface OpenFile extends Disposable {
  readonly source: PlainSource;
}

/** Opens a file for reading anywhere in it. */
export async function openFile(path: string): Promise<OpenFile> {
  const file = await Deno.open(path, { read: true });
  const { size } = await file.stat();
  // One seek and its reads at a time: the file has one position.
  let turn: Promise<unknown> = Promise.resolve();
  const read = async (offset: number, length: number) => {
    await file.seek(offset, Deno.SeekMode.Start);
    const bytes = new Uint8Array(length);
    let at = 0;
    while (at < length) {
      const count = await file.read(bytes.subarray(at));
      if (count === null) break;
      at += count;
    }
    return bytes.subarray(0, at);
  };
  return {
    source: {
      size,
      read(offset, length) {
        const done = turn.then(() => read(offset, length));
        turn = done.catch(() => undefined);
        return done;
      },
    },
    [Symbol.dispose]: () => file.close(),
  };
}

/** Metadata of a file, as far as its outside tells. */
export function describe(file: FoundFile): NewFile["about"] {
  const modified = new Date(file.modifiedAt).toISOString();
  return {
    name: file.name.normalize("NFC"),
    mime: mediaTypeOf(file.name),
    taken_at: modified,
    taken_source: "mtime",
    modified_at: modified,
    ...(file.folder === "" ? {} : { path: file.folder.normalize("NFC") }),
  };
}
