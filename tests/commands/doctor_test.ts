/**
 * `strongroom doctor` as a process (doctor.md): an installation in which all is
 * well, and each fault of its data directory.
 *
 * @module
 */
import assert from "node:assert/strict";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { withRealApp } from "../support/app.ts";
import { makeHistory } from "../support/check.ts";
import { examine, expectFinding, expectWell } from "../support/doctor.ts";
import { registerPerson } from "../support/people.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";
import { withProvider } from "../support/provider.ts";
import { enrollConfirmed } from "../support/second_factor.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const CHECKS = [
  ...["configuration", "permissions", "disk", "database", "keys", "base_url"],
  ...["tls", "proxy_headers", "oidc", "clock", "blobs", "backup", "notices"],
  "phones",
];

/** A data directory as `init` makes it. */
async function withInstallation(
  test: (dataDir: string) => Promise<void>,
): Promise<void> {
  await withDataDir(async (place) => {
    const dataDir = `${place}/data`;
    const made = await runProgram(["init", "--data-dir", dataDir]);
    assert.equal(made.status, 0, made.stderr);
    await test(dataDir);
  });
}

const pathOf = (dataDir: string) => `${dataDir}/db/strongroom.sqlite`;

Deno.test("a healthy installation is reported well, next to its server", async () => {
  await withInstallation(async (dataDir) => {
    await withProvider(async (provider) => {
      const server = await serveHere({
        ...provider.settings,
        STRONGROOM_DATA_DIR: dataDir,
      });
      const examined = await examine(dataDir, {
        ...provider.settings,
        STRONGROOM_BASE_URL: server.url,
      });
      const { checks, status, text } = examined;
      for (const check of CHECKS) expectWell(examined, check);
      assert.equal(checks.length, CHECKS.length);
      assert.equal(status, 0);
      assert.equal(text.trim().split("\n").length, CHECKS.length);
      assert.match(text, /ok +base url: \S+ reaches this server\n/);
      assert.match(text, /ok +oidc: \S+ answers discovery/);
      assert.match(text, /ok +clock: agrees with 127\.0\.0\.1:/);
      assert.equal(await server.stop(), 0);
    });
  });
});

Deno.test("the doctor changes nothing, and leaves no file behind", async () => {
  await withInstallation(async (dataDir) => {
    const names = async (path: string): Promise<string[]> =>
      (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name)
        .filter((name) => !/-(?:wal|shm)$/.test(name)).toSorted();
    const before = [await names(dataDir), await names(`${dataDir}/db`)];
    const key = await Deno.readTextFile(`${dataDir}/keys/access.json`);
    await examine(dataDir);
    assert.deepEqual(
      [await names(dataDir), await names(`${dataDir}/db`)],
      before,
    );
    assert.equal(await Deno.readTextFile(`${dataDir}/keys/access.json`), key);
  });
});

Deno.test("without a server the base URL is a warning, and nothing is faulty", async () => {
  await withInstallation(async (dataDir) => {
    const examined = await examine(dataDir, {
      STRONGROOM_LISTEN: "127.0.0.1:9",
    });
    assert.equal(examined.status, 0);
    const mend = expectFinding(
      examined,
      "base_url",
      "warning",
      /no server runs/,
    );
    assert.match(mend, /strongroom serve/);
  });
});

Deno.test("a directory without a database is a fault that names init", async () => {
  await withDataDir(async (place) => {
    const examined = await examine(`${place}/nothing`);
    assert.match(
      expectFinding(examined, "permissions", "fault", /contains no database/),
      /strongroom init/,
    );
    await assert.rejects(Deno.stat(`${place}/nothing`));
  });
});

Deno.test("every fault of the settings is a finding, and advice a warning", async () => {
  await withInstallation(async (dataDir) => {
    const faulty = await examine(dataDir, {
      STRONGROOM_COLOUR: "blue",
      STRONGROOM_TRASH_DAYS: "x",
    });
    expectFinding(faulty, "configuration", "fault", /^STRONGROOM_COLOUR: /);
    expectFinding(faulty, "configuration", "fault", /^STRONGROOM_TRASH_DAYS: /);
    assert.equal(faulty.checks.length, 2);
    const unwise = await examine(dataDir, { STRONGROOM_CORS_ORIGINS: "*" });
    expectFinding(unwise, "configuration", "warning", /^STRONGROOM_CORS_/);
  });
});

