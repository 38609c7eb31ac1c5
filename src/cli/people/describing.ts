/**
 * What is known about a file before it is sent.
 *
 * @module
 */
import { aboutFile, readMediaFacts } from "../../client/exif/mod.ts";
import {
  type NewFile,
  type PlainSource,
  SourceChanged,
} from "../../client/library/mod.ts";
import { nativePrimitives } from "../../client/native.ts";
import { toHex } from "../../core/bytes.ts";
import type { FoundFile } from "./files.ts";
import { mediaTypeOf } from "./media_types.ts";
import { derivativesOf } from "./pictures.ts";

/** A file of this machine as a plaintext; to be closed. */
export interface OpenFile extends Disposable {
  readonly source: PlainSource;
  /** SHA-256 of all of it in hex. Throws SourceChanged. */
  hash(signal: AbortSignal): Promise<string>;
}

/** Read and hashed at a time. */
const HASHED_BYTES = 1024 * 1024;

/** Opens a file for reading anywhere in it. */
export async function openFile(path: string): Promise<OpenFile> {
  const file = await Deno.open(path, { read: true });
  // What no disk is asked for is had at once: a turn of a thread takes longer.
  const { size } = file.statSync();
  // One seek and its reads at a time: the file has one position.
  let turn: Promise<unknown> = Promise.resolve();
  const readInto = async (offset: number, bytes: Uint8Array<ArrayBuffer>) => {
    file.seekSync(offset, Deno.SeekMode.Start);
    let at = 0;
    while (at < bytes.length) {
      const count = await file.read(bytes.subarray(at));
      if (count === null) break;
      at += count;
    }
    return bytes.subarray(0, at);
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  return {
    source: {
      size,
      isFresh: true,
      read: (offset, length) =>
        inTurn(() => readInto(offset, new Uint8Array(length))),
    },
    async hash(signal) {
      const hash = nativePrimitives.sha256();
      // One buffer for all of it: memory that is let go of is not free at once.
      const buffer = new Uint8Array(Math.min(size, HASHED_BYTES));
      for (let at = 0; at < size; at += buffer.length) {
        signal.throwIfAborted();
        const length = Math.min(buffer.length, size - at);
        const bytes = await inTurn(() =>
          readInto(at, buffer.subarray(0, length))
        );
        if (bytes.length < length) throw new SourceChanged("it is shorter now");
        hash.update(bytes);
      }
      return toHex(hash.digest());
    },
    [Symbol.dispose]: () => file.close(),
  };
}

/** Why a file is odd, although it is stored. */
export type Oddity = "empty" | "undecodable";

/** Oddities in words. */
export const ODDITIES: Readonly<Record<Oddity, string>> = {
  empty: "it is empty",
  undecodable: "it does not open as the type that its name says, and may be " +
    "damaged",
};

/** Formats of which every whole file tells its sides. */
const WITH_SIDES = /^image\/(jpeg|png|webp|heic|heif|avif)$/;

/** A file with all that it says of itself, and small pictures of it. */
export async function describe(
  file: FoundFile,
  source: PlainSource,
): Promise<
  Pick<NewFile, "about" | "derivatives"> & { readonly odd?: Oddity }
> {
  const mime = mediaTypeOf(file.name);
  const isMedia = /^(image|video)\//.test(mime);
  const facts = isMedia ? await readMediaFacts(source) : {};
  const { width, height } = facts;
  const odd = source.size === 0
    ? "empty"
    : WITH_SIDES.test(mime) && width === undefined
    ? "undecodable"
    : undefined;
  return {
    ...(odd === undefined ? {} : { odd }),
    about: aboutFile(file, facts),
    derivatives: isMedia
      ? await derivativesOf(source, mime, {
        ...(width === undefined ? {} : { width }),
        ...(height === undefined ? {} : { height }),
        isPlaced: facts.place !== undefined,
      })
      : [],
  };
}
