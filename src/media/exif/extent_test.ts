import assert from "node:assert/strict";
import {
  HEAD_BYTES,
  isPictureType,
  lookAtBytes,
  MOST_SMALL_PIXELS,
  typeOfBytes,
} from "./extent.ts";
import { utf8 } from "../../core/bytes.ts";

/** The head of a PNG of a size, and so many bytes behind it. */
function png(width: number, height: number, bytes = 31_000) {
  const file = new Uint8Array(bytes);
  file.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(file.buffer);
  view.setUint32(8, 13);
  file.set(utf8("IHDR"), 12);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return file;
}

/** A JPEG whose frame stands behind so many other segments. */
function jpeg(width: number, height: number, before = 1) {
  const file = new Uint8Array(2 + before * 4 + 40_000);
  const view = new DataView(file.buffer);
  file.set([0xff, 0xd8]);
  let at = 2;
  for (let n = 0; n < before; n++, at += 4) {
    file.set([0xff, 0xe0, 0, 2], at);
  }
  file.set([0xff, 0xc0, 0, 11, 8], at);
  view.setUint16(at + 5, height);
  view.setUint16(at + 7, width);
  return file;
}

Deno.test("a picture is decoded if its header says a size that memory holds", async () => {
  assert.deepEqual(await lookAtBytes(png(4_000, 3_000)), {
    type: "image/png",
    width: 4_000,
    height: 3_000,
  });
  assert.equal((await lookAtBytes(jpeg(4_000, 3_000)))?.width, 4_000);
  // A panorama of 100 megapixels has the bytes of one.
  assert.notEqual(await lookAtBytes(png(20_000, 5_000, 9_000_000)), undefined);
});

Deno.test("a picture behind hundreds of segments tells its size", async () => {
  assert.deepEqual(await lookAtBytes(jpeg(100, 100, 600)), {
    type: "image/jpeg",
    width: 100,
    height: 100,
  });
});

Deno.test("a picture that swells is not decoded, nor one that hides its size", async () => {
  const bombs = [
    png(16_384, 16_384),
    png(0xffff_ffff, 0xffff_ffff),
    png(65_535, 65_535, 90_000_000),
    // Within the bound, and out of all proportion to 31 KB.
    png(10_000, 10_000),
    png(0, 10),
    jpeg(65_535, 65_535),
    // Behind more segments than are read.
    jpeg(100, 100, 5_000),
    jpeg(65_535, 65_535, 600),
    utf8(`GIF89a\xff\xff\xff\xff0000000000000000`),
  ];
  for (const [at, bomb] of bombs.entries()) {
    assert.equal(await lookAtBytes(bomb), undefined, String(at));
  }
  assert.equal(
    await lookAtBytes(png(5_000, 5_000), MOST_SMALL_PIXELS),
    undefined,
  );
});

Deno.test("what could hold a script has no type, whatever is around it", async () => {
  const script = "<script>parent.hacked = 1</script>";
  const texts = [
    `<html>${script}</html>`,
    `   \n<!doctype html>${script}`,
    `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`,
    `<?xml version="1.0"?><svg>${script}</svg>`,
    `\ufeff<html>${script}`,
    `%PDF-1.7 ${script}`,
    `GIF7${script}`,
    `From: someone${script}`,
    "",
    "short",
  ];
  for (const text of texts) {
    assert.equal(typeOfBytes(utf8(text).subarray(0, HEAD_BYTES)), undefined);
    assert.equal(await lookAtBytes(utf8(text)), undefined, text);
  }
  // A file that is both is the picture, and shown as nothing else.
  assert.equal(typeOfBytes(utf8(`GIF89a/*${script}`)), "image/gif");
});

Deno.test("every type on the list is found by the first bytes", () => {
  const head = (...start: (string | number)[]) => {
    const bytes = start.flatMap((one) =>
      typeof one === "number" ? [one] : [...one].map((c) => c.charCodeAt(0))
    );
    return new Uint8Array([...bytes, ...new Uint8Array(16)]).slice(0, 16);
  };
  const known: readonly (readonly [Uint8Array, string])[] = [
    [head(0xff, 0xd8, 0xff, 0xe1), "image/jpeg"],
    [head(0x89, "PNG"), "image/png"],
    [head("GIF89a"), "image/gif"],
    [head("RIFF....WEBP"), "image/webp"],
    [head("BM...."), "image/bmp"],
    [head(0, 0, 0, 24, "ftypavif"), "image/avif"],
    [head(0, 0, 0, 24, "ftypheic"), "image/heic"],
    [head(0, 0, 0, 24, "ftypmif1"), "image/heic"],
    [head(0, 0, 0, 24, "ftypisom"), "video/mp4"],
    [head(0, 0, 0, 24, "ftypqt  "), "video/quicktime"],
    [head(0, 0, 0, 24, "moov"), "video/quicktime"],
    [head(0x1a, 0x45, 0xdf, 0xa3), "video/webm"],
    [head("RIFF....AVI "), "video/x-msvideo"],
    [head(0, 0, 1, 0xba), "video/mpeg"],
    [head("OggS"), "video/ogg"],
    [head("RIFF....WAVE"), "audio/wav"],
    [head("fLaC"), "audio/flac"],
    [head("ID3"), "audio/mpeg"],
    [head(0xff, 0xfb), "audio/mpeg"],
    [head(0xff, 0xf1), "audio/aac"],
  ];
  for (const [bytes, type] of known) {
    assert.equal(typeOfBytes(bytes), type);
    assert.equal(
      isPictureType(type),
      type.startsWith("image/") && type !== "image/heic",
    );
  }
});
