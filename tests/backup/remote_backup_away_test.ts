/**
 * A bucket whose store does not answer (backup-off-site.md): who waits is told
 * soon, and a night's backup waits for a while.
 *
 * @module
 */
import assert from "node:assert/strict";
import { platform } from "../../main.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/core/time.ts";
import { withRoom, withServer } from "../support/backups.ts";
import { runInProcess } from "../support/in_process.ts";

const PLACE = "s3://photos/backup";
const ENDPOINT = `http://127.0.0.1:${freePort()}`;

/** Limit of a request, unlike every pause. */
const LIMIT_S = 57;

/** A port at which nothing listens. */
function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** Runs a command in a world where waiting takes no time; how long it waited. */
async function waitFor(
  room: string,
  ...args: readonly string[]
): Promise<{ readonly stderr: string; readonly waitedMs: number }> {
  let waitedMs = 0;
  const world = {
    ...platform,
    monotonic: () => waitedMs,
    sleep: (ms: number, signal: AbortSignal) => {
      // The limit of a request that is under way is not waited for.
      if (ms === LIMIT_S * SECOND_MS) {
        return new Promise<void>((resolve) =>
          signal.addEventListener("abort", () => resolve(), { once: true })
        );
      }
      waitedMs += ms;
      return Promise.resolve();
    },
  };
  const { status, stdout, stderr } = await runInProcess(
    [...args, "--data-dir", `${room}/data`],
    {
      STRONGROOM_BACKUP_KEY_FILE: `${room}/key`,
      STRONGROOM_BACKUP_S3_ENDPOINT: ENDPOINT,
      STRONGROOM_BACKUP_S3_TIMEOUT_SECONDS: String(LIMIT_S),
      STRONGROOM_BACKUP_S3_ACCESS_KEY_ID: "S3RVER",
      STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY: "S3RVER",
    },
    new Uint8Array(),
    world,
  );
  assert.equal(status, 1, stdout);
  assert.match(stderr, /^strongroom: [^\n]+\n$/);
  return { stderr, waitedMs };
}

Deno.test("a store that is down is told with its address and the reason, soon, and a backup waits for some minutes", async () => {
  await withRoom(async (room) => {
    await Deno.writeTextFile(`${room}/key`, "5a".repeat(32), { mode: 0o600 });
    await withServer(`${room}/data`, () => Promise.resolve());
    const commands = [
      ["backup", "list", PLACE],
      ["backup", "verify", PLACE],
      ["restore", PLACE],
    ];
    for (const command of commands) {
      const { stderr, waitedMs } = await waitFor(room, ...command);
      assert.match(
        stderr,
        /s3:\/\/photos\/backup does not answer as expected/,
      );
      assert(stderr.includes(`(${ENDPOINT}: `), stderr);
      assert.match(stderr, /[Cc]onnection refused/);
      assert(waitedMs < MINUTE_MS, `${waitedMs} ms`);
    }
    const { waitedMs } = await waitFor(room, "backup", PLACE);
    assert(waitedMs >= 5 * MINUTE_MS, `${waitedMs} ms`);
  });
});
