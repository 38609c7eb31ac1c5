import assert from "node:assert/strict";
import { parseBlobHash } from "../../../core/ids.ts";
import { ScrubSchedule } from "./scrub_schedule.ts";

const GIB = 1024 ** 3;

function library(count: number, size: number) {
  const blobs = Array.from({ length: count }, (_, n) => {
    const hash = parseBlobHash((n + 1).toString(16).padStart(64, "0"));
    assert(hash !== undefined);
    return { hash, size };
  });
  return { blobs, held: { count, bytes: count * size } };
}

function scrubOver(
  { blobs, held }: ReturnType<typeof library>,
  options: Partial<ConstructorParameters<typeof ScrubSchedule>[0]> = {},
) {
  const schedule = new ScrubSchedule({
    ...{ after: "", held, all: false, suspects: new Set<string>() },
    ...options,
  });
  const read = blobs.filter((blob) => schedule.isDue(blob))
    .map(({ hash }): string => hash);
  return { read, next: schedule.next };
}

for (
  const [name, all] of [
    ["large blobs", library(300, GIB)],
    ["many small blobs", library(100_000, 10)],
  ] as const
) {
  Deno.test(`of ${name} each backup reads some, and thirty of them read every one`, () => {
    const seen = new Set<string>();
    let after = "";
    let backups = 0;
    do {
      const { read, next } = scrubOver(all, { after });
      assert(read.length < all.blobs.length / 4, `${read.length} at once`);
      for (const hash of read) {
        assert(!seen.has(hash));
        seen.add(hash);
      }
      after = next;
      backups += 1;
    } while (after !== "");
    assert.equal(seen.size, all.blobs.length);
    assert(backups <= 30, `${backups} backups`);
  });
}

Deno.test("a small library is read whole each time", () => {
  const { read, next } = scrubOver(library(100, 1_000));
  assert.deepEqual([read.length, next], [100, ""]);
});

Deno.test("what was lost the last time is read whatever the schedule says, and --verify reads everything", () => {
  const all = library(300, GIB);
  const [first = "", second = ""] = all.blobs.map(({ hash }) => hash);
  const { read } = scrubOver(all, {
    after: all.blobs[200]?.hash ?? "",
    suspects: new Set([second]),
  });
  assert(read.includes(second) && !read.includes(first));
  assert.equal(scrubOver(all, { all: true }).read.length, 300);
});