Deno.test("modes that let others read keys are faults", async () => {
  await withInstallation(async (dataDir) => {
    await Deno.chmod(dataDir, 0o755);
    await Deno.chmod(`${dataDir}/keys`, 0o750);
    await Deno.chmod(`${dataDir}/keys/sealing.json`, 0o644);
    await Deno.chmod(`${dataDir}/keys/log.json`, 0o644);
    const examined = await examine(dataDir);
    for (
      const [how, detail, mend] of [
        ["warning", /data is open to all \(755\)/, `chmod 700 ${dataDir}`],
        [
          "fault",
          /keys is open to others \(750\)/,
          `chmod 700 ${dataDir}/keys`,
        ],
        ["fault", /sealing.*\(644\)/, `chmod 600 ${dataDir}/keys/sealing.json`],
        ["fault", /log\.json.*\(644\)/, `chmod 600 ${dataDir}/keys/log.json`],
      ] as const
    ) {
      assert.equal(expectFinding(examined, "permissions", how, detail), mend);
    }
  });
});

Deno.test({
  name:
    "files of another user are a fault, a whole directory of one a warning to root",
  ignore: Deno.build.os === "windows" || Deno.uid() !== 0,
  fn: async () => {
    await withInstallation(async (dataDir) => {
      await Deno.chown(`${dataDir}/keys/access.json`, 12_345, 12_345);
      assert.equal(
        expectFinding(
          await examine(dataDir),
          "permissions",
          "fault",
          /access\.json belongs to user 12345, the data directory to user 0/,
        ),
        `chown -R 0 ${dataDir}`,
      );
      const { success } = await new Deno.Command("chown", {
        args: ["-R", "12345", dataDir],
      }).output();
      assert(success);
      assert.match(
        expectFinding(
          await examine(dataDir),
          "permissions",
          "warning",
          /belongs to user 12345, but this runs as root/,
        ),
        /as user 12345/,
      );
    });
  },
});

Deno.test("less room than is reserved is a fault", async () => {
  await withInstallation(async (dataDir) => {
    const examined = await examine(dataDir, {
      STRONGROOM_RESERVED_DISK_BYTES: String(2 ** 52),
    });
    expectFinding(examined, "disk", "fault", /4 PiB reserved: uploads are/);
  });
});

Deno.test({
  name: "a full disk is a fault",
  ignore: !await mayMount(),
  fn: async () => {
    await withSmallDisk(8 * 1024 * 1024, async (disk) => {
      const dataDir = `${disk.path}/data`;
      const made = await runProgram(["init", "--data-dir", dataDir]);
      assert.equal(made.status, 0, made.stderr);
      await disk.leavePages(0);
      const examined = await examine(dataDir);
      expectFinding(examined, "disk", "fault", /it is full/);
      await disk.release();
      // A disk of its own may be away at a later start.
      const mend = expectFinding(
        await examine(dataDir),
        "disk",
        "warning",
        /is on a disk of its own/,
      );
      assert.match(mend, /STRONGROOM_SERVER_ID/);
      const named = { STRONGROOM_SERVER_ID: "http://127.0.0.1:8470" };
      expectWell(await examine(dataDir, named), "disk");
      // A container's volume always is; whether a disk is under it is not seen.
      const container = { container: "podman" };
      const { checks } = await examine(dataDir, container);
      const said = checks.filter(({ check }) => check === "disk");
      assert.deepEqual(said.map(({ status }) => status), ["ok", "ok"]);
      assert.match(said[1]?.detail ?? "", /the host mounts.*_SERVER_ID/);
      expectWell(await examine(dataDir, { ...container, ...named }), "disk");
    });
  },
});

