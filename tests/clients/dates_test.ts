/**
 * The right day and the right place: dates in all forms that cameras, programs,
 * scanners and messengers write, and which of several is believed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes, fromHex } from "../../src/core/bytes.ts";
import { aboutFile, readMediaFacts } from "../../src/media/exif/mod.ts";
import { readXmp } from "../../src/media/exports/xmp.ts";
import { newestFirst, plainOf, type Row } from "../../src/library/mod.ts";
import { type Entry, tiffFile } from "../support/raw_files.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const MODIFIED = Date.parse("2026-01-01T12:00:00Z");
const text = (value: string): Bytes => new TextEncoder().encode(value);

async function aboutOf(bytes: Bytes, name = "a.jpg") {
  const file = { name, folder: "", modifiedAt: MODIFIED };
  return aboutFile(file, await readMediaFacts(plainOf(bytes)));
}

/** The instant, the offset and the source of a date, in one text. */
async function dateOf(bytes: Bytes, name?: string): Promise<string> {
  const { taken_at, taken_offset, taken_source } = await aboutOf(bytes, name);
  return [taken_at?.replace(/\.000Z$/, "Z"), taken_offset, taken_source]
    .filter((part) => part !== undefined).join(" ");
}

/** A JPEG of one pixel's claims: its segments, and nothing to decode. */
function jpegWith(...segments: readonly (readonly [number, Bytes])[]): Bytes {
  return concatBytes(
    new Uint8Array([0xff, 0xd8]),
    ...segments.map(([marker, content]) =>
      concatBytes(
        new Uint8Array([
          ...[0xff, marker],
          ...[(content.length + 2) >> 8, (content.length + 2) & 0xff],
        ]),
        content,
      )
    ),
    new Uint8Array([0xff, 0xc0, 0, 11, 8, 0, 48, 0, 64, 1, 1, 0x11, 0]),
    new Uint8Array([0xff, 0xd9]),
  );
}

const exif = (tiff: Bytes) =>
  [0xe1, concatBytes(text("Exif\0\0"), tiff)] as const;

interface Exif {
  readonly main?: readonly Entry[];
  readonly exif?: readonly Entry[];
  readonly gps?: readonly Entry[];
}

function tiffOf({ main = [], exif = [], gps = [] }: Exif): Bytes {
  return tiffFile([
    [
      ...main,
      [0x8769, 4, { directory: 1 }],
      [0x8825, 4, { directory: 2 }],
    ],
    exif,
    gps,
  ]);
}

const jpegOf = (tiff: Exif) => jpegWith(exif(tiffOf(tiff)));
const ORIGINAL = 0x9003;
const DIGITIZED = 0x9004;
const MODIFY = 0x0132;
const OFFSET_ORIGINAL = 0x9011;
const SUB_SECOND = 0x9291;

/** An IPTC block in Photoshop's resources, with a picture's checksum before. */
function iptcSegment(sets: readonly (readonly [number, string])[]) {
  const block = iptcBlock(sets);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, block.length);
  return [
    0xed,
    concatBytes(
      text("Photoshop 3.0\0"),
      text("8BIM\x04\x25\0\0\0\0\0\x02ab"),
      text("8BIM\x04\x04\0\0"),
      length,
      block,
    ),
  ] as const;
}

function iptcBlock(sets: readonly (readonly [number, string])[]): Bytes {
  return concatBytes(...sets.map(([id, value]) => {
    const bytes = text(value);
    return concatBytes(
      new Uint8Array([0x1c, 2, id, bytes.length >> 8, bytes.length & 0xff]),
      bytes,
    );
  }));
}

const packet = (properties: string, elements = "") =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:lr="http://ns.adobe.com/lightroom/1.0/" xmlns:digiKam="http://www.digikam.org/ns/1.0/" ${properties}>${elements}</rdf:Description></rdf:RDF></x:xmpmeta>`;

const xmpSegment = (properties: string, elements = "") =>
  [
    0xe1,
    text(`http://ns.adobe.com/xap/1.0/\0${packet(properties, elements)}`),
  ] as const;

const FORMS: Readonly<Record<string, string>> = {
  "2019:01:02 12:34:56": "2019-01-02T12:34:56Z exif",
  "2019:01:01 24:04:20": "2019-01-01T00:04:20Z exif",
  "2019:01:02 12:34": "2019-01-02T12:34:00Z exif",
  "2019/01/02 12:34:56": "2019-01-02T12:34:56Z exif",
  "2019.01.02 12:34:56": "2019-01-02T12:34:56Z exif",
  "2019-01-02T12:34:56": "2019-01-02T12:34:56Z exif",
  "2019: 1: 2  9: 3: 4": "2019-01-02T09:03:04Z exif",
  "2019:1:2 9:3:4": "2019-01-02T09:03:04Z exif",
  "2019:01:02": "2019-01-02T12:00:00Z exif",
  "2019:01:02 12:34:60": "2019-01-02T12:35:00Z exif",
  "2019:01:02 12:34:56.789": "2019-01-02T12:34:56.789Z exif",
  "2019:01:02 12:34:56+02:00": "2019-01-02T10:34:56Z 120 exif",
  "2019:01:02 12:34:56 -0330": "2019-01-02T16:04:56Z -210 exif",
  "2019:01:02 12:34:56Z": "2019-01-02T12:34:56Z 0 exif",
  "2019:01:02 12-34-56": "2019-01-02T12:34:56Z exif",
  "2019:01:02\x0012:34:56": "2019-01-02T12:34:56Z exif",
  "2019:01:02 03:04:05 PM": "2019-01-02T15:04:05Z exif",
  "2019:01:02 12:04 am": "2019-01-02T00:04:00Z exif",
  "2019:01:02 15:04:05 PM": "2019-01-02T15:04:05Z exif",
  "2019/ 1/ 2/ 14:36": "2019-01-02T14:36:00Z exif",
  "2019 01 02 12 34 56": "2019-01-02T12:34:56Z exif",
  "20190102 123456": "2019-01-02T12:34:56Z exif",
  "20190102T123456+0200": "2019-01-02T10:34:56Z 120 exif",
  "20190102": "2019-01-02T12:00:00Z exif",
  "Wed Jan  2 12:34:56 2019": "2019-01-02T12:34:56Z exif",
  "WED JAN 02 12:34:56 2019": "2019-01-02T12:34:56Z exif",
  "02-Jan-2019 12:34": "2019-01-02T12:34:00Z exif",
  "Wed Foo 02 12:34:56 2019": "2026-01-01T12:00:00Z mtime",
  "2019:01:02 12:34:61": "2026-01-01T12:00:00Z mtime",
  "1889:08:09 10:11:12": "1889-08-09T10:11:12Z exif",
  "2019:02:30 12:34:56": "2026-01-01T12:00:00Z mtime",
  "2019:13:01 12:34:56": "2026-01-01T12:00:00Z mtime",
  "2019:01:02 25:00:00": "2026-01-01T12:00:00Z mtime",
  "0000:00:00 00:00:00": "2026-01-01T12:00:00Z mtime",
  "    :  :     :  :  ": "2026-01-01T12:00:00Z mtime",
};

