/**
 * The halves of live photos, as small as they can be, with Apple's content
 * identifier or without.
 */
import {
  type Bytes,
  concatBytes,
  fromBase64,
  utf8,
} from "../../src/core/bytes.ts";
import { tiffFile } from "./raw_files.ts";

/** When both halves were taken. */
const LIVE_TAKEN = "2024-08-15T10:00:00Z";

/** A gradient, to which the segment with its facts is added. */
const TINY = fromBase64(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAoHBwgHBgoICAgLCgoLDhgQDg0NDh0VFhEYIx" +
    "8lJCIfIiEmKzcvJik0KSEiMEExNDk7Pj4+JS5ESUM8SDc9Pjv/2wBDAQoLCw4NDhwQEBw7" +
    "KCIoOzs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Oz" +
    "v/wAARCAAMABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAUG/8QAGRAAAQUA" +
    "AAAAAAAAAAAAAAAAAAITFFFh/8QAFQEBAQAAAAAAAAAAAAAAAAAABQb/xAAXEQADAQAAAA" +
    "AAAAAAAAAAAAAAAxZh/9oADAMBAAIRAxEAPwDFS9EvSO4qw4qyxl0YO0bj/9k=",
) ?? new Uint8Array();

/** Apple's note of a camera, with the identifier of both halves. */
function note(identifier: string): Bytes {
  return concatBytes(
    utf8("Apple iOS\0\0\x01MM"),
    new Uint8Array([0, 1, 0, 0x11, 0, 2, 0, 0, 0, identifier.length + 1]),
    new Uint8Array([0, 0, 0, 32, 0, 0, 0, 0]),
    utf8(`${identifier}\0`),
  );
}

/** The EXIF of a still; `mark` makes it another file. */
export function liveExif(mark: string, identifier?: string): Bytes {
  return tiffFile([
    [[0x010f, 2, `${mark}\0`], [0x8769, 4, { directory: 1 }]],
    [
      [0x9003, 2, "2024:08:15 10:00:00\0"],
      [0x9011, 2, "+00:00\0"],
      ...identifier === undefined
        ? []
        : [[0x927c, 7, { bytes: note(identifier) }] as const],
    ],
  ]);
}

/** A still as a JPEG; `mark` as above. */
export function liveStill(mark: string, identifier?: string): Bytes {
  const facts = liveExif(mark, identifier);
  const content = concatBytes(utf8("Exif\0\0"), facts);
  const length = content.length + 2;
  return concatBytes(
    TINY.slice(0, 2),
    new Uint8Array([0xff, 0xe1, length >> 8, length & 0xff]),
    content,
    TINY.slice(2),
  );
}

/** A video that nothing can play; `mark` as above. */
export function liveVideo(
  mark: string,
  identifier?: string,
  lengthMs = 2_000,
): Bytes {
  const made = Date.parse(LIVE_TAKEN) / 1_000 + 2_082_844_800;
  const key = utf8("com.apple.quicktime.content.identifier");
  const meta = identifier === undefined ? [] : [box(
    "meta",
    box("hdlr", new Uint8Array(24)),
    box("keys", numbers(0, 1), numbers(key.length + 8), utf8("mdta"), key),
    box(
      "ilst",
      concatBytes(
        numbers(8 + 16 + identifier.length, 1),
        box("data", numbers(1, 0), utf8(identifier)),
      ),
    ),
  )];
  return concatBytes(
    box("ftyp", utf8("qt  \0\0\0\0")),
    box(
      "moov",
      box("mvhd", numbers(0, made, made, 1_000, lengthMs), new Uint8Array(80)),
      ...meta,
    ),
    box("mdat", utf8(mark)),
  );
}

function box(type: string, ...content: readonly Bytes[]): Bytes {
  const inside = concatBytes(...content);
  return concatBytes(numbers(inside.length + 8), utf8(type), inside);
}

function numbers(...values: readonly number[]): Bytes {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, n) => view.setUint32(4 * n, value));
  return new Uint8Array(view.buffer);
}
