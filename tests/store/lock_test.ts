/**
 * The lock of a data directory among other programs.
 *
 * @module
 */
import assert from "node:assert/strict";
import { lockFile } from "../../src/store/files/lock.ts";

const TIMES = 1_000;

Deno.test("a lock that was let go of can be taken at once, whatever programs are started meanwhile", async () => {
  const path = await Deno.makeTempFile({ prefix: "strongroom-lock-" });
  let goesOn = true;
  const startPrograms = async () => {
    while (goesOn) await new Deno.Command("true").output();
  };
  const starting = Array.from({ length: 4 }, startPrograms);
  try {
    for (let time = 1; time <= TIMES; time++) {
      const lock = await lockFile(path);
      assert(lock !== undefined, `refused at the ${time}. time`);
      assert.equal(await lockFile(path), undefined);
      lock.close();
    }
  } finally {
    goesOn = false;
    await Promise.all(starting);
    await Deno.remove(path);
  }
});