Deno.test("EXIF's date is read in every form that cameras write", async () => {
  for (const [said, right] of Object.entries(FORMS)) {
    const file = jpegOf({ exif: [[ORIGINAL, 2, `${said}\0`]] });
    assert.equal(await dateOf(file), right, said);
  }
});

Deno.test("EXIF's offset and parts of a second are read", async () => {
  const date: Entry = [ORIGINAL, 2, "2019:01:02 12:34:56\0"];
  const offsets = {
    "+05:45": "2019-01-02T06:49:56Z 345 exif",
    "-03:30": "2019-01-02T16:04:56Z -210 exif",
    "+0200": "2019-01-02T10:34:56Z 120 exif",
    "+14:00": "2019-01-01T22:34:56Z 840 exif",
    "Z": "2019-01-02T12:34:56Z 0 exif",
    "+99:00": "2019-01-02T12:34:56Z exif",
  };
  for (const [offset, right] of Object.entries(offsets)) {
    const file = jpegOf({ exif: [date, [OFFSET_ORIGINAL, 2, `${offset}\0`]] });
    assert.equal(await dateOf(file), right, offset);
  }
  for (const [part, ms] of [["094772", "094"], ["5", "500"], ["12 ", "120"]]) {
    const file = jpegOf({ exif: [date, [SUB_SECOND, 2, `${part}\0`]] });
    assert.equal(await dateOf(file), `2019-01-02T12:34:56.${ms}Z exif`);
  }
});

const NONE = "0000:00:00 00:00:00\0";
const GPS_TIME: readonly Entry[] = [
  [1, 2, "N\0"],
  [2, 5, [48, 1, 12, 1, 0, 1]],
  [3, 2, "E\0"],
  [4, 5, [16, 1, 22, 1, 12, 1]],
  [7, 5, [10, 1, 34, 1, 56, 1]],
  [29, 2, "2003:01:02\0"],
];
const OLDEST_FIRST: readonly (readonly [string, Bytes, string])[] = [
  [
    "the date of taking precedes those of scanning, of XMP and of IPTC",
    jpegWith(
      exif(tiffOf({
        main: [[MODIFY, 2, "2007:02:19 00:00:00\0"]],
        exif: [
          [ORIGINAL, 2, "2001:01:01 01:00:00\0"],
          [DIGITIZED, 2, "2002:01:01 01:00:00\0"],
        ],
      })),
      xmpSegment('exif:DateTimeOriginal="2004-01-01T00:00:00"'),
      iptcSegment([[55, "20050716"]]),
    ),
    "2001-01-01T01:00:00Z exif",
  ],
  [
    "XMP precedes IPTC",
    jpegWith(
      xmpSegment('photoshop:DateCreated="1998-07-06T15:00:00+02:00"'),
      iptcSegment([[55, "20050716"]]),
    ),
    "1998-07-06T13:00:00Z 120 exif",
  ],
  [
    "a scan's own date does not replace that of the photo",
    jpegWith(xmpSegment(
      'exif:DateTimeOriginal="1968-07-06T15:00:00" ' +
        'xmp:CreateDate="2015-01-01T10:00:00+01:00"',
    )),
    "1968-07-06T15:00:00Z exif",
  ],
  [
    "an offset that only XMP has is taken over for the same time",
    jpegWith(
      exif(tiffOf({ exif: [[ORIGINAL, 2, "2019:01:02 12:34:56\0"]] })),
      xmpSegment('exif:DateTimeOriginal="2019-01-02T12:34:56+02:00"'),
    ),
    "2019-01-02T10:34:56Z 120 exif",
  ],
  [
    "dates of zeros are passed over, down to IPTC's, not to the time of saving",
    jpegWith(
      exif(tiffOf({
        main: [[MODIFY, 2, "2007:02:19 00:00:00\0"]],
        exif: [[ORIGINAL, 2, NONE], [DIGITIZED, 2, NONE]],
      })),
      iptcSegment([[55, "20050716"], [60, "180000+0000"]]),
    ),
    "2005-07-16T18:00:00Z 0 exif",
  ],
  [
    "IPTC may know the year alone",
    jpegWith(iptcSegment([[55, "19050000"]])),
    "1905-01-01T12:00:00Z exif",
  ],
  [
    "a time of saving is better than the disk's",
    jpegOf({ main: [[MODIFY, 2, "2007:02:19 01:02:03\0"]] }),
    "2007-02-19T01:02:03Z exif",
  ],
];

