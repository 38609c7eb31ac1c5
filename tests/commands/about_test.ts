/**
 * `strongroom version` and `strongroom openapi` as processes
 * (upkeep/old-dates.md#what-this-program-is).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectDone } from "../support/ended.ts";
import manifest from "../../deno.json" with { type: "json" };
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { runProgram } from "../support/program.ts";
import { expectHelp, expectLine, withServer } from "../support/upkeep.ts";
import { LOCKED } from "../../scripts/locked.ts";

Deno.test("the version is the program's, with what it speaks", async () => {
  assert.deepEqual(expectLine(await runProgram(["version", "--json"])), {
    name: "strongroom",
    version: manifest.version,
    schema: MIGRATIONS.length,
    deno: Deno.version.deno,
    protocol: { min: "2026-06-01", max: "2026-11-01" },
  });
  assert.match(
    expectDone(await runProgram(["version"])),
    new RegExp(`^strongroom ${manifest.version}\n`),
  );
});

Deno.test("openapi is, byte for byte, what the server answers", async () => {
  await withServer(async ({ server, run }) => {
    const served = await server.send("GET", "/openapi.json");
    assert.equal(
      expectDone(await run("openapi")),
      `${await served.text()}\n`,
    );
  });
});

Deno.test("a reader that has enough ends a command without a complaint", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...LOCKED,
      "--no-prompt",
      "--allow-env",
      "main.ts",
      "openapi",
    ],
    cwd: new URL("../../", import.meta.url),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await child.stdout.cancel();
  assert.equal(await new Response(child.stderr).text(), "");
  assert.equal((await child.status).code, 1);
});

Deno.test("each command has an example in its help", () =>
  expectHelp(["openapi", "version"]));
