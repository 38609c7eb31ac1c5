/**
 * Data directories that cannot be served: each is refused in one line that says
 * why and what to do, and is left as it was (doctor.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";
import { databaseOf, layOut } from "../support/data_directory.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";
import { LOCKED } from "../../scripts/locked.ts";

const isRoot = Deno.build.os === "linux" && Deno.uid() === 0;
const canMount = await mayMount();

/** Expects status 1 and one line on standard error besides those of the log. */
async function expectRefused(
  dataDir: string,
  why: RegExp,
  settings: Record<string, string> = {},
): Promise<void> {
  const program = await serveHere({
    STRONGROOM_DATA_DIR: dataDir,
    ...settings,
  });
  assert.equal(program.line, "");
  assert.equal(await program.exited, 1);
  const complaint = await program.complaint();
  const said = complaint.split("\n").filter((line) => !line.startsWith("{"));
  assert.match(said.join("\n"), /^strongroom: [^\n]+\n$/);
  assert.match(complaint, why);
}

/** Makes a data directory by starting a server on it, and stops that. */
async function makeServer(dataDir: string): Promise<void> {
  const server = await serveHere({
    STRONGROOM_DATA_DIR: dataDir,
    // Another of the same name would not have its place in a bucket.
    STRONGROOM_BLOBS: "directory",
  });
  assert.match(server.line, /, created just now /);
  assert.equal(await server.stop(), 0, await server.complaint());
}

const IN_THE_WAY = /cannot be created, because something else has a name/;

const UNUSABLE: readonly {
  readonly sentence: string;
  readonly spoil: (dataDir: string) => Promise<void>;
  readonly why: RegExp;
}[] = [
  {
    sentence: "a database that is not one",
    spoil: async (dataDir) => {
      await makeServer(dataDir);
      const noise = new Uint8Array(5_000).fill(7);
      await Deno.writeFile(`${dataDir}/db/strongroom.sqlite`, noise);
    },
    why: /contains a damaged database: .*restore a backup/,
  },
  {
    sentence: "a key file of something else",
    spoil: async (dataDir) => {
      await makeServer(dataDir);
      await Deno.writeTextFile(`${dataDir}/keys/access.json`, "{}");
    },
    why: /access\.json is not a key file: restore the one that belongs here/,
  },
  {
    sentence: "a database and without a key of its time",
    spoil: async (dataDir) => {
      await makeServer(dataDir);
      await Deno.remove(`${dataDir}/keys/attestation.json`);
    },
    why: /keys\/attestation\.json is missing.*: restore it from a backup/,
  },
  {
    sentence: "the attestation keys of another server",
    spoil: async (dataDir) => {
      const other = `${dataDir}/other`;
      await makeServer(other);
      await layOut(dataDir);
      const keys = "keys/attestation.json";
      await Deno.copyFile(`${other}/${keys}`, `${dataDir}/${keys}`);
    },
    why: /attestation\.json [^\n]*newest receipt/,
  },
  ...(["access", "attestation"] as const).map((purpose) => ({
    sentence: `another server's ${purpose}.json, and no receipt yet`,
    spoil: async (dataDir: string) => {
      const other = await Deno.makeTempDir({ prefix: "strongroom-smoke-" });
      for (const place of [other, dataDir]) await makeServer(place);
      const name = `keys/${purpose}.json`;
      await Deno.copyFile(`${other}/${name}`, `${dataDir}/${name}`);
      await Deno.remove(other, { recursive: true });
    },
    why: new RegExp(
      `${purpose}\\.json belongs to another server, [^\\n]+: restore the one`,
    ),
  })),
  {
    sentence: "a database that lacks a table",
    spoil: async (dataDir) => {
      await layOut(dataDir);
      const sqlite = new DatabaseSync(databaseOf(dataDir));
      sqlite.exec("drop table capability");
      sqlite.exec("drop table server");
      sqlite.close();
    },
    why:
      /does not match its schema \d, .* table capability, .*restore a backup/,
  },
  {
    sentence: "a file where the database's folder should be",
    spoil: (dataDir) => Deno.writeTextFile(`${dataDir}/db`, ""),
    why: /chown|cannot be created, because/,
  },
  {
    sentence: "a folder where the lock should be",
    spoil: (dataDir) => Deno.mkdir(`${dataDir}/lock`),
    why: IN_THE_WAY,
  },
];

