import assert from "node:assert/strict";
import { watch } from "./watching.ts";

Deno.test("a clock that goes back keeps no watched folder waiting", async () => {
  const folder = await Deno.makeTempDir();
  const ended = new AbortController();
  const clock = { monotonic: 0 };
  let [pushes, waits] = [0, 0];
  try {
    await assert.rejects(
      watch(
        {
          monotonic: () => clock.monotonic,
          platform: {
            wait(ms) {
              clock.monotonic += ms;
              waits += 1;
              assert.ok(waits < 10_000, "it waits for ever");
              return Promise.resolve();
            },
          },
          signal: ended.signal,
          tell: () => {},
        },
        [folder],
        () => {
          pushes += 1;
          if (pushes === 3) ended.abort();
          return Promise.resolve();
        },
      ),
      { name: "AbortError" },
    );
    assert.equal(pushes, 3);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
