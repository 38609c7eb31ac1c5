/**
 * The facts in the EXIF and the XMP of a picture.
 *
 * @module
 */
import { readXmp } from "../exports/xmp.ts";
import { captionOf, type MediaFacts, ratingOf, shownExtent } from "./facts.ts";
import type { Found } from "./segments.ts";
import { Tiff } from "./tiff.ts";

/** Combines the facts of a picture's parts. */
export function factsOf(
  { width, height, exif, xmp: packet }: Found,
): MediaFacts {
  const tiff = exif === undefined ? undefined : Tiff.open(exif);
  const { rawWidth, rawHeight, ...facts } = tiff?.facts() ?? {};
  const xmp = packet ?? tiff?.xmp();
  const orientation = "orientation" in facts ? facts.orientation : undefined;
  // Programs write captions into XMP, and some of them to EXIF as well.
  const said = xmp === undefined ? undefined : readXmp(xmp);
  const caption = captionOf(said?.caption);
  const rating = ratingOf(said?.rating);
  return {
    ...facts,
    ...(caption === undefined ? {} : { caption }),
    ...(rating === undefined ? {} : { rating }),
    ...(said?.keywords === undefined ? {} : { keywords: said.keywords }),
    ...shownExtent(width ?? rawWidth, height ?? rawHeight, orientation),
  };
}