/** What befalls the database of a server, and why that is then refused. */
const BEHEADED: readonly {
  readonly sentence: string;
  readonly behead: (dataDir: string) => Promise<void>;
  readonly why: RegExp;
}[] = [
  {
    sentence: "whose database was removed",
    behead: async (dataDir) => {
      await Deno.remove(`${dataDir}/db`, { recursive: true });
    },
    why: /contains keys\/[a-z]+\.json but no database \(.*\)/,
  },
  {
    sentence: "of whose database only the log is left",
    behead: async (dataDir) => {
      await Deno.rename(databaseOf(dataDir), `${databaseOf(dataDir)}-wal`);
    },
    why: /but no database .*\)[^\n]+mount it, or restore/,
  },
  {
    sentence: "whose database is an empty file",
    behead: (dataDir) => Deno.truncate(databaseOf(dataDir)),
    why: /but no database \(.* is empty\)[^\n]+mount it, or restore/,
  },
  {
    sentence: "whose database has no schema",
    behead: async (dataDir) => {
      await Deno.remove(databaseOf(dataDir));
      const sqlite = new DatabaseSync(databaseOf(dataDir));
      sqlite.exec("create table a (b); drop table a");
      sqlite.close();
    },
    why: /is empty \(user_version 0\)[^\n]+restore that one/,
  },
  {
    sentence: "of which only blobs were copied",
    behead: async (dataDir) => {
      await Deno.remove(`${dataDir}/db`, { recursive: true });
      await Deno.remove(`${dataDir}/keys`, { recursive: true });
      await Deno.mkdir(`${dataDir}/blobs/ab`);
    },
    why: /contains blobs\/[0-9a-f]{2} but no database/,
  },
  {
    sentence: "whose keys were removed",
    behead: (dataDir) => Deno.remove(`${dataDir}/keys`, { recursive: true }),
    why: /keys\/access\.json is missing, but the database/,
  },
];

/** One command of each family that works on a data directory. */
const COMMANDS = [
  "gc",
  "gc --dry-run",
  "check",
  "account list",
  "account suspend somebody",
  "keys list",
  "keys rotate access",
  "receipts export",
  "peer list",
  "report list",
  "deprecation list",
];

async function namesUnder(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    names.push(name);
    if (!isDirectory) continue;
    const below = await namesUnder(`${path}/${name}`);
    names.push(...below.map((one) => `${name}/${one}`));
  }
  return names.toSorted();
}

for (const { sentence, behead, why } of BEHEADED) {
  Deno.test(`a data directory ${sentence} is refused by the server and by every command, and left as it is`, async () => {
    await withDataDir(async (outside) => {
      const dataDir = `${outside}/data`;
      const link = await layOutIn(dataDir);
      await behead(dataDir);
      // A reader's log and its index are no change.
      const left = async () =>
        (await namesUnder(dataDir)).filter((name) =>
          !/^lock$|-(wal|shm)$/.test(name)
        );
      const before = await left();
      await expectRefused(dataDir, why, { STRONGROOM_BASE_URL: link });
      const settings = {
        STRONGROOM_DATA_DIR: dataDir,
        STRONGROOM_BLOBS: "directory",
      };
      const refusals = [...COMMANDS, `backup ${outside}/backup`]
        .map((command) => runProgram(command.split(" "), settings));
      for (const { status, stdout, stderr } of await Promise.all(refusals)) {
        assert.equal(status, 1, stdout);
        assert.match(stderr, /^strongroom: [^\n]+\n$/);
        assert.match(stderr, why);
      }
      const doctor = await runProgram(["doctor"], settings);
      assert.equal(doctor.status, 1, doctor.stdout);
      assert.match(doctor.stdout, /^fault .*\n +fix: /m);
      assert.deepEqual(await left(), before);
    });
  });
}

/**
 * A data directory of the newest kept schema, as this program makes it: once,
 * and a copy of that for each who spoils it.
 */
async function layOutIn(dataDir: string): Promise<string> {
  laidOut ??= await (async () => {
    const place = `${await Deno.makeTempDir()}/data`;
    globalThis.addEventListener("unload", () => {
      Deno.removeSync(dirname(place), { recursive: true });
    });
    return { place, origin: await makeIn(place) };
  })();
  const { success } = await new Deno.Command("cp", {
    args: ["-a", laidOut.place, dataDir],
  }).output();
  assert(success);
  return laidOut.origin;
}

let laidOut:
  | { readonly place: string; readonly origin: string }
  | undefined;

async function makeIn(dataDir: string): Promise<string> {
  await Deno.mkdir(dataDir);
  const { origin } = new URL(await layOut(dataDir));
  const server = await serveHere({
    STRONGROOM_DATA_DIR: dataDir,
    STRONGROOM_BASE_URL: origin,
  });
  assert.doesNotMatch(server.line, /created/);
  assert.equal(await server.stop(), 0, await server.complaint());
  return origin;
}

