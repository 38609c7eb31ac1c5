/**
 * The Debian package: built, installed, run, upgraded, removed and purged.
 * Only on a machine that is there to be thrown away (CI=true), as root.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../deno.json" with { type: "json" };
import { run, sha256Of } from "../../scripts/packaging/release.ts";
import { debianProgram, lockPackages, mayInstall } from "../support/debian.ts";
import { PASSWORD } from "../support/people.ts";
import { withDataDir } from "../support/program.ts";
import { LOCKED } from "../../scripts/locked.ts";

const UNITS = fileURLToPath(
  new URL("../../scripts/packaging/systemd/", import.meta.url),
);
const DATA = "/var/lib/strongroom";
const SETTINGS = "/etc/strongroom/strongroom.env";
const CACHE = "/var/cache/strongroom";
const RECEIVE = "strongroom-receive.service";
const SPOOL = "/var/lib/strongroom-receive";
const RECEIVE_SETTINGS = "/etc/strongroom/receive";
/** Where systemd finds what is to be started. */
const WANTED = `/etc/systemd/system/multi-user.target.wants/${RECEIVE}`;
const HEADERS = {
  "X-Service-Protocol": "2026-11-01",
  "Content-Type": "application/json",
};
const CREDENTIALS = JSON.stringify({
  address: "ada@example.org",
  password: PASSWORD,
});

const BUILDER = await debianProgram("dpkg-deb", "dpkg");
const LINTIAN = await debianProgram("lintian", "lintian");
const INSTALLS = await mayInstall() && !await isThere(DATA) &&
  await debianProgram("adduser", "adduser") !== undefined &&
  await debianProgram("setpriv", "util-linux") !== undefined;
if (!INSTALLS) {
  await Deno.stderr.write(new TextEncoder().encode(
    "tests that install the package are ignored: they want CI=true, Debian, " +
      `root and no ${DATA}\n`,
  ));
}

async function build(output: string, ...wishes: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(Deno.execPath(), [
    ...["run", ...LOCKED, "--allow-all", "scripts/packaging/deb.ts", "--fast"],
    ...["--runtime", Deno.execPath(), "--output", output, ...wishes],
  ], { SOURCE_DATE_EPOCH: "1795000000" });
  assert.equal(status, 0, stderr);
  const [, path] = /^\w{64} {2}(.+\.deb)\n$/.exec(stdout) ?? [];
  assert(path !== undefined, stdout);
  return path;
}