for (const [rule, bytes, right] of OLDEST_FIRST) {
  Deno.test(`of several dates: ${rule}`, async () => {
    assert.equal(await dateOf(bytes), right);
  });
}

Deno.test("of several dates: the name's is better than a time of saving, and worse than one of taking", async () => {
  const saved = jpegOf({ main: [[MODIFY, 2, "2023:02:19 01:02:03\0"]] });
  const named = "IMG_20190102_123456.jpg";
  assert.equal(await dateOf(saved, named), "2019-01-02T12:34:56Z name");
  const taken = jpegOf({ exif: [[ORIGINAL, 2, "2018:02:19 01:02:03\0"]] });
  assert.equal(await dateOf(taken, named), "2018-02-19T01:02:03Z exif");
});

Deno.test("Apple's note has the id of a live photo, and no other maker's has", async () => {
  const id = "11111111-2222-3333-4444-555555555555";
  const note = concatBytes(
    text("Apple iOS\0\0\x01MM"),
    new Uint8Array([0, 2]),
    new Uint8Array([0, 1, 0, 9, 0, 0, 0, 1, 0, 0, 0, 15]),
    new Uint8Array([0, 0x11, 0, 2, 0, 0, 0, 37, 0, 0, 0, 44]),
    new Uint8Array(4),
    text(`${id}\0`),
  );
  const of = async (bytes: Bytes) =>
    (await readMediaFacts(plainOf(jpegOf({
      exif: [[0x927c, 7, { bytes }]],
    })))).contentIdentifier;
  assert.equal(await of(note), id);
  assert.equal(await of(concatBytes(text("Nikon"), note.slice(5))), undefined);
  for (let end = 0; end < note.length; end++) await of(note.slice(0, end));
});

Deno.test("satellites tell the time in UTC where nothing else does", async () => {
  const { taken_at, taken_offset, place } = await aboutOf(
    jpegOf({ gps: GPS_TIME }),
  );
  assert.equal(taken_at, "2003-01-02T10:34:56.000Z");
  assert.equal(typeof taken_offset, "number");
  assert.equal(place?.latitude, 48.2);
});

Deno.test("place, caption and keywords are read of XMP and IPTC, too", async () => {
  const xmp = await aboutOf(jpegWith(xmpSegment(
    'exif:GPSLatitude="48,12N" exif:GPSLongitude="16,22.2E"',
  )));
  assert.deepEqual(xmp.place, { latitude: 48.2, longitude: 16.37 });
  const sets = [
    [120, "Grandmother at the lake"],
    [25, "lake"],
    [25, "über"],
  ] as const;
  for (
    const file of [
      jpegWith(iptcSegment(sets)),
      tiffFile([[[0x83bb, 7, { bytes: iptcBlock(sets) }]]]),
    ]
  ) {
    const iptc = await aboutOf(file);
    assert.equal(iptc.caption, "Grandmother at the lake");
    assert.deepEqual(iptc.keywords, ["lake", "über"]);
  }
});

Deno.test("each level of a hierarchical keyword is a keyword, once", () => {
  const list = (name: string, ...items: readonly string[]) =>
    `<${name}><rdf:Bag>${
      items.map((item) => `<rdf:li>${item}</rdf:li>`).join("")
    }</rdf:Bag></${name}>`;
  assert.deepEqual(
    readXmp(packet(
      "",
      list("digiKam:TagsList", "Places/Austria/Vienna") +
        list("lr:hierarchicalSubject", "Places|Austria|Vienna") +
        list("dc:subject", "Vienna"),
    ))?.keywords,
    ["Vienna", "Places", "Austria"],
  );
});

Deno.test("XMP's dates are read in every precision", () => {
  const dates = {
    "2019-01-02T12:34:56+0100": "2019-01-02T11:34:56.000Z",
    "2019-01-02T12:34:56+01": "2019-01-02T11:34:56.000Z",
    "2019-01-02T12:34:56.123456+01:00": "2019-01-02T11:34:56.123Z",
    "2019-01-02T12:34:56Z": "2019-01-02T12:34:56.000Z",
    "2019-01-02T12:34": "2019-01-02T12:34:00.000Z",
    "2019:01:02 12:34:56": "2019-01-02T12:34:56.000Z",
    "2019-01-02": "2019-01-02T12:00:00.000Z",
    "2019-01": "2019-01-01T12:00:00.000Z",
    "2019": "2019-01-01T12:00:00.000Z",
  };
  for (const [said, right] of Object.entries(dates)) {
    const read = readXmp(packet(`photoshop:DateCreated="${said}"`));
    assert.equal(read?.takenAt, right, said);
  }
});

/** A PNG of chunks that need no checksum to be read. */
function pngWith(type: string, content: Bytes): Bytes {
  const chunk = (name: string, bytes: Bytes) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length);
    return concatBytes(length, text(name), bytes, new Uint8Array(4));
  };
  return concatBytes(
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk("IHDR", new Uint8Array([0, 0, 0, 64, 0, 0, 0, 48, 8, 2, 0, 0, 0])),
    chunk(type, content),
    chunk("IEND", new Uint8Array()),
  );
}

Deno.test("a PNG's creation time is read, as in EXIF and as in mail", async () => {
  const dates = {
    "2019:01:02 12:34:56": "2019-01-02T12:34:56Z exif",
    "Wed, 02 Jan 2019 12:34:56 +0200": "2019-01-02T10:34:56Z 120 exif",
    "2 Jan 2019 12:34": "2019-01-02T12:34:00Z exif",
    "yesterday": "2026-01-01T12:00:00Z mtime",
  };
  for (const [said, right] of Object.entries(dates)) {
    const file = pngWith("tEXt", text(`Creation Time\0${said}`));
    assert.equal(await dateOf(file), right, said);
  }
});

