/**
 * What `backup`, `backup verify` and `restore` refuse, each in one line that
 * says what to do, and that nothing is lost or served by halves then.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectRefused } from "../support/ended.ts";
import { platform } from "../../main.ts";
import { sourceIn } from "../../src/features/backup/directory/source.ts";
import {
  restoreBackup,
  type RestoreSpace,
} from "../../src/features/backup/restore.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { lockFile, shareLock } from "../../src/store/files/lock.ts";
import {
  backUp,
  faultsOf,
  filesUnder,
  namesIn,
  restore,
  tryBackup,
  tryRestore,
  verifyBackup,
  withBackup,
  withServer,
} from "../support/backups.ts";
import { runProgram } from "../support/program.ts";
import { PROGRAM_PERMISSIONS } from "../../scripts/packaging/permissions.ts";
import { LOCKED } from "../../scripts/locked.ts";

Deno.test("a backup goes into a directory of its own, and of one server", async () => {
  await withBackup(async ({ data, backup, room }) => {
    // Reading the database may leave its log next to it.
    const filesOf = async () =>
      new Map(
        [...await filesUnder(data)].filter(([name]) =>
          !/-(?:shm|wal)$/.test(name)
        ),
      );
    for (const place of [data, `${data}/backup`, `${data}/blobs`]) {
      const before = await filesOf();
      expectRefused(
        await tryBackup(data, place),
        /is inside the data directory/,
      );
      assert.deepEqual(await filesOf(), before);
      assert(!(await namesIn(data)).includes("backup"));
    }
    await Deno.symlink(data, `${room}/link`);
    expectRefused(
      await tryBackup(data, `${room}/link`),
      /is inside the data directory/,
    );
    const photos = `${room}/photos`;
    await Deno.mkdir(photos);
    await Deno.writeTextFile(`${photos}/holiday.txt`, "mine");
    expectRefused(
      await tryBackup(data, photos),
      /contains no backup .*holiday/,
    );
    expectRefused(
      await runProgram(["backup", "verify", photos]),
      /contains no backup/,
    );
    expectRefused(await tryRestore(photos, `${room}/x`), /contains no backup/);
    assert.deepEqual(await namesIn(photos), ["holiday.txt"]);
    expectRefused(
      await tryBackup(data, `${room}/not/mounted`),
      /does not exist: mount the disk/,
    );
    expectRefused(
      await tryBackup(data, `${photos}/holiday.txt`),
      /is not a directory/,
    );
    const other = `${room}/other`;
    await withServer(other, () => Promise.resolve());
    expectRefused(await tryBackup(other, backup), /backup of another server/);
    assert.deepEqual((await verifyBackup(backup)).findings, []);
    const nowhere = `${room}/nowhere`;
    for (
      const args of [["backup", "verify", nowhere], ["restore", nowhere]]
    ) {
      expectRefused(
        await runProgram([...args, "--data-dir", `${room}/y`]),
        /contains no complete backup: make one/,
      );
    }
    expectRefused(
      await tryBackup(`${room}/no-data`, `${room}/z`),
      /contains no database/,
    );
  });
});

Deno.test("a backup is restored into an empty directory alone, and not under a server", async () => {
  await withBackup(async ({ data, backup, room }) => {
    const before = await filesUnder(data);
    expectRefused(await tryRestore(backup, data), /is not empty/);
    assert.deepEqual(await filesUnder(data), before);
    const mine = `${room}/mine`;
    await Deno.mkdir(mine);
    await Deno.writeTextFile(`${mine}/notes.txt`, "mine");
    expectRefused(
      await tryRestore(backup, mine),
      /is not empty \(notes\.txt\)/,
    );
    assert.deepEqual(await namesIn(mine), ["notes.txt"]);
    // A service's home that a runtime has kept its compiled code in.
    await Deno.mkdir(`${room}/home/.cache/deno`, { recursive: true });
    await restore(backup, `${room}/home`);
    assert.deepEqual(await faultsOf(`${room}/home`), []);
    const fresh = `${room}/fresh`;
    await withServer(fresh, async () => {
      expectRefused(await tryRestore(backup, fresh), /is not empty/);
    });
  });
});

Deno.test("two backups into one directory take turns, and one that runs is not read", async () => {
  await withBackup(async ({ data, backup, restored }) => {
    const lock = await lockFile(`${backup}/lock`);
    assert(lock !== undefined);
    expectRefused(await tryBackup(data, backup), /another backup to .* runn/);
    for (const args of [["backup", "verify", backup], ["restore", backup]]) {
      expectRefused(
        await runProgram([...args, "--data-dir", restored]),
        /a backup to .* is running: run this again/,
      );
    }
    lock.close();
    const reading = await shareLock(`${backup}/lock`);
    assert(reading !== undefined);
    assert.equal((await verifyBackup(backup)).found, 0);
    expectRefused(
      await tryBackup(data, backup),
      /a restore from it, is running/,
    );
    reading.close();
    await backUp(data, backup);
  });
});

Deno.test("a directory that may not be read or written is refused by name", async () => {
  await withBackup(async ({ data, backup, room }) => {
    const hidden = `${room}/hidden`;
    await Deno.mkdir(hidden, { mode: 0o000 });
    const cannot = async (why: RegExp, ...args: string[]) => {
      const ended = await runPowerless(args);
      if (ended === undefined) return;
      expectRefused(ended, why);
    };
    const notUs = /run this as the server's user/;
    const notTheirs =
      /^strongroom: this user .* cannot write to (\S+): .* sudo install -d -o \d+ -g \d+ -m 0700 \1$/m;
    await cannot(notTheirs, "backup", hidden, "--data-dir", data);
    await cannot(notUs, "restore", backup, "--data-dir", hidden);
    await Deno.chmod(backup, 0o000);
    await cannot(notTheirs, "backup", backup, "--data-dir", data);
    await cannot(notUs, "backup", "verify", backup);
    await cannot(notUs, "restore", backup, "--data-dir", `${room}/restored`);
    await Deno.chmod(backup, 0o700);
    await Deno.chmod(`${data}/keys/access.json`, 0o000);
    await cannot(notUs, "backup", backup, "--data-dir", data);
    await Deno.chmod(`${data}/keys/access.json`, 0o600);
    assert.deepEqual((await verifyBackup(backup)).findings, []);
  });
});

/**
 * Runs the program as one whom permissions bind, as they do not bind root;
 * undefined where that cannot be had.
 */
