/**
 * The one file that unpacks itself (install.md#one-file): what it does at its
 * first start, at later ones, and where it cannot.
 *
 * @module
 */
import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { bundle } from "../../scripts/bundle.ts";
import { makeOneFile } from "../../scripts/packaging/one_file.ts";
import { run, sha256Of } from "../../scripts/packaging/release.ts";
import { debianProgram, done } from "../support/debian.ts";
import { withDataDir } from "../support/program.ts";
import { mayMount } from "../support/small_disk.ts";

const BUILDER = await debianProgram("dpkg-deb", "dpkg");
const XZ = await debianProgram("xz", "xz-utils");
const IS_THIS = Deno.build.os === "linux" && Deno.build.arch === "x86_64";
const { version } = manifest;

let made: Promise<string> | undefined;

/** The file, made once for all tests here. */
function oneFile(): Promise<string> {
  return made ??= make();
}

async function make(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-one-file-" });
  globalThis.addEventListener("unload", () => {
    Deno.removeSync(folder, { recursive: true });
  });
  await bundle(`${folder}/bundle`);
  const paths = ["one", "again"].map((name) => `${folder}/${name}`);
  for (const path of paths) {
    await makeOneFile("linux-x64", `${folder}/bundle`, path, {
      date: 1_795_000_000,
      runtime: Deno.execPath(),
      fast: true,
    });
  }
  const [one = "", again = ""] = paths;
  assert.equal(await sha256Of(one), await sha256Of(again), "reproducible");
  return one;
}

function story(
  name: string,
  tell: (file: string, folder: string) => Promise<void>,
  mayRun = true,
): void {
  Deno.test({
    name,
    ignore: BUILDER === undefined || XZ === undefined || !IS_THIS || !mayRun,
    fn: () =>
      withDataDir(async (folder) => {
        await tell(await oneFile(), folder);
      }),
  });
}

/** Starts the file as a user with that home. */
async function started(
  file: string,
  home: string,
  env: Readonly<Record<string, string>> = {},
) {
  const { status, stdout, stderr } = await run(file, ["--version"], {
    HOME: home,
    XDG_CACHE_HOME: "",
    DENO_DIR: "",
    ...env,
  });
  return { status, out: stdout.trim(), said: stderr.trim() };
}

/** The names in the cache folder of a home. */
async function cached(home: string): Promise<string[]> {
  const entries = await Array.fromAsync(
    Deno.readDir(`${home}/.cache/strongroom`),
  );
  return entries.map(({ name }) => name);
}

const WELL = { status: 0, out: version, said: "" };

story(
  "the first start unpacks the file, and a later one changes nothing",
  async (file, home) => {
    assert.deepEqual(await started(file, home), WELL);
    const [name = "", ...others] = await cached(home);
    assert.deepEqual(others, []);
    const deno = `${home}/.cache/strongroom/${name}/deno`;
    const before = await Deno.stat(deno);
    assert.deepEqual(await started(file, home), WELL);
    const after = await Deno.stat(deno);
    assert.deepEqual([after.ino, after.mtime], [before.ino, before.mtime]);
  },
);

story(
  "several first starts at once leave one folder, and all run",
  async (file, home) => {
    const all = await Promise.all([1, 2, 3].map(() => started(file, home)));
    assert.deepEqual(all, [WELL, WELL, WELL]);
    assert.equal((await cached(home)).length, 1);
  },
);

story(
  "what was deleted from the cache is unpacked again",
  async (file, home) => {
    assert.deepEqual(await started(file, home), WELL);
    const [name = ""] = await cached(home);
    await Deno.remove(`${home}/.cache/strongroom/${name}/main.js`);
    assert.deepEqual(await started(file, home), WELL);
    assert.deepEqual(await cached(home), [name]);
  },
);

story(
  "without xz the first start unpacks with dpkg-deb, and without either it says so",
  async (file, home) => {
    const bin = `${home}/bin`;
    await Deno.mkdir(bin);
    const has = async (...names: readonly string[]) => {
      for (const name of names) {
        const path = (await done("which", [name])).trim();
        await Deno.symlink(path, `${bin}/${name}`);
      }
    };
    await has(
      ...["uname", "mkdir", "mktemp", "tail", "head", "tar", "sha256sum", "mv"],
      ...["rm", "readlink", "dirname", "sh", "stat"],
    );
    const { status, said } = await started(file, home, { PATH: bin });
    assert.equal(status, 1);
    assert.match(said, /^strongroom: xz is not installed, .*\(xz-utils\)$/);
    await has("dpkg-deb");
    assert.deepEqual(await started(file, home, { PATH: bin }), WELL);
  },
);

