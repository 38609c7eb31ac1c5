/**
 * The page of labels and types has each one of the source, and no other
 * (protocol/registry.md).
 *
 * @module
 */
import assert from "node:assert/strict";

const SOURCE = new URL("../../src/", import.meta.url);
const PAGE = new URL("../../src/docs/protocol/registry.md", import.meta.url);

/** How a label begins a text of the source, without what a program adds. */
const IN_SOURCE =
  /["'`]([a-z][a-z0-9.-]*(?:\/(?:[a-z-]+[-@])?v[0-9]+|\+jwt)|strongroom(?: [a-z]+)+ [0-9]+)(?![a-z0-9])/g;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;

/** The labels in the code of a file; what comments say does not count. */
function labelsOf(source: string): string[] {
  const code = source.split("\n").filter((line) => !COMMENT.test(line));
  return [...code.join("\n").matchAll(IN_SOURCE)].flatMap(([, label]) =>
    label === undefined ? [] : [label]
  );
}

async function labelsOfSource(folder = SOURCE): Promise<Set<string>> {
  const labels = new Set<string>();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) {
      const inner = await labelsOfSource(new URL(`${name}/`, folder));
      for (const label of inner) labels.add(label);
    } else if (/\.tsx?$/.test(name) && !/_test\.tsx?$/.test(name)) {
      const source = await Deno.readTextFile(new URL(name, folder));
      for (const label of labelsOf(source)) labels.add(label);
    }
  }
  return labels;
}

/** The rows of the page's two tables: a label, and the other cells. */
async function rowsOfPage() {
  const page = await Deno.readTextFile(PAGE);
  const [used = "", reserved = ""] = page.split("\n## Reserved\n");
  const rowsOf = (text: string) =>
    text.split("\n").filter((line) => /^\| [`a-z]/.test(line)).map((line) => {
      const [label = "", ...cells] = line.split("|").slice(1, -1)
        .map((cell) => cell.trim());
      return {
        label: label.replaceAll("`", "").replace(/\/<[a-z_]+>$/, ""),
        cells,
      };
    });
  return { used: rowsOf(used), reserved: rowsOf(reserved) };
}

const labelOf = ({ label }: { readonly label: string }) => label;

Deno.test("a label is found however a text of the source begins with it", () => {
  const source = [
    "const A = `service-a/v1/${n}`;",
    'sign("service-b/v2");',
    'utf8("strongroom/c-v1")',
    'type: "d+jwt"',
    "`strongroom backup e 1\\n${name}`",
    'utf8("example.org/f@v1")',
    "// not `service-g/v1`",
    " * nor `service-h/v1`",
    'version: "strongroom-web/1", path: "/v1/assets"',
  ].join("\n");
  assert.deepEqual(labelsOf(source), [
    "service-a/v1",
    "service-b/v2",
    "strongroom/c-v1",
    "d+jwt",
    "strongroom backup e 1",
    "example.org/f@v1",
  ]);
});

Deno.test("every label and type of the source is on the page of them", async () => {
  const { used, reserved } = await rowsOfPage();
  const onPage = new Set([...used, ...reserved].map(labelOf));
  const missing = (await labelsOfSource()).difference(onPage);
  assert.deepEqual([...missing], []);
});

Deno.test("every label and type of the page is in the source, unless it is reserved", async () => {
  const { used } = await rowsOfPage();
  const inSource = await labelsOfSource();
  const named = used.map(labelOf);
  assert.deepEqual(named.filter((label) => !inSource.has(label)), []);
  assert.equal(new Set(named).size, named.length, "a label stands there twice");
});

Deno.test("every label and type is explained, and its page names it", async () => {
  for (
    const { label, cells: [purpose = "", where = ""] } of (await rowsOfPage())
      .used
  ) {
    assert.notEqual(purpose, "", label);
    if (where === "this program") continue;
    const [, target = ""] = /^\[[^\]]+\]\(([^)#]+)/.exec(where) ?? [];
    assert.notEqual(target, "", label);
    if (target.startsWith("https://")) continue;
    const page = await Deno.readTextFile(new URL(target, PAGE));
    assert(page.includes(label), `${target} does not name ${label}`);
  }
});

Deno.test("what is reserved is used for nothing", async () => {
  const { used, reserved } = await rowsOfPage();
  assert.deepEqual(reserved.map(labelOf), [
    "service-identity-succession/v1",
    "number 5 of the keys log",
    "library epochs above 0",
    "chunks_root",
  ]);
  const named = new Set(used.map(labelOf));
  assert(reserved.every(({ label }) => !named.has(label)));
});
