/**
 * Sidecars as other programs write them: which files they are of, how long they
 * are, and in which letters.
 *
 * @module
 */
import assert from "node:assert/strict";
import { PLAIN } from "../../src/media/exports/sidecar_export.ts";
import {
  planExport,
  sidecarText,
  TEXT_MAX_BYTES,
} from "../../src/media/exports/export_kind.ts";
import { readXmp } from "../../src/media/exports/xmp.ts";
import { type Bytes, utf8 } from "../../src/core/bytes.ts";

const NAMESPACES = 'xmlns:xmp="http://ns.adobe.com/xap/1.0/" ' +
  'xmlns:exif="http://ns.adobe.com/exif/1.0/" ' +
  'xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" ' +
  'xmlns:lr="http://ns.adobe.com/lightroom/1.0/"';

function xmp(attributes: string, elements = ""): string {
  return '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    `<rdf:Description rdf:about="" ${NAMESPACES} ${attributes}>` +
    `${elements}</rdf:Description></rdf:RDF></x:xmpmeta>`;
}

/** The stars of each file of a folder, by its sidecar. */
async function starsOf(
  files: Readonly<Record<string, string>>,
): Promise<Record<string, number | undefined>> {
  const given = Object.entries(files).map(([path, text]) => ({
    path,
    size: text.length,
    within: "folder",
  }));
  const sorted = await PLAIN.sortOut(
    given,
    ({ path }) => Promise.resolve(files[path] ?? ""),
  );
  return Object.fromEntries(
    sorted.media.map((file) => [
      file.path,
      sorted.match(file)?.sidecar.facts.rating,
    ]),
  );
}

Deno.test("a raw file's sidecar marks the raw file alone, and nothing else of that name", async () => {
  assert.deepEqual(
    await starsOf({
      "lr/IMG_1.CR2": "",
      "lr/IMG_1.JPG": "",
      "lr/IMG_1.xmp": xmp('xmp:Rating="4"'),
    }),
    { "lr/IMG_1.CR2": 4, "lr/IMG_1.JPG": undefined },
  );
});

Deno.test("a sidecar of a whole name precedes one of its stem", async () => {
  assert.deepEqual(
    await starsOf({
      "IMG_2.CR2": "",
      "IMG_2.xmp": xmp('xmp:Rating="1"'),
      "IMG_2.CR2.xmp": xmp('xmp:Rating="5"'),
    }),
    { "IMG_2.CR2": 5 },
  );
});

Deno.test("a JPEG without a raw file has the sidecar of its stem, in any case of letters", async () => {
  assert.deepEqual(
    await starsOf({ "e2.JPG": "", "E2.XMP": xmp('xmp:Rating="3"') }),
    { "e2.JPG": 3 },
  );
});

Deno.test("a video has the sidecar next to it, and a raw file the one with its own name, in any letter case", async () => {
  assert.deepEqual(
    await starsOf({
      "v1.mp4": "",
      "v1.mp4.xmp": xmp('xmp:Rating="5"'),
      "photo.cr2": "",
      "photo.CR2.XMP": xmp('xmp:Rating="2"'),
    }),
    { "v1.mp4": 5, "photo.cr2": 2 },
  );
});

/** darktable's duplicates: each is another development of one file. */
const DUPLICATES: readonly (readonly [
  string,
  readonly string[],
  Readonly<Record<string, number | undefined>>,
  readonly string[],
])[] = [
  [
    "the first development speaks for the file",
    ["photo.cr2", "photo.cr2.xmp", "photo_01.cr2.xmp", "photo_02.cr2.xmp"],
    { "photo.cr2": 1 },
    [],
  ],
  [
    "the earliest one that is left, where the first is gone",
    ["photo.CR2", "photo_02.CR2.xmp", "photo_11.CR2.xmp"],
    { "photo.CR2": 1 },
    [],
  ],
  [
    "a file of the duplicate's name has its sidecar",
    ["a.jpg", "a_01.jpg", "a.jpg.xmp", "a_01.jpg.xmp"],
    { "a.jpg": 1, "a_01.jpg": 2 },
    [],
  ],
  [
    "one of no file is named",
    ["a.jpg", "b_01.jpg.xmp", "a_1.jpg.xmp"],
    { "a.jpg": undefined },
    ["b_01.jpg.xmp", "a_1.jpg.xmp"],
  ],
];
for (const [how, paths, right, unused] of DUPLICATES) {
  Deno.test(`darktable's duplicates: ${how}`, async () => {
    const sidecars = paths.filter((path) => path.endsWith(".xmp"));
    const files = Object.fromEntries(paths.map((path) => [
      path,
      path.endsWith(".xmp")
        ? xmp(`xmp:Rating="${sidecars.indexOf(path) + 1}"`)
        : "",
    ]));
    assert.deepEqual(await starsOf(files), right);
    const given = paths.map((path) => ({ path, size: 1, within: "folder" }));
    const plan = await planExport(
      PLAIN,
      given,
      {
        textOf: ({ path }) => Promise.resolve(files[path] ?? ""),
        identifierOf: () => Promise.resolve(undefined),
      },
    );
    assert.deepEqual(plan.unused.map(({ path }) => path), unused);
    assert.equal(
      plan.passed.length,
      paths.length - plan.items.length -
        unused.length - new Set(plan.items.flatMap(({ matched }) =>
          matched?.sidecar ?? []
        )).size,
    );
  });
}

