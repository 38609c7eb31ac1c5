import assert from "node:assert/strict";
import {
  type Argon2Thread,
  createPasswords,
  type PasswordParts,
} from "./password.ts";

const COST = { memoryKib: 8, passes: 1 };

/**
 * A thread that answers with zeros, or whose start fails with the given words.
 */
function thread(fails: string | undefined): Argon2Thread {
  const made: Argon2Thread = {
    onmessage: null,
    onerror: null,
    postMessage: ({ id }) =>
      queueMicrotask(() => {
        if (fails !== undefined) {
          made.onerror?.(new ErrorEvent("error", { message: fails }));
          return;
        }
        const data = { id, hash: new Uint8Array(32), isLast: false };
        made.onmessage?.(new MessageEvent("message", { data }));
      }),
    terminate: () => {},
  };
  return made;
}

function poolOf(starts: (string | undefined)[], left: { count: number }) {
  const parts: PasswordParts = {
    random: (length) => new Uint8Array(length),
    sleep: () => Promise.resolve(),
    hasDescriptors: () => true,
    startThread: () => {
      left.count += 1;
      return thread(starts.length > 1 ? starts.shift() : starts[0]);
    },
  };
  return createPasswords(COST, 2, parts);
}

const STARVED =
  "Uncaught (in promise) Error: Too many open files (os error 24)";

Deno.test("a password is hashed although the first workers find no descriptor left", async () => {
  const started = { count: 0 };
  const passwords = poolOf([STARVED, STARVED, undefined], started);
  assert.match(await passwords.hash("secret", "client"), /^\$argon2id\$/);
  assert.equal(started.count, 3);
});

Deno.test("where no worker ever finds one, and for any other fault, a hash fails", async () => {
  const started = { count: 0 };
  await assert.rejects(
    poolOf([STARVED], started).hash("secret", "client"),
    /Too many open files/,
  );
  assert.equal(started.count, 10);
  const once = { count: 0 };
  await assert.rejects(
    poolOf(["out of memory"], once).hash("secret", "client"),
    /out of memory/,
  );
  assert.equal(once.count, 1);
});
