import assert from "node:assert/strict";
import { PROBLEMS } from "../../src/core/catalogue.ts";
import { declaredProblems } from "../../src/http/implied.ts";
import { ROUTES } from "../../src/routes.ts";
import {
  COMMON_STATUSES,
  formatted,
  protocolPages,
} from "../../scripts/manual/protocol.ts";

for (const [name, markdown] of Object.entries(protocolPages())) {
  Deno.test(`src/docs/protocol/${name} is what the declarations say`, async () => {
    const page = new URL(`../../src/docs/protocol/${name}`, import.meta.url);
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
  assert.match(page, /deep\?: boolean\b/);
});

Deno.test("an operation has each status that the page of operations names for many", () => {
  for (const { spec } of ROUTES) {
    const statuses = new Set<number>(
      declaredProblems(spec).map((code) => PROBLEMS[code].status),
    );
    for (const { status, whose, holds } of COMMON_STATUSES) {
      if (!holds(spec)) continue;
      assert(statuses.has(status), `${spec.operation}: ${status}, ${whose}`);
    }
  }
});

Deno.test("every problem code stands on a page that says when", async () => {
  const folder = new URL("../../src/docs/protocol/", import.meta.url);
  const generated = Object.keys(protocolPages());
  let pages = "";
  for await (const { name } of Deno.readDir(folder)) {
    if (generated.includes(name)) continue;
    pages += await Deno.readTextFile(new URL(name, folder));
  }
  const untold = Object.keys(PROBLEMS).filter((code) =>
    // A list may leave out what its codes begin with.
    !pages.includes(`\`${code}\``) &&
    !pages.includes(`\`…${code.split(".").at(-1)}\``)
  );
  assert.deepEqual(untold, []);
});
