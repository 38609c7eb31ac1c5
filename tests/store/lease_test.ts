/**
 * The lease of a data directory: of two servers whose locks do not count for
 * each other, one serves (operate.md#one-server-one-directory). Removing the
 * lock's file makes two such locks, as two mounts of a network file system do.
 *
 * @module
 */
import assert from "node:assert/strict";
import { hasty } from "../support/hasty.ts";
import { serveInProcess } from "../support/in_process.ts";
import {
  startKillable,
  startProgram,
  withDataDir,
} from "../support/program.ts";

const LEASE = "lease.json";

function settingsOf(dataDir: string): Record<string, string> {
  return { STRONGROOM_DATA_DIR: dataDir, STRONGROOM_LOG_FORMAT: "json" };
}

async function leaseOf(dataDir: string): Promise<Record<string, unknown>> {
  return JSON.parse(await Deno.readTextFile(`${dataDir}/${LEASE}`));
}

Deno.test("a second server that does not see the first one's lock is refused, and the first one serves on", async () => {
  await withDataDir(async (dataDir) => {
    const first = await startProgram(settingsOf(dataDir));
    try {
      const { state, host } = await leaseOf(dataDir);
      assert.deepEqual([state, host], ["held", Deno.hostname()]);
      await Deno.remove(`${dataDir}/lock`);
      const second = await startProgram(settingsOf(dataDir));
      assert.equal(second.line, "");
      assert.equal(await second.exited, 1);
      assert.match(
        await second.complaint(),
        /is in use by another server, on \S+ \(lease\.json\), whose lock/,
      );
      const answer = await fetch(`${first.url}/healthz`);
      await answer.body?.cancel();
      assert.equal(answer.status, 200);
    } finally {
      assert.equal(await first.stop(), 0);
    }
    assert.equal((await leaseOf(dataDir)).state, "ended");
  });
});

Deno.test("a server whose lease another one took ends with status 75 and writes nothing more", async () => {
  await withDataDir(async (dataDir) => {
    const first = await startProgram(settingsOf(dataDir));
    const lease = await leaseOf(dataDir);
    // As the other machine's server writes it.
    const other = JSON.stringify({
      ...lease,
      term: "00".repeat(16),
      host: "elsewhere",
    }).padEnd(511);
    await Deno.writeTextFile(`${dataDir}/${LEASE}`, `${other}\n`);
    assert.equal(await first.exited, 75);
    assert.match(await first.complaint(), /was taken by another server/);
    assert.equal((await leaseOf(dataDir)).host, "elsewhere");
  });
});

Deno.test("a server that was killed starts again at once, for the kernel says that its lock is free", async () => {
  await withDataDir(async (dataDir) => {
    const first = await startKillable(settingsOf(dataDir));
    await first.kill();
    assert.equal((await leaseOf(dataDir)).state, "held");
    const second = await startProgram(settingsOf(dataDir));
    assert.notEqual(second.url, "");
    assert.equal(await second.stop(), 0);
    assert.doesNotMatch(await second.log(), /waiting to see/);
  });
});

Deno.test("an abandoned lease does not keep a server out", async () => {
  await withDataDir(async (dataDir) => {
    const first = await startKillable(settingsOf(dataDir));
    await first.kill();
    const lease = await leaseOf(dataDir);
    const other = JSON.stringify({ ...lease, host: "elsewhere" }).padEnd(511);
    await Deno.writeTextFile(`${dataDir}/${LEASE}`, `${other}\n`);
    const second = await serveInProcess({
      ...settingsOf(dataDir),
      STRONGROOM_LISTEN: "127.0.0.1:0",
    }, hasty);
    assert.match(second.line, /http:/);
    assert.equal(await second.stop(), 0);
    assert.match(await second.log(), /waiting to see whether elsewhere/);
  });
});
