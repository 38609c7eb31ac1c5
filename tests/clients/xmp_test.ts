/**
 * XMP sidecars: what other programs write is read, what is written is read by
 * Debian's exiftool as it was meant, and malicious XML does nothing.
 *
 * @module
 */
import assert from "node:assert/strict";
import { readXmp } from "../../src/media/exports/xmp.ts";
import { xmpOf } from "../../src/media/exports/xmp_writer.ts";
import type { Metadata } from "../../src/client/documents/metadata.ts";
import { debianProgram } from "../support/debian.ts";

const EXIFTOOL = await debianProgram("exiftool", "libimage-exiftool-perl");

const WALK: Metadata = {
  name: "walk.jpg",
  mime: "image/jpeg",
  size: 1,
  sha256: "ab".repeat(32),
  taken_at: "2024-06-15T10:00:00.000Z",
  taken_offset: 120,
  taken_source: "exif",
  place: { latitude: 47.500125, longitude: -8.75, altitude: -12.5 },
  camera: { make: "Fuji & Co", model: "X-T5", lens: 'XF "35"' },
  caption: "Lake <of> & \u0001 '2024' \u{1f30a}",
  favourite: true,
  derivatives: [],
};

Deno.test("what is written is read again as it was", () => {
  assert.deepEqual(readXmp(xmpOf(WALK)), {
    takenAt: "2024-06-15T10:00:00.000Z",
    takenOffset: 120,
    place: WALK.place,
    caption: "Lake <of> &  '2024' \u{1f30a}",
    rating: 5,
  });
  assert.equal(readXmp(xmpOf({ ...WALK, archived: true }))?.archived, true);
  // A date that comes only from the disk is left out.
  const unknown = readXmp(
    xmpOf({ ...WALK, taken_source: "mtime", place: undefined }),
  );
  assert.equal(unknown?.takenAt, undefined);
  assert.equal(unknown?.place, undefined);
  for (const latitude of [0.0001, 89.9999999999, -12.3456789]) {
    const place = { latitude, longitude: 179.99999999 };
    const read = readXmp(xmpOf({ ...WALK, place }))?.place;
    assert(Math.abs((read?.latitude ?? 0) - latitude) < 1e-9, `${latitude}`);
  }
});

Deno.test({
  name: "exiftool reads the sidecar as it was meant",
  ignore: EXIFTOOL === undefined,
  async fn() {
    const path = await Deno.makeTempFile({ suffix: ".xmp" });
    try {
      await Deno.writeTextFile(
        path,
        xmpOf({ ...WALK, archived: true }, {
          city: "Łódź",
          country: "Poland",
          country_code: "PL",
        }),
      );
      const { stdout } = await new Deno.Command(EXIFTOOL ?? "", {
        args: ["-j", "-n", "-validate", "-warning", "-a", path],
      }).output();
      const [said] = JSON.parse(new TextDecoder().decode(stdout));
      assert.equal(said.Warning, undefined);
      const all = await new Deno.Command(EXIFTOOL ?? "", {
        args: ["-j", "-n", path],
      }).output();
      const [tags] = JSON.parse(new TextDecoder().decode(all.stdout));
      assert.equal(tags.DateTimeOriginal, "2024:06:15 12:00:00.000+02:00");
      assert.equal(tags.GPSLatitude, 47.500125);
      assert.equal(tags.GPSLongitude, -8.75);
      assert.equal(tags.GPSAltitude, -12.5);
      assert.equal(tags.City, "Łódź");
      assert.equal(tags.Country, "Poland");
      assert.equal(tags.CountryCode, "PL");
      assert.equal(tags.Make, "Fuji & Co");
      assert.equal(tags.LensModel, 'XF "35"');
      assert.equal(tags.Description, "Lake <of> &  '2024' \u{1f30a}");
      assert.equal(tags.Rating, 5);
      assert.equal(tags.Archived, true);
    } finally {
      await Deno.remove(path);
    }
  },
});

const wrapped = (inside: string, names = "") =>
  `<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>
<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF
 xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
 <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'
  xmlns:exif='http://ns.adobe.com/exif/1.0/'
  xmlns:p='http://ns.adobe.com/photoshop/1.0/'
  xmlns:xmp='http://ns.adobe.com/xap/1.0/' ${names}>${inside}</rdf:Description>
</rdf:RDF></x:xmpmeta>`;

Deno.test("a photo is archived by this program's own property, if that says True", () => {
  const said = (property: string, names = "") =>
    readXmp(wrapped("", `${names} ${property}`))?.archived;
  const own = "xmlns:s='urn:strongroom:xmp/1.0/'";
  assert.equal(said("s:Archived='True'", own), true);
  for (const value of ["False", "true", "1", "", "True;"]) {
    assert.equal(said(`s:Archived='${value}'`, own), undefined, value);
  }
  assert.equal(
    said("s:Archived='True'", "xmlns:s='urn:strongroom:xmp/2.0/'"),
    undefined,
  );
  assert.equal(said("xmp:Archived='True'"), undefined);
});

