/**
 * The list of fixes fits the sources: each text that is taken out stands there
 * once, and every test that is named is there. `deno task adversary:controls`
 * takes them out.
 *
 * @module
 */
import assert from "node:assert/strict";
import { FIXES } from "./fixes.ts";

const ROOT = new URL("../../", import.meta.url);
const textOf = (file: string) => Deno.readTextFile(new URL(file, ROOT));

Deno.test("every attack has a fix that can be taken out, and a proof that is there", async () => {
  const attacks = new Set(FIXES.map(({ attack }) => attack));
  assert.equal(attacks.size, 13);
  assert.equal(new Set(FIXES.map(({ name }) => name)).size, FIXES.length);
  for (const { name, without, found } of FIXES) {
    for (const { file, text, by } of without) {
      const times = (await textOf(file)).split(text).length - 1;
      assert.equal(times, 1, `${name}: ${file} has ${text}`);
      assert.notEqual(text, by);
    }
    if (!("test" in found)) continue;
    const tests = await textOf(found.test);
    assert.ok(tests.includes(found.filter ?? "Deno.test("), name);
  }
});
