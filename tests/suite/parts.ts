/**
 * The suite in parts. Deno gives every file that it tests an isolate of its
 * own, which loads the application and warms up anew: for a file of a dozen
 * tests that takes longer than they do. So `deno task test` tests the files of
 * this folder, each of which imports a part of a folder of tests; `deno.json`
 * names the tests that want an isolate to themselves.
 *
 * @module
 */
import settings from "../../deno.json" with { type: "json" };

export const ROOT = new URL("../../", import.meta.url);

/** Files and folders whose tests have isolates of their own, from the root. */
export const ALONE: readonly string[] = settings.test.include
  .filter((path) => path !== "tests/suite");

/** Imports the tests of the part that a file's name says. */
export async function importPart(url: string): Promise<void> {
  for (const path of await filesOf(url)) await import(new URL(path, ROOT).href);
}

/**
 * The test files of a part, from the root; the n-th of every so many. None where
 * it repeats those of others.
 */
export async function filesOf(url: string): Promise<string[]> {
  const [, folder = "", part, parts] =
    /\/([a-z]+)_(\d+)_of_(\d+)_test\.ts$/.exec(url) ?? [];
  if (folder === "") return [];
  const files = await testsUnder(folder === "src" ? "src" : `tests/${folder}`);
  return files
    .filter((path) => !ALONE.includes(path))
    .filter((_, at) => at % Number(parts) === Number(part) - 1);
}

/** Every test file in a folder and below it, from the root, in order. */
export async function testsUnder(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(new URL(`${folder}/`, ROOT))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await testsUnder(path));
    else if (entry.name.endsWith("_test.ts")) found.push(path);
  }
  return found.toSorted();
}
