import assert from "node:assert/strict";
import { watch } from "./watching.ts";

Deno.test("a clock that goes back keeps no watched folder waiting, and in between the links are looked at", async () => {
  const folder = await Deno.makeTempDir();
  const ended = new AbortController();
  const clock = { monotonic: 0 };
  let [pushes, waits] = [0, 0];
  const asked: number[] = [];
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
        () => {
          asked.push(clock.monotonic);
          return Promise.resolve();
        },
      ),
      { name: "AbortError" },
    );
    assert.equal(pushes, 3);
    // Links are brought up to date within a minute, whatever is pushed.
    const gaps = asked.slice(1).map((at, i) => at - (asked[i] ?? 0));
    assert.ok(asked.length > 80, `${asked.length} times in half an hour`);
    assert.ok(gaps.every((gap) => gap <= 30_000), gaps.join());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
