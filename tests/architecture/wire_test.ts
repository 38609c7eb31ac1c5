/**
 * The bodies and answers of the contract are declared in `src/wire` alone.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ROUTES } from "../../src/routes.ts";

/** Everything that the modules of a folder of `src/wire` export. */
async function exportsOf(folder: string): Promise<Set<unknown>> {
  const found = new Set<unknown>();
  const at = new URL(`../../src/wire/${folder}/`, import.meta.url);
  for await (const { name } of Deno.readDir(at)) {
    for (const one of Object.values(await import(`${at}${name}`))) {
      found.add(one);
    }
  }
  return found;
}

Deno.test("every body and every answer of a route is a declaration of src/wire", async () => {
  const bodies = await exportsOf("bodies");
  const answers = await exportsOf("answers");
  // The contract itself is no declaration: it is any JSON.
  for (
    const { spec } of ROUTES.filter((one) => one.spec.operation !== "openApi")
  ) {
    if (spec.body?.kind === "json") {
      assert(bodies.has(spec.body.schema), `the body of ${spec.operation}`);
    }
    for (const [status, success] of Object.entries(spec.success)) {
      if (success.kind !== "json") continue;
      assert(answers.has(success.schema), `${spec.operation} ${status}`);
    }
  }
});

Deno.test("no module of the client that asks a server declares what it answers", async () => {
  const folder = new URL("../../src/client/", import.meta.url);
  let asking = 0;
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".ts")) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    if (!/from "\.\/asking\.ts"|import \{[^}]*\bjsonOf\b/.test(text)) continue;
    asking++;
    assert(!/\bz\.(?:object|strictObject|looseObject)\(/.test(text), name);
  }
  assert(asking >= 9, `only ${asking} modules ask`);
});
