/**
 * Files that claim a thousand times what they have, one for each kind of claim
 * that a reader could believe.
 *
 * @module
 */
import { deflateSync } from "node:zlib";
import { concatBytes, utf8 } from "../../src/core/bytes.ts";
import { withXmp } from "./motion_photos.ts";
import { type Entry, tiffFile } from "./raw_files.ts";
import { pngChunk } from "./refused_pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;

function numbers(bytes: 2 | 4, ...values: readonly number[]): Bytes {
  const out = new Uint8Array(bytes * values.length);
  const view = new DataView(out.buffer);
  for (const [n, value] of values.entries()) {
    if (bytes === 2) view.setUint16(2 * n, value);
    else view.setUint32(4 * n, value);
  }
  return out;
}

/** A box of an ISO base media file. */
export function box(type: string, ...parts: readonly Bytes[]): Bytes {
  const content = concatBytes(...parts);
  return concatBytes(
    numbers(4, 8 + content.length),
    // A type is of Latin-1.
    Uint8Array.from(type, (letter) => letter.charCodeAt(0)),
    content,
  );
}

const FULL = numbers(4, 0);

/** A TIFF whose many blocks are one and the same. */
function sharedBlocks(compression: number, packed: Bytes): Bytes {
  const [width, rows] = [1_000, 12_000];
  const entries: Entry[] = [
    [0x0100, 4, width],
    [0x0101, 4, rows],
    [0x0102, 3, 8],
    [0x0103, 3, compression],
    [0x0106, 3, 1],
    [0x0115, 3, 1],
    [0x0116, 4, 1],
  ];
  const at = tiffFile([[
    ...entries,
    [0x0111, 4, Array<number>(rows).fill(0)],
    [0x0117, 4, Array<number>(rows).fill(0)],
  ]]).length;
  const directory = tiffFile([[
    ...entries,
    [0x0111, 4, Array<number>(rows).fill(at)],
    [0x0117, 4, Array<number>(rows).fill(packed.length)],
  ]]);
  return concatBytes(directory, packed);
}

/** A HEIC of given boxes in its `meta`. */
function heic(...boxes: readonly Bytes[]): Bytes {
  return concatBytes(
    box("ftyp", utf8("heic"), numbers(4, 0), utf8("mif1heic")),
    box("meta", FULL, ...boxes),
  );
}

const PRIMARY = box("pitm", FULL, numbers(2, 1));
const SIDES = box("ispe", FULL, numbers(4, 512, 512));

/** A grid whose tiles are all the same item. */
function grid(tiles: number): Bytes {
  return heic(
    PRIMARY,
    box(
      "iprp",
      box("ipco", SIDES),
      box(
        "ipma",
        FULL,
        numbers(4, 2),
        ...[1, 2].map((id) =>
          concatBytes(numbers(2, id), new Uint8Array([1, 1]))
        ),
      ),
    ),
    box(
      "iref",
      FULL,
      box(
        "dimg",
        numbers(2, 1, tiles, ...Array<number>(tiles).fill(2)),
      ),
    ),
    box(
      "iloc",
      FULL,
      new Uint8Array([0x44, 0]),
      numbers(2, 1, 2, 0, 1),
      numbers(4, 100, 5_000),
    ),
  );
}

/** A fragmented video whose fragment has a given run of samples. */
function fragmented(...run: readonly Bytes[]): Bytes {
  return concatBytes(
    box("ftyp", utf8("iso5"), numbers(4, 0), utf8("iso5")),
    box("moov", box("mvex", box("trex", FULL, numbers(4, 1, 1, 1, 1, 0)))),
    box("moof", box("traf", box("tfhd", FULL, numbers(4, 1)), ...run)),
    box("mdat", new Uint8Array(4_000)),
  );
}

/** An element of Matroska, with a size of 8 bytes. */
function element(id: readonly number[], ...parts: readonly Bytes[]): Bytes {
  const content = concatBytes(...parts);
  return concatBytes(
    new Uint8Array([...id, 1, 0, 0, 0]),
    numbers(4, content.length),
    content,
  );
}

const CLUSTER = [0x1f, 0x43, 0xb6, 0x75];

/** A Matroska film of given elements in its segment. */
function matroska(...parts: readonly Bytes[]): Bytes {
  return concatBytes(
    element([0x1a, 0x45, 0xdf, 0xa3]),
    element([0x18, 0x53, 0x80, 0x67], ...parts),
  );
}

/** Points, at a position in the segment, as the entries of a film's Cues do. */
function cues(count: number, at: number): Bytes {
  const cue = element([0xbb], element([0xb7], element([0xf1], numbers(4, at))));
  const all = new Uint8Array(count * cue.length);
  for (let n = 0; n < count; n++) all.set(cue, n * cue.length);
  return element([0x1c, 0x53, 0xbb, 0x6b], all);
}

