/**
 * What a passphrase takes until its key is there (backup-off-site/format.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { stretch } from "../../src/crypto/stretch.ts";
import { LOCKED } from "../../scripts/locked.ts";

/** Prints how many MiB a process has more once a key of 256 MiB is there. */
const PROGRAM = `
import { stretch } from "${import.meta.resolve("../../src/crypto/stretch.ts")}";
const salt = new Uint8Array(16);
await stretch("warm", salt, { memoryKib: 8, passes: 1 });
const before = Deno.memoryUsage().rss;
await stretch("nine copper kettles", salt, { memoryKib: 262144, passes: 1 });
const more = () => Math.round((Deno.memoryUsage().rss - before) / 1_048_576);
// The thread ends a little later than it is told to.
for (let tries = 0; tries < 200 && more() >= 128; tries++) {
  await new Promise((resolve) => setTimeout(resolve, 50));
}
console.log(more());
`;

Deno.test("a stretched passphrase takes no memory once its key is there", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...LOCKED, "--no-check", "--allow-read", "--ext=ts", "-"],
    cwd: new URL("../../", import.meta.url),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  await new Blob([PROGRAM]).stream().pipeTo(child.stdin);
  const { code, stdout } = await child.output();
  assert.equal(code, 0);
  const more = Number(new TextDecoder().decode(stdout));
  assert(more < 128, `${more} MiB more`);
});

Deno.test("a passphrase that needs more memory than there is gives no key", async () => {
  const cost = { memoryKib: 2 ** 32 - 1, passes: 1 };
  const salt = new Uint8Array(16);
  await assert.rejects(stretch("nine copper kettles", salt, cost));
});