async function runPowerless(args: readonly string[]) {
  const program = [
    ...[Deno.execPath(), "run", ...LOCKED, "--no-prompt"],
    ...PROGRAM_PERMISSIONS,
  ];
  const command = Deno.uid() === 0
    ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", ...program]
    : program;
  const [name = "", ...rest] = [...command, "main.ts", ...args];
  try {
    const { code, stdout, stderr } = await new Deno.Command(name, {
      args: rest,
      stdin: "null",
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { status: code, stdout: text(stdout), stderr: text(stderr) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test("a wrong use is status 2, help is status 0 with an example", async () => {
  for (
    const args of [
      ["backup"],
      ["backup", "verify"],
      ["backup", "a", "b"],
      ["backup", "a", "--keep-sessions"],
      ["restore"],
      ["restore", "a", "b"],
      ["restore", "a", "--copy"],
    ]
  ) {
    const ended = await runProgram(args);
    assert.equal(ended.status, 2, args.join(" "));
    assert.notEqual(ended.stderr, "");
  }
  for (const args of [["backup"], ["backup", "verify"], ["restore"]]) {
    const { status, stdout } = await runProgram([...args, "--help"]);
    assert.equal(status, 0);
    assert.match(
      stdout,
      new RegExp(`Example:\n {2}strongroom ${args.join(" ")}`),
    );
    for (const option of ["--data-dir", "--env-file", "--json"]) {
      assert(stdout.includes(option), `${args} ${option}`);
    }
  }
});

Deno.test("a restore says what it needs before it begins, and is refused where there is less room", async () => {
  await withBackup(async ({ backup, restored }) => {
    await Deno.mkdir(restored);
    const source = await sourceIn({ files: denoFiles, dir: backup });
    const into = (free: number, onBegin?: (room: RestoreSpace) => void) =>
      restoreBackup(
        {
          files: { ...denoFiles, freeBytes: () => Promise.resolve(free) },
          dataDir: restored,
          platform,
        },
        source,
        {
          keepSessions: false,
          revokeShares: false,
          ...onBegin && { onBegin },
        },
      );
    await assert.rejects(
      into(1_000),
      /needs .*, but .* has 1,000 bytes free: free some space/,
    );
    assert.deepEqual(await namesIn(restored), []);
    const rooms: RestoreSpace[] = [];
    await into(1e12, (room) => rooms.push(room));
    assert.equal(rooms.length, 1);
    assert((rooms[0]?.needs ?? 0) > 100_000);
  });
});
