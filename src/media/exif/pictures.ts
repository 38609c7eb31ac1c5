/**
 * The facts in the EXIF and the XMP of a picture.
 *
 * @module
 */
import { readXmp } from "../exports/xmp.ts";
import { believed, type Dates, takenOf } from "./dates.ts";
import { captionOf, type MediaFacts, ratingOf, shownExtent } from "./facts.ts";
import { readIptc, RESOURCE, resourceIn } from "./iptc.ts";
import type { Found } from "./segments.ts";
import { Tiff } from "./tiff.ts";

/** Combines the facts of a picture's parts. */
export function factsOf(
  { width, height, exif, xmp: packet, iptc: block, resources, text }: Found,
): MediaFacts {
  const tiff = exif === undefined ? undefined : Tiff.open(exif);
  const { rawWidth, rawHeight, dates, ...facts } = tiff?.facts() ??
    { dates: {} };
  const xmp = packet ?? tiff?.xmp();
  const iptc = block ?? firstIptc(resources) ?? tiff?.iptc();
  const orientation = "orientation" in facts ? facts.orientation : undefined;
  // Programs write captions into XMP, and some of them to EXIF as well.
  const said = xmp === undefined ? undefined : readXmp(xmp);
  const old = iptc === undefined ? undefined : readIptc(iptc);
  const caption = captionOf(said?.caption) ?? old?.caption;
  const rating = ratingOf(said?.rating);
  const place = ("place" in facts ? facts.place : undefined) ?? said?.place;
  const keywords = said?.keywords ?? old?.keywords;
  return {
    ...facts,
    ...takenBy({
      ...dates,
      xmp: said,
      iptc: old?.taken,
      text: text === undefined ? undefined : takenOf(text),
    }),
    ...(place === undefined ? {} : { place }),
    ...(caption === undefined ? {} : { caption }),
    ...(rating === undefined ? {} : { rating }),
    ...(keywords === undefined ? {} : { keywords }),
    ...shownExtent(width ?? rawWidth, height ?? rawHeight, orientation),
  };
}

function firstIptc(segments: Found["resources"] = []): Uint8Array | undefined {
  for (const segment of segments) {
    const block = resourceIn(segment, RESOURCE.iptc);
    if (block !== undefined) return block;
  }
  return undefined;
}

/** The date of a file that has several. */
export function takenBy(
  dates: Dates,
): Pick<
  MediaFacts,
  "takenAt" | "takenOffset" | "takenIsUtc" | "takenIsSaved"
> {
  const known = believed(dates);
  if (known === undefined) return {};
  const { takenAt, takenOffset, takenIsUtc } = known.taken;
  return {
    ...(takenAt === undefined ? {} : { takenAt }),
    ...(takenOffset === undefined ? {} : { takenOffset }),
    ...(takenIsUtc === undefined ? {} : { takenIsUtc }),
    ...(known.from === "modified" ? { takenIsSaved: true } : {}),
  };
}
