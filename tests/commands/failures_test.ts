/**
 * Commands that the system stops, and places that cannot be meant: each is
 * refused in one line (commands.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { freePort } from "../../src/server/free_port.ts";
import { programCommand, runProgram, withDataDir } from "../support/program.ts";

const ROOT = new URL("../../", import.meta.url);
const LINE = /^strongroom: [^\n]+\n$/;

Deno.test({
  name: "a full disk behind standard output is one line and status 1",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const { program, args } = programCommand(["openapi"]);
    const { code, stderr } = await new Deno.Command("sh", {
      args: ["-c", 'exec "$@" > /dev/full', "sh", program, ...args],
      cwd: ROOT,
    }).output();
    const complaint = new TextDecoder().decode(stderr);
    assert.equal(code, 1, complaint);
    assert.match(complaint, LINE);
    assert.match(complaint, /the disk is full .*standard output.*free some/);
  },
});

Deno.test({
  name: "a server whose output and log go to a full disk serves all the same",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withDataDir(async (dataDir) => {
      const { program, args } = programCommand(["serve"]);
      const port = freePort();
      const child = new Deno.Command("sh", {
        args: [
          ...["-c", 'exec "$@" > /dev/full 2> /dev/full', "sh"],
          ...[program, ...args],
        ],
        cwd: ROOT,
        env: {
          STRONGROOM_DATA_DIR: dataDir,
          STRONGROOM_LISTEN: `127.0.0.1:${port}`,
          STRONGROOM_LOG_FORMAT: "json",
        },
      }).spawn();
      let isOver = false;
      const ended = child.status.finally(() => isOver = true);
      const ask = () => fetch(`http://127.0.0.1:${port}/v1/version`);
      try {
        let answer: Response | undefined;
        while (answer === undefined) {
          assert(!isOver, "it has ended");
          answer = await ask().catch(() => undefined);
        }
        await answer.body?.cancel();
        // Each is a line of the log.
        for (let n = 0; n < 200; n++) {
          const again = await ask();
          assert.equal(again.status, 200);
          await again.body?.cancel();
        }
      } finally {
        if (!isOver) child.kill("SIGTERM");
      }
      assert.equal((await ended).code, 0);
    }),
});

Deno.test("a wrong use is told in the form of every other complaint", async () => {
  for (
    const args of [["gc", "--wrong"], ["restore"], ["account", "quota", "a"]]
  ) {
    const { status, stderr } = await runProgram(args);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /^strongroom: [a-z]/);
    assert.doesNotMatch(stderr, /^error:/m);
  }
});

Deno.test("an empty data directory's name is refused, and is not this directory", async () => {
  for (const args of [["check"], ["restore", "backup"], ["account", "list"]]) {
    const ended = await runProgram([...args, "--data-dir", ""]);
    assert.equal(ended.status, 1, ended.stderr);
    assert.match(ended.stderr, LINE);
    assert.match(ended.stderr, /--data-dir is empty: give a directory/);
  }
});

Deno.test("nothing is restored into the backup itself", async () => {
  await withDataDir(async (place) => {
    const [dataDir, backup] = [`${place}/server/data`, `${place}/backup`];
    const done = async (...args: string[]) => {
      const ended = await runProgram([...args, "--data-dir", dataDir]);
      assert.equal(ended.status, 0, ended.stderr);
    };
    await Deno.mkdir(place, { recursive: true });
    await done("init");
    await done("backup", backup);
    const inside = `${backup}/data`;
    const ended = await runProgram([
      "restore",
      backup,
      "--data-dir",
      inside,
    ]);
    assert.equal(ended.status, 1);
    assert.match(ended.stderr, LINE);
    assert.match(ended.stderr, /is inside the backup/);
    await assert.rejects(Deno.stat(inside), Deno.errors.NotFound);
    await done("backup", backup);
  });
});
