/**
 * The page *How this server reads its specification*: every answer has a test,
 * by the sentence that names it.
 *
 * @module
 */
import assert from "node:assert/strict";

const PAGE = "src/docs/protocol/reading-the-specification.md";
const FOLDER = new URL("../../src/docs/protocol/", import.meta.url);

Deno.test("every sentence that the specification leaves open has an answer and a test of that name", async () => {
  const page = await Deno.readTextFile(
    new URL("reading-the-specification.md", FOLDER),
  );
  const entries = page.split(/\n- /).slice(1).map((entry) =>
    (entry.split(/\n#/)[0] ?? "").replace(/\s+/g, " ").trim()
  );
  assert(entries.length > 50, PAGE);
  for (const entry of entries) {
    const [_, path = "", title = ""] =
      /Test: \[[^\]]+\]\(([^)]+)\), “(.+)”\.$/.exec(entry) ?? [];
    assert(title !== "", `no test: ${entry}`);
    const source = await Deno.readTextFile(new URL(path, FOLDER));
    // Some tests of a kind have one template.
    const name = title.replace(/^[^:]+(?=: no operation)/, "${what}");
    assert(source.includes(name), `${path} has no test “${title}”`);
  }
});
