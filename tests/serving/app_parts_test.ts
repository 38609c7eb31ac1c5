/**
 * A server of a checkout whose web app is not built, or not all of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { addParts, carriedApp, carry } from "../../scripts/web/app.ts";
import { APP_PATH, freshApp } from "../../scripts/web/fresh.ts";
import { LOCKED } from "../../scripts/locked.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { fromHex } from "../../src/core/bytes.ts";
import { sha256, sha256Hex } from "../../src/crypto/sha256.ts";
import { firstLine } from "../../scripts/demo/server.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const BROWSER = { Accept: "text/html" };
/** The optional parts. */
const PART =
  /\/(?:(?:faces|picture_text)\.js|(?:faces|things|picture-text)-\w+\.(?:bin|wasm|json))$/;

interface Server {
  /** Where its app lies. */
  readonly path: string;
  readonly get: (path: string, headers?: HeadersInit) => Promise<Response>;
  /** The app that its keys log names. */
  readonly named: () => unknown;
}

/** Serves a copy of this checkout, with an app if there is one. */
async function withServer(
  app: Uint8Array | undefined,
  test: (server: Server) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-parts-" });
  try {
    const parts = ["src", "main.ts", "deno.json", "imports.json"];
    const { success } = await new Deno.Command("cp", {
      args: ["-r", ...parts.map((one) => `${ROOT}${one}`), folder],
    }).output();
    assert(success);
    const path = `${folder}/dist/web/app.json`;
    await Deno.mkdir(`${folder}/dist/web`, { recursive: true });
    if (app !== undefined) await Deno.writeFile(path, app);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", ...LOCKED, "--allow-all", "main.ts", "serve"],
      cwd: folder,
      env: {
        STRONGROOM_DATA_DIR: `${folder}/data`,
        STRONGROOM_LISTEN: "127.0.0.1:0",
        STRONGROOM_LOG_FORMAT: "pretty",
      },
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    try {
      const line = await firstLine(child.stdout);
      const origin = /http:\/\/[\d.:]+/.exec(line)?.[0];
      assert(origin !== undefined, line);
      await test({
        path,
        get: (path, headers = {}) => fetch(`${origin}${path}`, { headers }),
        named: () => {
          using db = new DatabaseSync(`${folder}/data/db/strongroom.sqlite`, {
            readOnly: true,
          });
          return db.prepare("select log_app_hash from server").get()
            ?.log_app_hash;
        },
      });
    } finally {
      child.kill("SIGTERM");
      await child.status;
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The app that a server lists, as its keys log names it. */
async function listedBy({ get }: Server) {
  const bytes = await (await get("/app/files.json")).bytes();
  const files: Record<string, string> = JSON.parse(
    new TextDecoder().decode(bytes),
  );
  const digests = Object.entries(files)
    .map(([path, hex]) => [path, fromHex(hex) ?? new Uint8Array()]);
  const manifest = Object.fromEntries([
    ...digests,
    ["/app/files.json", sha256(bytes)],
  ]);
  return {
    paths: Object.keys(files),
    manifest: sha256Hex(encodeCanonical(manifest)),
  };
}

Deno.test("a server has the core of the app, and its parts once they are built: 404 before, and the log names both", async () => {
  await freshApp();
  const whole = await Deno.readFile(APP_PATH);
  const { build, files } = carriedApp(whole);
  const core = {
    build,
    files: new Map([...files].filter(([path]) => !PART.test(path))),
  };
  const sources = "0".repeat(64);
  // The list of the core, as the core's own build makes it.
  const list = await carry(sources, core, { isWhole: false });
  await withServer(list, async (server) => {
    const { path, get, named } = server;
    const ask = async (name: string) => {
      const answer = await get(`/app/${build}/${name}`);
      return [answer.status, sha256Hex(await answer.bytes())] as const;
    };
    const hashOf = (name: string) =>
      sha256Hex(files.get(`/app/${build}/${name}`) ?? new Uint8Array());
    assert.equal((await get("/", BROWSER)).status, 200);
    const before = named();
    assert.equal((await ask("faces.js"))[0], 404);
    assert.equal(named(), before);

    await Deno.writeFile(`${path}.new`, whole);
    await Deno.rename(`${path}.new`, path);
    // What is served is read of the core as ever, though its file is replaced.
    assert.deepEqual(await ask("towns.bin"), [200, hashOf("towns.bin")]);
    await until(async () => (await ask("picture_text.js"))[0], 200);
    for (const name of ["faces.js", "things-weights.bin", "towns.bin"]) {
      assert.deepEqual(await ask(name), [200, hashOf(name)], name);
    }
    const listed = await listedBy(server);
    assert(listed.paths.some((path) => PART.test(path)));
    assert.notEqual(named(), before);
    assert.equal(named(), listed.manifest);
  });
});

Deno.test("the parts of an app are all that its core lacks", async () => {
  await freshApp();
  const whole = carriedApp(await Deno.readFile(APP_PATH));
  const core = {
    ...whole,
    files: new Map([...whole.files].filter(([path]) => !PART.test(path))),
  };
  const made = await addParts(core);
  assert.deepEqual(
    [...made.files.keys()].sort(),
    [...whole.files.keys()].sort(),
  );
  for (const [path, bytes] of whole.files) {
    assert.equal(
      sha256Hex(made.files.get(path) ?? new Uint8Array()),
      sha256Hex(bytes),
      path,
    );
  }
});

Deno.test("without the app a server serves programs, and a page that says what to run", async () => {
  await withServer(undefined, async ({ get }) => {
    assert.equal((await get("/healthz")).status, 200);
    assert.equal((await get("/openapi.json")).status, 200);
    for (const path of ["/", "/prove", `/s/${"0".repeat(32)}`]) {
      const page = await get(path, BROWSER);
      assert.equal(page.status, 200, path);
      assert.match(await page.text(), /deno task web/, path);
    }
    assert.equal((await get("/app/files.json")).status, 404);
  });
});
