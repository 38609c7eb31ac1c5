/**
 * What a passphrase takes until its key is there (backup-off-site/format.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { stretch } from "../../src/crypto/stretch.ts";
import { until } from "../support/until.ts";

const MIB = 1_024 * 1_024;
const SALT = new Uint8Array(16);

Deno.test("a stretched passphrase takes no memory once its key is there", async () => {
  await stretch("warm", SALT, { memoryKib: 8, passes: 1 });
  const taken = () => Promise.resolve(Deno.memoryUsage().rss);
  const before = await taken();
  const cost = { memoryKib: 256 * 1_024, passes: 1 };
  const key = await stretch("nine copper kettles", SALT, cost);
  assert.equal(key.length, 32);
  // The thread ends a little later than it is told to.
  await until(taken, (now) => now - before < 128 * MIB);
});

Deno.test("a passphrase that needs more memory than there is gives no key", async () => {
  const cost = { memoryKib: 2 ** 32 - 1, passes: 1 };
  await assert.rejects(stretch("nine copper kettles", SALT, cost));
});
