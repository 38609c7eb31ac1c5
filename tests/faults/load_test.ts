/**
 * Every attack at once on the program as it is shipped, for a few seconds:
 * `deno task bench people` does it for longer, and with a clock.
 *
 * @module
 */
import assert from "node:assert/strict";
import { peakMib } from "../../scripts/bench/support.ts";
import { begin, limitDescriptors } from "../../scripts/bench/load/attackers.ts";
import { quantile, runHonest } from "../../scripts/bench/load/honest.ts";
import { DOMAIN, settle } from "../../scripts/bench/load/people.ts";
import { startKillable, withDataDir } from "../support/program.ts";

const LOAD_MS = 5_000;
const ALBUMS = 10;
/** Few enough to run out of. */
const DESCRIPTORS = 400;
const MEMORY_MIB = 1_024;
/** A busy machine is slow, but serves every client within this time. */
const FORGOTTEN_MS = 60_000;

Deno.test("a server under every attack at once stays up, and refuses no honest request", async () => {
  await withDataDir(async (dataDir) => {
    const server = await startKillable({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_REGISTRATION: DOMAIN,
      STRONGROOM_TRUSTED_PROXIES: "127.0.0.1",
      STRONGROOM_LOG_FORMAT: "json",
    });
    try {
      const people = await settle({ origin: server.url, dataDir }, ALBUMS);
      await limitDescriptors(server.pid, DESCRIPTORS);
      const attackers = await begin(people.victim);
      const over = AbortSignal.timeout(LOAD_MS);
      const tallies = await runHonest(server.url, people.honest, over);
      const peak = await peakMib(server.pid) ?? Infinity;
      const met = await attackers.leave();
      for (const { name, errors, times } of tallies) {
        assert.deepEqual(errors, [], name);
        assert(times.length > 0, name);
      }
      const longest = Math.max(...tallies.map((one) => quantile(one, 1)));
      assert(longest < FORGOTTEN_MS, `${longest} ms`);
      assert(peak < MEMORY_MIB, `${peak} MiB`);
      assert((met.get("connections held") ?? 0) > 0, "no connection was held");
      const answer = await fetch(`${server.url}/v1/version`);
      await answer.body?.cancel();
      assert.equal(answer.status, 200);
      assert.equal(await server.stop(), 0);
    } finally {
      await server.kill();
    }
    const log = await server.log();
    const failed = log.split("\n").filter((line) => /"status":5/.test(line));
    assert.deepEqual(failed, []);
  });
});
