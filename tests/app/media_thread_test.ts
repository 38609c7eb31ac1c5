/**
 * A thread for pictures is ended where a file holds it up for long, and the next
 * file gets another one.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Remote,
  remote,
} from "../../src/client/stream/threads/thread_messages.ts";
import {
  MediaThread,
  ThreadEnded,
} from "../../src/web/app/upload/media_thread.ts";

/**
 * A thread that answers calls with their names; for ever busy with a file called
 * `endless`, and crashed by one called `crash`.
 */
const SCRIPT = `
  addEventListener("message", ({ data: { id, name, args } }) => {
    if (args[0] === "endless") for (;;);
    if (args[0] === "crash") setTimeout(() => { throw new Error("crashed"); });
    else postMessage({ id, ok: true, value: name });
  });
`;

function started() {
  const workers: Worker[] = [];
  const start = () => {
    const address = `data:text/javascript,${encodeURIComponent(SCRIPT)}`;
    const worker = new Worker(address, { type: "module" });
    workers.push(worker);
    return worker;
  };
  return { workers, start };
}

/** What the script above answers. */
type Calls = Remote<{
  readonly thread: { readonly here: () => void };
  readonly pictures: { readonly hash: (name: string) => string };
}>;
const open = (worker: Worker): Calls => remote(worker, () => {});

const hash = (thread: MediaThread<Calls>, name: string) =>
  thread.run(({ pictures }) => pictures.hash(name));

Deno.test("a thread that is silent for long is ended with its work, and the next file gets another", async () => {
  const { workers, start } = started();
  let rounds = 0;
  let isStuck = false;
  let pass = () => {};
  const thread = new MediaThread({
    start,
    open,
    // Time passes where the test says so.
    wait: () => {
      rounds += 1;
      return isStuck
        ? Promise.resolve()
        : new Promise<void>((resolve) => pass = resolve);
    },
  });
  assert.equal(await hash(thread, "good"), "hash");
  // Behind the answer of the first round, which would count as silence.
  assert.equal(await hash(thread, "good"), "hash");
  pass();
  isStuck = true;
  const before = rounds;
  const both = await Promise.allSettled([
    hash(thread, "endless"),
    hash(thread, "behind it"),
  ]);
  for (const one of both) {
    assert(one.status === "rejected" && one.reason instanceof ThreadEnded);
  }
  assert.equal(rounds - before, 12);
  isStuck = false;
  assert.equal(thread.busy, 0);
  assert.equal(await hash(thread, "good"), "hash");
  assert.equal(workers.length, 2);
  thread.end();
});

Deno.test("a thread that crashes ends its work, and the next file gets another", async () => {
  const { workers, start } = started();
  const thread = new MediaThread({
    start,
    open,
    wait: () => new Promise(() => {}),
  });
  assert.equal(await hash(thread, "good"), "hash");
  await assert.rejects(hash(thread, "crash"), ThreadEnded);
  assert.equal(await hash(thread, "good"), "hash");
  assert.equal(workers.length, 2);
  thread.end();
});
