/**
 * A file copy of the data directory that was put back
 * (backup/file-copy.md), and the program on a member's
 * machine that has seen what came after it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { freePort } from "../../src/server/free_port.ts";
import {
  type Machine,
  openMachine,
  PASSWORD,
} from "../support/people_commands.ts";
import {
  type RunningServer,
  runProgram,
  serveHere,
  withDataDir,
} from "../support/program.ts";

interface World {
  readonly dataDir: string;
  readonly copy: string;
  readonly machine: Machine;
  readonly start: () => Promise<RunningServer>;
  readonly settings: Readonly<Record<string, string>>;
}

/** A member with two photos, of which the copy has the first. */
async function withCopy(
  test: (world: World) => Promise<void>,
  copyIs: "of a running server" | "of a stopped server" = "of a running server",
): Promise<void> {
  await withDataDir(async (room) => {
    const [dataDir, copy] = [`${room}/data`, `${room}/copy`];
    const port = freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = {
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LISTEN: `127.0.0.1:${port}`,
      STRONGROOM_BASE_URL: url,
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      STRONGROOM_ARGON2_PASSES: "1",
      STRONGROOM_BLOBS: "directory",
    };
    const start = () => serveHere(settings);
    const machine = await openMachine(`${room}/ada`);
    const password = await machine.write(".password", `${PASSWORD}\n`);
    for (const name of ["one", "two", "three"]) {
      await machine.write(`${name}.txt`, `the content of ${name}`);
    }
    let server = await start();
    await machine.done(
      ...["login", url, "--new", "--address", "ada@example.org"],
      ...["--password-file", password, "--words-file", machine.path("words")],
    );
    await machine.done("push", machine.path("one.txt"));
    if (copyIs === "of a stopped server") {
      await server.stop();
      await copyTree(dataDir, copy);
      server = await start();
    } else await copyTree(dataDir, copy);
    await machine.done("push", machine.path("two.txt"));
    await server.stop();
    await test({ dataDir, copy, machine, start, settings });
  });
}

async function copyTree(from: string, to: string): Promise<void> {
  const { success } = await new Deno.Command("cp", { args: ["-a", from, to] })
    .output();
  assert(success);
}

async function putBack({ dataDir, copy }: World): Promise<void> {
  await Deno.remove(dataDir, { recursive: true });
  await Deno.rename(copy, dataDir);
}

async function expectRefused({ start }: World, why: RegExp): Promise<void> {
  const server = await start();
  assert.equal(await server.exited, 1);
  const said = await server.complaint();
  assert.match(said, why);
  assert.match(said, /adopt-copy/);
}

/** Adopts the copy; afterwards the member brings what is missing. */
async function expectMended(world: World): Promise<void> {
  const { machine, settings, start } = world;
  const adopted = await runProgram(["adopt-copy", "--json"], settings);
  assert.equal(adopted.status, 0, adopted.stderr);
  const { receipts_above, sessions_closed } = JSON.parse(adopted.stdout);
  assert(receipts_above > 1_000_000);
  assert.equal(sessions_closed, 1);
  const server = await start();
  try {
    assert.match(server.line, /is serving/);
    const { STRONGROOM_BASE_URL: url = "" } = settings;
    await machine.done(
      ...["login", url, "--address", "ada@example.org"],
      ...["--password-file", machine.path(".password")],
    );
    // The first tells what is missing, and brings it.
    await machine.run(
      ...["push", machine.path("two.txt"), machine.path("three.txt")],
    );
    await machine.done("push", machine.path("two.txt"));
    const verified = await machine.done("verify");
    assert.match(verified, /^3 files confirmed/m);
    const check = await runProgram(["check"], settings);
    assert.equal(check.status, 0, check.stdout);
  } finally {
    await server.stop();
  }
}

Deno.test("a copy that was made while the server ran is refused until it is adopted, and nothing contradicts itself", async () => {
  await withCopy(async (world) => {
    await putBack(world);
    await expectRefused(world, /is a copy that was made while its server ran/);
    const doctor = await runProgram(["doctor"], world.settings);
    assert.match(
      doctor.stdout,
      /^fault +database: .* is a copy that was made/m,
    );
    await expectMended(world);
  });
});

Deno.test("a database that is older than its directory is refused until it is adopted", async () => {
  await withCopy(async (world) => {
    await Deno.remove(`${world.dataDir}/db`, { recursive: true });
    await copyTree(`${world.copy}/db`, `${world.dataDir}/db`);
    await expectRefused(world, /is older than the directory: it knows of/);
    await expectMended(world);
  }, "of a stopped server");
});

Deno.test("a copy of a stopped server is served with a warning, and can be adopted after members found the contradiction", async () => {
  await withCopy(async (world) => {
    const { machine, start } = world;
    await putBack(world);
    const server = await start();
    const pushed = await machine.run("push", machine.path("three.txt"));
    await server.stop();
    assert.match(await server.log(), /the data directory is a copy: if/);
    assert.equal(pushed.status, 4);
    assert.match(pushed.stderr, /CONTRADICTS ITSELF: .*adopt-copy/);
    await expectMended(world);
  }, "of a stopped server");
});

Deno.test("a server does not start on a directory that was adopted in part", async () => {
  await withCopy(async (world) => {
    const path = `${world.dataDir}/lease.json`;
    const lease = JSON.parse(await Deno.readTextFile(path));
    await Deno.writeTextFile(
      path,
      JSON.stringify({ ...lease, state: "adopting" }).padEnd(511),
    );
    await expectRefused(world, /was adopted in part/);
    await expectMended(world);
  }, "of a stopped server");
});
