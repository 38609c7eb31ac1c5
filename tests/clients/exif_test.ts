/**
 * What photographs and films say of themselves, beside another reader's word
 * for it, and what becomes of files that lie.
 *
 * @module
 */
import assert from "node:assert/strict";
import ExifReader from "exifreader";
import { type MediaFacts, readMediaFacts } from "../../src/client/exif/mod.ts";
import { plainOf } from "../../src/client/library/mod.ts";

const SAMPLES = new URL("../support/media/", import.meta.url);

async function sample(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL(name, SAMPLES));
}

async function factsOf(name: string): Promise<MediaFacts> {
  return await readMediaFacts(plainOf(await sample(name)));
}

for (const end of ["jpg", "tiff", "webp", "png", "heic", "avif"]) {
  Deno.test(`a photograph in ${end} tells when, where, and by what it was taken`, async () => {
    const { orientation: _, ...facts } = await factsOf(`camera.${end}`);
    assert.deepEqual(facts, {
      takenAt: "2024-06-30T12:05:06.000Z",
      takenOffset: 120,
      camera: { make: "Fuji", model: "X-T5", lens: "XF 23mm" },
      place: { latitude: 47.3769, longitude: 8.5417, altitude: 408 },
      width: 64,
      height: 48,
    });
  });
}

Deno.test("another reader finds the same", async () => {
  for (const end of ["jpg", "tiff", "webp", "png", "heic", "avif"]) {
    const bytes = await sample(`camera.${end}`);
    const theirs = ExifReader.load(bytes.buffer, { expanded: true });
    const ours = await readMediaFacts(plainOf(bytes));
    const { exif, gps } = theirs;
    assert.equal(exif?.DateTimeOriginal?.description, "2024:06:30 14:05:06");
    assert.equal(exif?.OffsetTimeOriginal?.description, "+02:00");
    assert.equal(exif?.Make?.description, ours.camera?.make);
    assert.equal(exif?.Model?.description, ours.camera?.model);
    assert.equal(exif?.LensModel?.description, ours.camera?.lens);
    for (
      const [their, our] of [
        [gps?.Latitude, ours.place?.latitude],
        [gps?.Longitude, ours.place?.longitude],
        [gps?.Altitude, ours.place?.altitude],
      ]
    ) assert(Math.abs((their ?? NaN) - (our ?? NaN)) < 1e-9, end);
  }
});

Deno.test("a photograph tells how it was exposed, and nonsense is left out", async () => {
  const rational = (tag: number, above: number, below: number) =>
    [tag, 5, above, below] as const;
  assert.deepEqual(
    (await readMediaFacts(plainOf(tiffWith([
      rational(0x829a, 1, 250),
      rational(0x829d, 28, 10),
      [0x8827, 3, 400],
      rational(0x920a, 35, 1),
    ])))).exposure,
    { seconds: 0.004, aperture: 2.8, iso: 400, focalLength: 35 },
  );
  const nonsense = tiffWith([rational(0x829a, 1, 0), rational(0x829d, 0, 1)]);
  assert.equal((await readMediaFacts(plainOf(nonsense))).exposure, undefined);
});

/** TIFF with nothing but a directory of EXIF: shorts and rationals. */
function tiffWith(
  entries: readonly (readonly [number, number, number, number?])[],
): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(256));
  view.setUint32(0, 0x4d4d002a);
  view.setUint32(4, 8);
  view.setUint16(8, 1);
  view.setUint16(10, 0x8769);
  view.setUint16(12, 4);
  view.setUint32(14, 1);
  view.setUint32(18, 26);
  view.setUint16(26, entries.length);
  for (const [n, [tag, type, value, below]] of entries.entries()) {
    const at = 28 + 12 * n;
    view.setUint16(at, tag);
    view.setUint16(at + 2, type);
    view.setUint32(at + 4, 1);
    if (below === undefined) view.setUint16(at + 8, value);
    else {
      view.setUint32(at + 8, 128 + 8 * n);
      view.setUint32(128 + 8 * n, value);
      view.setUint32(132 + 8 * n, below);
    }
  }
  return new Uint8Array(view.buffer);
}

Deno.test("a picture that lies on its side is told as it is shown, south and west are negative", async () => {
  const { place, ...facts } = await factsOf("turned.jpg");
  assert.deepEqual(facts, {
    takenAt: "2019-01-02T03:04:05.000Z",
    orientation: 6,
    width: 48,
    height: 64,
  });
  assert.equal(place?.latitude, -33.8568);
  assert.equal(place?.longitude.toFixed(4), "-151.2153");
});

Deno.test("a film tells its length, its time and its place", async () => {
  assert.deepEqual(await factsOf("android.mp4"), {
    takenAt: "2022-10-11T12:13:14.000Z",
    durationMs: 1_500,
    width: 64,
    height: 48,
    place: { latitude: 12.5, longitude: -70.25 },
  });
  assert.deepEqual(await factsOf("iphone.mov"), {
    takenAt: "2023-03-04T05:06:07.000Z",
    takenOffset: 60,
    durationMs: 1_500,
    width: 64,
    height: 48,
    camera: { make: "Apple", model: "iPhone 15" },
    place: { latitude: -33.8568, longitude: 151.2153, altitude: 12 },
  });
});

Deno.test("files that are cut, or lie in any byte, are read within bounds and never throw", async () => {
  for await (const { name } of Deno.readDir(SAMPLES)) {
    if (name.endsWith(".md")) continue;
    const whole = await sample(name);
    const step = Math.max(1, Math.floor(whole.length / 300));
    for (let at = 0; at < whole.length; at += step) {
      let reads = 0;
      const counted = (bytes: Uint8Array<ArrayBuffer>) => ({
        size: bytes.length,
        read: (offset: number, length: number) => {
          reads += 1;
          return Promise.resolve(bytes.subarray(offset, offset + length));
        },
      });
      await readMediaFacts(counted(whole.slice(0, at)));
      for (const value of [0x00, 0x7f, 0xff]) {
        const changed = whole.slice();
        changed[at] = value;
        await readMediaFacts(counted(changed));
      }
      assert(reads < 2_000, `${name} ${at}: ${reads} reads`);
    }
  }
});

Deno.test("what is no picture tells nothing, and a place of 0/0 is none", async () => {
  const text = new TextEncoder().encode("no picture at all, only text\n");
  assert.deepEqual(await readMediaFacts(plainOf(text)), {});
  assert.deepEqual(await readMediaFacts(plainOf(new Uint8Array())), {});
});