Deno.test("a JPEG with hundreds of segments keeps its facts, and what precedes a cut stays", async () => {
  const extension = text("http://ns.adobe.com/xmp/extension/\0".padEnd(65_000));
  const extensions = Array.from(
    { length: 600 },
    () => [0xe1, extension] as const,
  );
  const taken: Exif = { exif: [[ORIGINAL, 2, "1965:08:09 10:11:12\0"]] };
  const late = xmpSegment('xmp:Rating="4"');
  const file = jpegWith(exif(tiffOf(taken)), ...extensions, late);
  const facts = await readMediaFacts(plainOf(file));
  assert.equal(facts.takenAt, "1965-08-09T10:11:12.000Z");
  assert.deepEqual([facts.width, facts.rating], [64, 4]);
  const cut = await readMediaFacts(plainOf(file.slice(0, 200_000)));
  assert.equal(cut.takenAt, "1965-08-09T10:11:12.000Z");
});

Deno.test("files whose end is missing are told from whole ones", async () => {
  const { isCut } = await import("../../src/media/exif/cut.ts");
  const of = (bytes: Bytes) => isCut(plainOf(bytes));
  const media = (name: string) =>
    Deno.readFile(new URL(`../support/media/${name}`, import.meta.url));
  const ends = ["jpg", "png", "webp", "heic", "avif"].map((end) =>
    `camera.${end}`
  );
  for (const name of [...ends, "iphone.mov", "android.mp4", "turned.jpg"]) {
    const whole = await media(name);
    assert.equal(await of(whole), false, name);
    for (const share of [0.3, 0.6, 0.95]) {
      const cut = whole.slice(0, Math.floor(share * whole.length));
      assert.equal(await of(cut), true, `${share} of ${name}`);
    }
    // Cameras and programs append what is no part of it.
    const longer = concatBytes(whole, new Uint8Array(300).fill(7));
    assert.equal(await of(longer), false, `${name} and more`);
  }
  const photo = await media("camera.jpg");
  const motion = concatBytes(photo, await media("android.mp4"));
  assert.equal(await of(motion), false);
  // The table of a film may come last, and be what is missing.
  const film = mov(box("mdat", new Uint8Array(2_000)));
  assert.equal(await of(film), true);
  const pieces = mov(box("moof"), box("mdat", new Uint8Array(2_000)));
  assert.equal(await of(pieces), false);
  assert.equal(await of(text("no media at all, and long enough")), false);
});

const TAKEN = tiffOf({ exif: [[ORIGINAL, 2, "2019:01:02 12:34:56\0"]] });
const CREATED = text(packet('xmp:CreateDate="2019-01-02T12:34:56+01:00"'));

function uuidBox(uuid: string, content: Bytes): Bytes {
  return box("uuid", fromHex(uuid) ?? new Uint8Array(), content);
}

async function brotli(bytes: Bytes): Promise<Bytes> {
  const { brotliCompressSync } = await import("node:zlib");
  return new Uint8Array(brotliCompressSync(bytes));
}

/** One of Photoshop's image resources. */
function resource(id: number, content: Bytes): Bytes {
  const head = new Uint8Array([...text("8BIM"), id >> 8, id & 0xff, 0, 0]);
  return concatBytes(
    head,
    numbers(content.length),
    content,
    new Uint8Array(content.length & 1),
  );
}

const jp2 = (...boxes: readonly Bytes[]) =>
  concatBytes(
    box("jP  ", numbers(0x0d0a_870a)),
    box("ftyp", text("jp2 \0\0\0\0jp2 ")),
    box("jp2h", box("ihdr", numbers(48, 64, 0x0003_0707, 0))),
    ...boxes,
  );
const jxl = (...boxes: readonly Bytes[]) =>
  concatBytes(
    box("JXL ", numbers(0x0d0a_870a)),
    box("ftyp", text("jxl \0\0\0\0jxl ")),
    ...boxes,
    // 48 by 64 in eights, and turned by a quarter.
    box("jxlc", new Uint8Array([0xff, 0x0a, 0x0b, 0x8e, 0x05, 0, 0])),
  );
const psd = (...resources: readonly Bytes[]) => {
  const all = concatBytes(...resources);
  return concatBytes(
    text("8BPS\0\x01\0\0\0\0\0\0\0\x03"),
    numbers(48, 64, 0x0008_0003, 0, all.length),
    all,
    new Uint8Array(16),
  );
};
const gif = (...blocks: readonly Bytes[]) =>
  concatBytes(
    text("GIF89a"),
    new Uint8Array([64, 0, 48, 0, 0, 0, 0]),
    ...blocks,
    new Uint8Array([0x2c, 0, 0, 0, 0, 64, 0, 48, 0, 0]),
    new Uint8Array(16),
  );
