/**
 * The last line that a restore prints, followed alone (backup/restore.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  BASE_URL,
  placesIn,
  withRoom,
  withServer,
} from "../support/backups.ts";
import { programCommand, runProgram } from "../support/program.ts";

Deno.test("the last line of a restore starts a server with the settings of the backup", async () => {
  await withRoom(async (room) => {
    const { data, backup } = placesIn(room);
    await withServer(data, () => Promise.resolve());
    const made = await runProgram(["backup", backup, "--data-dir", data], {
      STRONGROOM_LISTEN: "127.0.0.1:0",
      STRONGROOM_BASE_URL: BASE_URL,
      STRONGROOM_REGISTRATION: "closed",
      STRONGROOM_TRASH_DAYS: "90",
      STRONGROOM_RESERVED_DISK_BYTES: "0",
    });
    assert.equal(made.status, 0, made.stderr);
    const { stdout } = await runProgram(
      ["restore", backup, "--data-dir", `${room}/new/data`],
    );
    const last = stdout.trimEnd().split("\n").at(-1) ?? "";
    const [start, line = ""] = last.split("start it with: strongroom ");
    assert.equal(start, "");
    const { program, args } = programCommand(line.split(" "));
    const server = new Deno.Command(program, {
      args,
      cwd: new URL("../../", import.meta.url),
      clearEnv: true,
      env: Object.fromEntries(
        Object.entries(Deno.env.toObject())
          .filter(([name]) => !name.startsWith("STRONGROOM_")),
      ),
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    try {
      const reader = server.stdout.pipeThrough(new TextDecoderStream())
        .getReader();
      let said = "";
      while (!said.includes("\n")) {
        const { done, value } = await reader.read();
        if (done) throw new Error("it did not start");
        said += value;
      }
      reader.releaseLock();
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      const answer = await (await fetch(`${url}/app/config.json`)).json();
      assert.equal(answer.registration, "invited");
      assert.equal(answer.trash_days, 90);
    } finally {
      server.kill("SIGTERM");
      await server.status;
    }
  });
});
