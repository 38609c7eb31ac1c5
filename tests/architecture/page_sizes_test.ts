/**
 * Pages that people read to the end stay short: the README in words, what is
 * generated in bytes.
 *
 * @module
 */
import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

/** Most words, by `wc -w`. */
const README_WORDS = 650;

/** Most bytes of the pages that list every command, operation and code. */
const LIST_BYTES = 60_000;

/** Most words of the page about performance outside its one table. */
const PERFORMANCE_WORDS = 800;

/** Most lines of what was tried there and not kept. */
const TRIED_LINES = 20;

const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
const wordsIn = (text: string) => text.match(/\S+/g)?.length ?? 0;

Deno.test("the README has at most 650 words", async () => {
  const words = wordsIn(await read("README.md"));
  assert(words <= README_WORDS, `${words} words`);
});

Deno.test("the pages of all commands, operations and problem codes have at most 60 KB each", async () => {
  for (
    const page of [
      "src/docs/commands.md",
      "src/docs/protocol/operations.md",
      "src/docs/protocol/problems.md",
    ]
  ) {
    const { length } = new TextEncoder().encode(await read(page));
    assert(length <= LIST_BYTES, `${page}: ${length} bytes`);
  }
});

Deno.test("the page about performance has one table, and little around it", async () => {
  const page = await read("src/docs/performance.md");
  const lines = page.split("\n");
  assert.equal(lines.filter((line) => /^\| -+ \|/.test(line)).length, 1);
  const words = wordsIn(lines.filter((line) => !/^\|/.test(line)).join("\n"));
  assert(words <= PERFORMANCE_WORDS, `${words} words`);
  const [, tried = ""] = page.split("## What we tried and did not keep\n");
  const triedLines = tried.split("\n").filter((line) => line !== "").length;
  assert(triedLines > 0 && triedLines <= TRIED_LINES, `${triedLines} lines`);
});