/** Films that make a program which believes them go over a thousand times. */
export function lyingFilms(): Readonly<Record<string, Bytes>> {
  const many = 0x7fff_ffff;
  const laced = element([0xa3], new Uint8Array([0x81, 0, 0, 0b10, 0xff]));
  return {
    "samples of a fragment": fragmented(
      box("trun", FULL, numbers(4, 30_000_000)),
    ),
    "fields of a fragment's samples": fragmented(
      box("trun", numbers(4, 0xf00, 30), new Uint8Array(100)),
    ),
    "a fragment after many": concatBytes(
      fragmented(),
      ...Array<Bytes>(5_000).fill(box("free")),
      box("moof", box("traf", box("trun", FULL, numbers(4, many)))),
    ),
    "frames of empty blocks": matroska(
      element(CLUSTER, ...Array<Bytes>(1_000).fill(laced)),
    ),
    "frames of blocks in a group": matroska(
      element(CLUSTER, element([0xa0], element([0xa1], laced.subarray(9)))),
    ),
    "an element larger than its film": matroska(
      concatBytes(
        new Uint8Array([0x12, 0x54, 0xc3, 0x67, 1, 0, 0, 0]),
        numbers(4, many),
      ),
    ),
    "cues without end": matroska(cues(100_001, 0), element(CLUSTER)),
    "cues that point into a frame": matroska(
      cues(1, 100),
      element(
        CLUSTER,
        element([0xa3], new Uint8Array([0x81, 0, 0, 0]), new Uint8Array(200)),
      ),
    ),
    "groups in groups": (() => {
      let inner: Bytes = new Uint8Array();
      for (let n = 0; n < 500; n++) inner = element([0xa0], inner);
      return matroska(element(CLUSTER, inner));
    })(),
    "cues in a cluster": matroska(element(CLUSTER, cues(10, 0))),
  };
}

/** A video whose tables are given. */
function video(...tables: readonly Bytes[]): Bytes {
  return concatBytes(
    box("ftyp", utf8("isom"), numbers(4, 0), utf8("isom")),
    box("moov", box("trak", box("mdia", box("minf", box("stbl", ...tables))))),
    box("mdat", new Uint8Array(4_000)),
  );
}

function zip(entries: number): Bytes {
  const local = concatBytes(utf8("PK\x03\x04"), new Uint8Array(27));
  const one = new Uint8Array(47);
  one.set(utf8("PK\x01\x02"));
  one.set([1], 28);
  one.set(utf8("a"), 46);
  const directory = concatBytes(...Array<Bytes>(entries).fill(one));
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  end.set(utf8("PK\x05\x06"));
  view.setUint16(8, entries, true);
  view.setUint16(10, entries, true);
  view.setUint32(12, directory.length, true);
  view.setUint32(16, local.length, true);
  return concatBytes(local, directory, end);
}

