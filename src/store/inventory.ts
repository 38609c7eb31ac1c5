/**
 * What lies in the blob directory, whoever put it there.
 *
 * @module
 */
import {
  type BlobHash,
  parseBlobHash,
  parseUuid,
  type UploadId,
} from "../core/ids.ts";
import type { Files } from "./files.ts";

/** The two directories of the layout. */
export type TopDirectory = "uploads" | "blobs";

/** A file in `blobs/` that this program has put there. */
export interface BlobFile {
  readonly hash: BlobHash;
  /** The upload that it is being placed from, under its temporary name. */
  readonly uploadId?: UploadId;
  /** It is an object of a bucket. */
  readonly isObject?: true;
}

/** Some of the names in a directory. */
export interface Leaf {
  /** `uploads`, `blobs/ab/cd`, or one above those that holds strays. */
  readonly directory: string;
  /** Names that are no directories of the layout. */
  readonly names: readonly string[];
  /** They are objects of a bucket. */
  readonly isBucket?: true;
}

/** A name of one of the two levels above the blobs. */
const FANNED = /^[0-9a-f]{2}$/;
/** Names that are handed over together. */
const NAMES_AT_ONCE = 1_000;

/**
 * Walks `uploads` and `blobs` under a data directory, or one of them, some
 * names at a time.
 */
export async function* inventory(
  files: Files,
  root: string,
  only?: TopDirectory,
): AsyncGenerator<Leaf> {
  if (only !== "blobs") yield* leaves(files, root, "uploads", 0);
  if (only !== "uploads") yield* leaves(files, root, "blobs", 2);
}

/**
 * A name in `blobs/`: a blob's own, or `<hash>.<upload id>` while an upload
 * gives it its place. Undefined for any other, or one in the wrong place.
 */
export function blobFileOf(
  { directory, isBucket }: Omit<Leaf, "names">,
  name: string,
): BlobFile | undefined {
  const hash = parseBlobHash(name.slice(0, 64));
  if (hash === undefined) return undefined;
  if (directory !== `blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}`) {
    return undefined;
  }
  if (name === hash) return isBucket ? { hash, isObject: true } : { hash };
  const uploadId = parseUuid<UploadId>(name.slice(65));
  return uploadId === undefined || name[64] !== "."
    ? undefined
    : isBucket
    ? undefined
    : { hash, uploadId };
}

/** A directory with so many levels of directories below it. */
async function* leaves(
  files: Files,
  root: string,
  directory: string,
  levels: number,
): AsyncGenerator<Leaf> {
  let names: string[] = [];
  try {
    for await (const name of files.list(`${root}/${directory}`)) {
      if (levels > 0 && FANNED.test(name)) {
        yield* leaves(files, root, `${directory}/${name}`, levels - 1);
        continue;
      }
      names.push(name);
      if (names.length < NAMES_AT_ONCE) continue;
      yield { directory, names };
      names = [];
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotADirectory)) throw error;
    // A file of a directory's name.
    const at = directory.lastIndexOf("/");
    names = [directory.slice(at + 1)];
    yield { directory: directory.slice(0, at), names };
    return;
  }
  if (names.length > 0) yield { directory, names };
}
