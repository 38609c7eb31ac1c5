/**
 * How the scripts of the web app are joined into few files
 * (`scripts/web/merging.ts`).
 *
 * @module
 */
import assert from "node:assert/strict";
import { merged } from "../../scripts/web/merging.ts";
import { firstLoad } from "../../scripts/web/sizes.ts";

/** What a page and a thread of it are made of. */
const SCRIPTS = new Map([
  [
    "page.js",
    `import "./of_page.js"; import "./shared.js"; import "./both.js"`,
  ],
  ["thread.js", `import "./both.js"; later(() => import("./lazy.js"))`],
  ["of_page.js", `show("of the page");`],
  ["shared.js", `use("shared");`],
  ["both.js", `use("both");`],
  ["lazy.js", `import "./shared.js"; use("lazy");`],
]);

async function joined(): Promise<(name: string) => string> {
  const files = await merged(SCRIPTS, {
    entries: ["page.js", "thread.js"],
    pages: ["page.js"],
    of: "",
  });
  return (name) => files.get(name) ?? "";
}

/** All that a thread may ever load, as one text. */
function everOf(textOf: (name: string) => string, entry: string): string {
  const loaded = new Set([entry]);
  for (const name of loaded) {
    for (const [, next = ""] of textOf(name).matchAll(/"\.\/([\w.-]+\.js)"/g)) {
      loaded.add(next);
    }
  }
  return [...loaded].map(textOf).join("\n");
}

Deno.test("what is of pages alone is in no file that a thread loads, now or later", async () => {
  const textOf = await joined();
  const ever = everOf(textOf, "thread.js");
  for (const one of ["shared", "both", "lazy"]) {
    assert(ever.includes(`use("${one}")`), `${one} in ${ever}`);
  }
  assert(!ever.includes("of the page"), ever);
  assert(everOf(textOf, "page.js").includes("of the page"));
});

Deno.test("small scripts that a page and a thread load are one file for both", async () => {
  const textOf = await joined();
  const [page, thread] = ["page.js", "thread.js"]
    .map((entry) => firstLoad(textOf, [entry]));
  // What the thread loads later is in that file, too: it is small.
  assert.equal(page?.size, 3, [...page ?? []].join(" "));
  assert.equal(thread?.size, 2, [...thread ?? []].join(" "));
  assert(page?.isSupersetOf(new Set([...thread ?? []].slice(1))));
});
