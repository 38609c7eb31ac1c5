/**
 * The bundled program and the compiled one: where they run, and what they may.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import manifest from "../../deno.json" with { type: "json" };
import { bundle, namedByBuild } from "../../scripts/bundle.ts";
import {
  MEMORY_FLAG,
  PROGRAM_PERMISSIONS,
  RUNTIME_FLAGS,
} from "../../scripts/packaging/permissions.ts";
import { run, sha256Of, writeSums } from "../../scripts/packaging/release.ts";
import { debianProgram } from "../support/debian.ts";
import { withDataDir } from "../support/program.ts";
import { until } from "../support/until.ts";
import { LOCKED } from "../../scripts/locked.ts";

let made:
  | Promise<Awaited<ReturnType<typeof bundle>> & { folder: string }>
  | undefined;

/** The bundle that several tests have a look at; it goes after the last. */
function oneBundle() {
  return made ??= (async () => {
    const parent = await Deno.makeTempDir({ prefix: "strongroom-bundle-" });
    const folder = `${parent}/a bundle`;
    return { ...await bundle(folder), folder };
  })();
}

Deno.test.afterAll(async () => {
  if (made === undefined) return;
  await Deno.remove(dirname((await made).folder), { recursive: true });
});

/** Gives a command a terminal. */
const SCRIPT = await debianProgram("script", "bsdutils");
const LAUNCHED = { PATH: `${dirnameOfDeno()}:${Deno.env.get("PATH")}` };

Deno.test("packed, the program can run no other and load no library", () => {
  const granted = PROGRAM_PERMISSIONS.join(" ");
  assert.doesNotMatch(granted, /allow-(all|run|ffi|import)|-A/);
  assert.match(granted, /--deny-import/);
});

Deno.test({
  name:
    "the first start by hand on a desktop opens the browser, and no later one, and none as root",
  ignore: SCRIPT === undefined,
  fn: () =>
    withDataDir(async (folder) => {
      const { folder: bundled } = await oneBundle();
      await Deno.mkdir(`${folder}/bin`);
      await Deno.writeTextFile(
        `${folder}/bin/xdg-open`,
        `#!/bin/sh\necho "$@" >>'${folder}/opened'\n`,
        { mode: 0o755 },
      );
      const become = (user: number) =>
        Deno.writeTextFile(
          `${folder}/bin/id`,
          `#!/bin/sh\necho ${user}\n`,
          { mode: 0o755 },
        );
      await become(1_000);
      const start = async (args: string) => {
        const child = new Deno.Command(SCRIPT ?? "", {
          args: ["-qefc", `'${bundled}/strongroom' ${args}`, "/dev/null"],
          cwd: folder,
          env: {
            DISPLAY: ":9",
            PATH: `${folder}/bin:${LAUNCHED.PATH}`,
            STRONGROOM_DATA_DIR: `${folder}/data`,
            STRONGROOM_LISTEN: "127.0.0.1:0",
            TERM: "xterm",
          },
          stdin: "piped",
          stdout: "piped",
          stderr: "null",
        }).spawn();
        const input = child.stdin.getWriter();
        let said = "";
        for await (
          const piece of child.stdout.pipeThrough(new TextDecoderStream())
        ) {
          const served = said.includes("is serving");
          said += piece;
          if (!served && said.includes("is serving")) {
            // Its opener ends by itself, and the terminal waits for it.
            await input.write(new Uint8Array([3]));
          }
        }
        await input.close().catch(() => {});
        await child.status;
        return said;
      };
      const opened = () => Deno.readTextFile(`${folder}/opened`);
      assert.match(await start(""), /created just now/);
      await until(async () => await opened().catch(() => "") !== "", true);
      const first = await opened();
      assert.match(first, /^http:\/\/127\.0\.0\.1:\d+\n$/);
      assert.doesNotMatch(await start(""), /created just now/);
      await Deno.remove(`${folder}/data`, { recursive: true });
      assert.match(await start("serve"), /created just now/);
      await Deno.remove(`${folder}/data`, { recursive: true });
      await become(0);
      assert.match(await start(""), /created just now/);
      assert.equal(await opened(), first);
    }),
});

Deno.test("from a checkout, a command has the packed program's permissions", () => {
  assert.equal(
    manifest.tasks.strongroom.command.split(" && ").at(-1),
    `deno run --lock --frozen --no-prompt ${
      PROGRAM_PERMISSIONS.join(" ")
    } main.ts`,
  );
});

Deno.test("packed and from a checkout, a server keeps its young generation small", () => {
  assert.ok(RUNTIME_FLAGS.includes(MEMORY_FLAG));
  const command = manifest.tasks.start.command.split(/ &&? /).at(-1);
  assert.ok(
    command?.startsWith(`deno run --lock --frozen --no-prompt ${MEMORY_FLAG} `),
  );
});

