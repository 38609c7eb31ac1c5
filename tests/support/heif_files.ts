/**
 * HEIC and AVIF box by box (ISO 23008-12), so that a test can have what no
 * encoder writes.
 *
 * @module
 */
import { type Bytes, concatBytes, utf8 } from "../../src/core/bytes.ts";
import { u32 } from "./raw_files.ts";

/** Of a picture as it is stored. */
export type Sides = readonly [width: number, height: number];

/** A box, or what begins as one does (ISO 14496-12). */
function box(type: string, ...content: readonly Bytes[]): Bytes {
  const inside = concatBytes(...content);
  return concatBytes(u32(inside.length + 8), utf8(type), inside);
}

/**
 * A HEIC or an AVIF that claims some sides, turns a quarter or not, and has
 * nothing but its EXIF.
 */
export function heifFile(
  brand: "heic" | "avif",
  exif: Bytes,
  [width, height]: Sides,
  isTurned: boolean,
): Bytes {
  const full = new Uint8Array(4);
  const start = box("ftyp", utf8(brand), full, utf8(brand));
  const item = concatBytes(full, exif);
  const metaAt = (at: number) =>
    box(
      "meta",
      full,
      box("pitm", full, new Uint8Array([0, 1])),
      box(
        "iinf",
        full,
        new Uint8Array([0, 1]),
        box("infe", new Uint8Array([2, 0, 0, 0, 0, 2, 0, 0]), utf8("Exif\0")),
      ),
      box(
        "iloc",
        full,
        new Uint8Array([0x44, 0, 0, 1, 0, 2, 0, 0, 0, 1]),
        u32(at),
        u32(item.length),
      ),
      box(
        "iprp",
        box(
          "ipco",
          box("ispe", full, u32(width), u32(height)),
          // Anticlockwise, in quarters.
          box("irot", new Uint8Array([isTurned ? 3 : 0])),
        ),
        box("ipma", full, u32(1), new Uint8Array([0, 1, 2, 1, 2])),
      ),
    );
  const at = start.length + metaAt(0).length + 8;
  return concatBytes(
    start,
    metaAt(at),
    box("mdat", item, new Uint8Array(600_000)),
  );
}