Deno.test("without the keys of its public logs a data directory is refused by commands as by the server, and the doctor says how to get them", async () => {
  await withDataDir(async (outside) => {
    const dataDir = `${outside}/data`;
    const backup = `${outside}/backup`;
    await makeServer(dataDir);
    const settings = {
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_BLOBS: "directory",
    };
    const run = (...args: string[]) => runProgram(args, settings);
    const first = await run("backup", backup);
    assert.equal(first.status, 0, first.stderr);
    await Deno.remove(`${dataDir}/keys/log.json`);
    for (const args of [["check"], ["backup", backup], ["log", "show"]]) {
      const refused = await run(...args);
      assert.equal(refused.status, 1, args.join(" "));
      assert.match(refused.stderr, /keys\/log\.json is missing/);
    }
    const doctor = await run("doctor");
    assert.match(
      doctor.stdout,
      /^fault +keys: \S+\/log\.json is missing\n +fix: .*--keys-only/m,
    );
    // The backup of before still has them.
    const restored = await run("restore", backup, "--keys-only");
    assert.equal(restored.status, 0, restored.stderr);
    const again = await serveHere(settings);
    assert.equal(await again.stop(), 0, await again.complaint());
  });
});

Deno.test("a first start that was killed is finished by the next one", async () => {
  await withDataDir(async (dataDir) => {
    await makeServer(dataDir);
    await Deno.writeTextFile(`${dataDir}/first-start-unfinished`, "");
    await Deno.truncate(databaseOf(dataDir));
    await makeServer(dataDir);
    const again = await serveHere({ STRONGROOM_DATA_DIR: dataDir });
    assert.doesNotMatch(again.line, /created/);
    assert.equal(await again.stop(), 0);
  });
});

Deno.test("a directory that holds something else becomes no data directory", async () => {
  await withDataDir(async (dataDir) => {
    await Deno.writeTextFile(`${dataDir}/diary.txt`, "dear diary");
    await expectRefused(dataDir, /contains diary\.txt, which is not a file of/);
    await Deno.rename(`${dataDir}/diary.txt`, `${dataDir}/.cache`);
    await makeServer(dataDir);
  });
});

for (const { sentence, spoil, why } of UNUSABLE) {
  Deno.test(`a data directory with ${sentence} is refused`, async () => {
    await withDataDir(async (dataDir) => {
      await spoil(dataDir);
      await expectRefused(dataDir, why);
    });
  });
}

Deno.test("a file in the data directory's place is refused and left alone", async () => {
  await withDataDir(async (parent) => {
    const path = `${parent}/data`;
    await Deno.writeTextFile(path, "a diary");
    await expectRefused(path, IN_THE_WAY);
    assert.equal(await Deno.readTextFile(path), "a diary");
  });
});

Deno.test({
  name: "another user's data directory is refused",
  ignore: !isRoot,
  fn: async () => {
    await withDataDir(async (dataDir) => {
      await Deno.chown(dataDir, 12_345, 12_345);
      // Root may read everything; without these capabilities it may not.
      const child = new Deno.Command("setpriv", {
        args: [
          "--bounding-set=-dac_override,-dac_read_search",
          Deno.execPath(),
          ...["run", ...LOCKED, "--allow-all", "main.ts", "serve"],
        ],
        cwd: new URL("../../", import.meta.url),
        env: {
          STRONGROOM_DATA_DIR: dataDir,
          STRONGROOM_LISTEN: "127.0.0.1:0",
          STRONGROOM_LOG_FORMAT: "pretty",
        },
      });
      const { code, stderr } = await child.output();
      assert.equal(code, 1);
      assert.match(
        new TextDecoder().decode(stderr),
        /^strongroom: \S+ cannot be read and written by this user: [^\n]+chown[^\n]+\n$/,
      );
    });
  },
});

Deno.test({
  name: "a data directory without room for a database is refused",
  ignore: !canMount,
  fn: async () => {
    for (const pages of [5, 20, 40, 75]) {
      await withSmallDisk(pages * 4_096, async ({ path }) => {
        await expectRefused(path, /is on a disk that is full or failing: free/);
      });
    }
  },
});

Deno.test({
  name: "a data directory on a read-only file system is refused",
  ignore: !canMount,
  fn: async () => {
    await withSmallDisk(1_000_000, async ({ path }) => {
      const remount = ["-o", "remount,ro", path];
      await new Deno.Command("mount", { args: remount }).output();
      await expectRefused(path, /mounted read-only: mount it for writing/);
    });
  },
});