/** The files, by what they claim; `jpeg` and `png` are good pictures. */
export function claims(
  jpeg: Bytes,
  png: Bytes,
): Readonly<Record<string, Bytes>> {
  const many = 0x7fff_ffff;
  const noOps = new Uint8Array(100_000).fill(0x80);
  // Codes of nine bits that all begin the table again.
  const clears = new Uint8Array(100_000).fill(0b1000_0000);
  const deflated = new Uint8Array(
    deflateSync(new Uint8Array(10_000_000), { level: 9 }),
  );
  const padding = new Uint8Array(50_000);
  const directories: Entry[][] = Array.from(
    { length: 8 },
    () => Array.from({ length: 1_000 }, (_, n): Entry => [n + 1, 3, n]),
  );
  return {
    "strips of one run of PackBits": sharedBlocks(32_773, noOps),
    "strips of one run of LZW": sharedBlocks(5, clears),
    "strips of one run of deflate": sharedBlocks(8, deflated),
    "strips of the same bytes": sharedBlocks(1, padding),
    "a TIFF of a billion pixels": tiffFile([[
      [0x0100, 4, 50_000],
      [0x0101, 4, 50_000],
      [0x0103, 3, 32_773],
      [0x0106, 3, 1],
      [0x0111, 4, { place: noOps }],
      [0x0117, 4, noOps.length],
    ]]),
    "a tile of a gigabyte": tiffFile([[
      [0x0100, 4, 8],
      [0x0101, 4, 8],
      [0x0102, 3, 8],
      [0x0103, 3, 32_773],
      [0x0106, 3, 1],
      [0x0142, 4, 32_768],
      [0x0143, 4, 32_768],
      [0x0144, 4, { place: noOps }],
      [0x0145, 4, noOps.length],
    ]]),
    "directories below one that are one": tiffFile([
      [[0x00fe, 4, 1], [0x014a, 4, { directory: Array<number>(8).fill(1) }]],
      ...directories,
    ]),
    "a JPEG of a billion pixels": (() => {
      const large = jpeg.slice();
      const frame = large.findIndex((byte, n) =>
        byte === 0xff && large[n + 1] === 0xc0
      );
      large.set([0xff, 0xff, 0xff, 0xff], frame + 5);
      return large;
    })(),
    "five hundred scans": (() => {
      const scan = jpeg.findIndex((byte, n) =>
        byte === 0xff && jpeg[n + 1] === 0xda
      );
      const end = jpeg.length - 2;
      return concatBytes(
        jpeg.subarray(0, end),
        ...Array<Bytes>(500).fill(jpeg.slice(scan, scan + 20)),
        jpeg.subarray(end),
      );
    })(),
    "a colour profile that swells": concatBytes(
      png.subarray(0, 33),
      pngChunk(
        "iCCP",
        concatBytes(
          utf8("x\0\0"),
          new Uint8Array(deflateSync(new Uint8Array(200_000_000))),
        ),
      ),
      png.subarray(33),
    ),
    "a chunk of two gigabytes": concatBytes(
      png.subarray(0, 33),
      numbers(4, many),
      utf8("eXIf"),
      padding,
    ),
    "a GIF with a frame of four billion pixels": concatBytes(
      utf8("GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0"),
      new Uint8Array([0xff, 0xff, 0xff, 0xff, 0]),
      padding,
    ),
    "a property that is used 255 times": heic(
      PRIMARY,
      box(
        "iprp",
        box("ipco", box("ispe", FULL, numbers(4, 8, 8), padding)),
        box(
          "ipma",
          FULL,
          numbers(4, 1),
          numbers(2, 1),
          new Uint8Array([255, ...Array<number>(255).fill(1)]),
        ),
      ),
    ),
    "pieces of items without bytes": heic(
      PRIMARY,
      box(
        "iinf",
        FULL,
        numbers(2, 1),
        box(
          "infe",
          new Uint8Array([2, 0, 0, 0]),
          numbers(2, 9, 0),
          utf8("Exif\0"),
        ),
      ),
      box(
        "iloc",
        FULL,
        new Uint8Array([0, 0]),
        numbers(2, 4_000),
        ...Array<Bytes>(4_000).fill(numbers(2, 1, 0, 0xffff)),
      ),
    ),
    "tiles of the same bytes": grid(60_000),
    "an item that is its own tile": heic(
      PRIMARY,
      box(
        "iprp",
        box("ipco", SIDES),
        box("ipma", FULL, numbers(4, 1), numbers(2, 1), new Uint8Array([1, 1])),
      ),
      box("iref", FULL, box("dimg", numbers(2, 1, 1, 1))),
    ),
    "samples of one size": video(
      box("stsz", FULL, numbers(4, 1, 30_000_000)),
      box("stts", FULL, numbers(4, 1, 30_000_000, 1)),
      box("stsc", FULL, numbers(4, 1, 1, 30_000_000, 1)),
      box("stco", FULL, numbers(4, 1, 100)),
    ),
    ...Object.fromEntries(
      ["stts", "ctts", "stsc", "stsz", "stco", "co64", "stss"].map((type) =>
        [
          `entries of ${type}`,
          video(
            type === "stsz"
              ? box(type, FULL, numbers(4, 0, many))
              : box(type, FULL, numbers(4, many)),
          ),
        ] as const
      ),
    ),
    "tables in a codec": video(
      box(
        "stsd",
        FULL,
        numbers(4, 1),
        box("avc1", padding, box("trun", FULL, numbers(4, many))),
      ),
    ),
    "a box of two gigabytes": concatBytes(
      numbers(4, 16),
      utf8("ftypisom"),
      numbers(4, 0, many),
      utf8("moov"),
      padding,
    ),
    "entries of a zip": zip(60_000),
    "a length that is asked for again and again": withXmp(
      jpeg,
      `<rdf:Description xmlns:G="http://ns.google.com/photos/1.0/camera/" ` +
        `G:MotionPhoto="1"><c:Item>${":Length>".repeat(7_000)}<c:Item>` +
        `</c:Item></c:Item></rdf:Description>`,
    ),
    "blocks of a trailer": concatBytes(
      jpeg,
      utf8("SEFH"),
      new Uint8Array([106, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f]),
      new Uint8Array([0xf4, 1, 0, 0]),
      utf8("SEFT"),
    ),
    ...lyingFilms(),
    "a Matroska of no end": concatBytes(
      new Uint8Array([
        0x1a,
        0x45,
        0xdf,
        0xa3,
        0x01,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
      ]),
      padding,
    ),
    "elements without an end": utf8(
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${
        "<a b='".repeat(60_000)
      }`,
    ),
    "quotes without an end": utf8(
      `imgName,originalCreationDate\n"${'""'.repeat(200_000)}x`,
    ),
    "arrays without an end": utf8("[".repeat(300_000)),
  };
}
