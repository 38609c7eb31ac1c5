import assert from "node:assert/strict";

const TESTS = new URL("../", import.meta.url);

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
