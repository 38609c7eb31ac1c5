import assert from "node:assert/strict";
import {
  aloneInGate,
  filesOf,
  ofRelease,
  ROOT,
  testsUnder,
} from "../suite/parts.ts";

const TESTS = new URL("../", import.meta.url);
const SUITE = "tests/suite/";

Deno.test("deno task test:all and test:release run every test, and none of them twice", async () => {
  const all = [...await testsUnder("tests"), ...await testsUnder("src")];
  const entries = all.filter((path) => path.startsWith(SUITE));
  const run: string[] = [];
  for (const entry of entries) {
    run.push(...await filesOf(new URL(entry, ROOT).href));
  }
  run.push(...await aloneInGate());
  run.push(...ofRelease().filter((path) => !path.startsWith(SUITE)));
  assert.deepEqual(
    run.toSorted(),
    all.filter((path) => !path.startsWith(SUITE)).toSorted(),
  );
});

Deno.test("no test lies flat in tests/, and CONTRIBUTING.md names every folder that has some", async () => {
  const page = await Deno.readTextFile(new URL("../CONTRIBUTING.md", TESTS));
  for await (const entry of Deno.readDir(TESTS)) {
    if (entry.isFile) assert.doesNotMatch(entry.name, /_test\.tsx?$/);
    else if (await hasTests(entry.name)) {
      assert(page.includes(`\`tests/${entry.name}/\``), entry.name);
    }
  }
});

async function hasTests(folder: string): Promise<boolean> {
  for await (const entry of Deno.readDir(new URL(`${folder}/`, TESTS))) {
    if (entry.name.endsWith("_test.ts")) return true;
  }
  return false;
}
