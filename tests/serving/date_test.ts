/**
 * The `Date` of answers: the clock's, also once it was set back. A doctor that
 * compares its own clock with it would blame the wrong one otherwise.
 *
 * @module
 */
import assert from "node:assert/strict";
import { platform } from "../../main.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { serveInProcess } from "../support/in_process.ts";
import { withDataDir } from "../support/program.ts";

Deno.test("the Date of an answer is the clock's, and goes back with it", async () => {
  await withDataDir(async (directory) => {
    let now = Date.parse("2031-05-06T07:08:09.000Z");
    const server = await serveInProcess({
      STRONGROOM_DATA_DIR: `${directory}/data`,
      STRONGROOM_LISTEN: "127.0.0.1:0",
      STRONGROOM_LOG_FORMAT: "json",
    }, { ...platform, now: () => now });
    const [url = ""] = /http:\/\/[^ "]+/.exec(server.line) ?? [];
    const dateOf = async () => {
      const answer = await fetch(`${url}/v1/version`);
      await answer.body?.cancel();
      return answer.headers.get("date");
    };
    try {
      assert.equal(await dateOf(), "Tue, 06 May 2031 07:08:09 GMT");
      now -= 365 * DAY_MS;
      assert.equal(await dateOf(), "Mon, 06 May 2030 07:08:09 GMT");
    } finally {
      assert.equal(await server.stop(), 0);
    }
  });
});
