import assert from "node:assert/strict";
import {
  anchorsOf,
  brokenCitations,
  brokenLinks,
} from "../../scripts/citations.ts";

const isSource = (end: string) => "/src/crypto/sign.ts".endsWith(`/${end}`);
const PAGES = new Map([
  ["src/docs/protocol/uploads.md", anchorsOf("# Uploads\n\n## Finalize\n")],
  ["SECURITY.md", anchorsOf("# Security\n")],
]);

Deno.test("a comment may cite a page and a heading that are there", () => {
  const source = "/**\n * (protocol/uploads.md#finalize; SECURITY.md)\n */\n";
  assert.deepEqual(brokenCitations("src/x.ts", source, PAGES, isSource), []);
});

Deno.test("a citation of a page or a heading that is not there is named", () => {
  for (const cited of ["uploads.md", "protocol/uploads.md#finish", "x.md"]) {
    assert.deepEqual(
      brokenCitations("src/x.ts", `// (${cited})\n`, PAGES, isSource),
      [`src/x.ts: cites ${cited}, which is not there`],
    );
  }
});

Deno.test("a comment names the path of a source file that is there", () => {
  const said = (source: string) =>
    brokenCitations("src/x.ts", source, PAGES, isSource);
  for (const there of ["crypto/sign.ts", "src/crypto/sign.ts", "./x/y.ts"]) {
    assert.deepEqual(said(`/** (\`${there}\`) */\n`), []);
  }
  for (const gone of ["old/sign.ts", "to/sign.tsx"]) {
    assert.deepEqual(said(`import "${gone}";\n`), []);
    for (const comment of [`/** (\`${gone}\`) */`, `  {/* ${gone} */}`]) {
      assert.deepEqual(said(`${comment}\n`), [
        `src/x.ts: cites ${gone}, which is not there`,
      ]);
    }
  }
});

Deno.test("lines in a block of code are no headings, and signs leave an anchor", () => {
  assert.deepEqual(
    [...anchorsOf("## Links, and `ends`\n```\n# no\n```\n### a_b\n")],
    ["links-and-ends", "a_b"],
  );
});

Deno.test("links of a page lead to a page, a heading or a file", () => {
  const page = "[a](uploads.md#finalize) [b](../../../LICENSE) [c](#here)" +
    " [d](https://example.org) [e](gone.md)";
  assert.deepEqual(
    brokenLinks(
      "src/docs/protocol/x.md",
      page,
      new Map([...PAGES, ["src/docs/protocol/x.md", anchorsOf("# Here\n")]]),
      (path) => path === "LICENSE",
    ),
    ["src/docs/protocol/x.md: links to gone.md, which is not there"],
  );
});
