/**
 * A disk that has gone read-only: what only reads goes on (doctor.md). The disk
 * is a file system of its own, mounted so.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectDone } from "../support/ended.ts";
import {
  runProgram,
  serveHere,
  startKillable,
  withDataDir,
} from "../support/program.ts";
import { layOut } from "../support/data_directory.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";

const canMount = await mayMount();

const READERS = [
  "check --deep",
  "account list",
  "keys list",
  "receipts export",
  "peer list",
  "report list",
  "deprecation list",
];

async function remount(path: string, mode: "ro" | "rw"): Promise<void> {
  const { success } = await new Deno.Command("mount", {
    args: ["-o", `remount,${mode}`, path],
  }).output();
  assert(success);
}

/** Lays a data directory out on a disk, and has a server end on it. */
async function withReadOnlyDisk(
  end: "stopped" | "killed",
  test: (dataDir: string) => Promise<void>,
): Promise<void> {
  await withSmallDisk(8_000_000, async ({ path }) => {
    const dataDir = `${path}/data`;
    await Deno.mkdir(dataDir);
    const { origin } = new URL(await layOut(dataDir));
    const settings = {
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_BASE_URL: origin,
    };
    if (end === "stopped") {
      assert.equal(await (await serveHere(settings)).stop(), 0);
    } else {
      await (await startKillable(settings)).kill();
    }
    await remount(path, "ro");
    try {
      await test(dataDir);
    } finally {
      await remount(path, "rw");
    }
  });
}

for (const end of ["stopped", "killed"] as const) {
  Deno.test({
    name:
      `a data directory on a disk gone read-only, whose server was ${end}, is checked, listed and backed up elsewhere`,
    ignore: !canMount,
    fn: async () => {
      await withDataDir(async (outside) => {
        await withReadOnlyDisk(end, async (dataDir) => {
          const run = (command: string) =>
            runProgram(command.split(" "), { STRONGROOM_DATA_DIR: dataDir });
          for (const command of READERS) expectDone(await run(command));
          const backup = `${outside}/backup`;
          const made = await run(`backup ${backup}`);
          assert.equal(made.status, 0, made.stderr);
          // Where it would be noted nothing can be written.
          assert.match(made.stderr, /^[^\n]+could not be recorded [^\n]+\n$/);
          expectDone(await run(`backup verify ${backup}`));
          const doctor = await run("doctor");
          assert.match(doctor.stdout, /^fault +disk: .*mounted read-only$/m);
          assert.match(doctor.stdout, /^ok +database: schema/m);
          assert.match(doctor.stdout, /^ok +keys: all exist/m);
          const refused = await run("keys rotate access");
          assert.equal(refused.status, 1, refused.stdout);
          assert.match(
            refused.stderr,
            /^strongroom: [^\n]*file system is read-only[^\n]*\n$/,
          );
        });
      });
    },
  });
}

Deno.test({
  name:
    "on a disk gone read-only what stands in a killed server's log alone is read too, without the log's index",
  ignore: !canMount,
  fn: async () => {
    await withReadOnlyDisk("killed", async (dataDir) => {
      const disk = dataDir.slice(0, dataDir.lastIndexOf("/"));
      await remount(disk, "rw");
      await Deno.remove(`${dataDir}/db/strongroom.sqlite-shm`);
      await remount(disk, "ro");
      const settings = { STRONGROOM_DATA_DIR: dataDir };
      const said = expectDone(await runProgram(["check"], settings));
      assert.match(said, /nothing is wrong/);
    });
  },
});