Deno.test("a newer schema is a fault, and so is a database of another program", async () => {
  await withInstallation(async (dataDir) => {
    const mark = (pragma: string) => {
      const sqlite = openSqlite(pathOf(dataDir));
      sqlite.exec(`pragma ${pragma}`);
      sqlite.close();
    };
    mark(`user_version = ${MIGRATIONS.length + 1}`);
    assert.match(
      expectFinding(await examine(dataDir), "database", "fault", /knows/),
      /newer program/,
    );
    mark("application_id = 0");
    assert.match(
      expectFinding(await examine(dataDir), "database", "fault", /not made by/),
      /restore a backup/,
    );
  });
});

Deno.test("a damaged database is a fault", async () => {
  await withInstallation(async (dataDir) => {
    const sqlite = openSqlite(pathOf(dataDir));
    sqlite.exec("pragma wal_checkpoint(truncate)");
    sqlite.exec("pragma journal_mode = delete");
    sqlite.close();
    const bytes = await Deno.readFile(pathOf(dataDir));
    // From the third page on; the schema stays readable or not.
    bytes.fill(0xa5, 3 * 4_096, 6 * 4_096);
    await Deno.writeFile(pathOf(dataDir), bytes);
    assert.match(
      expectFinding(
        await examine(dataDir),
        "database",
        "fault",
        /damaged|open/,
      ),
      /strongroom restore BACKUP --data-dir/,
    );
    await Deno.writeTextFile(pathOf(dataDir), "no database\n".repeat(400));
    const examined = await examine(dataDir);
    expectFinding(examined, "database", "fault", /cannot be opened \(/);
    expectWell(examined, "keys");
  });
});

Deno.test("a key file that is missing or broken is a fault, and none is made", async () => {
  await withInstallation(async (dataDir) => {
    await Deno.remove(`${dataDir}/keys/access.json`);
    await Deno.writeTextFile(`${dataDir}/keys/sealing.json`, "{}");
    const examined = await examine(dataDir);
    assert.match(
      expectFinding(examined, "keys", "fault", /access\.json is missing/),
      /restore the one that belongs to this database/,
    );
    assert.match(
      expectFinding(examined, "keys", "fault", /sealing\.json is not a key/),
      /restore the right one/,
    );
    await assert.rejects(Deno.stat(`${dataDir}/keys/access.json`));
  });
});

Deno.test("a clock far after the server's last look at it is a warning", async () => {
  await withRealApp(async (app) => {
    await makeHistory(app);
    assert.match(
      expectFinding(
        await examine(app.dataDir),
        "clock",
        "warning",
        /this clock says .*, and the server last ran at /,
      ),
      /off for so long, do nothing.*timedatectl/,
    );
  }, { startMs: Date.now() - 40 * DAY_MS });
});

Deno.test("keys of another installation, and a clock that was set back, are faults", async () => {
  await withInstallation(async (other) => {
    await withRealApp(async (app) => {
      await makeHistory(app);
      await enrollConfirmed(app, await registerPerson(app, "carol"));
      const before = await examine(app.dataDir);
      expectWell(before, "keys");
      expectWell(before, "clock");

      for (const name of ["attestation", "sealing"]) {
        await Deno.copyFile(
          `${other}/keys/${name}.json`,
          `${app.dataDir}/keys/${name}.json`,
        );
      }
      const examined = await examine(app.dataDir);
      assert.match(
        expectFinding(
          examined,
          "keys",
          "fault",
          /^receipt \d+ was signed with/,
        ),
        /from the same backup/,
      );
      expectFinding(examined, "keys", "fault", /does not open the second/);
    }, { startMs: Date.now() - HOUR_MS });
  });
  await withRealApp(async (app) => {
    await makeHistory(app);
    assert.match(
      expectFinding(
        await examine(app.dataDir),
        "clock",
        "fault",
        /this clock says .*, and .* is from/,
      ),
      /timedatectl/,
    );
  }, { startMs: Date.now() + DAY_MS });
});

Deno.test("the doctor's help has an example, and a wrong use is status 2", async () => {
  const help = await runProgram(["doctor", "--help"]);
  assert.equal(help.status, 0);
  assert.match(help.stdout, /Example:\n {2}strongroom doctor/);
  assert.equal((await runProgram(["doctor", "--colour"])).status, 2);
});
