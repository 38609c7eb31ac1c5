/**
 * What is known of a file before it is sent.
 *
 * @module
 */
import { aboutFile, readMediaFacts } from "../../client/exif/mod.ts";
import type { NewFile, PlainSource } from "../../client/library/mod.ts";
import type { FoundFile } from "./files.ts";
import { mediaTypeOf } from "./media_types.ts";
import { derivativesOf } from "./pictures.ts";

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

/** A file with all that it says of itself, and small pictures of it. */
export async function describe(
  file: FoundFile,
  source: PlainSource,
): Promise<Pick<NewFile, "about" | "derivatives">> {
  const mime = mediaTypeOf(file.name);
  const isMedia = /^(image|video)\//.test(mime);
  const facts = isMedia ? await readMediaFacts(source) : {};
  const { width, height } = facts;
  return {
    about: aboutFile(file, facts),
    derivatives: isMedia
      ? await derivativesOf(source, mime, {
        ...(width === undefined ? {} : { width }),
        ...(height === undefined ? {} : { height }),
      })
      : [],
  };
}