story(
  "a file that was cut off, a folder that cannot be written, another processor and a system without glibc are each told in one line",
  async (file, home) => {
    const told = async (path: string, env: Record<string, string> = {}) => {
      const { status, said } = await started(path, home, env);
      assert.equal(status, 1);
      assert.equal(said.split("\n").length, 1, said);
      return said;
    };
    const cut = `${home}/cut`;
    await Deno.copyFile(file, cut);
    await Deno.truncate(cut, 20_000_000);
    assert.match(
      await told(cut),
      /could not be unpacked into .*file damaged$/m,
    );
    const blocked = `${home}/blocked`;
    await Deno.writeTextFile(blocked, "");
    assert.match(
      await told(file, { XDG_CACHE_HOME: blocked }),
      /cannot write to .*: set XDG_CACHE_HOME to another folder$/,
    );
    const bin = `${home}/bin`;
    await Deno.mkdir(bin);
    await Deno.writeTextFile(`${bin}/uname`, "#!/bin/sh\necho riscv64\n");
    await Deno.chmod(`${bin}/uname`, 0o755);
    const path = `${bin}:${Deno.env.get("PATH")}`;
    assert.match(
      await told(file, { PATH: path }),
      /this file is for x86_64, and this machine is riscv64$/,
    );
    const musl = `${home}/musl`;
    const text = new TextDecoder("latin1").decode(await Deno.readFile(file));
    const [script = ""] = text.split("!<arch>");
    await Deno.writeTextFile(
      musl,
      script.replaceAll("/lib64/ld-", "/lib64/no-"),
    );
    await Deno.chmod(musl, 0o755);
    assert.match(await told(musl), /has no glibc .*musl, like Alpine, cannot/);
  },
);

story(
  "a cache folder that others may write, or that is a link, is not run from",
  async (file, home) => {
    const told = async () => {
      const { status, said } = await started(file, home);
      assert.equal(status, 1);
      assert.match(said, /is a link, or others may write there: set XDG_CACHE/);
    };
    assert.deepEqual(await started(file, home), WELL);
    await Deno.chmod(`${home}/.cache/strongroom`, 0o777);
    await told();
    await Deno.chmod(`${home}/.cache/strongroom`, 0o700);
    await Deno.rename(`${home}/.cache/strongroom`, `${home}/elsewhere`);
    await Deno.symlink(`${home}/elsewhere`, `${home}/.cache/strongroom`);
    await told();
  },
);

story(
  "a cache folder without the right to run programs is told in one line",
  async (file, home) => {
    const place = `${home}/noexec`;
    await Deno.mkdir(place);
    await done("mount", ["-t", "tmpfs", "-o", "noexec,size=300m", "x", place]);
    try {
      const { status, said } = await started(file, home, {
        XDG_CACHE_HOME: place,
      });
      assert.equal(status, 1);
      assert.match(
        said,
        /^strongroom: programs cannot be run from .* noexec: /,
      );
    } finally {
      await done("umount", [place]);
    }
  },
  await mayMount(),
);

story(
  "the file becomes the program: a signal reaches it, and its status comes back",
  async (file, home) => {
    const child = new Deno.Command(file, {
      args: ["serve"],
      env: {
        HOME: home,
        STRONGROOM_DATA_DIR: `${home}/data`,
        STRONGROOM_LISTEN: "127.0.0.1:0",
      },
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const lines = child.stdout.getReader();
    const { value } = await lines.read();
    assert.match(new TextDecoder().decode(value), /127\.0\.0\.1/);
    const name = await Deno.readTextFile(`/proc/${child.pid}/comm`);
    assert.equal(name.trim(), "deno");
    child.kill("SIGTERM");
    lines.releaseLock();
    await child.stdout.cancel();
    assert.equal((await child.status).code, 0);
  },
);
