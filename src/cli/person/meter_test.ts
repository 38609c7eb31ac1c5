import assert from "node:assert/strict";
import { durationInWords, openMeter, progressInWords } from "./meter.ts";

const MIB = 1024 * 1024;

/** A meter over a line that remembers what was drawn, and a clock to move. */
function seenMeter() {
  const drawn: string[] = [];
  const clock = { now: 0 };
  const meter = openMeter(() => clock.now, {
    isSeen: true,
    draw: (text) => void drawn.push(text),
    clear: () => void drawn.push("(cleared)"),
  });
  return { meter, drawn, clock };
}

Deno.test("a line tells of the file, of all files, the rate and the time left", () => {
  const { meter, drawn, clock } = seenMeter();
  meter.expect({ count: 3, bytes: 100 * MIB });
  meter.expectNoMore();
  const video = meter.begin("video.mov", 40 * MIB);
  clock.now = 1_000;
  video.at(10 * MIB);
  clock.now = 2_000;
  video.at(20 * MIB);
  assert.deepEqual(drawn, [
    "video.mov 0 %, 0 of 3 files, 0 bytes of 100 MiB (0 %)",
    "video.mov 25 %, 0 of 3 files, 10 MiB of 100 MiB (10 %), 10 MiB/s, 9 s left",
    "video.mov 50 %, 0 of 3 files, 20 MiB of 100 MiB (20 %), 10 MiB/s, 8 s left",
  ]);
  meter.end();
  assert.equal(drawn.at(-1), "(cleared)");
});

Deno.test("what there was nothing to do for is not among them, and a file that failed is over", () => {
  const { meter, drawn, clock } = seenMeter();
  meter.expect({ count: 3, bytes: 30 });
  meter.expectNoMore();
  meter.begin("known.jpg", 10).skip();
  meter.begin("failed.jpg", 10).end();
  clock.now = 1_000;
  const last = meter.begin("last.jpg", 10);
  assert.equal(
    drawn.at(-1),
    "last.jpg 0 %, 1 of 2 files, 10 bytes of 20 bytes (50 %), 10 bytes/s, 1 s left",
  );
  last.end();
  // Whoever ended is told no more, and nothing counts twice.
  last.end();
  last.skip();
  clock.now = 2_000;
  meter.begin("more.jpg", 5);
  assert.match(drawn.at(-1) ?? "", /2 of 2 files, 20 bytes of 20 bytes/);
});

Deno.test("the rate is that of the last seconds, and before there is a total it is told without", () => {
  const { meter, drawn, clock } = seenMeter();
  const file = meter.begin("a.raw", 1_000 * MIB);
  for (let second = 1; second <= 40; second++) {
    clock.now = second * 1_000;
    // Fast at first, slow for the last twenty seconds.
    file.at((second <= 20 ? second * 20 : 380 + second) * MIB);
  }
  assert.equal(
    drawn.at(-1),
    "a.raw 42 %, 0 files done, 420 MiB, 1 MiB/s",
  );
});

Deno.test("the line is drawn ten times a second at most, and a malicious name is printable", () => {
  const { meter, drawn, clock } = seenMeter();
  const file = meter.begin("a\x1b[2Jb.jpg", 1_000);
  for (let at = 0; at < 1_000; at++) {
    clock.now = at;
    file.at(at);
  }
  assert.equal(drawn.length, 10);
  assert.ok(drawn.every((line) => !line.includes("\x1b")));
});

Deno.test("a long name is told by its beginning and its end", () => {
  const line = progressInWords({
    name: `${"long ".repeat(20)}end.jpg`,
    fileBytes: 0,
    fileTotal: 0,
    done: { count: 0, bytes: 0 },
    total: undefined,
    rate: undefined,
  });
  assert.equal(
    line,
    "long long lon… long end.jpg 100 %, 0 files done, 0 bytes",
  );
});

Deno.test("durations are told in seconds, minutes, hours", () => {
  assert.deepEqual(
    [0.2, 59, 60, 61, 3_600, 7_500].map(durationInWords),
    ["1 s", "59 s", "1 min", "2 min", "1 h 0 min", "2 h 5 min"],
  );
});