const gifXmp = concatBytes(
  new Uint8Array([0x21, 0xff, 11]),
  text("XMP DataXMP"),
  CREATED,
  new Uint8Array([1, ...Array.from({ length: 256 }, (_, n) => 255 - n), 0]),
);
const OTHERS: Readonly<Record<string, readonly [Bytes, string]>> = {
  "JPEG 2000 with EXIF": [
    jp2(uuidBox("4a706754696666457869662d3e4a5032", TAKEN)),
    "2019-01-02T12:34:56Z exif",
  ],
  "JPEG 2000 with XMP": [
    jp2(uuidBox("be7acfcb97a942e89c71999491e3afac", CREATED)),
    "2019-01-02T11:34:56Z 60 exif",
  ],
  "JPEG 2000 with IPTC": [
    jp2(uuidBox(
      "33c7a4d2b81d4723a0baf1a3e097ad38",
      iptcBlock([[55, "20190102"]]),
    )),
    "2019-01-02T12:00:00Z exif",
  ],
  "JPEG XL with EXIF": [
    jxl(box("Exif", numbers(0), TAKEN)),
    "2019-01-02T12:34:56Z exif",
  ],
  "JPEG XL with packed EXIF": [
    jxl(
      box("brob", text("Exif"), await brotli(concatBytes(numbers(0), TAKEN))),
    ),
    "2019-01-02T12:34:56Z exif",
  ],
  "JPEG XL with packed XMP": [
    jxl(box("brob", text("xml "), await brotli(CREATED))),
    "2019-01-02T11:34:56Z 60 exif",
  ],
  "PSD with EXIF": [
    psd(resource(1005, text("odd")), resource(0x0422, TAKEN)),
    "2019-01-02T12:34:56Z exif",
  ],
  "PSD with XMP": [
    psd(resource(0x0424, CREATED)),
    "2019-01-02T11:34:56Z 60 exif",
  ],
  "PSD with IPTC": [
    psd(resource(0x0404, iptcBlock([[55, "20190102"]]))),
    "2019-01-02T12:00:00Z exif",
  ],
  "GIF with XMP": [
    gif(new Uint8Array([0x21, 0xf9, 4, 0, 0, 0, 0, 0]), gifXmp),
    "2019-01-02T11:34:56Z 60 exif",
  ],
};

for (const [what, [file, right]] of Object.entries(OTHERS)) {
  Deno.test(`other pictures tell their date and sides: ${what}`, async () => {
    assert.equal(await dateOf(file), right);
    const { width, height } = await readMediaFacts(plainOf(file));
    const sides = what.startsWith("JPEG XL") ? [48, 64] : [64, 48];
    assert.deepEqual([width, height], sides);
    for (let end = 0; end < file.length; end += 7) {
      await readMediaFacts(plainOf(file.slice(0, end)));
    }
  });
}

Deno.test("a large TIFF is read by ranges, wherever its directories are", async () => {
  const pixels = new Uint8Array(3 * 1024 * 1024);
  for (const little of [true, false]) {
    // Where each directory is, by how many entries those before it have.
    const at = (n: number) =>
      [10, 1, 6, 2].slice(0, n).reduce(
        (sum, entries) => sum + 2 + 12 * entries + 4,
        pixels.length + 8,
      );
    const small = tiffFile([
      [
        [0x00fe, 4, 1],
        [0x0100, 4, 1_300],
        [0x0101, 4, 1_000],
        [0x010f, 2, "EPSON\0"],
        [0x0110, 2, "Perfection V600\0"],
        [MODIFY, 2, "2007:02:19 01:02:03\0"],
        [0x014a, 4, [at(3), at(4)]],
        [0x02bc, 1, { bytes: text(packet('xmp:Rating="4"')) }],
        [0x8769, 4, at(1)],
        [0x8825, 4, at(2)],
      ],
      [[ORIGINAL, 2, "1998:07:06 15:00:00\0"]],
      GPS_TIME,
      [[0x0100, 4, 5_000], [0x0101, 4, 4_000]],
      [[0x0100, 4, 50], [0x0101, 4, 40]],
    ], { little, base: pixels.length });
    const moved = behindPixels(small, pixels, little);
    let most = 0;
    const facts = await readMediaFacts({
      size: moved.length,
      read: (offset, length) => {
        most = Math.max(most, length);
        return Promise.resolve(moved.slice(offset, offset + length));
      },
    });
    assert.equal(facts.takenAt, "1998-07-06T15:00:00.000Z");
    assert.equal(facts.camera?.model, "Perfection V600");
    assert.equal(facts.place?.latitude, 48.2);
    assert.equal(facts.rating, 4);
    assert.deepEqual([facts.width, facts.height], [5_000, 4_000]);
    assert(most < pixels.length, `${most} bytes at once`);
  }
});

/**
 * A TIFF with its picture before its directories, as libtiff writes it. All
 * places in it were made for where it is now.
 */
function behindPixels(tiff: Bytes, pixels: Bytes, little: boolean): Bytes {
  const moved = concatBytes(tiff.slice(0, 8), pixels.slice(8), tiff);
  const view = new DataView(moved.buffer);
  view.setUint32(4, pixels.length + 8, little);
  return moved;
}

