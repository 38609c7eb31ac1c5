import assert from "node:assert/strict";
import { formatted, protocolPages } from "../scripts/manual/protocol.ts";

for (const [name, markdown] of Object.entries(protocolPages())) {
  Deno.test(`src/docs/protocol/${name} is what the declarations say`, async () => {
    const page = new URL(`../src/docs/protocol/${name}`, import.meta.url);
    assert.equal(
      await Deno.readTextFile(page),
      await formatted(markdown),
      "run deno task manual, and commit what it made",
    );
  });
}

Deno.test("the page of operations names what every answer holds", () => {
  const { "operations.md": page = "" } = protocolPages();
  assert.doesNotMatch(page, /```\nany\n```/);
  assert.match(page, /address: string \| null/);
  assert.match(page, /display_name\?: string \| null/);
  assert.match(page, /deep\?: boolean\n/);
});
