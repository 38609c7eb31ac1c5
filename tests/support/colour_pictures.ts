/**
 * Pictures of one colour (PNG).
 *
 * @module
 */
import { crc32, deflateSync } from "node:zlib";
import { concatBytes, utf8 } from "../../src/core/bytes.ts";
import { u32 } from "./raw_files.ts";

/** A picture of one colour, by the strength of each part: 0 to 255. */
export function colourPicture(
  colour: readonly [red: number, green: number, blue: number],
  [width, height]: readonly [number, number] = [64, 48],
): Uint8Array<ArrayBuffer> {
  const row = [0, ...Array.from({ length: width }, () => colour).flat()];
  const rows = Array.from({ length: height }, () => row).flat();
  return concatBytes(
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    // Eight bits of each of three colours.
    chunk("IHDR", concatBytes(u32(width), u32(height), bytes(8, 2, 0, 0, 0))),
    chunk("IDAT", deflateSync(Uint8Array.from(rows))),
    chunk("IEND", bytes()),
  );
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const body = concatBytes(utf8(type), content);
  return concatBytes(u32(content.length), body, u32(crc32(body)));
}

function bytes(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values);
}
