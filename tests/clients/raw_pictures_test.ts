/**
 * The JPEG in a raw file of a camera, what such a file says of itself, and what
 * becomes of one that lies.
 *
 * @module
 */
import assert from "node:assert/strict";
import { readMediaFacts } from "../../src/media/exif/mod.ts";
import { mediaTypeOf } from "../../src/media/media_types.ts";
import { isUndrawnType } from "../../src/media/raw_types.ts";
import { jpegInRaw, readJpegInRaw } from "../../src/media/pictures/raw.ts";
import { typeOfBytes } from "../../src/media/exif/extent.ts";
import { derivativesOf } from "../../src/cli/person/files/pictures.ts";
import { plainOf } from "../../src/library/mod.ts";
import { rawFiles, tiffFile } from "../support/raw_files.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A JPEG of a size: the upper half red, the lower half blue. */
async function jpegOf(width: number, height: number): Promise<Bytes> {
  const pixels = new ImageData(width, height);
  for (let at = 0; at < pixels.data.length; at += 4) {
    const isUpper = at < pixels.data.length / 2;
    pixels.data.set(isUpper ? [255, 0, 0, 255] : [0, 0, 255, 255], at);
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("bitmaprenderer")
    ?.transferFromImageBitmap(await createImageBitmap(pixels));
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
  return new Uint8Array(await blob.arrayBuffer());
}

const JPEG = await jpegOf(640, 480);
const SMALL = await jpegOf(160, 120);

async function drawn(jpeg: Bytes | undefined): Promise<ImageBitmap> {
  assert(jpeg !== undefined, "no JPEG");
  return await createImageBitmap(new Blob([jpeg], { type: "image/jpeg" }));
}

Deno.test("the largest JPEG of a raw file is found, and not the sensor's data", async () => {
  for (
    const [end, file] of Object.entries(rawFiles({ jpeg: JPEG, small: SMALL }))
  ) {
    const found = await jpegInRaw(plainOf(file));
    assert.deepEqual([found?.width, found?.height], [640, 480], end);
    const { width, height } = await drawn(await readJpegInRaw(plainOf(file)));
    assert.deepEqual([width, height], [640, 480], end);
  }
});

Deno.test("it is upright as the raw file says, where it does not say so itself", async () => {
  const files = rawFiles({ jpeg: JPEG, small: SMALL, orientation: 6 });
  for (const [end, file] of Object.entries(files)) {
    const { width, height } = await drawn(await readJpegInRaw(plainOf(file)));
    assert.deepEqual([width, height], [480, 640], end);
  }
});

Deno.test("a raw file tells when, where, and by what it was taken, and how large it is", async () => {
  const files = rawFiles({ jpeg: JPEG, small: SMALL, orientation: 6 });
  for (const [end, file] of Object.entries(files)) {
    assert.deepEqual(await readMediaFacts(plainOf(file)), {
      takenAt: "2024-06-30T12:05:06.000Z",
      takenOffset: 120,
      camera: { make: "Strong", model: "Room 1" },
      place: { latitude: 46, longitude: 9.25 },
      orientation: 6,
      width: 480,
      height: 640,
    }, end);
  }
});

Deno.test("the command line makes small pictures of raw files, the smallest too", async () => {
  const large = rawFiles({ jpeg: JPEG, small: SMALL, orientation: 8 });
  for (const [end, file] of Object.entries(large)) {
    const made = await derivativesOf(
      plainOf(file),
      mediaTypeOf(`photo.${end}`),
      {},
    );
    assert.deepEqual(
      made?.map(({ kind, width, height }) => [kind, width, height]),
      [["preview", 480, 640], ["thumbnail", 384, 512]],
      end,
    );
  }
  const { nef } = rawFiles({ jpeg: SMALL, small: SMALL });
  assert(nef !== undefined);
  const made = await derivativesOf(plainOf(nef), "image/x-nikon-nef", {});
  assert.deepEqual(made?.map(({ kind }) => kind), ["thumbnail"]);
});

Deno.test("what a browser would draw by itself, or play, is no raw file", () => {
  const { cr3 = new Uint8Array() } = rawFiles({ jpeg: JPEG, small: SMALL });
  // Its boxes are those of a video.
  assert.equal(typeOfBytes(cr3.subarray(0, 16)), undefined);
  for (const end of ["jpg", "heic", "mpo", "png", "mp4", "txt"]) {
    assert(!isUndrawnType(mediaTypeOf(`a.${end}`)), end);
  }
  for (const end of ["cr2", "CR3", "nef", "arw", "dng", "raf", "orf", "rw2"]) {
    assert(isUndrawnType(mediaTypeOf(`a.${end}`)), end);
  }
});

Deno.test("a raw file that is cut, or lies in any byte, is read within bounds", async () => {
  for (
    const [end, file] of Object.entries(
      rawFiles({ jpeg: SMALL, small: SMALL }),
    )
  ) {
    // What counts is at its beginning; the rest is the sensor's.
    const most = Math.min(file.length, 6_000);
    for (let at = 0; at < most; at += 23) {
      let read = 0;
      const counted = (bytes: Bytes) => ({
        size: bytes.length,
        read: (offset: number, length: number) => {
          read += length;
          return Promise.resolve(bytes.subarray(offset, offset + length));
        },
      });
      await jpegInRaw(counted(file.slice(0, at)));
      for (const value of [0x00, 0x7f, 0xff]) {
        const changed = file.slice();
        changed[at] = value;
        const found = await jpegInRaw(counted(changed));
        assert(found === undefined || found.at + found.length <= file.length);
      }
      assert(read <= 4 * 256 * 64 * 1024, `${end} ${at}: ${read}`);
    }
  }
});

Deno.test("directories that go round in circles end", async () => {
  // Each is below the other, and each names the other as the next one.
  const file = tiffFile([
    [[0x014a, 4, { directory: [0, 1] }]],
    [[0x014a, 4, { directory: [1, 0] }]],
  ], { chain: 2 });
  assert.equal(await jpegInRaw(plainOf(file)), undefined);
});
