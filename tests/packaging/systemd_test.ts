/**
 * The unit of systemd's: what it exposes, and that the server works under it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bundle } from "../../scripts/bundle.ts";
import {
  DEBIAN_PYTHON,
  debianProgram,
  debianPython,
} from "../support/debian.ts";
import { PASSWORD } from "../support/people.ts";
import { withDataDir } from "../support/program.ts";

const UNITS = fileURLToPath(
  new URL("../../scripts/packaging/systemd/", import.meta.url),
);
const UNIT = `${UNITS}strongroom.service`;
const DROP_INS = [
  "low-port",
  "mdns",
  "unix-socket",
  "data-directory",
] as const;
const FILTER = fileURLToPath(
  new URL("../support/syscall_filter.py", import.meta.url),
);
/** Of 10; `systemd-analyze security` calls up to 2.0 well protected. */
const EXPOSURE_MAX = 2.0;
/** Debian's unprivileged user. */
const NOBODY = 65_534;
const PATIENCE_MS = 30_000;

const ANALYZE = await debianProgram("systemd-analyze", "systemd");
const SETPRIV = await debianProgram("setpriv", "util-linux");
const SECCOMP = Deno.build.os === "linux" &&
  await debianPython("seccomp", "python3-seccomp");

async function analyze(
  args: readonly string[],
  folder: string,
): Promise<{ success: boolean; said: string }> {
  const { success, stdout, stderr } = await new Deno.Command(ANALYZE ?? "", {
    args: ["--no-pager", ...args],
    env: { SYSTEMD_UNIT_PATH: `${folder}:`, LC_ALL: "C" },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, said: text(stdout) + text(stderr) };
}

/**
 * What systemd has against units of a folder. What it has against others, which
 * a machine may be installing or removing just then, is not about them.
 */
async function verify(
  units: readonly string[],
  folder: string,
): Promise<{ success: boolean; said: string }> {
  const { success, said } = await analyze([
    ...["verify", "--man=no", "--recursive-errors=no"],
    ...units.map((unit) => `${folder}/${unit}`),
  ], folder);
  const own = said.split("\n").filter((line) =>
    line.includes(folder) || line.includes("strongroom")
  );
  return { success, said: own.join("\n") };
}

/** Lays out the unit, and perhaps a drop-in, as an administrator would. */
async function withUnit(
  dropIn: (typeof DROP_INS)[number] | undefined,
  test: (folder: string, unit: string) => Promise<void>,
): Promise<void> {
  await withDataDir(async (folder) => {
    const unit = `${folder}/strongroom.service`;
    const text = await Deno.readTextFile(UNIT);
    // The program need not be installed for the unit to be right.
    await Deno.writeTextFile(
      unit,
      text.replace("/usr/bin/strongroom", "/bin/sh"),
      // Whatever mask another test of this process has just then.
      { mode: 0o644 },
    );
    if (dropIn !== undefined) {
      await Deno.mkdir(`${unit}.d`, { mode: 0o755 });
      const conf = `${unit}.d/${dropIn}.conf`;
      await Deno.copyFile(`${UNITS}${dropIn}.conf`, conf);
      await Deno.chmod(conf, 0o644);
    }
    await test(folder, unit);
  });
}

for (const dropIn of [undefined, ...DROP_INS]) {
  const what = dropIn === undefined ? "the unit" : `the unit with ${dropIn}`;
  Deno.test({
    name: `${what} is one that systemd takes, with an exposure of at most 2.0`,
    ignore: ANALYZE === undefined,
    fn: () =>
      withUnit(dropIn, async (folder) => {
        assert.deepEqual(await verify(["strongroom.service"], folder), {
          success: true,
          said: "",
        });
        const { said } = await analyze(
          ["security", "--offline=yes", "strongroom.service"],
          folder,
        );
        const [, exposure] = /Overall exposure level .*: ([\d.]+)/.exec(said) ??
          [];
        assert(Number(exposure) <= EXPOSURE_MAX, said);
      }),
  });
}

Deno.test({
  name:
    "the unit of receive is one that systemd takes, with an exposure of at most 2.0",
  ignore: ANALYZE === undefined,
  fn: () =>
    withDataDir(async (folder) => {
      const name = "strongroom-receive.service";
      const unit = `${folder}/${name}`;
      const text = await Deno.readTextFile(`${UNITS}${name}`);
      await Deno.writeTextFile(
        unit,
        text.replace("/usr/bin/strongroom", "/bin/sh"),
        { mode: 0o644 },
      );
      assert.deepEqual(await verify([name], folder), {
        success: true,
        said: "",
      });
      const { said } = await analyze(
        ["security", "--offline=yes", name],
        folder,
      );
      const [, exposure] = /Overall exposure level .*: ([\d.]+)/.exec(said) ??
        [];
      assert(Number(exposure) <= EXPOSURE_MAX, said);
    }),
});

Deno.test({
  name: "an unknown line in the unit is found out",
  ignore: ANALYZE === undefined,
  fn: () =>
    withUnit(undefined, async (folder, unit) => {
      await Deno.writeTextFile(unit, "[Service]\nNoNewPrivilege=yes\n", {
        append: true,
      });
      const { said } = await verify(["strongroom.service"], folder);
      assert.match(said, /Unknown key .*NoNewPrivilege/);
    }),
});

Deno.test("a stop that drains is waited for", async () => {
  const text = await Deno.readTextFile(UNIT);
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text) ?? [];
  assert(Number(seconds) > 20);
});

