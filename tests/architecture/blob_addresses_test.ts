/**
 * Addresses of Blobs can be opened by anybody in a tab of this origin, so only
 * one module makes them.
 *
 * @module
 */
import assert from "node:assert/strict";

const WEB = new URL("../../src/web/", import.meta.url);

/** Every file that names the function, with what it hands to it. */
async function makers(folder: URL): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const url = new URL(isDirectory ? `${name}/` : name, folder);
    if (isDirectory) found.push(...await makers(url));
    else if (/\.tsx?$/.test(name)) {
      const text = await Deno.readTextFile(url);
      for (const [, given] of text.matchAll(/createObjectURL\(([^)]*)/g)) {
        found.push(`${url.href.slice(WEB.href.length)} ${given}`);
      }
    }
  }
  return found;
}

Deno.test("only one module makes addresses of Blobs, and a player those of its source", async () => {
  assert.deepEqual((await makers(WEB)).toSorted(), [
    "app/addresses.ts blob",
    "app/addresses.ts blob.slice(0, blob.size, INERT",
    "app/showing/lightbox/remuxed.ts this.#source",
  ]);
});
