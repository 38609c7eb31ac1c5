/**
 * Decoding what the platform's decoder does not, smaller than it is: JPEGs that
 * it does not know, and JPEGs and PNGs that it would hold whole.
 *
 * @module
 */
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { type KnownMedia, mostPixelsIn } from "../exif/extent.ts";
import { readMediaFacts } from "../exif/mod.ts";
import { decodeJpeg } from "./jpeg.ts";
import { decodePng } from "./png.ts";
import { type Pixels, upright } from "./reducing.ts";

/**
 * A JPEG or a PNG, upright, whose longest side is at least `longest`, or as it
 * is if that is shorter. `known` is what was seen of it, which must be
 * proportionate. Undefined for any other file, and where it cannot be decoded.
 * Throws what the source throws.
 */
export async function decodeReduced(
  source: PlainSource,
  { type, width = 0, height = 0 }: KnownMedia,
  longest: number,
): Promise<Pixels | undefined> {
  if (width * height > mostPixelsIn(source.size)) return undefined;
  const pixels = type === "image/jpeg"
    ? await decodeJpeg(source, longest)
    : type === "image/png"
    ? await decodePng(source, longest)
    : undefined;
  if (pixels === undefined) return undefined;
  const { orientation } = await readMediaFacts(source);
  return upright(pixels, orientation);
}
