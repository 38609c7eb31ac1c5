/**
 * What is known about a file before it is sent.
 *
 * @module
 */
import {
  aboutFile,
  mayHavePicture,
  readFileFacts,
} from "../../../media/exif/mod.ts";
import {
  type NewFile,
  type PlainSource,
  SourceChanged,
} from "../../../library/mod.ts";
import { mayTellPlace } from "../../../library/rows/embedded_media.ts";
import { nativePrimitives } from "../../../client/keys/native.ts";
import { toHex } from "../../../core/bytes.ts";
import { takingTurns } from "../../../core/turns.ts";
import type { CliContext } from "../cli_context.ts";
import type { FoundFile } from "./files.ts";
import { mediaTypeOf } from "../../../media/media_types.ts";
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
  const inTurn = takingTurns();
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
export type Oddity = "empty" | "undecodable" | "cut" | "unpictured";

/** Oddities in words. */
export const ODDITIES: Readonly<Record<Oddity, string>> = {
  empty: "it is empty",
  undecodable: "it does not open as the type that its name says, and may be " +
    "damaged",
  cut: "its end is missing",
  unpictured: "no preview could be made of it here",
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
  const isMedia = mayHavePicture(mediaTypeOf(file.name));
  const facts = await readFileFacts(source, { isMedia });
  const about = aboutFile(file, facts);
  const { mime } = about;
  const derivatives = mime.startsWith("image/")
    ? await derivativesOf(source, mime, { isAlways: mayTellPlace(facts) })
    : [];
  const odd = source.size === 0
    ? "empty"
    : WITH_SIDES.test(mime) && facts.width === undefined
    ? "undecodable"
    : facts.isCut === true
    ? "cut"
    : derivatives === undefined
    ? "unpictured"
    : undefined;
  return {
    ...(odd === undefined ? {} : { odd }),
    about,
    derivatives: derivatives ?? [],
  };
}

/** Says once how many photos and videos state no date. */
export function tellUndated(tell: CliContext["tell"], count: number): void {
  if (count === 0) return;
  tell(
    { event: "undated", count },
    count === 1
      ? "1 file has no date of its own: it stands at the file's date"
      : `${count} files have no date of their own: ` +
        "they stand at the file's date",
  );
}