Deno.test({
  name:
    "the server works with the unit's system calls, as an unprivileged user, with no capability",
  ignore: ANALYZE === undefined || SETPRIV === undefined || !SECCOMP ||
    Deno.uid() !== 0,
  fn: () =>
    withDataDir(async (folder) => {
      await Deno.chown(folder, NOBODY, NOBODY);
      // That user cannot reach this runtime and this checkout.
      await bundle(`${folder}/program`);
      await Deno.copyFile(Deno.execPath(), `${folder}/program/deno`);
      await Deno.chmod(`${folder}/program/deno`, 0o755);
      await Deno.copyFile(FILTER, `${folder}/filter.py`);
      await Deno.copyFile(UNIT, `${folder}/unit`);
      const child = new Deno.Command(SETPRIV ?? "", {
        args: [
          ...[`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"],
          ...["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"],
          ...[DEBIAN_PYTHON, `${folder}/filter.py`, `${folder}/unit`],
          ...[`${folder}/program/strongroom`, "serve"],
        ],
        cwd: folder,
        clearEnv: true,
        env: {
          PATH: "/usr/bin:/bin",
          HOME: folder,
          STRONGROOM_DATA_DIR: `${folder}/data`,
          STRONGROOM_LISTEN: `127.0.0.1:0,unix:${folder}/socket`,
        },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const stderr = new Response(child.stderr).text();
      const reader = child.stdout.getReader();
      try {
        const { value } = await reader.read();
        const line = new TextDecoder().decode(value);
        const url = /http:\/\/\S+/.exec(line)?.[0];
        assert(url !== undefined, line);
        // A password is hashed in a thread, and the database is written.
        const registered = await fetch(`${url}/v1/auth/register`, {
          method: "POST",
          headers: {
            "X-Service-Protocol": "2026-11-01",
            "Content-Type": "application/json",
          },
          body: JSON.stringify({
            address: "ada@example.org",
            password: PASSWORD,
          }),
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        await registered.body?.cancel();
        assert.equal(registered.status, 200);
        using socket = await Deno.connect({
          transport: "unix",
          path: `${folder}/socket`,
        });
        await socket.write(new TextEncoder().encode(
          "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        ));
        assert.match(
          await new Response(socket.readable).text(),
          /^HTTP\/1\.1 200 /,
        );
      } finally {
        child.kill("SIGTERM");
        await reader.cancel();
      }
      assert.equal((await child.status).code, 0, await stderr);
    }),
});

Deno.test({
  name:
    "the unit and the timer of a backup are sound, and refuse to begin a new one",
  ignore: ANALYZE === undefined,
  fn: () =>
    withDataDir(async (folder) => {
      const units = ["service", "timer"].map((kind) =>
        `strongroom-backup@.${kind}`
      );
      for (const unit of units) {
        const text = await Deno.readTextFile(`${UNITS}${unit}`);
        await Deno.writeTextFile(
          `${folder}/${unit}`,
          text.replace("/usr/bin/strongroom", "/bin/sh"),
          { mode: 0o644 },
        );
      }
      const { success, said } = await verify(
        units.map((unit) => unit.replace("@", "@mnt-backup-strongroom")),
        folder,
      );
      assert(success && said === "", said);
      const service = await Deno.readTextFile(`${UNITS}${units[0]}`);
      assert.match(service, /^ExecStart=\S+ backup %f --existing /m);
      assert.match(service, /^RequiresMountsFor=%f$/m);
      assert.doesNotMatch(service, /^Condition/m);
    }),
});

Deno.test({
  name:
    "the unit and the timer of a backup off the premises are sound, take their secrets from no command line, and refuse to begin a new one",
  ignore: ANALYZE === undefined,
  fn: () =>
    withDataDir(async (folder) => {
      const units = ["service", "timer"].map((kind) =>
        `strongroom-off-site.${kind}`
      );
      for (const unit of units) {
        const text = await Deno.readTextFile(`${UNITS}${unit}`);
        await Deno.writeTextFile(
          `${folder}/${unit}`,
          text.replace("/usr/bin/strongroom", "/bin/sh"),
          { mode: 0o644 },
        );
      }
      const { success, said } = await verify(units, folder);
      assert(success && said === "", said);
      const service = await Deno.readTextFile(`${UNITS}${units[0]}`);
      assert.match(
        service,
        /^ExecStart=\S+ backup \$\{PLACE\} \$KEEP --existing --json --env-file \S+$/m,
      );
      assert.doesNotMatch(service, /^PrivateNetwork=yes$/m);
    }),
});

Deno.test("every unit that backs up reaches the network, for blobs in a bucket and for its notice of a failure", async () => {
  for (const name of ["strongroom-backup@", "strongroom-off-site"]) {
    const text = await Deno.readTextFile(`${UNITS}${name}.service`);
    const values = (key: string) =>
      text.split("\n").filter((line) => line.startsWith(`${key}=`))
        .flatMap((line) => line.slice(key.length + 1).split(" "));
    assert.deepEqual(values("PrivateNetwork"), []);
    assert.deepEqual(values("IPAddressDeny"), []);
    assert.deepEqual(values("After"), ["network-online.target"]);
    assert.deepEqual(values("Wants"), ["network-online.target"]);
    assert(values("RestrictAddressFamilies").includes("AF_INET"));
    assert(values("RestrictAddressFamilies").includes("AF_INET6"));
  }
});