async function ok(program: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(program, args, {
    DEBIAN_FRONTEND: "noninteractive",
  });
  assert.equal(status, 0, `${program} ${args.join(" ")}: ${stderr}`);
  return stdout + stderr;
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

/** Starts a unit's program as it does, as far as that goes without systemd. */
async function withService(
  test: (url: string) => Promise<void>,
  name = "strongroom.service",
  options: readonly string[] = [],
): Promise<void> {
  const unit = await Deno.readTextFile(`${UNITS}${name}`);
  const [, command = ""] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
  const [, environment = ""] = /^Environment=(.+)$/m.exec(unit) ?? [];
  const user = ["--reuid=strongroom", "--regid=strongroom", "--init-groups"];
  const [, named = ""] = /^StateDirectory=(.+)$/m.exec(unit) ?? [];
  const states = named.split(" ");
  const [state = ""] = states;
  const folders = [
    `/var/cache/${state}`,
    ...states.map((one) => `/var/lib/${one}`),
  ];
  const owned = "-d -m 0700 -o strongroom -g strongroom".split(" ");
  await ok("install", ...owned, ...folders);
  const child = new Deno.Command("setpriv", {
    args: [
      ...user,
      ...["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"],
      ...command.split(" ")
        .flatMap((word) => word === "$OPTIONS" ? options : [word]),
    ],
    cwd: `/var/lib/${state}`,
    clearEnv: true,
    env: {
      PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
      ...Object.fromEntries(
        environment.split(" ").map((one) => one.split("=", 2)),
      ),
      STRONGROOM_LISTEN: "127.0.0.1:0",
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(child.stderr).text();
  const reader = child.stdout.getReader();
  try {
    const { value } = await reader.read();
    let line = new TextDecoder().decode(value);
    while (!/https?:/.test(line)) {
      const { done, value } = await reader.read();
      if (done) break;
      line += new TextDecoder().decode(value);
    }
    const url = /http:\/\/\S+/.exec(line)?.[0];
    assert(url !== undefined, line);
    await test(url);
  } finally {
    child.kill("SIGTERM");
    await reader.cancel();
    await child.status;
  }
  assert.equal((await child.status).code, 0, await stderr);
}

async function post(url: string, path: string): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: HEADERS,
    body: CREDENTIALS,
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test({
  name:
    "a package that is built twice is the same, and lintian has nothing against it",
  ignore: BUILDER === undefined,
  fn: () =>
    withDataDir(async (folder) => {
      const first = await build(`${folder}/first`, "--bundled");
      const second = await build(`${folder}/second`, "--bundled");
      assert.equal(await sha256Of(first), await sha256Of(second));
      if (LINTIAN === undefined) return;
      const { stdout } = await run(LINTIAN, ["--fail-on=none", first]);
      assert.equal(stdout, "");
    }),
});

Deno.test({
  name:
    "the package installs, serves as its user, upgrades, and goes without what people stored",
  ignore: BUILDER === undefined || !INSTALLS,
  fn: () =>
    withDataDir(async (folder) => {
      const older = await build(folder);
      const newer = await build(folder, "--version", "99.0.0-rc.1");
      using _lock = await lockPackages();
      try {
        await installs(older);
        await upgrades(newer);
        await goes();
      } finally {
        await run("dpkg", ["--purge", "strongroom"]);
        await run("userdel", ["strongroom"]);
        for (const folder of [DATA, SPOOL]) {
          await Deno.remove(folder, { recursive: true }).catch(() => {});
        }
      }
    }),
});

async function installs(older: string): Promise<void> {
  const said = await ok("dpkg", "--install", older);
  assert.match(said, /strongroom: next, before anyone registers: .*BASE_URL/);
  assert.match(said, /sudo strongroom doctor/);
  assert.equal(await ok("strongroom", "--version"), `${manifest.version}\n`);
  const owners = await ok("stat", "--format=%U:%G %a", SETTINGS, DATA);
  assert.equal(owners, "root:strongroom 640\nstrongroom:strongroom 700\n");
  // The first start finds its code compiled. An executable brings its own.
  const compiled = await ok("find", CACHE, "-name", "v8_code_cache*");
  const isBundled = await isThere("/usr/lib/strongroom/deno");
  assert.equal(/v8_code_cache/.test(compiled), isBundled);
  assert.equal(await ok("find", CACHE, "-not", "-user", "strongroom"), "");
  await withService(async (url) => {
    assert.equal(await post(url, "/v1/auth/register"), 200);
  });
  const unit = "/usr/lib/systemd/system/strongroom.service";
  assert(await isThere(unit));
  await receives();
  await commandsAreTheUsers();
  await backsUpOntoRootsDisk();
}

/** Its service is off until the operator enables it, and takes photos then. */
async function receives(): Promise<void> {
  assert(!await isThere(WANTED));
  await Deno.writeTextFile(RECEIVE_SETTINGS, "OPTIONS=\n");
  await withService(
    async (url) => {
      const answer = await fetch(url, { method: "PROPFIND" });
      await answer.body?.cancel();
      assert.equal(answer.status, 401);
    },
    RECEIVE,
    ["--listen", "127.0.0.1:0"],
  );
  const owner = await ok("stat", "--format=%U", `${SPOOL}/register.sqlite`);
  assert.equal(owner, "strongroom\n");
  // As `systemctl enable` does.
  await ok("install", "-d", dirname(WANTED));
  await Deno.symlink(`/usr/lib/systemd/system/${RECEIVE}`, WANTED);
}

/** The disk belongs to root, as it was mounted; the backup to the service. */
async function backsUpOntoRootsDisk(): Promise<void> {
  const disk = await Deno.makeTempDir();
  try {
    await Deno.chmod(disk, 0o755);
    await ok("strongroom", "backup", `${disk}/strongroom`);
    await ok("strongroom", "backup", `${disk}/strongroom`, "--existing");
    const foreign = await ok("find", disk, "-mindepth", "1", "-user", "root");
    assert.equal(foreign, "");
    await ok("strongroom", "backup", "verify", `${disk}/strongroom`);
  } finally {
    await Deno.remove(disk, { recursive: true });
  }
}

/** Root names neither a user nor a file, wherever it happens to be. */
async function commandsAreTheUsers(): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    const { status, stdout, stderr } = await run("sh", [
      "-c",
      'cd "$PLACE" && printf "%s\\n" "$WORD" | ' +
      "strongroom account create grace@example.org --password-stdin && " +
      "strongroom account list && strongroom config show --json",
    ], { PLACE: home, WORD: PASSWORD });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /ada@example\.org[^]*grace@example\.org/);
    const shown = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    assert.equal(shown.env_file, SETTINGS);
    const owners = await ok("find", DATA, "-not", "-user", "strongroom");
    assert.equal(owners, "");
  } finally {
    await Deno.remove(home);
  }
  // Another user is told what to do.
  const { status, stderr } = await run("setpriv", [
    ...["--reuid=nobody", "--regid=nogroup", "--clear-groups"],
    ...["strongroom", "account", "list"],
  ]);
  assert.equal(status, 1);
  assert.match(stderr, /strongroom\.env: cannot be read .*run this with sudo/);
}

async function upgrades(newer: string): Promise<void> {
  await Deno.writeTextFile(SETTINGS, "STRONGROOM_MIN_CLIENT_BUILD=7\n", {
    append: true,
  });
  const said = await ok("dpkg", "--install", newer);
  assert.doesNotMatch(said, /strongroom: next/);
  const version = await ok("dpkg-query", "--show", "strongroom");
  assert.match(version, /\t99\.0\.0~rc\.1\n/);
  await withService(async (url) => {
    assert.equal(await post(url, "/v1/auth/login"), 200);
    const response = await fetch(`${url}/v1/version`);
    await response.body?.cancel();
    assert.equal(response.headers.get("x-service-min-client-build"), "7");
  });
  const settings = await ok("stat", "--format=%U:%G %a", SETTINGS);
  assert.equal(settings, "root:strongroom 640\n");
  assert(await isThere(WANTED), "what was enabled stays so");
  // What was edited stays, and nothing was there to ask about.
  assert.match(
    await Deno.readTextFile(SETTINGS),
    /\nSTRONGROOM_MIN_CLIENT_BUILD=7\n$/,
  );
  const conffiles = ["--show", "--showformat=${Conffiles}", "strongroom"];
  assert.equal(await ok("dpkg-query", ...conffiles), "");
}

async function goes(): Promise<void> {
  const files = (await ok("dpkg-query", "--listfiles", "strongroom"))
    .split("\n").filter((path) => path.includes("strongroom"));
  assert(files.length > 10);
  await ok("dpkg", "--remove", "strongroom");
  const left = async () => {
    const there = await Promise.all(files.map(isThere));
    return files.filter((_, index) => there[index]);
  };
  assert.deepEqual(await left(), []);
  assert(await isThere(SETTINGS), "settings stay until they are purged");
  const farewell = await ok("dpkg", "--purge", "strongroom");
  assert.match(farewell, /\/var\/lib\/strongroom keeps what people stored/);
  assert.match(farewell, /strongroom-receive keeps what phones sent/);
  assert(!await isThere(SETTINGS));
  assert(!await isThere(RECEIVE_SETTINGS));
  assert(!await isThere(WANTED));
  assert(!await isThere(`${CACHE}-receive`));
  const states = await Array.fromAsync(
    Deno.readDir("/var/lib/systemd/deb-systemd-helper-enabled"),
  );
  assert(!states.some(({ name }) => name.startsWith("strongroom")));
  assert(await isThere(`${SPOOL}/register.sqlite`));
  assert(!await isThere(CACHE));
  assert(await isThere(`${DATA}/db/strongroom.sqlite`));
}
