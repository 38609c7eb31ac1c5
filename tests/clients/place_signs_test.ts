/**
 * Signs of a place in files of every format, and what is no sign.
 *
 * @module
 */
import assert from "node:assert/strict";
import { readFileFacts } from "../../src/media/exif/mod.ts";
import { tellsPlace } from "../../src/media/exif/places.ts";
import { mayTellPlace } from "../../src/library/rows/embedded_media.ts";
import { plainOf } from "../../src/library/mod.ts";
import { concatBytes, utf8 } from "../../src/core/bytes.ts";
import { box } from "../support/claims.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const COORDINATES = "+48.2082+016.3738/";

/** A track of a video, with its handler and its format. */
function track(handler: string, format: string): Bytes {
  const zeros = (length: number) => new Uint8Array(length);
  return box(
    "trak",
    box(
      "mdia",
      box("hdlr", zeros(8), utf8(handler), zeros(13)),
      box(
        "minf",
        box("stbl", box("stsd", zeros(7), utf8("\x01"), box(format, zeros(8)))),
      ),
    ),
  );
}

function filmOf(...parts: readonly Bytes[]): Bytes {
  return concatBytes(
    box("ftyp", utf8("mp42"), new Uint8Array(8)),
    box("moov", ...parts),
    box("mdat", new Uint8Array(64)),
  );
}

/** A directory of EXIF that points to one of GPS with these tags. */
function exifOf(isLittle: boolean, ...tags: readonly number[]): Bytes {
  const bytes = new Uint8Array(26 + 2 + 12 * tags.length + 4);
  const view = new DataView(bytes.buffer);
  bytes.set(utf8(isLittle ? "II" : "MM"));
  view.setUint16(2, 42, isLittle);
  view.setUint32(4, 8, isLittle);
  view.setUint16(8, 1, isLittle);
  view.setUint16(10, 0x8825, isLittle);
  view.setUint16(12, 4, isLittle);
  view.setUint32(14, 1, isLittle);
  view.setUint32(18, 26, isLittle);
  view.setUint16(26, tags.length, isLittle);
  for (const [n, tag] of tags.entries()) {
    view.setUint16(28 + 12 * n, tag, isLittle);
    view.setUint16(30 + 12 * n, 1, isLittle);
    view.setUint32(32 + 12 * n, 4, isLittle);
  }
  return bytes;
}

const PADDING = new Uint8Array(32);
const text = (said: string) => concatBytes(utf8(said), PADDING);
const bytesOf = (said: string) =>
  concatBytes(
    Uint8Array.from(said, (letter) => letter.charCodeAt(0)),
    PADDING,
  );

const WITH_PLACE: Readonly<Record<string, Bytes>> = {
  "a GPS directory, little": exifOf(true, 0, 2, 4),
  "a GPS directory, big": exifOf(false, 0, 2, 4),
  "a GPS directory out of the file": exifOf(true, 0).slice(0, 26),
  "GoPro's track": filmOf(track("vide", "avc1"), track("meta", "gpmd")),
  "a track of a camera's motion": filmOf(track("meta", "camm")),
  "a drone's subtitles": filmOf(track("text", "tx3g")),
  "a header that is compressed": filmOf(box("cmov", new Uint8Array(32))),
  "a box that is not known": concatBytes(
    filmOf(track("vide", "avc1")),
    box("wxyz", new Uint8Array(32)),
  ),
  "3GPP's location": filmOf(
    box(
      "udta",
      box("loci", new Uint8Array(4), utf8("\x15\xc7Wien\0"), PADDING),
    ),
  ),
  "a key of Android's": filmOf(
    box("udta", box("\xa9xyz", utf8("\0\x12"), PADDING)),
  ),
  "GeoTIFF": bytesOf("II*\0\x08\0\0\0\x01\0\x82\x84\x0c\0\x06\0\0\0\x1a\0\0\0"),
  "a place of Canon's": concatBytes(
    bytesOf("\0\0\0\0CMT4"),
    exifOf(true, 2),
  ).slice(),
  "BigTIFF": bytesOf("II+\0\x08\0\0\0\x25\x88\x04\0\x01\0\0\0\0\0\0\0"),
  "Matroska": bytesOf("\x1a\x45\xdf\xa3\x45\xa3\x88LOCATION"),
  "JPEG XL's compressed box": bytesOf("\0\0\0\x40brobxml "),
  "XMP of another prefix": text('<a:Description q:City="Wien"/>'),
  "XMP in UTF-16": bytesOf([..."<a exif:GPSLatitude"].join("\0") + "\0"),
  "a drone's numbers": text('<x drone-dji:GpsLongtitude="16.3"/>'),
  "Takeout's JSON": text('{"geoData": {"latitude": 48.2}}'),
  "GPX": text('<gpx><trkpt lat="48.2" lon="16.37"/></gpx>'),
  "KML": text("<kml><coordinates>16.37,48.2</coordinates></kml>"),
  "NMEA": text("$GPRMC,123519,A,4807.038,N,01131.000,E"),
  "a comment": text(`somewhere ${COORDINATES}`),
  "a drone's text": text("[latitude: 48.2] [longitude: 16.3]"),
  "an archive": bytesOf("PK\x03\x04\x14\0"),
  "gzip": bytesOf("\x1f\x8b\x08\0"),
};

const WITHOUT_PLACE: Readonly<Record<string, Bytes>> = {
  "a GPS directory with a version alone": exifOf(true, 0),
  "one with the time, big": exifOf(false, 0, 7, 29),
  "a film": filmOf(track("vide", "avc1"), track("soun", "mp4a")),
  "Apple's own track": filmOf(track("meta", "mebx")),
  "notes": text("We met at 10:30 and called +43 1 58801."),
  "a few bytes": utf8("abc"),
};

Deno.test("each sign of a place is seen, and what says none is not", async () => {
  for (const [what, bytes] of Object.entries(WITH_PLACE)) {
    assert.equal(await tellsPlace(plainOf(bytes)), true, what);
  }
  for (const [what, bytes] of Object.entries(WITHOUT_PLACE)) {
    assert.equal(await tellsPlace(plainOf(bytes)), false, what);
  }
});

Deno.test("a sign is seen wherever it is in a file", async () => {
  const sign = utf8("exif:GPSLatitude=");
  for (const at of [0, 1, 1_048_570, 1_048_576, 1_048_580, 2_097_150]) {
    const file = new Uint8Array(2_097_152 + 64);
    file.set(sign, at);
    assert(await tellsPlace(plainOf(file)), String(at));
  }
});

Deno.test("a file with more to search than is searched counts as one with a place", async () => {
  let read = 0;
  const size = 128 * 1024 * 1024 + 1;
  const vast = {
    size,
    read: (_offset: number, length: number) => {
      read += length;
      return Promise.resolve(new Uint8Array(length));
    },
  };
  assert(await tellsPlace(vast));
  assert(read < 1_024, `${read} bytes read`);
});

Deno.test("a file that says its place in words alone is noted for links", async () => {
  const jpeg = await Deno.readFile(
    new URL("../support/media/pattern-plain.tiff", import.meta.url),
  );
  const none = await readFileFacts(plainOf(jpeg), { isMedia: true });
  assert.equal(mayTellPlace(none), false);
  const said = concatBytes(jpeg, utf8('photoshop:City="Wien"'), PADDING);
  const facts = await readFileFacts(plainOf(said), { isMedia: true });
  assert.deepEqual(facts.inside, ["place"]);
  assert.equal(facts.place, undefined);
  assert.equal(mayTellPlace(facts), true);
});