function utf16(text: string, little: boolean): Bytes {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, little);
  for (let at = 0; at < text.length; at++) {
    view.setUint16(2 * at + 2, text.charCodeAt(at), little);
  }
  return bytes;
}

for (
  const [letters, bytes] of [
    ["UTF-8", utf8(xmp('xmp:Rating="3"'))],
    ["UTF-8 with its mark", utf8(`\ufeff${xmp('xmp:Rating="3"')}`)],
    ["UTF-16 of a PC", utf16(xmp('xmp:Rating="3"'), true)],
    ["UTF-16 of a network", utf16(xmp('xmp:Rating="3"'), false)],
  ] as const
) {
  Deno.test(`a sidecar in ${letters} is read`, () => {
    assert.equal(readXmp(sidecarText(bytes))?.rating, 3);
  });
}

Deno.test("a sidecar with masks of several MiB is read", () => {
  const text = xmp(
    'xmp:Rating="5"',
    `<lr:mask>${"A".repeat(4_000_000)}</lr:mask>`,
  );
  assert(text.length < TEXT_MAX_BYTES);
  assert.equal(readXmp(text)?.rating, 5);
});

const DATES: readonly (readonly [
  written: string,
  takenAt: string,
  takenOffset?: number,
])[] = [
  ["2019-01-02T12:34:56+0100", "2019-01-02T11:34:56.000Z", 60],
  ["2019-01-02T12:34", "2019-01-02T12:34:00.000Z"],
  ["2019-01-02", "2019-01-02T12:00:00.000Z"],
  ["2019:01:02 12:34:56", "2019-01-02T12:34:56.000Z"],
  ["2019-01-02T12:34:56Z", "2019-01-02T12:34:56.000Z", 0],
  ["2019-01-02T12:34:56.123456+01:00", "2019-01-02T11:34:56.123Z", 60],
  ["2019-01", "2019-01-01T12:00:00.000Z"],
  ["2019", "2019-01-01T12:00:00.000Z"],
  ["2019-01-02T12:34:56+01", "2019-01-02T11:34:56.000Z", 60],
];
for (const [written, takenAt, takenOffset] of DATES) {
  Deno.test(`a sidecar's date is read in the precision it has: ${written}`, () => {
    const said = readXmp(xmp(`photoshop:DateCreated="${written}"`));
    assert.equal(said?.takenAt, takenAt);
    assert.equal(said?.takenOffset, takenOffset);
  });
}

const quoted = (text: string) => text.replaceAll("'", "&apos;");
const PLACES: readonly (readonly [latitude: string, longitude: string])[] = [
  ["48,12.345N", "16,22.2E"],
  ["48,12,20.7N", "16,22,12E"],
  ["48.20575", "16.37"],
  ["48.20575N", "16.37E"],
  ["N48 12.345", "E16 22.2"],
  ["48° 12′ 20.7″ N", "16°22'12\" E"],
  ["48 12 20.7n", "16 22 12e"],
];
for (const [latitude, longitude] of PLACES) {
  Deno.test(`a sidecar's place is read as it is written: ${latitude}, ${longitude}`, () => {
    const { place } = readXmp(
      xmp(
        `exif:GPSLatitude='${quoted(latitude)}' ` +
          `exif:GPSLongitude='${quoted(longitude)}'`,
      ),
    ) ?? {};
    assert(Math.abs((place?.latitude ?? 0) - 48.20575) < 1e-5);
    assert(Math.abs((place?.longitude ?? 0) - 16.37) < 1e-5);
  });
}