const NAMES: Readonly<Record<string, string | undefined>> = {
  "Screen Shot 2019-01-02 at 3.04.05 PM.png": "2019-01-02T15:04:05.000Z",
  "Screen Shot 2019-01-02 at 12.04.05 AM.png": "2019-01-02T00:04:05.000Z",
  "Screenshot 2024-04-10 at 10.57.25 PM.png": "2024-04-10T22:57:25.000Z",
  "Screenshot 2024-04-10 at 10.57.25\u202fPM.png": "2024-04-10T22:57:25.000Z",
  "Screenshot 2024-04-10 at 06.35.22.png": "2024-04-10T06:35:22.000Z",
  "WhatsApp Image 2019-01-02 at 12.34.56.jpeg": "2019-01-02T12:34:56.000Z",
  "WhatsApp Image 2023-08-01 at 9.12.30 PM (1).jpeg":
    "2023-08-01T21:12:30.000Z",
  "IMG-20190102-WA0001.jpg": "2019-01-02T12:00:01.000Z",
  "PXL_20210102_203449253.jpg": "2021-01-02T20:34:49.253Z",
  "IMG_20190102.jpg": "2019-01-02T12:00:00.000Z",
  "2019-01-02 Birthday.jpg": "2019-01-02T12:00:00.000Z",
  "2019_01_02.jpg": "2019-01-02T12:00:00.000Z",
  "20190102.jpg": "2019-01-02T12:00:00.000Z",
  "02.01.2019 Grandma.jpg": "2019-01-02T12:00:00.000Z",
  "FB_IMG_1424441459711.jpg": "2015-02-20T14:10:59.711Z",
  "mmexport1424441459711.jpg": "2015-02-20T14:10:59.711Z",
  "Snapchat-1424441459.jpg": "2015-02-20T14:10:59.000Z",
  "signal-2019-01-02-123456.jpg": "2019-01-02T12:34:56.000Z",
  "signal-2019-01-02-12-34-56-789.jpg": "2019-01-02T12:34:56.789Z",
  "Screenshot_20190102-123456_Chrome.jpg": "2019-01-02T12:34:56.000Z",
  "photo_5@02-01-2019_12-34-56.jpg": "2019-01-02T12:34:56.000Z",
  "lv_0_20190102123456.mp4": "2019-01-02T12:34:56.000Z",
  "CameraZOOM-20190102123456789.jpg": "2019-01-02T12:34:56.789Z",
  "00000IMG_00000_BURST20190102123456789_COVER.jpg": "2019-01-02T12:34:56.789Z",
  "1965-07-04 Grandma.jpg": "1965-07-04T12:00:00.000Z",
  "04.07.1965 Grandma.jpg": "1965-07-04T12:00:00.000Z",
  "scan_19650704.tif": "1965-07-04T12:00:00.000Z",
  "scan_19001231_000000.jpg": "1900-12-31T00:00:00.000Z",
  "2048x1536_19001231_000000.jpg": "1900-12-31T00:00:00.000Z",
  "1969-12-31 23.59.59.jpg": "1969-12-31T23:59:59.000Z",
  "1970-01-01 New Year.jpg": "1970-01-01T12:00:00.000Z",
  "IMG_19700101_000000.jpg": undefined,
  "VID_19700101_010203.mp4": undefined,
  "1899-12-31 Grandma.jpg": undefined,
  "scan_19000230_000000.jpg": undefined,
  "DSC_20190132_123456.jpg": undefined,
  "IMG_20191302_123456.jpg": undefined,
  "IMG_20190230_123456.jpg": undefined,
  "Screenshot 2024-04-10 at 13.57.25 PM.png": "2024-04-10T12:00:00.000Z",
  "1998.jpg": undefined,
  "DSC_0042.jpg": undefined,
  "9999999999999.jpg": undefined,
  "invoice 4201901022.png": undefined,
};

Deno.test("names tell the day, and impossible days are refused", async () => {
  for (const [name, right] of Object.entries(NAMES)) {
    const { taken_at, taken_source } = await aboutOf(text("no photo"), name);
    assert.equal(taken_source, right === undefined ? "mtime" : "name", name);
    if (right !== undefined) assert.equal(taken_at, right, name);
  }
});

function box(type: string, ...content: readonly Bytes[]): Bytes {
  const inside = concatBytes(...content);
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, 8 + inside.length);
  head.set([...type].map((letter) => letter.charCodeAt(0)), 4);
  return concatBytes(head, inside);
}

function numbers(...values: readonly number[]): Bytes {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [n, value] of values.entries()) view.setUint32(4 * n, value);
  return new Uint8Array(view.buffer);
}

/** The header of a video, made at a time and of a second's length. */
const mvhd = (made: number) =>
  box("mvhd", numbers(0, made, made, 1_000, 1_000), new Uint8Array(80));

const FROM_1904 = 2_082_844_800;
const MADE = Date.parse("2019-01-02T10:34:56Z") / 1_000;
/** A film in boxes: a brand, then these. */
const mov = (...boxes: readonly Bytes[]) =>
  concatBytes(box("ftyp", text("qt  \0\0\0\0")), ...boxes);
const udta = (...boxes: readonly Bytes[]) =>
  mov(box("moov", mvhd(0), box("udta", ...boxes)));
const ZONED = text("2019-01-02T12:34:56+0200");
const data = (value: Bytes) => box("data", numbers(1, 0), value);
const meta = (...boxes: readonly Bytes[]) =>
  box("meta", numbers(0), box("hdlr", new Uint8Array(24)), ...boxes);

/** An element of EBML; `known` is false for one that was streamed. */
function ebml(id: string, content: Bytes, known = true): Bytes {
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(content.length));
  size[0] = 1;
  if (!known) size.fill(0xff, 1);
  return concatBytes(fromHex(id) ?? new Uint8Array(), size, content);
}

function wide(value: bigint, little = false): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value, little);
  return bytes;
}

const FROM_2001 = wide(
  BigInt(MADE - Date.UTC(2001, 0) / 1_000) * 1_000_000_000n,
);
const mkvHead = ebml("1a45dfa3", ebml("4282", text("matroska")));
const mkvInfo = (...more: readonly Bytes[]) =>
  ebml("1549a966", concatBytes(ebml("2ad7b1", numbers(1_000_000)), ...more));
const mkvTag = (name: string, value: string) =>
  ebml(
    "1254c367",
    ebml(
      "7373",
      ebml(
        "67c8",
        concatBytes(ebml("45a3", text(name)), ebml("4487", text(value))),
      ),
    ),
  );
const mkv = (known: boolean, ...parts: readonly Bytes[]) =>
  concatBytes(mkvHead, ebml("18538067", concatBytes(...parts), known));

