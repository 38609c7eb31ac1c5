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
import { CHROMIUM, sharedChromium } from "../support/browser.ts";
import { debianProgram } from "../support/debian.ts";
import {
  CONSUMER,
  LEAKS_PROGRAM,
  PAGE as WEB_PAGE,
  TSCONFIG,
  VECTORS_PROGRAM,
  WORKER,
} from "../support/client_consumer.ts";
import { startProgram } from "../support/program.ts";

const NODE = await debianProgram("node", "nodejs");
const NPM = await debianProgram("npm", "npm");
const TOOLS = ["typescript@5.9.3", "@types/node@22.19.1", "esbuild@0.25.5"];
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
  "every entry and the vectors can be imported, native and portable code alike",
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

const browser = sharedChromium();

/** The files that a bundler made, and behind them the server itself. */
function servePage(files: string, server: string) {
  return Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/") {
        return new Response('<script type="module" src="page.js"></script>', {
          headers: { "content-type": "text/html" },
        });
      }
      const script = await Deno.readFile(`${files}${pathname}`)
        .catch(() => undefined);
      if (script !== undefined) {
        return new Response(script, {
          headers: { "content-type": "text/javascript" },
        });
      }
      return await fetch(new Request(`${server}${pathname}${search}`, request));
    },
  );
}

/** Runs in the page. */
type Ran =
  & Record<"first" | "second", boolean>
  & Record<"sealed" | "later", number>;

Deno.test({
  name: "a page's own workers encrypt its files, and it can do without workers",
  ignore: FOLDER === undefined || CHROMIUM === "",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const folder = FOLDER ?? "";
    await Deno.writeTextFile(`${folder}/page.mjs`, WEB_PAGE);
    await Deno.writeTextFile(`${folder}/worker.mjs`, WORKER);
    const { status, stderr } = await run(
      `${folder}/node_modules/.bin/esbuild`,
      [
        ...["page=page.mjs", "worker=worker.mjs", "--bundle", "--format=esm"],
        ...["--splitting", "--outdir=page", "--log-level=error"],
      ],
      {},
      folder,
    );
    assert.equal(status, 0, stderr);
    const server = await startProgram({
      STRONGROOM_DATA_DIR: `${folder}/page-data`,
    });
    const page = servePage(`${folder}/page`, server.url);
    try {
      await browser.visit(async ({ page: tab }) => {
        await tab.goto(`http://127.0.0.1:${page.addr.port}/`);
        const size = 3 * 1024 * 1024 + 7;
        const ran = await tab.evaluate<Ran, number>((size) => {
          const bytes = new Uint8Array(size);
          for (let at = 0; at < size; at += 65_536) {
            crypto.getRandomValues(bytes.subarray(at, at + 65_536));
          }
          const { run } = globalThis as unknown as {
            run: (file: Blob) => Promise<Ran>;
          };
          return run(new Blob([bytes]));
        }, size);
        assert.deepEqual([ran.first, ran.second], [true, true]);
        assert(ran.sealed >= size, `the Workers read ${ran.sealed} bytes`);
        assert.equal(ran.later, 0);
      });
    } finally {
      await page.shutdown();
      await server.stop();
    }
  },
});
