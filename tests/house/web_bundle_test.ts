/**
 * The pages that the program carries are made of the sources beside them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { makePage, pagePath, PAGES } from "../../scripts/web.ts";

for (const name of PAGES) {
  Deno.test(`the bundled ${name} page is that of its sources`, async () => {
    assert(
      await makePage(name) === await Deno.readTextFile(pagePath(name)),
      "it is not up to date: run deno task web",
    );
  });
}
