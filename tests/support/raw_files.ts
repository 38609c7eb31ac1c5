/**
 * Raw files of cameras, as small as they can be: the containers are those of
 * real ones, and what the sensor saw is left out.
 */
import { concatBytes, utf8 } from "../../src/core/bytes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A value of a directory: numbers, a text, bytes, or where something is. */
type Value =
  | number
  | string
  | readonly number[]
  /** Bytes, whose place is written, or which are the value itself. */
  | { readonly place: Bytes }
  | { readonly bytes: Bytes }
  /** Another directory, by its number. */
  | { readonly directory: number | readonly number[] };

/** An entry: its tag, its type, its value. */
export type Entry = readonly [tag: number, type: number, value: Value];

const SIZES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  7: 1,
  13: 4,
};

/** A structure of TIFF: the first directories of it are a chain. */
export function tiffFile(
  directories: readonly (readonly Entry[])[],
  { magic = 42, little = true, chain = 1, base = 0 } = {},
): Bytes {
  const starts: number[] = [];
  let end = 8;
  for (const entries of directories) {
    starts.push(end);
    end += 2 + 12 * entries.length + 4;
  }
  const behind: Bytes[] = [];
  const place = (bytes: Bytes): number => {
    const at = end;
    behind.push(bytes);
    end += bytes.length;
    return at + base;
  };
  const head = new DataView(new ArrayBuffer(end));
  head.setUint16(0, little ? 0x4949 : 0x4d4d);
  head.setUint16(2, magic, little);
  head.setUint32(4, 8, little);
  for (const [n, entries] of directories.entries()) {
    let at = starts[n] ?? 0;
    head.setUint16(at, entries.length, little);
    at += 2;
    for (const [tag, type, value] of entries) {
      const written = bytesOf(type, value, little, starts, place);
      head.setUint16(at, tag, little);
      head.setUint16(at + 2, type, little);
      head.setUint32(
        at + 4,
        written.length / (SIZES[type] ?? 1),
        little,
      );
      if (written.length <= 4) {
        new Uint8Array(head.buffer).set(written, at + 8);
      } else head.setUint32(at + 8, place(written), little);
      at += 12;
    }
    const isLinked = n + 1 < chain;
    head.setUint32(at, isLinked ? starts[n + 1] ?? 0 : 0, little);
  }
  return concatBytes(new Uint8Array(head.buffer), ...behind);
}

function bytesOf(
  type: number,
  value: Value,
  little: boolean,
  starts: readonly number[],
  place: (bytes: Bytes) => number,
): Bytes {
  if (typeof value === "string") return utf8(`${value}\0`);
  if (typeof value === "object" && "bytes" in value) return value.bytes;
  const numbers = typeof value === "number"
    ? [value]
    : "place" in value
    ? [place(value.place)]
    : "directory" in value
    ? [value.directory].flat().map((n) => starts[n] ?? 0)
    : value;
  // A rational is two numbers.
  const size = Math.min(4, SIZES[type] ?? 1);
  const view = new DataView(new ArrayBuffer(size * numbers.length));
  for (const [n, number] of numbers.entries()) {
    if (size === 1) view.setUint8(n, number);
    else if (size === 2) view.setUint16(2 * n, number, little);
    else view.setUint32(4 * n, number, little);
  }
  return new Uint8Array(view.buffer);
}

const [SHORT, LONG, TEXT, BYTES] = [3, 4, 2, 7] as const;

/** What a raw file of the tests says of itself. */
const CAMERA: readonly Entry[] = [
  [0x010f, TEXT, "Strong"],
  [0x0110, TEXT, "Room 1"],
];
const EXIF: readonly Entry[] = [
  [0x9003, TEXT, "2024:06:30 14:05:06"],
  [0x9011, TEXT, "+02:00"],
];
const GPS: readonly Entry[] = [
  [1, TEXT, "N"],
  [2, 5, [46, 1, 0, 1, 0, 1]],
  [3, TEXT, "E"],
  [4, 5, [9, 1, 15, 1, 0, 1]],
];
/** A JPEG without loss, as sensors' data are: no picture for a browser. */
const SENSOR = concatBytes(
  new Uint8Array([0xff, 0xd8, 0xff, 0xc3, 0, 11, 14, 0x1f, 0, 0x2f, 0, 2]),
  new Uint8Array(80_000),
);

/** Raw files around a JPEG and a smaller one. */
interface RawParts {
  readonly jpeg: Bytes;
  readonly small: Bytes;
  /** How it has to be turned; the JPEG does not say so. */
  readonly orientation?: number;
}

