/**
 * A zip is read in few parts, and every part is the right one.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sourceOfZip } from "../../src/web/workers/library/exports/zip_source.ts";

const BYTES = crypto.getRandomValues(new Uint8Array(60_000));

/** A file that counts how often a part of it is read. */
class Counted extends Blob {
  parts = 0;
  override slice(start?: number, end?: number): Blob {
    this.parts += 1;
    return super.slice(start, end);
  }
}

Deno.test("whatever is read of several zips, forwards, backwards and at once, is what is there", async () => {
  const files = [BYTES, BYTES.toReversed()].map((bytes) => ({
    bytes,
    source: sourceOfZip(new Blob([bytes])),
  }));
  const places = Array.from(
    { length: 400 },
    (_, at) => [(at * 7_919) % 60_000, (at * 131) % 5_000] as const,
  );
  await Promise.all(
    files.flatMap(({ bytes, source }) =>
      places.map(async ([offset, length]) =>
        assert.deepEqual(
          await source.read(offset, length),
          bytes.slice(offset, offset + length),
        )
      )
    ),
  );
});

Deno.test("who reads on gets more and more at once", async () => {
  const file = new Counted(Array.from({ length: 100 }, () => BYTES));
  const source = sourceOfZip(file);
  for (let at = 0; at < file.size; at += 32_768) {
    const wanted = Math.min(32_768, file.size - at);
    assert.equal((await source.read(at, 32_768)).length, wanted);
  }
  assert(file.parts < 12, `${file.parts} parts of ${file.size} bytes`);
});
