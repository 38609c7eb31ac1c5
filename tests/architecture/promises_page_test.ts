/**
 * The page of promises (promises.md): each names a test that is there.
 *
 * @module
 */
import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

Deno.test("each promise names a test that exists", async () => {
  const page = await Deno.readTextFile(new URL("src/docs/promises.md", ROOT));
  const rows = page.matchAll(/^\| .*? \| (.*?) \| `(tests\/\S+)` *\|$/gm);
  let promises = 0;
  for (const [, sentence = "", path = ""] of rows) {
    promises += 1;
    const source = await Deno.readTextFile(new URL(path, ROOT));
    assert(
      source.includes(sentence.trim()),
      `${path} has no test "${sentence.trim()}"`,
    );
  }
  assert(promises >= 10, `${promises} promises`);
});