/** A raw file of each kind around a JPEG, by the ends of their names. */
export function rawFiles(parts: RawParts): Readonly<Record<string, Bytes>> {
  return {
    cr2: cr2(parts),
    nef: nef(parts),
    arw: arw(parts),
    dng: dng(parts),
    orf: orf(parts),
    rw2: rw2(parts),
    raf: raf(parts),
    cr3: cr3(parts),
  };
}

const turned = (orientation = 1): Entry => [0x0112, SHORT, orientation];

/** Canon: the JPEG is the strip of the first directory. */
function cr2({ jpeg, small, orientation }: RawParts): Bytes {
  return tiffFile([
    [
      [0x0100, SHORT, 640],
      [0x0101, SHORT, 480],
      [0x0103, SHORT, 6],
      ...CAMERA,
      [0x0111, LONG, { place: jpeg }],
      turned(orientation),
      [0x0117, LONG, jpeg.length],
      [0x8769, LONG, { directory: 3 }],
      [0x8825, LONG, { directory: 4 }],
    ],
    [[0x0201, LONG, { place: small }], [0x0202, LONG, small.length]],
    [
      [0x0103, SHORT, 6],
      [0x0111, LONG, { place: SENSOR }],
      [0x0117, LONG, SENSOR.length],
    ],
    EXIF,
    GPS,
  ], { chain: 3 });
}

/** Nikon: below a thumbnail that is no JPEG. */
function nef({ jpeg, small, orientation }: RawParts): Bytes {
  return tiffFile([
    [
      [0x00fe, LONG, 1],
      [0x0100, LONG, 160],
      [0x0101, LONG, 120],
      [0x0103, SHORT, 1],
      ...CAMERA,
      turned(orientation),
      [0x014a, LONG, { directory: [1, 2, 3] }],
      [0x8769, LONG, { directory: 4 }],
      [0x8825, LONG, { directory: 5 }],
    ],
    [[0x0201, LONG, { place: jpeg }], [0x0202, LONG, jpeg.length]],
    [
      [0x00fe, LONG, 0],
      [0x0100, LONG, 640],
      [0x0101, LONG, 480],
      [0x0103, SHORT, 34_713],
      [0x0111, LONG, { place: SENSOR }],
      [0x0117, LONG, SENSOR.length],
    ],
    [[0x0201, LONG, { place: small }], [0x0202, LONG, small.length]],
    EXIF,
    GPS,
  ], { little: false });
}

/** Sony: in the first directory, and a thumbnail in the next one. */
function arw({ jpeg, small, orientation }: RawParts): Bytes {
  return tiffFile([
    [
      [0x00fe, LONG, 1],
      [0x0103, SHORT, 6],
      ...CAMERA,
      turned(orientation),
      [0x014a, LONG, { directory: 2 }],
      [0x0201, LONG, { place: jpeg }],
      [0x0202, LONG, jpeg.length],
      [0x8769, LONG, { directory: 3 }],
      [0x8825, LONG, { directory: 4 }],
    ],
    [[0x0201, LONG, { place: small }], [0x0202, LONG, small.length]],
    [[0x0100, LONG, 640], [0x0101, LONG, 480]],
    EXIF,
    GPS,
  ], { chain: 2 });
}

/** Adobe: previews in strips below, next to the sensor's data. */
function dng({ jpeg, small, orientation }: RawParts): Bytes {
  const strip = (bytes: Bytes): Entry[] => [
    [0x0103, SHORT, 7],
    [0x0111, LONG, { place: bytes }],
    [0x0117, LONG, bytes.length],
  ];
  return tiffFile([
    [
      [0x00fe, LONG, 1],
      [0x0100, LONG, 160],
      [0x0101, LONG, 120],
      ...CAMERA,
      turned(orientation),
      [0x014a, LONG, { directory: [1, 2, 3] }],
      [0x8769, LONG, { directory: 4 }],
      [0x8825, LONG, { directory: 5 }],
    ],
    [[0x0100, LONG, 640], [0x0101, LONG, 480], ...strip(SENSOR)],
    strip(small),
    strip(jpeg),
    EXIF,
    GPS,
  ]);
}

/** Olympus: in its own notes, whose offsets count from their beginning. */
function orf({ jpeg, small, orientation }: RawParts): Bytes {
  const exif: Entry[] = [
    ...EXIF,
    [0x927c, BYTES, { bytes: olympusNotes(jpeg) }],
  ];
  return tiffFile([
    [
      [0x0100, LONG, 640],
      [0x0101, LONG, 480],
      ...CAMERA,
      turned(orientation),
      [0x8769, LONG, { directory: 2 }],
      [0x8825, LONG, { directory: 3 }],
    ],
    [[0x0201, LONG, { place: small }], [0x0202, LONG, small.length]],
    exif,
    GPS,
  ], { magic: 0x4f52, chain: 2 });
}

