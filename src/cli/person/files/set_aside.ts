/**
 * Files that `push --move` is about to delete have another name meanwhile, so
 * that a program that writes to the old name makes a new file. The name says
 * what it was: a run that was killed is undone by the next.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { nextName } from "./names.ts";

const ASIDE = /^\.(.+)\.strongroom-moving$/s;

/** The name that a file has while it is examined, in the same folder. */
export function asideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.strongroom-moving`);
}

/** What a file was called that was set aside; undefined for any other. */
export function nameBeforeAside(name: string): string | undefined {
  return ASIDE.exec(name)?.[1];
}

/** So many names are tried. */
const MOST_OF_A_NAME = 1_000;

/**
 * Gives a file its name back, or the next that is free: where something has it
 * by now, both stay. Returns the name.
 */
export async function putBack(path: string): Promise<string> {
  const aside = asideOf(path);
  // A run that was killed between the two halves of a rename.
  if (await isOneFile(aside, path)) {
    await Deno.remove(aside);
    return path;
  }
  for (let number = 1; number < MOST_OF_A_NAME; number++) {
    const name = nextName(path, number);
    if (await renameNew(aside, name)) return name;
  }
  throw new Error(`no name is free for ${aside}`);
}

/** Renames a file, never over another one: false where there is one. */
export async function renameNew(from: string, to: string): Promise<boolean> {
  try {
    // A link, unlike a rename, refuses what is there.
    await Deno.link(from, to);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw error;
    if (error instanceof Deno.errors.AlreadyExists || await isThere(to)) {
      return false;
    }
    // A file system without hard links (FAT on a stick).
    await Deno.rename(from, to);
    return true;
  }
  await Deno.remove(from);
  return true;
}

/** Whether two names are of one file. */
async function isOneFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all(
    [a, b].map((path) => Deno.lstat(path).catch(() => undefined)),
  );
  return typeof one?.ino === "number" && one.ino === other?.ino &&
    one.dev === other.dev;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