Deno.test("sidecars of immich, osxphotos and Lightroom are read", () => {
  // As exiftool writes for immich: a description for each namespace.
  assert.deepEqual(
    readXmp(`<x:xmpmeta xmlns:x='adobe:ns:meta/' x:xmptk='Image::ExifTool 13.0'>
<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
 <rdf:Description rdf:about=''
  xmlns:tiff='http://ns.adobe.com/tiff/1.0/'>
  <tiff:ImageDescription><rdf:Alt>
   <rdf:li xml:lang='x-default'>by the lake</rdf:li></rdf:Alt>
  </tiff:ImageDescription>
 </rdf:Description>
 <rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/'>
  <exif:DateTimeOriginal>2024-06-15T12:00:00.250+02:00</exif:DateTimeOriginal>
  <exif:GPSLatitude>47,30.0075N</exif:GPSLatitude>
  <exif:GPSLongitude>8,45W</exif:GPSLongitude>
 </rdf:Description>
</rdf:RDF></x:xmpmeta>`),
    {
      takenAt: "2024-06-15T10:00:00.250Z",
      takenOffset: 120,
      place: { latitude: 47.500125, longitude: -8.75 },
      caption: "by the lake",
    },
  );
  // osxphotos: an empty description, a date with an offset and one without.
  assert.deepEqual(
    readXmp(wrapped(`
 <dc:description><rdf:Alt><rdf:li xml:lang='x-default'/></rdf:Alt>
 </dc:description>
 <dc:title><rdf:Alt><rdf:li xml:lang='x-default'>Lake</rdf:li></rdf:Alt>
 </dc:title>
 <dc:subject><rdf:Bag><rdf:li>water</rdf:li></rdf:Bag></dc:subject>
 <xmp:CreateDate>2019-04-15T14:40:24</xmp:CreateDate>
 <p:DateCreated>2019-04-15T14:40:24.086000-04:00</p:DateCreated>
 <xmp:Rating>5</xmp:Rating>`)),
    {
      takenAt: "2019-04-15T18:40:24.086Z",
      takenOffset: -240,
      caption: "Lake",
      rating: 5,
      keywords: ["water"],
    },
  );
  // The short form, and the language that is meant.
  assert.deepEqual(
    readXmp(wrapped(
      `<dc:description><rdf:Alt><rdf:li xml:lang='de'>See</rdf:li>
       <rdf:li xml:lang='x-default'>Lake &#x26; sky</rdf:li></rdf:Alt>
       </dc:description>`,
      "xmp:Rating='3' exif:DateTimeOriginal='2024-06-15T12:00:00Z'",
    )),
    {
      takenAt: "2024-06-15T12:00:00.000Z",
      takenOffset: 0,
      caption: "Lake & sky",
      rating: 3,
    },
  );
});

Deno.test("malicious XML is refused, or says nothing", () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${
    Array.from(
      { length: 20 },
      (_, at) => `<!ENTITY a${at} "&a;&a;&a;&a;&a;&a;&a;&a;">`,
    ).join("")
  }<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
  const said = wrapped("<xmp:Rating>4</xmp:Rating>");
  assert.equal(readXmp(said)?.rating, 4);
  assert.equal(readXmp(bomb + said), undefined);
  // An undeclared entity stays as it is written.
  assert.equal(
    readXmp(wrapped("<dc:title>&f;&amp;f;&#0;&#xD800;</dc:title>"))?.caption,
    "&f;&f;&#0;&#xD800;",
  );
  for (
    const text of [
      "",
      "<",
      "<a",
      "<a b",
      "<a b='",
      "<a><b></a></b>",
      "<!-- never ended",
      "<![CDATA[x]]>",
      said.replace("</rdf:RDF>", ""),
      said.slice(0, -3),
      "<a>".repeat(40) + "</a>".repeat(40),
      "<rdf:RDF/>",
      said.padEnd(16 * 1024 * 1024 + 1),
    ]
  ) assert.equal(readXmp(text), undefined, text.slice(0, 40));
  // Numbers and dates that make no sense.
  for (
    const [name, value] of [
      ["exif:GPSLatitude", "91,0N"],
      ["exif:GPSLatitude", "47,30E"],
      ["exif:DateTimeOriginal", "2024-13-45T99:00:00Z"],
      ["xmp:Rating", "1e9"],
    ]
  ) {
    assert.deepEqual(
      readXmp(wrapped(
        `<${name}>${value}</${name}><exif:GPSLongitude>8,0E</exif:GPSLongitude>`,
      )),
      {},
      value,
    );
  }
});

// What takes the square of it takes hours: the run would not end.
Deno.test("a megabyte of the worst XML is read in a time that grows no faster than it", () => {
  const MANY = 1024 * 1024;
  for (
    const text of [
      `<a${" ".repeat(MANY / 2)}${"b".repeat(MANY / 2 - 10)}`,
      `<a ${"b ".repeat(MANY / 2 - 10)}`,
      "<a xmlns:b=''/>".repeat(MANY / 16),
      `<r>${"<a>".repeat(20)}${
        Array.from({ length: 200 }, (_, at) => `<a xmlns:b${at}=''>`).join("")
      }`,
      `<a>${"&".repeat(MANY - 10)}`,
      `<a>${"&#1".repeat(MANY / 4)}`,
      "</a>".repeat(MANY / 4),
    ]
  ) {
    assert.doesNotThrow(() => readXmp(text), text.slice(0, 20));
  }
});
