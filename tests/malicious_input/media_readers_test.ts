/**
 * Every reader of files that people get from others: none believes what a file
 * claims beyond its size, lets nothing else have a turn meanwhile, or fails in
 * another way than it says.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  derivativesOf,
  pixelsInThread,
} from "../../src/cli/person/files/pictures.ts";
import {
  MalformedTar,
  readTar,
} from "../../src/cli/person/files/importing/tar.ts";
import { lookAt } from "../../src/media/exif/extent.ts";
import { readIptc, RESOURCE, resourceIn } from "../../src/media/exif/iptc.ts";
import { readMediaFacts } from "../../src/media/exif/mod.ts";
import { tellsPlace } from "../../src/media/exif/places.ts";
import {
  breathe,
  MediaReader,
  readWithin,
} from "../../src/media/exif/reading.ts";
import { smallTiff } from "../../src/media/exif/tiff_ranges.ts";
import { lookWithin } from "../../src/media/exif/within.ts";
import {
  readAppleAlbum,
  readAppleDetails,
} from "../../src/media/exports/apple_csv.ts";
import {
  readEnteAlbum,
  readEnteDiskJson,
  readEnteJson,
} from "../../src/media/exports/ente_json.ts";
import { motionOf, UNTOLD } from "../../src/media/exports/live_photos.ts";
import { readTakeoutJson } from "../../src/media/exports/takeout_json.ts";
import { readXmp, xmpProperties } from "../../src/media/exports/xmp.ts";
import { plainOf, type PlainSource } from "../../src/library/mod.ts";
import { jpegInRaw, readJpegInRaw } from "../../src/media/pictures/raw.ts";
import { isProportionate } from "../../src/media/pictures/proportionate.ts";
import { decodeTiff } from "../../src/media/pictures/tiff.ts";
import { MalformedZip, readZip } from "../../src/media/zip.ts";
import { VideoCutter } from "../../src/web/workers/media/videos/cutting.ts";
import { VideoError } from "../../src/web/workers/media/videos/reader.ts";
import { boundedFilm } from "../../src/web/workers/media/videos/tables.ts";
import { claims, lyingFilms } from "../support/claims.ts";
import "../support/fresh_core.ts";
import { tiffFile } from "../support/raw_files.ts";
import {
  lyingFiles,
  oddJpegs,
  oddPngs,
  pictureOf,
} from "../support/refused_pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What reads a file, and how it says that it cannot. */
interface FileReader {
  read(source: PlainSource): unknown;
  readonly refuses?: new (...given: never) => Error;
}

function ofText(read: (text: string) => unknown): FileReader {
  return {
    // Longer texts are not handed to these (`TEXT_MAX_BYTES`).
    read: async (source) =>
      read(new TextDecoder().decode(await source.read(0, source.size))),
  };
}

const READERS: Readonly<Record<string, FileReader>> = {
  "facts": { read: readMediaFacts },
  "extent": { read: (source) => lookAt(source) },
  "IPTC": {
    read: async (source) => {
      const bytes = await source.read(0, source.size);
      return [readIptc(bytes), resourceIn(bytes, RESOURCE.iptc)];
    },
  },
  "directories of a large TIFF": {
    read: (source) =>
      readWithin(source, (watched) => smallTiff(new MediaReader(watched))),
  },
  "what is within": { read: lookWithin },
  "whether it tells a place": { read: tellsPlace },
  "JPEG in a raw file": { read: jpegInRaw },
  "bytes of that JPEG": { read: readJpegInRaw },
  "TIFF": { read: decodeTiff },
  "live photo, as its still": {
    read: (source) => motionOf(source, GOOD_VIDEO, "a.mov", UNTOLD),
  },
  "live photo, as its video": {
    read: (source) => motionOf(GOOD_STILL, source, "a.mov", UNTOLD),
  },
  "zip": { read: readZip, refuses: MalformedZip },
  "tar": { read: readTar, refuses: MalformedTar },
  "video": {
    read: async (source) => {
      const cutter = await VideoCutter.open(source);
      return cutter.begin(cutter.opened.tracks.map(({ id }) => id));
    },
    refuses: VideoError,
  },
  "tables of a film": { read: boundedFilm },
  ...Object.fromEntries(
    ["image/jpeg", "image/tiff", "image/x-nikon-nef", "image/heic"].map(
      (mime) => [
        `small pictures of ${mime}`,
        { read: (source: PlainSource) => derivativesOf(source, mime) },
      ],
    ),
  ),
  "XMP": ofText(readXmp),
  "properties of XMP": ofText(xmpProperties),
  "Takeout's JSON": ofText(readTakeoutJson),
  "ente's JSON": ofText((text) => [
    readEnteJson(text),
    readEnteDiskJson(text),
    readEnteAlbum(text),
  ]),
  "Apple's tables": ofText((text) => [
    readAppleDetails(text),
    readAppleAlbum(text),
  ]),
};

async function sample(name: string): Promise<PlainSource> {
  return plainOf(
    await Deno.readFile(new URL(`../support/media/${name}`, import.meta.url)),
  );
}

const GOOD_STILL = await sample("camera.heic");
const GOOD_VIDEO = await sample("iphone.mov");
// What the program carries is read once, whatever the first HEIC is.
await derivativesOf(GOOD_STILL, "image/heic");
const JPEG = await pictureOf(640, 480);
const PNG = await pictureOf(640, 480, "image/png");

/** Bytes that were touched: copied, handed on, looked at as numbers, or listed. */
let touched = 0;

