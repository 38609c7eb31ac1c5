/**
 * A data disk that is not mounted: no new server is made in the directory under
 * it (install.md#systemd-without-the-package).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  programCommand,
  runProcess,
  runProgram,
  serveHere,
  startProgram,
  withDataDir,
} from "../support/program.ts";

const ID = "https://photos.example.org";

Deno.test("with --existing no server is made, and one that is there starts", async () => {
  await withDataDir(async (room) => {
    const settings = {
      STRONGROOM_DATA_DIR: `${room}/data`,
      STRONGROOM_LISTEN: "127.0.0.1:0",
    };
    const refused = await runProgram(["serve", "--existing"], settings);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /contains no server, and --existing is given/);
    await assert.rejects(Deno.stat(`${room}/data`));
    await (await serveHere(settings)).stop();
    const there = await startServe(settings, "--existing");
    assert.match(there.line, /is serving/);
    await there.stop();
  });
});

Deno.test("STRONGROOM_SERVER_ID refuses an empty directory and another server's, and takes a former name", async () => {
  await withDataDir(async (room) => {
    const settings = {
      STRONGROOM_DATA_DIR: `${room}/data`,
      STRONGROOM_BASE_URL: ID,
      STRONGROOM_BLOBS: "directory",
    };
    const expectRefused = async (
      given: Record<string, string>,
      why: RegExp,
    ) => {
      const server = await serveHere({ ...settings, ...given });
      assert.equal(await server.exited, 1);
      assert.match(await server.complaint(), why);
    };
    await expectRefused(
      { STRONGROOM_SERVER_ID: ID },
      /contains no server, and https:\/\/photos\.example\.org belongs there/,
    );
    await (await serveHere(settings)).stop();
    await expectRefused(
      { STRONGROOM_SERVER_ID: "https://other.example.org" },
      /belongs to https:\/\/photos\.example\.org, and not to https:\/\/other/,
    );
    const renamed = await startProgram({
      ...settings,
      STRONGROOM_BASE_URL: "https://new.example.org",
      STRONGROOM_SERVER_ID: ID,
    });
    assert.match(renamed.line, /is serving/);
    assert.equal(await renamed.stop(), 0);
  });
});

Deno.test("the unit has a server remembered on the system's disk, and makes no second one", async () => {
  const unit = await Deno.readTextFile(
    new URL(
      "../../scripts/packaging/systemd/strongroom.service",
      import.meta.url,
    ),
  );
  assert.match(
    unit,
    /^ExecStart=.* --remember \/var\/lib\/strongroom-server /m,
  );
  assert.match(unit, /^StateDirectory=strongroom strongroom-server$/m);
  await withDataDir(async (room) => {
    const note = `${room}/noted`;
    await Deno.mkdir(note);
    const settings = {
      STRONGROOM_DATA_DIR: `${room}/data`,
      STRONGROOM_BASE_URL: ID,
      STRONGROOM_LISTEN: "127.0.0.1:0",
      STRONGROOM_BLOBS: "directory",
    };
    const first = await startServe(settings, "--remember", note);
    await first.stop();
    assert.equal(await Deno.readTextFile(`${note}/server-id`), `${ID}\n`);
    // The disk is away.
    await Deno.rename(`${room}/data`, `${room}/disk`);
    const refused = await runProcess(
      ["serve", "--remember", note],
      settings,
    );
    assert.equal(refused.status, 1);
    assert.match(
      refused.stderr,
      /belongs there: mount its disk.*remove \S+noted/,
    );
    await Deno.rename(`${room}/disk`, `${room}/data`);
    const again = await startServe(settings, "--remember", note);
    assert.match(again.line, /is serving/);
    await again.stop();
  });
});

/** Starts `serve` with options, until its first line. */
async function startServe(
  settings: Record<string, string>,
  ...options: readonly string[]
) {
  const { program, args } = programCommand(["serve", ...options]);
  const child = new Deno.Command(program, {
    args,
    cwd: new URL("../../", import.meta.url),
    env: settings,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value = new Uint8Array() } = await reader.read();
  return {
    line: new TextDecoder().decode(value),
    stop: async () => {
      child.kill("SIGTERM");
      await reader.cancel();
      assert.equal((await child.status).code, 0);
    },
  };
}
