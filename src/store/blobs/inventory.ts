/**
 * Lists the files of uploads and blobs, also foreign ones, and reads their
 * names.
 *
 * @module
 */
import {
  type BlobHash,
  parseBlobHash,
  parseUuid,
  type UploadId,
} from "../../core/ids.ts";
import type { Files } from "../files/files.ts";

/** The two directories of the layout. */
type TopDirectory = "uploads" | "blobs";

/** A file in `blobs/` that this program has put there. */
export interface BlobFile {
  readonly hash: BlobHash;
  /**
   * The upload from which it is being placed; the file has a temporary name.
   */
  readonly uploadId?: UploadId;
  /** True if it is an object of a bucket. */
  readonly isObject?: true;
}

/** Some of the names in a directory. */
export interface Leaf {
  /** `uploads`, `blobs/ab/cd`, or a directory above them with stray files. */
  readonly directory: string;
  /** The names, without directories of the layout. */
  readonly names: readonly string[];
  /** Their sizes in the same order (bytes), where the list has them. */
  readonly sizes?: readonly number[];
  /** True if they are objects of a bucket. */
  readonly isBucket?: true;
}

/** The name of a directory of one of the two levels above the blobs. */
const FANNED = /^[0-9a-f]{2}$/;
/** How many names are yielded together. */
const NAMES_AT_ONCE = 1_000;

/**
 * Yields the names in `uploads` and `blobs` of a data directory, or in one of
 * the two, some at a time.
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
 * Reads a name in `blobs/`: a blob's own, or `<hash>.<upload id>` while an
 * upload is being placed. Undefined for any other name and for a wrong place.
 */
export function blobFileOf(
  { directory, isBucket }: Pick<Leaf, "directory" | "isBucket">,
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

/** Walks a directory that has `levels` levels of directories below it. */
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
    // The path is a file where a directory belongs.
    const at = directory.lastIndexOf("/");
    names = [directory.slice(at + 1)];
    yield { directory: directory.slice(0, at), names };
    return;
  }
  if (names.length > 0) yield { directory, names };
}