function count(
  owner: object,
  name: string,
  bytesOf: (result: unknown) => number,
): void {
  const original = Reflect.get(owner, name);
  Object.defineProperty(owner, name, {
    configurable: true,
    value(this: unknown, ...given: unknown[]) {
      const result = Reflect.apply(original, this, given);
      touched += bytesOf(result);
      return result;
    },
  });
}
for (
  const [name, width] of Object.entries({
    getUint8: 1,
    getUint16: 2,
    getUint32: 4,
    getBigUint64: 8,
  })
) count(DataView.prototype, name, () => width);
for (const name of ["slice", "subarray"]) {
  count(
    Object.getPrototypeOf(Uint8Array.prototype),
    name,
    (part) => part instanceof Uint8Array ? part.length : 0,
  );
}

count(Array.prototype, "push", () => 1);

function counted(bytes: Bytes): PlainSource {
  return {
    size: bytes.length,
    read: (offset, length) =>
      Promise.resolve(bytes.slice(offset, offset + length)),
  };
}

async function readBy(reader: FileReader, source: PlainSource): Promise<void> {
  try {
    await reader.read(source);
  } catch (error) {
    const { refuses } = reader;
    if (refuses === undefined || !(error instanceof refuses)) throw error;
  }
}

/** A few headers are read more than once, and of a small file all of it. */
const TIMES = 8;
const SMALL_BYTES = 1024 * 1024;

for (const [name, reader] of Object.entries(READERS)) {
  Deno.test(`work is in proportion to a file that claims a thousand times its size: ${name}`, async () => {
    for (const [claim, bytes] of Object.entries(claims(JPEG, PNG))) {
      touched = 0;
      await readBy(reader, counted(bytes));
      const most = TIMES * bytes.length + SMALL_BYTES;
      assert(
        touched <= most,
        `${claim}: ${touched} bytes touched of ${bytes.length}`,
      );
    }
  });

  Deno.test(`a file that is damaged or is no such file costs only itself: ${name}`, async () => {
    const odd = { ...oddJpegs(JPEG), ...oddPngs(PNG), ...lyingFiles(JPEG) };
    for (const bytes of Object.values(odd)) {
      await readBy(reader, plainOf(bytes));
    }
    // What is wrong with the source is no fault of the file, and is told.
    const broken = new Error("the disk broke");
    const failing = {
      size: JPEG.length,
      read: () => Promise.reject(broken),
    };
    await assert.rejects(async () => await reader.read(failing), broken);
  });
}

Deno.test("a decoder gets no picture that sends it over the same bytes again and again", async () => {
  const isLetIn = async (bytes: Bytes) => {
    const source = plainOf(bytes);
    const known = await lookAt(source);
    return known !== undefined && await isProportionate(source, known);
  };
  const all = claims(JPEG, PNG);
  for (
    const claim of [
      "a JPEG of a billion pixels",
      "five hundred scans",
      "a colour profile that swells",
      "a GIF with a frame of four billion pixels",
      "tiles of the same bytes",
      "an item that is its own tile",
    ]
  ) {
    const bytes = all[claim];
    assert(bytes !== undefined && !await isLetIn(bytes), claim);
  }
  for (const name of ["heic", "avif", "jpg", "png", "webp"]) {
    const good = await sample(`camera.${name}`);
    assert(await isLetIn(await good.read(0, good.size)), name);
  }
  assert(await isLetIn(JPEG) && await isLetIn(PNG));
});

Deno.test("a library gets no film that claims what it has not", async () => {
  for (const [claim, bytes] of Object.entries(lyingFilms())) {
    assert.equal(await boundedFilm(plainOf(bytes)), undefined, claim);
  }
  for (const name of ["iphone.mov", "android.mp4"]) {
    assert.equal((await boundedFilm(await sample(name)))?.container, "isobmff");
  }
});

Deno.test("after everything that is refused a good picture has its small pictures", async () => {
  const odd = { ...oddJpegs(JPEG), ...oddPngs(PNG), ...lyingFiles(JPEG) };
  const all = Object.values(odd).flatMap((bytes) => [
    derivativesOf(plainOf(bytes), "image/jpeg"),
    derivativesOf(plainOf(JPEG), "image/jpeg"),
  ]);
  for (const [n, made] of (await Promise.all(all)).entries()) {
    if (n % 2 === 0) continue;
    assert.deepEqual(made?.map(({ kind }) => kind), ["thumbnail"]);
  }
});

Deno.test("a HEIC whose thread says nothing within the bound costs only its own pictures", async () => {
  const bytes = await GOOD_STILL.read(0, GOOD_STILL.size);
  const bound = new AbortController();
  const silent = pixelsInThread(bytes, bound.signal);
  // It starts meanwhile, and no answer comes before the others' next turn.
  for (let n = 0; n < 100; n++) await null;
  bound.abort();
  assert.equal(await silent, undefined);
  const made = await derivativesOf(GOOD_STILL, "image/heic");
  assert.deepEqual(made?.map(({ kind }) => kind), ["thumbnail"]);
});

Deno.test("others have a turn while a large picture is expanded", async () => {
  const pixels = new Uint8Array(12_000_000);
  const file = tiffFile([[
    [0x0100, 4, 4_000],
    [0x0101, 4, 3_000],
    [0x0102, 3, 8],
    [0x0103, 3, 1],
    [0x0106, 3, 1],
    [0x0111, 4, { place: pixels }],
    [0x0115, 3, 1],
    [0x0116, 4, 3_000],
    [0x0117, 4, pixels.length],
  ]]);
  let turns = 0;
  let isDone = false;
  // Its turns are messages, as a server's requests are, and no timers: those wait
  // for a clock.
  const others = (async () => {
    while (!isDone) {
      await breathe();
      turns += 1;
    }
  })();
  assert.equal((await decodeTiff(plainOf(file)))?.width, 4_000);
  const meanwhile = turns;
  isDone = true;
  await others;
  assert(meanwhile >= 2, `${meanwhile} turns`);
});