Deno.test("the launcher runs the bundle from any directory, through a link, hands its arguments on and drains on SIGTERM", async () => {
  await withDataDir(async (folder) => {
    const { main, parts, workers, folder: bundled } = await oneBundle();
    // The mark of the build apart.
    assert.deepEqual(
      workers.map((path) => path.replace(/\.[0-9a-f]{12}\.js$/, "")).toSorted(),
      ["argon2_worker", "heif_worker", "writer_worker"]
        .map((name) => `${bundled}/${name}`),
    );
    const files = [main, ...parts, ...workers];
    const texts = await Promise.all(
      files.map((file) => Deno.readTextFile(file)),
    );
    for (const text of texts) {
      // Else V8 keeps all of it with two bytes for each character.
      assert.match(text, /^[\0-\x7f]*$/);
      // A build tells of no machine, and can be repeated on another.
      assert.doesNotMatch(text, /registry\.npmjs\.org\/@?[a-z]+\/.*\.js$/m);
      assert.doesNotMatch(text, /\.\/[\w-]+-[A-Z0-9]{8}\.js/);
    }
    assert.match(texts.join("\n"), /^\/\/ npm:[\w@/-]+@[\d.]+\/\S+$/m);
    const licences = await Deno.readTextFile(
      `${bundled}/THIRD-PARTY-LICENSES`,
    );
    assert.match(licences, /^hash-wasm [\d.]+\n=+\n\n.*MIT License/m);
    assert.doesNotMatch(licences, /^oidc-provider/m);
    await Deno.symlink(`${bundled}/strongroom`, `${folder}/strongroom`);
    await Deno.mkdir(`${folder}/elsewhere`);
    const version = await run(`${folder}/strongroom`, ["--version"], LAUNCHED);
    assert.deepEqual(version, {
      status: 0,
      stdout: `${manifest.version}\n`,
      stderr: "",
    });

    const child = new Deno.Command("../strongroom", {
      args: ["serve", "--data-dir", "my photos"],
      cwd: `${folder}/elsewhere`,
      env: { ...LAUNCHED, STRONGROOM_LISTEN: "127.0.0.1:0" },
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    assert.match(
      new TextDecoder().decode(value),
      /"strongroom is serving http:\/\/127\.0\.0\.1:\d+ out of \.\/my photos, created just now /,
    );
    child.kill("SIGTERM");
    assert((await reader.read()).done);
    assert.equal((await child.status).code, 0);
  });
});

Deno.test("a build's files name those of no other build, wherever the two differ", () => {
  const texts = (last: string) =>
    new Map([
      ["main.js", 'import "./part-001.js"; import("./part-002.js");'],
      ["part-001.js", 'import "./main.js"; import("./other.js");'],
      ["part-002.js", `new Worker(new URL("./a_worker.js", "")); ${last}`],
      ["a_worker.js", ""],
    ]);
  const [first, again, changed] = ["1", "1", "2"].map((last) =>
    namedByBuild(texts(last))
  );
  assert.deepEqual(first, again);
  const [build] = first?.names.get("a_worker.js")?.match(/[0-9a-f]{12}/) ?? [];
  assert(build !== undefined);
  assert.deepEqual(
    first?.texts,
    new Map([
      [
        "main.js",
        `import "./part-001.${build}.js"; import("./part-002.${build}.js");`,
      ],
      [`part-001.${build}.js`, 'import "./main.js"; import("./other.js");'],
      [
        `part-002.${build}.js`,
        `new Worker(new URL("./a_worker.${build}.js", "")); 1`,
      ],
      [`a_worker.${build}.js`, ""],
    ]),
  );
  assert.deepEqual(
    [...first?.texts.keys() ?? []].filter((name) => changed?.texts.has(name)),
    ["main.js"],
  );
});

Deno.test("a command leaves nothing in its user's home, where a backup may be restored", async () => {
  await withDataDir(async (folder) => {
    const { folder: bundled } = await oneBundle();
    const home = `${folder}/home`;
    await Deno.mkdir(home);
    const PATH = LAUNCHED.PATH;
    const { code, stderr } = await new Deno.Command(
      `${bundled}/strongroom`,
      {
        args: ["restore", `${folder}/no-backup`, "--data-dir", home],
        clearEnv: true,
        env: { PATH, HOME: home },
      },
    ).output();
    assert.equal(code, 1);
    assert.match(
      new TextDecoder().decode(stderr),
      /contains no complete backup/,
    );
    assert.deepEqual(await Array.fromAsync(Deno.readDir(home)), []);
  });
});

Deno.test("compiled code is kept in systemd's cache folder or the one of a home, and in no data directory", async () => {
  await withDataDir(async (folder) => {
    const { folder: bundled } = await oneBundle();
    const version = async (env: Record<string, string>) => {
      const { code, stderr } = await new Deno.Command(
        `${bundled}/strongroom`,
        {
          args: ["--version"],
          clearEnv: true,
          env: { PATH: LAUNCHED.PATH, ...env },
        },
      ).output();
      assert.equal(code, 0);
      assert.equal(new TextDecoder().decode(stderr), "");
    };
    const namesIn = async (place: string) =>
      (await Array.fromAsync(Deno.readDir(place))).map(({ name }) => name);
    const isKept = async (place: string) =>
      (await namesIn(place)).some((name) => name.startsWith("v8_code_cache"));

    const HOME = `${folder}/home`;
    const caches = `${HOME}/.cache`;
    await Deno.mkdir(caches, { recursive: true });
    await Deno.mkdir(`${folder}/given`);
    await version({ HOME, CACHE_DIRECTORY: `${folder}/given:${folder}/other` });
    assert(await isKept(`${folder}/given`));
    assert.deepEqual(await namesIn(caches), []);
    await version({ HOME });
    assert(await isKept(`${caches}/strongroom`));

    // What cannot be written is passed over.
    await Deno.remove(`${caches}/strongroom`, { recursive: true });
    await Deno.writeTextFile(`${caches}/strongroom`, "");
    await version({ HOME });
    await Deno.remove(`${caches}/strongroom`);
    // A home that is a data directory.
    await Deno.mkdir(`${HOME}/db`);
    await version({ HOME });
    assert.deepEqual(await namesIn(caches), []);
    assert.deepEqual((await namesIn(HOME)).toSorted(), [".cache", "db"]);
  });
});

Deno.test({
  name: "on a terminal a command says its answer, and nothing of a cache",
  ignore: SCRIPT === undefined,
  fn: async () => {
    await withDataDir(async (home) => {
      const { folder: bundled } = await oneBundle();
      const { code, stdout } = await new Deno.Command(SCRIPT ?? "", {
        args: ["-qec", `'${bundled}/strongroom' --version`, "/dev/null"],
        clearEnv: true,
        env: { PATH: LAUNCHED.PATH, HOME: home },
      }).output();
      assert.equal(code, 0);
      const said = new TextDecoder().decode(stdout);
      assert.equal(said.trim(), manifest.version);
    });
  },
});

Deno.test("without a runtime the launcher says where it wants one", async () => {
  await withDataDir(async (folder) => {
    const { folder: bundled } = await oneBundle();
    // No shell tools but the two that the launcher uses.
    await Deno.mkdir(`${folder}/bin`);
    for (const tool of ["dirname", "readlink"]) {
      await Deno.symlink(`/usr/bin/${tool}`, `${folder}/bin/${tool}`);
    }
    const { code, stderr } = await new Deno.Command("/bin/sh", {
      args: [`${bundled}/strongroom`, "--version"],
      clearEnv: true,
      env: { PATH: `${folder}/bin` },
    }).output();
    assert.equal(code, 1);
    assert.match(
      new TextDecoder().decode(stderr),
      /^strongroom: there is no deno next to .* or on the PATH: .*\n$/,
    );
  });
});

Deno.test("compiling gives an executable, or says in one line that the base runtime cannot be had", async () => {
  const { status, stdout, stderr } = await run(Deno.execPath(), [
    ...["run", ...LOCKED, "--allow-all", "scripts/compile.ts"],
    ...["--target", "windows-x64"],
  ], {
    // A port that no program listens on, in the place of the network.
    HTTPS_PROXY: "http://127.0.0.1:9",
  });
  if (status === 0) {
    // It was compiled here before, and its base runtime is in the cache.
    const [, sum = "", path = ""] = /^(\w{64}) {2}(.+)\n$/.exec(stdout) ?? [];
    assert.equal(await sha256Of(path), sum);
    return;
  }
  assert.equal(status, 3, stderr);
  assert.match(stderr, /^the base runtime for windows-x64 cannot be had from/);
  assert.match(stderr, /DENORT_BIN[^\n]*\n$/);
});

Deno.test("a DENORT_BIN that is no base runtime is found out", async () => {
  const { status, stderr } = await run(Deno.execPath(), [
    ...["run", ...LOCKED, "--allow-all", "scripts/compile.ts"],
  ], { DENORT_BIN: Deno.execPath() });
  assert.equal(status, 1);
  assert.match(stderr, /^the executable does not run as strongroom .*denort/);
});

Deno.test("a target that there is not is a wrong use", async () => {
  for (
    const args of [["--target", "amiga"], ["--colour"], ["--target"], ["x"]]
  ) {
    const ended = await run(Deno.execPath(), [
      ...["run", ...LOCKED, "--allow-all", "scripts/compile.ts"],
      ...args,
    ]);
    assert.equal(ended.status, 2, args.join(" "));
    assert.match(ended.stderr, /targets: linux-x64, linux-arm64, macos-x64/);
  }
});

Deno.test("the checksums are what sha256sum --check reads", async () => {
  await withDataDir(async (folder) => {
    await Deno.writeTextFile(`${folder}/strongroom-1.0.0-linux-x64`, "one");
    await Deno.writeTextFile(`${folder}/strongroom_1.0.0_amd64.deb`, "two");
    await Deno.writeTextFile(`${folder}/another`, "three");
    await writeSums(folder);
    const { code, stdout } = await new Deno.Command("sha256sum", {
      args: ["--check", "SHA256SUMS"],
      cwd: folder,
    }).output();
    assert.equal(code, 0);
    assert.equal(
      new TextDecoder().decode(stdout),
      "strongroom-1.0.0-linux-x64: OK\nstrongroom_1.0.0_amd64.deb: OK\n",
    );
  });
});

function dirnameOfDeno(): string {
  return Deno.execPath().replace(/\/[^/]+$/, "");
}
