/**
 * What lies in the blob directory, whoever put it there.
 *
 * @module
 */
import type { Files } from "./files.ts";

/** Some of the names in a directory. */
export interface Leaf {
  /** `uploads`, `blobs/ab/cd`, or one above those that holds strays. */
  readonly directory: string;
  /** Names that are no directories of the layout. */
  readonly names: readonly string[];
}

/** A name of one of the two levels above the blobs. */
const FANNED = /^[0-9a-f]{2}$/;
/** Names that are handed over together. */
const NAMES_AT_ONCE = 1_000;

/** Walks `uploads` and `blobs` under a data directory, some names at a time. */
export async function* inventory(
  files: Files,
  root: string,
): AsyncGenerator<Leaf> {
  yield* leaves(files, root, "uploads", 0);
  yield* leaves(files, root, "blobs", 2);
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