function olympusNotes(jpeg: Bytes): Bytes {
  const body = tiffFile([
    [[0x2020, 13, { directory: 1 }]],
    [[0x0101, LONG, { place: jpeg }], [0x0102, LONG, jpeg.length]],
  ], { base: 4 });
  // Eight bytes of a name, the byte order and a version: four more than the
  // head of a TIFF, so that offsets grow by as many.
  const notes = concatBytes(utf8("OLYMPUS\0II"), new Uint8Array([3, 0]));
  const moved = body.slice(8);
  const view = new DataView(moved.buffer);
  // The place of the directory below, which is not behind the others.
  view.setUint32(10, view.getUint32(10, true) + 4, true);
  return concatBytes(notes, moved);
}

/** Panasonic: a whole JPEG in an entry. */
function rw2({ jpeg, orientation }: RawParts): Bytes {
  return tiffFile([
    [
      [0x002e, BYTES, { bytes: jpeg }],
      ...CAMERA,
      turned(orientation),
      [0x8769, LONG, { directory: 1 }],
      [0x8825, LONG, { directory: 2 }],
    ],
    [...EXIF, [0xa002, LONG, 640], [0xa003, LONG, 480]],
    GPS,
  ], { magic: 0x55 });
}

/** Fujifilm: a JPEG that says all, its turning too. */
function raf({ jpeg, orientation }: RawParts): Bytes {
  const exif = tiffFile([
    [
      ...CAMERA,
      turned(orientation),
      [0x8769, LONG, { directory: 1 }],
      [0x8825, LONG, { directory: 2 }],
    ],
    [...EXIF, [0xa002, LONG, 640], [0xa003, LONG, 480]],
    GPS,
  ]);
  const whole = withExif(jpeg, exif);
  const head = new DataView(new ArrayBuffer(148));
  new Uint8Array(head.buffer).set(utf8("FUJIFILMCCD-RAW 0201FF389501"));
  head.setUint32(84, 148);
  head.setUint32(88, whole.length);
  return concatBytes(
    new Uint8Array(head.buffer),
    whole,
    new Uint8Array(4_096),
  );
}

/** A JPEG with EXIF. */
function withExif(jpeg: Bytes, exif: Bytes): Bytes {
  const length = exif.length + 8;
  return concatBytes(
    new Uint8Array([0xff, 0xd8, 0xff, 0xe1, length >> 8, length & 0xff]),
    utf8("Exif\0\0"),
    exif,
    jpeg.subarray(2),
  );
}

/** Canon, in boxes: a preview, and the picture as the first track. */
function cr3({ jpeg, small, orientation }: RawParts): Bytes {
  const uuid = (hex: string, ...boxes: Bytes[]) =>
    box("uuid", Uint8Array.fromHex(hex), ...boxes);
  const canon = uuid(
    "85c0b687820f11e08111f4ce462b6a48",
    box("CNCV", utf8("CanonCR3_001/00.09.00/00.00.00")),
    box("CMT1", tiffFile([[...CAMERA, turned(orientation)]])),
    box(
      "CMT2",
      tiffFile([[...EXIF, [0xa002, LONG, 640], [0xa003, LONG, 480]]]),
    ),
    box("CMT4", tiffFile([GPS])),
  );
  const preview = uuid(
    "eaf42b5e1c984b88b9fbb7dc406e4d16",
    new Uint8Array(8),
    box("PRVW", new Uint8Array(12), u32(small.length), small),
  );
  const made = (at: number): Bytes[] => [
    box("ftyp", utf8("crx "), u32(1), utf8("crx isom")),
    box(
      "moov",
      canon,
      box(
        "trak",
        box(
          "mdia",
          box(
            "minf",
            box(
              "stbl",
              box("stsz", u32(0), u32(jpeg.length), u32(1)),
              box("co64", u32(0), u32(1), u32(0), u32(at)),
            ),
          ),
        ),
      ),
    ),
    preview,
  ];
  const before = concatBytes(...made(0)).length + 8;
  return concatBytes(...made(before), box("mdat", jpeg, SENSOR));
}

/** A number in four bytes, big-endian. */
export function u32(value: number): Bytes {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, value);
  return new Uint8Array(view.buffer);
}

function box(type: string, ...parts: Bytes[]): Bytes {
  const content = concatBytes(...parts);
  return concatBytes(u32(content.length + 8), utf8(type), content);
}
