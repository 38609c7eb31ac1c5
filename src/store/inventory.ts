/**
 * What lies in the blob directory, whoever put it there.
 *
 * @module
 */
import type { Files } from "./files.ts";

/** A directory and the names in it that are no directories of the layout. */
export interface Leaf {
  /** `blobs/ab/cd`, `uploads`, or one above a leaf that holds strays. */
  readonly directory: string;
  readonly names: readonly string[];
}

/** A name of one of the two levels above the blobs. */
const FANNED = /^[0-9a-f]{2}$/;

/**
 * Walks `uploads` and `blobs` under a data directory. A library of any size
 * has no more leaves than the layout, and each is listed by itself.
 */
export async function* inventory(
  files: Files,
  root: string,
): AsyncGenerator<Leaf> {
  yield* leaf(files, root, "uploads");
  yield* fan(files, root, "blobs", 2);
}

async function* leaf(
  files: Files,
  root: string,
  directory: string,
): AsyncGenerator<Leaf> {
  const names = await files.list(`${root}/${directory}`);
  if (names !== undefined) yield { directory, names };
}

async function* fan(
  files: Files,
  root: string,
  directory: string,
  levels: number,
): AsyncGenerator<Leaf> {
  if (levels === 0) return yield* leaf(files, root, directory);
  const strays = [];
  for (const name of await files.list(`${root}/${directory}`) ?? []) {
    const below = `${directory}/${name}`;
    const isDirectory = FANNED.test(name) &&
      await files.list(`${root}/${below}`) !== undefined;
    if (isDirectory) yield* fan(files, root, below, levels - 1);
    else strays.push(name);
  }
  if (strays.length > 0) yield { directory, names: strays };
}
