/**
 * Pictures that a decoder refuses, or that say what is not so, made of a good
 * one. Each is a kind of fault that is found among people's photos.
 *
 * @module
 */
import { deflateSync } from "node:zlib";
import { crc32 } from "node:zlib";
import { concatBytes, utf8 } from "../../src/core/bytes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A picture of a size, every few pixels in another colour. */
export async function pictureOf(
  width: number,
  height: number,
  type: "image/jpeg" | "image/png" | "image/webp" = "image/jpeg",
): Promise<Bytes> {
  const pixels = new ImageData(width, height);
  for (let at = 0; at < pixels.data.length; at += 4) {
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)];
    pixels.data.set([x & 0xf8, y & 0xf8, (x ^ y) & 0xf0, 255], at);
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("bitmaprenderer")
    ?.transferFromImageBitmap(await createImageBitmap(pixels));
  const blob = await canvas.convertToBlob({ type, quality: 0.9 });
  return new Uint8Array(await blob.arrayBuffer());
}

function indexOf(bytes: Bytes, wanted: readonly number[]): number {
  return bytes.findIndex((_, at) =>
    wanted.every((byte, n) => bytes[at + n] === byte)
  );
}

function changed(bytes: Bytes, at: number, ...to: readonly number[]): Bytes {
  const other = bytes.slice();
  other.set(to, at);
  return other;
}

function inserted(bytes: Bytes, at: number, what: Uint8Array): Bytes {
  return concatBytes(bytes.subarray(0, at), what, bytes.subarray(at));
}

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Uint8Array): Bytes {
  const named = concatBytes(utf8(type), data);
  const chunk = new Uint8Array(named.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(named, 4);
  view.setUint32(named.length + 4, crc32(named));
  return chunk;
}

/** JPEGs that are odd, by the kind of the fault. */
export function oddJpegs(good: Bytes): Readonly<Record<string, Bytes>> {
  // The frame (SOF0): its length, its bits, its sides, its components.
  const frame = indexOf(good, [0xff, 0xc0]);
  const tables = indexOf(good, [0xff, 0xdb]);
  const scan = indexOf(good, [0xff, 0xda]);
  const adobe = new Uint8Array([
    ...[0xff, 0xee, 0, 32],
    ...utf8("http://ns.adobe.com/xap/1.0/\0x"),
  ]);
  const frames = Object.fromEntries(
    [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb].map((marker) =>
      [
        `frame-${marker.toString(16)}`,
        changed(good, frame + 1, marker),
      ] as const
    ),
  );
  return {
    ...frames,
    "wide": changed(good, frame + 5, 0, 200, 0x40, 1),
    "high": changed(good, frame + 5, 0x40, 1, 0, 200),
    "huge": changed(good, frame + 5, 0xff, 0xff, 0xff, 0xff),
    "no-sides": changed(good, frame + 5, 0, 0, 0, 0),
    "stray": inserted(good, tables, utf8("stray bytes")),
    "app14": inserted(good, 2, adobe),
    "12-bit": changed(good, frame + 4, 12),
    "no-components": changed(good, frame + 9, 0),
    "odd-sampling": changed(good, frame + 11, 0xf1),
    "no-sampling": changed(good, frame + 11, 0),
    "empty-frame": concatBytes(
      good.subarray(0, frame),
      new Uint8Array([0xff, 0xc0, 0, 2]),
      good.subarray(scan),
    ),
    "no-tables": concatBytes(good.subarray(0, tables), good.subarray(frame)),
    "many-scans": concatBytes(
      good.subarray(0, good.length - 2),
      ...Array.from({ length: 500 }, () => good.slice(scan, scan + 24)),
      good.subarray(good.length - 2),
    ),
    "cut-in-tables": good.slice(0, tables + 9),
    "cut-in-frame": good.slice(0, frame + 6),
    "cut-in-scan": good.slice(0, scan + 5),
    "only-a-start": new Uint8Array([0xff, 0xd8]),
    "no-picture": concatBytes(
      new Uint8Array([0xff, 0xd8, 0xff, 0xd9]),
      new Uint8Array(64),
    ),
  };
}

/** PNGs that are odd. */
export function oddPngs(good: Bytes): Readonly<Record<string, Bytes>> {
  const swelling = deflateSync(new Uint8Array(200_000_000), { level: 9 });
  const profile = (type: string) =>
    inserted(
      good,
      33,
      pngChunk(type, concatBytes(utf8("x\0\0"), new Uint8Array(swelling))),
    );
  return {
    "bad-checksum": changed(good, 29, 0, 0, 0, 0),
    "cut": good.slice(0, good.length >> 1),
    "no-pixels": concatBytes(
      good.subarray(0, 33),
      pngChunk("IEND", new Uint8Array()),
    ),
    "swelling-profile": profile("iCCP"),
    "swelling-text": profile("zTXt"),
  };
}

/** Files whose names say another kind than they are, or that are damaged. */
export function lyingFiles(good: Bytes): Readonly<Record<string, Bytes>> {
  const noise = Uint8Array.from(
    { length: 5_000 },
    (_, n) => (n * n * 31 + (n >> 3)) & 0xff,
  );
  const headed = (head: string | readonly number[]) =>
    concatBytes(
      typeof head === "string" ? utf8(head) : new Uint8Array(head),
      noise,
    );
  const boxed = (brand: string) =>
    headed([0, 0, 0, 16, ...utf8(`ftyp${brand}`), 0, 0, 0, 0]);
  return {
    "noise.jpg": noise,
    "empty.jpg": new Uint8Array(),
    "text.png": utf8("not a picture, whatever its name says"),
    "noise.webp": headed("RIFF\x20\0\0\0WEBPVP8X"),
    "noise.gif": headed("GIF89a"),
    "noise.bmp": headed([0x42, 0x4d, 0, 0, 0, 0, 0, 0, 0, 0]),
    "noise.tif": headed("II*\0\x08\0\0\0"),
    "noise.nef": headed("MM\0*\0\0\0\x08"),
    "noise.raf": headed("FUJIFILMCCD-RAW "),
    "noise.cr3": boxed("crx "),
    "noise.heic": boxed("heic"),
    "noise.avif": boxed("avif"),
    "noise.mp4": boxed("isom"),
    "jpeg.png": good,
    "jpeg.heic": good,
    "jpeg.tif": good,
    "jpeg.nef": good,
    "jpeg.mp4": good,
  };
}

/** A HEIC that has no settings for its decoder, and is whole otherwise. */
export function withoutDecoder(heic: Bytes): Bytes {
  return changed(heic, indexOf(heic, [...utf8("hvcC")]), ...utf8("xxxx"));
}
