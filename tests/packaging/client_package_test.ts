/**
 * The client library as an npm package: what `deno task pack` makes is
 * installed by npm into an empty folder, and used there by a program in Node.js
 * and by one that TypeScript checks.
 *
 * Its dependencies come from the npm registry; where they, npm or Node.js
 * cannot be had the tests are ignored and say so.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ENTRIES, pack } from "../../scripts/pack.ts";
import { run } from "../../scripts/packaging/release.ts";
import { debianProgram } from "../support/debian.ts";
import {
  CONSUMER,
  LEAKS_PROGRAM,
  TSCONFIG,
  VECTORS_PROGRAM,
} from "../support/client_consumer.ts";
import { startProgram } from "../support/program.ts";

const NODE = await debianProgram("node", "nodejs");
const NPM = await debianProgram("npm", "npm");
const TOOLS = ["typescript@5.9.3", "@types/node@22.19.1"];
const PAGE = new URL("../../src/docs/client-library.md", import.meta.url);

/** Undefined where the registry cannot be reached. */
async function install(npm: string): Promise<string | undefined> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-package-" });
  globalThis.addEventListener(
    "unload",
    () => Deno.removeSync(folder, { recursive: true }),
  );
  const tarball = await pack(folder);
  await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true }');
  const { status, stderr } = await run(
    npm,
    [
      ...["install", "--no-audit", "--no-fund", "--loglevel=error"],
      ...["--no-save", tarball, ...TOOLS],
    ],
    {},
    folder,
  );
  if (status === 0) return folder;
  await Deno.stderr.write(new TextEncoder().encode(
    `tests that install the client are ignored: ${stderr}\n`,
  ));
  return undefined;
}

const FOLDER = NODE === undefined || NPM === undefined
  ? undefined
  : await install(NPM);

/** Runs a script with Node.js where the package is; what it printed. */
async function node(folder: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(NODE ?? "", args, {}, folder);
  assert.equal(status, 0, `${args[0]}: ${stderr}${stdout}`);
  return stdout;
}

function packageTest(name: string, test: (folder: string) => Promise<void>) {
  Deno.test({
    name,
    ignore: FOLDER === undefined,
    fn: async () => await test(FOLDER ?? ""),
  });
}

packageTest(
  "the first session of the page runs in Node.js from the installed package",
  async (folder) => {
    const server = await startProgram({
      STRONGROOM_DATA_DIR: `${folder}/data`,
    });
    try {
      const page = await Deno.readTextFile(PAGE);
      const [, session = ""] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
      const lines = session.split("\n").filter((line) => line !== "");
      assert(lines.length > 10 && lines.length <= 30, "about twenty lines");
      await Deno.writeTextFile(
        `${folder}/session.mjs`,
        session.replace("http://127.0.0.1:8470", server.url),
      );
      const walk = crypto.getRandomValues(new Uint8Array(50_000));
      await Deno.writeFile(`${folder}/walk.jpg`, walk);
      const said = await node(folder, "session.mjs");
      assert.match(said, /^http:\/\/127\.0\.0\.1:\d+\/s\/[^#]+#\S+\n$/);
      assert.deepEqual(await Deno.readFile(`${folder}/back.jpg`), walk);
      const link = new URL(said.trim());
      assert.equal(link.origin, server.url);
    } finally {
      await server.stop();
    }
  },
);

packageTest(
  "every entry and the vectors can be imported, native code beside portable",
  async (folder) => {
    const entries = Object.keys(ENTRIES).map((entry) =>
      `@strongroom/client${entry.slice(1)}`
    );
    await Deno.writeTextFile(`${folder}/entries.mjs`, VECTORS_PROGRAM);
    const said = await node(folder, "entries.mjs", ...entries);
    assert.deepEqual(JSON.parse(said), { native: true, portable: true });
  },
);

packageTest(
  "a strict program type-checks against it, and nothing in it is any",
  async (folder) => {
    await Deno.writeTextFile(`${folder}/tsconfig.json`, TSCONFIG);
    await Deno.writeTextFile(`${folder}/consumer.ts`, CONSUMER);
    await Deno.writeTextFile(`${folder}/leaks.mjs`, LEAKS_PROGRAM);
    await node(folder, "node_modules/typescript/bin/tsc");
    assert.deepEqual(JSON.parse(await node(folder, "leaks.mjs")), []);
  },
);
