import assert from "node:assert/strict";
import { hardWords, hardWordsOfTexts } from "../../scripts/words.ts";

Deno.test("a page's hard words are named, with what to say instead", () => {
  assert.deepEqual(
    hardWords("x.md", "Nobody stands\n\nbeside it, or anew.\n"),
    [
      'x.md: says "Nobody"; say "no one"',
      'x.md: says "beside"; say "next to"',
      'x.md: says "anew"; say "again"',
    ],
  );
});

Deno.test("code in a page and other words are no hard words", () => {
  const page =
    "Besides, `--beside DIR` runs as\n\n```sh\nsu nobody\n```\n\n- a:\n\n  ```\n  nobody\n  ```\n";
  assert.deepEqual(hardWords("x.md", page), []);
});

Deno.test("of the app's texts the values count and not the keys", () => {
  const texts = { nobody: "No people", of: { beside: "by somebody" } };
  assert.deepEqual(hardWordsOfTexts("en/x.json", JSON.stringify(texts)), [
    'en/x.json: says "somebody"; say "someone"',
  ]);
});
