/**
 * Writing an asset's metadata as an XMP sidecar (ISO 16684-1, the packet of a
 * file `walk.jpg.xmp`), in the properties that Lightroom, darktable, digiKam,
 * PhotoPrism and immich read.
 *
 * @module
 */
import { escapeXml } from "../../core/xml.ts";
import { readTime } from "../../core/time.ts";
import type { Metadata } from "../../client/documents/metadata.ts";
import type { Locality } from "../places/gazetteer.ts";

/** The namespaces of the properties that are read and written. */
export const XMP_NAMESPACES = {
  dc: "http://purl.org/dc/elements/1.1/",
  exif: "http://ns.adobe.com/exif/1.0/",
  exifEX: "http://cipa.jp/exif/1.0/",
  Iptc4xmpCore: "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/",
  photoshop: "http://ns.adobe.com/photoshop/1.0/",
  // No property of the others says that a photo is archived, and neither do
  // those of digiKam, darktable and immich.
  strongroom: "urn:strongroom:xmp/1.0/",
  tiff: "http://ns.adobe.com/tiff/1.0/",
  xmp: "http://ns.adobe.com/xap/1.0/",
} as const;
/** The namespace of the elements around the properties. */
export const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

type Property = `${keyof typeof XMP_NAMESPACES}:${string}`;

/** The content of the sidecar; `locality` is what the place is called. */
export function xmpOf(metadata: Metadata, locality?: Locality): string {
  const { place, camera, caption, rating, keywords } = metadata;
  const { favourite, archived } = metadata;
  const at = takenOf(metadata);
  const properties: readonly (readonly [Property, string | undefined])[] = [
    ["exif:DateTimeOriginal", at],
    ["photoshop:DateCreated", at],
    ["xmp:CreateDate", at],
    ["exif:GPSLatitude", place && degrees(place.latitude, "N", "S")],
    ["exif:GPSLongitude", place && degrees(place.longitude, "E", "W")],
    ["exif:GPSAltitude", altitudeOf(place?.altitude)],
    ["exif:GPSAltitudeRef", refOf(place?.altitude)],
    ["photoshop:City", locality?.city],
    ["photoshop:Country", locality?.country],
    ["Iptc4xmpCore:CountryCode", locality?.country_code],
    ["tiff:Make", camera?.make],
    ["tiff:Model", camera?.model],
    ["exifEX:LensModel", camera?.lens],
    // There is no property for favourites; photo programs use five stars.
    [
      "xmp:Rating",
      rating?.toString() ?? (favourite === true ? "5" : undefined),
    ],
    ["strongroom:Archived", archived === true ? "True" : undefined],
  ];
  const lines = properties.flatMap(([name, value]) =>
    value === undefined || value === ""
      ? []
      : [`   <${name}>${escaped(value)}</${name}>`]
  );
  if (caption !== undefined && caption !== "") {
    lines.push(
      "   <dc:description><rdf:Alt>" +
        `<rdf:li xml:lang="x-default">${escaped(caption)}</rdf:li>` +
        "</rdf:Alt></dc:description>",
    );
  }
  if (keywords !== undefined && keywords.length > 0) {
    const items = keywords.map((word) => `<rdf:li>${escaped(word)}</rdf:li>`);
    lines.push(
      `   <dc:subject><rdf:Bag>${items.join("")}</rdf:Bag></dc:subject>`,
    );
  }
  const names = Object.entries(XMP_NAMESPACES)
    .map(([prefix, uri]) => `    xmlns:${prefix}="${uri}"`);
  return [
    '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="strongroom">',
    ` <rdf:RDF xmlns:rdf="${RDF}">`,
    '  <rdf:Description rdf:about=""',
    `${names.join("\n")}>`,
    ...lines,
    "  </rdf:Description>",
    " </rdf:RDF>",
    "</x:xmpmeta>",
    '<?xpacket end="w"?>',
    "",
  ].join("\n");
}

/**
 * The time it was taken, with its offset if that is known. A time that is only
 * the file's modification time is left out.
 */
function takenOf(
  { taken_at: at, taken_offset: ahead, taken_source: source }: Metadata,
): string | undefined {
  const ms = readTime(at);
  if (source === "mtime" || ms === undefined) return undefined;
  if (ahead === undefined) return new Date(ms).toISOString();
  const local = new Date(ms + ahead * 60_000).toISOString().replace("Z", "");
  const minutes = Math.abs(ahead);
  const two = (count: number) => String(Math.trunc(count)).padStart(2, "0");
  return `${local}${ahead < 0 ? "-" : "+"}${two(minutes / 60)}:${
    two(minutes % 60)
  }`;
}

/**
 * A `GPSCoordinate`: whole degrees, minutes with a fraction, and the
 * hemisphere.
 */
function degrees(value: number, positive: string, negative: string): string {
  const size = Math.abs(value);
  let whole = Math.trunc(size);
  let minutes = Number(((size - whole) * 60).toFixed(8));
  if (minutes === 60) [whole, minutes] = [whole + 1, 0];
  return `${whole},${minutes.toFixed(8)}${value < 0 ? negative : positive}`;
}

function altitudeOf(metres: number | undefined): string | undefined {
  if (metres === undefined || !Number.isFinite(metres)) return undefined;
  return `${Math.round(Math.abs(metres) * 100)}/100`;
}

function refOf(metres: number | undefined): string | undefined {
  return metres === undefined ? undefined : metres < 0 ? "1" : "0";
}

/**
 * Escapes a text for XML 1.0; characters that it cannot contain are removed.
 */
function escaped(text: string): string {
  return escapeXml(
    text.toWellFormed()
      // deno-lint-ignore no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""),
  );
}
