/**
 * A stranger's first command fetches what it runs, and of that only what the
 * lock holds.
 *
 * @module
 */
import assert from "node:assert/strict";

import manifest from "../../deno.json" with { type: "json" };
import map from "../../imports.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url);
/** What of the runtime loads modules, and with them packages. */
const LOADS =
  /\bdeno (?:run|test|check|bundle|compile|cache|info)\b( --lock --frozen\b)?/g;

/** The same in what scripts and tests start. */
const RUNS =
  /Deno\.execPath\(\)[^;]{0,200}"(?:run|test|check|bundle|cache|info)"/;

/** Runs the runtime where no registry can be reached. */
async function runOffline(
  args: readonly string[],
  cwd: URL | string,
  env: Readonly<Record<string, string>> = {},
) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    // A port that no program listens on.
    env: { HTTPS_PROXY: "http://127.0.0.1:9", NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), said: text(stderr) };
}

async function withFolder(
  test: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-lock-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a task fetches no package before what it runs asks for one", () =>
  withFolder(async (cache) => {
    const { code, out, said } = await runOffline(
      ["task", "--quiet", "--eval", "echo on"],
      ROOT,
      { DENO_DIR: cache },
    );
    assert.deepEqual({ code, out, said }, { code: 0, out: "on\n", said: "" });
  }));

Deno.test("every task and the gate's script hold to the lock", async () => {
  const lines = [
    ...Object.values(manifest.tasks).map(({ command }) => command),
    ...(await Deno.readTextFile(new URL(".ci/run", ROOT))).split("\n")
      .filter((line) => !line.startsWith("#")),
  ];
  const found = lines.flatMap((line) => [...line.matchAll(LOADS)]);
  assert.ok(found.length > 40);
  for (const { 1: held, input } of found) assert.ok(held, input);
});

Deno.test("what scripts and tests have the runtime load holds to the lock", async () => {
  const look = async (folder: string): Promise<string[]> => {
    const found: string[] = [];
    for await (
      const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))
    ) {
      const path = `${folder}/${name}`;
      if (isDirectory) found.push(...await look(path));
      else if (path.endsWith(".ts")) found.push(path);
    }
    return found;
  };
  for (const path of [...await look("scripts"), ...await look("tests")]) {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    if (!RUNS.test(text)) continue;
    assert.match(text, /\.\.\.LOCKED|"--lock"|--no-lock/, path);
  }
});

Deno.test("a package that the lock holds in another version does not run", () =>
  withFolder(async (folder) => {
    const write = (name: string, what: unknown) =>
      Deno.writeTextFile(`${folder}/${name}`, JSON.stringify(what));
    await Deno.copyFile(new URL("deno.lock", ROOT), `${folder}/deno.lock`);
    await write("deno.json", { ...manifest, workspace: undefined });
    await Deno.writeTextFile(
      `${folder}/main.ts`,
      'import "zod";\nconsole.log("ran");\n',
    );
    const run = ["run", "--lock", "--frozen", "--quiet", "main.ts"];
    await write("imports.json", map);
    const { out } = await runOffline(run, folder);
    assert.equal(out, "ran\n");
    await write("imports.json", {
      imports: { ...map.imports, zod: "npm:zod@4.6.6" },
    });
    const { code, out: nothing, said } = await runOffline(run, folder);
    assert.equal(nothing, "");
    assert.notEqual(code, 0);
    // Where the registry's list of versions is not in the cache, it is not
    // even known what else the other version needs.
    assert.match(said, /lockfile is out of date|Failed loading/);
  }));

Deno.test("every import is pinned, and so are its parts", () => {
  const pins: Readonly<Record<string, string>> = map.imports;
  for (const [name, target] of Object.entries(pins)) {
    assert.match(
      target,
      /^npm:\/?(?:@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+(?:\/|$)/,
    );
    if (name.endsWith("/")) continue;
    assert.ok(
      pins[`${name}/`]?.startsWith(target.replace("npm:", "npm:/")),
      `${name}/ is not in imports.json`,
    );
  }
});
