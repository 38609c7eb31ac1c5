/**
 * A server whose disk is full: what its log and the doctor say, and that it
 * goes on by itself.
 *
 * Ignored where this process may not mount a small tmpfs, which wants root.
 *
 * @module
 */
import assert from "node:assert/strict";
import { makeRequest, type Sender } from "../support/app.ts";
import { examine } from "../support/doctor.ts";
import { createAsset, registerWriter } from "../support/people.ts";
import { freePort } from "../../src/server/free_port.ts";
import { startProgram } from "../support/program.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";

const MIB = 1024 ** 2;
const ignore = !await mayMount();
const where = ignore ? " (ignored: mounting a small disk needs root)" : "";

Deno.test({
  name:
    `on a full disk the log has one line without a stack until there is room, and the doctor one cause${where}`,
  ignore,
  fn: () =>
    withSmallDisk(24 * MIB, async ({ path, leavePages, release }) => {
      const data = `${path}/data`;
      const settings = {
        STRONGROOM_RESERVED_DISK_BYTES: "0",
        STRONGROOM_LOG_SECONDS: "1",
        STRONGROOM_LOG_FORMAT: "json",
        // Where the doctor asks for it, too.
        STRONGROOM_LISTEN: `127.0.0.1:${freePort()}`,
      };
      const server = await startProgram({
        ...settings,
        STRONGROOM_DATA_DIR: data,
        STRONGROOM_ARGON2_MEMORY_KIB: "8",
        STRONGROOM_ARGON2_PASSES: "1",
      });
      try {
        const sender = senderOf(server.url);
        const ada = await registerWriter(sender, "ada");
        let stored = 0;
        do {
          await release();
          await createAsset(sender, ada, `photo ${stored}`);
          stored += 3;
          await leavePages(0);
          // Signed already: once more.
        } while (await signedOf(server.url) >= stored);
        await server.said("the public logs were not signed");
        await expectOneCause(data, settings);
        await release();
        await server.said("it went on again");
      } finally {
        await server.stop();
      }
      await leavePages(0);
      await expectOneCause(data, settings);
      const log = await server.log();
      const lines = log.split("\n").filter((line) => /not signed/.test(line));
      // That it failed, however often it was tried; and that it went on.
      assert.equal(lines.length, 2, log);
      assert.match(lines[0] ?? "", /the disk is full; free some space/);
      assert.doesNotMatch(log, / {4}at /);
    }),
});

/** The doctor says of a full disk that it is full, and no fault besides. */
async function expectOneCause(
  dataDir: string,
  settings: Record<string, string>,
): Promise<void> {
  const { checks } = await examine(dataDir, settings);
  const faults = checks.filter(({ status }) => status === "fault");
  assert.deepEqual(faults.map(({ detail }) => detail), [
    "it is full: nothing can be written",
  ]);
}

function senderOf(url: string): Sender {
  return {
    send: async (method, path, options = {}) =>
      await fetch(makeRequest(method, path, options, url)),
  };
}

/** How many receipts the public log of custody has signed. */
async function signedOf(url: string): Promise<number> {
  const response = await fetch(`${url}/log/custody/checkpoint`);
  const text = await response.text();
  return response.ok ? Number(text.split("\n")[1]) : 0;
}