function riff(type: string, ...content: readonly Bytes[]): Bytes {
  const inside = concatBytes(...content);
  const head = new Uint8Array([...text(type), 0, 0, 0, 0]);
  new DataView(head.buffer).setUint32(4, inside.length, true);
  return concatBytes(head, inside, new Uint8Array(inside.length & 1));
}
const avi = (...chunks: readonly Bytes[]) =>
  riff("RIFF", text("AVI "), ...chunks, riff("LIST", text("movi")));
const idit = (value: string) =>
  avi(riff("LIST", text("hdrl"), riff("IDIT", text(value))));

const asf = concatBytes(
  fromHex("3026b2758e66cf11a6d900aa0062ce6c") ?? new Uint8Array(),
  wide(134n, true),
  new Uint8Array([1, 0, 0, 0, 1, 2]),
  fromHex("a1dcab8c47a9cf118ee400c00c205365") ?? new Uint8Array(),
  wide(104n, true),
  new Uint8Array(24),
  wide(BigInt(MADE + 11_644_473_600) * 10_000_000n, true),
  new Uint8Array(8),
  wide(25_000_000n, true),
  new Uint8Array(8),
  wide(1_500n, true),
  new Uint8Array(16),
);

function ogg(packet: string, ...comments: readonly string[]): Bytes {
  const texts = ["by hand", String(comments.length), ...comments];
  const content = concatBytes(
    Uint8Array.from(packet, (letter) => letter.charCodeAt(0)),
    ...texts.map((one, n) => {
      const bytes = n === 1 ? new Uint8Array() : text(one);
      const length = new Uint8Array(4);
      length[0] = n === 1 ? comments.length : bytes.length;
      return concatBytes(length, bytes);
    }),
  );
  return concatBytes(
    text("OggS"),
    new Uint8Array(22),
    new Uint8Array([1, content.length]),
    content,
  );
}

/** A stream of packets, with the date in its first picture. */
function transport(before: number, entries: readonly number[]): Bytes {
  const sei = concatBytes(
    new Uint8Array([0, 0, 0, 1, 6, 5, 31]),
    fromHex("17ee8c60f84d11d98cd60800200c9a66") ?? new Uint8Array(),
    text("MDPM"),
    new Uint8Array(entries),
  );
  // The picture goes over two packets, with one of sound between them.
  const parts = [sei.slice(0, 20), new Uint8Array(184), sei.slice(20)];
  return concatBytes(
    ...parts.map((part, n) => {
      const isSound = n === 1;
      const stuffing = 184 - part.length;
      return concatBytes(
        new Uint8Array(before),
        new Uint8Array([0x47, isSound ? 2 : 1, 0, stuffing > 0 ? 0x30 : 0x10]),
        ...(stuffing > 0
          ? [new Uint8Array([stuffing - 1]), new Uint8Array(stuffing - 1)]
          : []),
        part,
      );
    }),
    new Uint8Array(before),
    new Uint8Array([0x47, ...Array(187).fill(0)]),
  );
}
const JANUARY = [0x20, 0x19, 0x01];
const CLOCK_1234 = [0x02, 0x12, 0x34, 0x56];

