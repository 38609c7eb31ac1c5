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
import { declaredPages } from "../../scripts/manual.ts";
import { runInProcess } from "../support/in_process.ts";

const ROOT = new URL("../../", import.meta.url);

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
    cwd: ROOT,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await child.stdout.cancel();
  assert.equal(await new Response(child.stderr).text(), "");
  assert.equal((await child.status).code, 1);
});

Deno.test("each command is found by its name, with its own family loaded", async () => {
  const commands = (await declaredPages()).filter(({ path }) =>
    path.length === 1
  );
  assert(commands.length > 50);
  for (const { path: [name = ""] } of commands) {
    const said = expectDone(
      await runInProcess([name, "--help"], {}, new Uint8Array()),
    );
    assert.match(said, new RegExp(`^Usage: strongroom ${name}\\b`), name);
  }
});

Deno.test("version loads no command but its own, and nothing of the server", async () => {
  const coverage = await Deno.makeTempDir();
  try {
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        ...LOCKED,
        "--unstable-lazy-dynamic-imports",
        "--no-prompt",
        "--allow-env",
        "--allow-read",
        `--coverage=${coverage}`,
        "main.ts",
        "version",
      ],
      cwd: ROOT,
      stdout: "null",
    }).output();
    assert.equal(code, 0);
    const loaded: string[] = [];
    for await (const { name, isFile } of Deno.readDir(coverage)) {
      if (!isFile) continue;
      const { url } = JSON.parse(
        await Deno.readTextFile(`${coverage}/${name}`),
      );
      if (url.startsWith(`${ROOT}src/`)) {
        loaded.push(url.slice(`${ROOT}`.length));
      }
    }
    assert(loaded.includes("src/cli/about.ts"), loaded.join("\n"));
    assert.deepEqual(
      loaded.filter((path) =>
        /^src\/(features|http|library)\/|^src\/cli\/\w+\//.test(path)
      ),
      [],
    );
    assert(loaded.length < 30, loaded.join("\n"));
  } finally {
    await Deno.remove(coverage, { recursive: true });
  }
});

Deno.test("each command has an example in its help", () =>
  expectHelp(["openapi", "version"]));
