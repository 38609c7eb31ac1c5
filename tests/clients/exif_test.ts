/**
 * What photos and videos say of themselves, compared with another reader, and
 * what becomes of files that lie.
 *
 * @module
 */
import assert from "node:assert/strict";
import ExifReader from "exifreader";
import {
  aboutFile,
  type MediaFacts,
  readMediaFacts,
} from "../../src/media/exif/mod.ts";
import { readXmp } from "../../src/media/exports/xmp.ts";
import { xmpOf } from "../../src/media/exports/xmp_writer.ts";
import {
  decodeMetadata,
  encodeMetadata,
} from "../../src/client/documents/metadata.ts";
import { plainOf } from "../../src/library/mod.ts";

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

Deno.test("a video tells its length, its time and its place", async () => {
  assert.deepEqual(await factsOf("android.mp4"), {
    takenAt: "2022-10-11T12:13:14.000Z",
    takenIsUtc: true,
    durationMs: 1_500,
    width: 64,
    height: 48,
    place: { latitude: 12.5, longitude: -70.25 },
  });
  assert.deepEqual(await factsOf("iphone.mov"), {
    takenAt: "2024-06-30T12:05:06.000Z",
    takenOffset: 120,
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

Deno.test("a file that is no picture has no facts, and a place of 0/0 is ignored", async () => {
  const text = new TextEncoder().encode("no picture at all, only text\n");
  assert.deepEqual(await readMediaFacts(plainOf(text)), {});
  assert.deepEqual(await readMediaFacts(plainOf(new Uint8Array())), {});
});

/** A JPEG with one more segment at its beginning. */
function withSegment(
  jpeg: Uint8Array,
  name: string,
  content: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const named = new TextEncoder().encode(name);
  const length = 2 + named.length + content.length;
  return new Uint8Array([
    ...jpeg.subarray(0, 2),
    ...[0xff, 0xe1, length >> 8, length & 0xff],
    ...named,
    ...content,
    ...jpeg.subarray(2),
  ]);
}

/** A TIFF whose one entry is a description. */
function described(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(`${text}\0`);
  const view = new DataView(new ArrayBuffer(26 + bytes.length));
  view.setUint32(0, 0x4d4d002a);
  view.setUint32(4, 8);
  view.setUint16(8, 1);
  view.setUint16(10, 0x010e);
  view.setUint16(12, 2);
  view.setUint32(14, bytes.length);
  view.setUint32(18, 26);
  new Uint8Array(view.buffer).set(bytes, 26);
  return new Uint8Array(view.buffer);
}

Deno.test("captions in EXIF and XMP are read, and a camera's own words there are ignored", async () => {
  const jpeg = await sample("turned.jpg");
  const captionIn = async (name: string, content: Uint8Array) =>
    (await readMediaFacts(plainOf(withSegment(jpeg, name, content)))).caption;
  const exif = (text: string) => captionIn("Exif\0\0", described(text));
  assert.equal(await exif("At the gate, é"), "At the gate, é");
  for (const none of ["OLYMPUS DIGITAL CAMERA", "SONY DSC", "oznor_vivi"]) {
    assert.equal(await exif(none), undefined, none);
  }
  const xmp = xmpOf({
    name: "a.jpg",
    mime: "image/jpeg",
    size: 1,
    sha256: "00".repeat(32),
    derivatives: [],
    caption: "über <dem> See",
  });
  assert.equal(
    await captionIn(
      "http://ns.adobe.com/xap/1.0/\0",
      new TextEncoder().encode(xmp),
    ),
    "über <dem> See",
  );
});

/** A WebP with a chunk of XMP at its end. */
function webpWith(webp: Uint8Array, xmp: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(xmp);
  const even = text.length + (text.length & 1);
  const bytes = new Uint8Array(webp.length + 8 + even);
  bytes.set(webp);
  bytes.set(new TextEncoder().encode("XMP "), webp.length);
  bytes.set(text, webp.length + 8);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(webp.length + 4, text.length, true);
  return bytes;
}

Deno.test("captions, stars and keywords are read of every format, kept, and written into sidecars", async () => {
  const said = {
    caption: "At the gate",
    rating: 4,
    keywords: ["lake", "über & unter"],
  };
  const written = xmpOf({
    name: "a.webp",
    mime: "image/webp",
    size: 1,
    sha256: "00".repeat(32),
    derivatives: [],
    ...said,
  });
  const jpeg = await sample("turned.jpg");
  const name = "http://ns.adobe.com/xap/1.0/\0";
  const pictures = [
    withSegment(jpeg, name, new TextEncoder().encode(written)),
    webpWith(await sample("camera.webp"), written),
    ...await Promise.all(
      ["png", "tiff", "heic", "avif"].map((end) => sample(`keywords.${end}`)),
    ),
  ];
  for (const picture of pictures) {
    const facts = await readMediaFacts(plainOf(picture));
    const { caption, rating, keywords } = facts;
    assert.deepEqual({ caption, rating, keywords }, said);
    assert(facts.takenAt !== undefined, "the EXIF is read, too");
    const about = aboutFile({ name: "a", folder: "", modifiedAt: 0 }, facts);
    const metadata = {
      ...about,
      size: 1,
      sha256: "00".repeat(32),
      derivatives: [],
    };
    const kept = decodeMetadata(encodeMetadata(metadata));
    assert.deepEqual([kept.rating, kept.keywords], [4, said.keywords]);
    const read = readXmp(xmpOf(kept));
    assert.deepEqual([read?.rating, read?.keywords], [4, said.keywords]);
  }
  // No stars and empty words count as absent.
  const none = webpWith(
    await sample("camera.webp"),
    written.replace(">4<", ">0<").replace(">lake<", "> <"),
  );
  const facts = await readMediaFacts(plainOf(none));
  assert.equal(facts.rating, undefined);
  assert.deepEqual(facts.keywords, ["über & unter"]);
});

Deno.test("a video's time has the zone of its place where this device's is too far away", () => {
  const takenAt = "2024-06-30T12:05:06.000Z";
  const here = 0 - new Date(takenAt).getTimezoneOffset();
  const offsetAt = (longitude: number) =>
    aboutFile({ name: "a.mp4", folder: "", modifiedAt: 0 }, {
      takenAt,
      takenIsUtc: true,
      place: { latitude: 10, longitude },
    }).taken_offset;
  const east = (hours: number) => ((here / 4 + 15 * hours + 540) % 360) - 180;
  assert.equal(offsetAt(east(0)), here);
  assert.equal(offsetAt(east(2)), here);
  const far = east(8);
  assert.equal(offsetAt(far), 60 * Math.round(far / 15));
});

Deno.test("WhatsApp's names tell the day and the order, and a video's time has the device's zone", () => {
  const taken = (name: string, facts: MediaFacts = {}) =>
    aboutFile({ name, folder: "", modifiedAt: 0 }, facts);
  const first = taken("IMG-20240630-WA0001.jpg");
  const second = taken("VID-20240630-WA0002.mp4");
  assert.equal(first.taken_at, "2024-06-30T12:00:01.000Z");
  assert.equal(first.taken_source, "name");
  assert.equal(second.taken_at, "2024-06-30T12:00:02.000Z");
  assert.equal(taken("IMG-20241330-WA0001.jpg").taken_source, "mtime");

  const takenAt = "2024-06-30T12:05:06.000Z";
  const video = taken("a.mp4", { takenAt, takenIsUtc: true });
  assert.equal(video.taken_at, takenAt);
  assert.equal(
    video.taken_offset,
    0 - new Date(takenAt).getTimezoneOffset(),
  );
  // A photograph's time is local, and its zone is not known.
  assert.equal(taken("a.jpg", { takenAt }).taken_offset, undefined);
});