/** Films by what is odd of them: the date, its offset, and the length. */
const FILMS: Readonly<Record<string, readonly [Bytes, ...unknown[]]>> = {
  "a header that counts from 1904": [
    mov(box("moov", mvhd(MADE + FROM_1904))),
    "2019-01-02T10:34:56.000Z",
    undefined,
    1_000,
  ],
  "a header that counts from 1970": [
    mov(box("moov", mvhd(MADE))),
    "2019-01-02T10:34:56.000Z",
  ],
  "a clock that was never set": [mov(box("moov", mvhd(FROM_1904 + 7)))],
  "a track's date where the header has none": [
    mov(box(
      "moov",
      mvhd(0),
      box(
        "trak",
        box("tkhd", numbers(0, MADE + FROM_1904), new Uint8Array(76)),
      ),
    )),
    "2019-01-02T10:34:56.000Z",
  ],
  "a preview before the film": [
    concatBytes(
      box("pnot", new Uint8Array(12)),
      box("moov", mvhd(MADE + FROM_1904)),
    ),
    "2019-01-02T10:34:56.000Z",
  ],
  "QuickTime's day": [
    udta(box("\u00a9day", numbers(0x0018_15c7), ZONED)),
    "2019-01-02T10:34:56.000Z",
    120,
  ],
  "QuickTime's date": [
    udta(box("date", ZONED)),
    "2019-01-02T10:34:56.000Z",
    120,
  ],
  "iTunes' day": [
    udta(meta(box("ilst", box("\u00a9day", data(ZONED))))),
    "2019-01-02T10:34:56.000Z",
    120,
  ],
  "a day alone": [
    udta(meta(box("ilst", box("\u00a9day", data(text("2019-01-02")))))),
    "2019-01-02T12:00:00.000Z",
  ],
  "ffmpeg's keys": [
    udta(meta(
      box(
        "keys",
        numbers(0, 1),
        box("mdta", text("com.apple.quicktime.creationdate")),
      ),
      box("ilst", box("\0\0\0\x01", data(ZONED))),
    )),
    "2019-01-02T10:34:56.000Z",
    120,
  ],
  "fragments, of which the last one ends it": [
    mov(
      box(
        "moov",
        box("mvhd", numbers(0, MADE, MADE, 1_000, 0), new Uint8Array(80)),
        box(
          "trak",
          box("tkhd", numbers(0, 0, 0, 7), new Uint8Array(68)),
          box("mdia", box("mdhd", numbers(0, 0, 0, 600, 0, 0))),
        ),
        box("mvex", box("trex", numbers(0, 7, 1, 60, 0, 0))),
      ),
      ...[0, 600].map((start) =>
        box(
          "moof",
          box(
            "traf",
            box("tfhd", numbers(0, 7)),
            box("tfdt", numbers(0, start)),
            box("trun", numbers(0, 10)),
          ),
        )
      ),
    ),
    "2019-01-02T10:34:56.000Z",
    undefined,
    2_000,
  ],
  "Matroska's date": [
    mkv(
      true,
      mkvInfo(ebml("4461", FROM_2001), ebml("4489", numbers(0x4508_0000))),
    ),
    "2019-01-02T10:34:56.000Z",
    undefined,
    2_176,
  ],
  "WebM that was streamed": [
    mkv(false, mkvInfo(ebml("4461", FROM_2001)), ebml("1f43b675", text("x"))),
    "2019-01-02T10:34:56.000Z",
  ],
  "Matroska's tags, which know the zone": [
    mkv(
      true,
      mkvInfo(ebml("4461", FROM_2001)),
      mkvTag("COM.APPLE.QUICKTIME.CREATIONDATE", "2019-01-02T12:34:56+0200"),
    ),
    "2019-01-02T10:34:56.000Z",
    120,
  ],
  "Matroska's tags behind its pictures": [
    (() => {
      const tags = mkvTag("DATE_RECORDED", "2019-01-02 12:34:56");
      const pictures = ebml("1f43b675", new Uint8Array(300));
      const seek = (at: number) =>
        ebml(
          "114d9b74",
          ebml(
            "4dbb",
            concatBytes(
              ebml("53ab", numbers(0x1254_c367)),
              ebml("53ac", numbers(at)),
            ),
          ),
        );
      const at = seek(0).length + pictures.length;
      return mkv(true, seek(at), pictures, tags);
    })(),
    "2019-01-02T12:34:56.000Z",
  ],
  "AVI as most cameras write it": [
    idit("WED JAN 02 12:34:56 2019\n\0"),
    "2019-01-02T12:34:56.000Z",
  ],
  "AVI of Casio": [idit("2019/ 1/ 2 12:34PM"), "2019-01-02T12:34:00.000Z"],
  "AVI of Minolta": [idit("2019/01/02/ 12:34\0"), "2019-01-02T12:34:00.000Z"],
  "AVI of Konica": [idit("2019-01-02  12:34:56"), "2019-01-02T12:34:56.000Z"],
  "AVI of programs": [
    avi(riff("LIST", text("INFO"), riff("ICRD", text("2019-01-02\0")))),
    "2019-01-02T12:00:00.000Z",
  ],
  "Windows Media": [asf, "2019-01-02T10:34:56.000Z", undefined, 1_000],
  "Ogg with Theora": [
    ogg("\x81theora", "ENCODER=x", "DATE=2019-01-02"),
    "2019-01-02T12:00:00.000Z",
  ],
  "Ogg with a time": [
    ogg("\x03vorbis", "creation_time=2019-01-02T10:34:56.000000Z"),
    "2019-01-02T10:34:56.000Z",
  ],
  "AVCHD of a disc": [
    transport(4, [2, 0x18, 0x04, ...JANUARY, 0x19, ...CLOCK_1234]),
    "2019-01-02T10:34:56.000Z",
    120,
  ],
  "AVCHD with bytes that keep zeros apart, in summer time west of UTC": [
    // 00:00:03 on the second.
    transport(0, [
      ...[2, 0x18, 0x6a, ...JANUARY],
      ...[0x19, 0x02, 0, 0, 3, 3],
    ]),
    "2019-01-02T04:00:03.000Z",
    -240,
  ],
  "AVCHD without a zone": [
    transport(4, [2, 0x18, 0xff, ...JANUARY, 0x19, ...CLOCK_1234]),
    "2019-01-02T12:34:56.000Z",
  ],
};

for (const [what, [file, ...right]] of Object.entries(FILMS)) {
  Deno.test(`a film's facts are read: ${what}`, async () => {
    const { takenAt, takenOffset, durationMs } = await readMediaFacts(
      plainOf(file),
    );
    const found = [takenAt, takenOffset, durationMs];
    assert.deepEqual(
      right.length < 3 ? found.slice(0, 2) : found,
      right.length < 3 ? [right[0], right[1]] : right,
    );
    for (let end = 0; end < file.length; end += 5) {
      await readMediaFacts(plainOf(file.slice(0, end)));
    }
  });
}

Deno.test("a film's place is read as 3GPP writes it", async () => {
  const facts = await readMediaFacts(plainOf(udta(
    box(
      "loci",
      numbers(0),
      text("\0\0a\0\0"),
      numbers(16.5 * 65_536, 2 ** 32 - 33.25 * 65_536, 0),
      text("earth\0\0"),
    ),
  )));
  assert.deepEqual(facts.place, { latitude: -33.25, longitude: 16.5 });
});

Deno.test("within a second the name decides the order, then the part of the second", () => {
  const row = (id: string, name: string, taken_at: string): Row => ({
    ...{ id, owner: "a", head: "", seq: 1, state: "live", at: taken_at },
    ...{ blobs: [], epoch: 0, chunk_size: 65_536, custody: "receipted" },
    metadata: {
      ...{ name, mime: "image/jpeg", size: 1, sha256: "", derivatives: [] },
      taken_at,
    },
  });
  const second = "2023-08-13T09:26:39";
  const rows = [
    row("c", "DSC_1.jpg", `${second}.900Z`),
    row("a", "DSC_2.jpg", `${second}.100Z`),
    row("b", "DSC_2.jpg", `${second}.500Z`),
    row("d", "DSC_0.jpg", "2023-08-13T09:26:40.000Z"),
  ];
  const right = ["d", "b", "a", "c"];
  for (const given of [rows, rows.toReversed()]) {
    assert.deepEqual(newestFirst(given).map(({ id }) => id), right);
  }
});
