/**
 * Reading the facts of raw files that are no TIFF: Fujifilm's RAF and Canon's
 * CR3.
 *
 * @module
 */
import { boxOf, contentOf } from "./boxes.ts";
import { cameraOf, type MediaFacts, shownExtent } from "./facts.ts";
import { factsOf, takenBy } from "./pictures.ts";
import type { MediaReader } from "./reading.ts";
import { findInJpeg } from "./segments.ts";
import { Tiff, type TiffFacts } from "./tiff.ts";

/** Where a RAF says where its JPEG is. */
const RAF_PLACE = 84;

/** Reads a RAF: its JPEG has all the facts. */
export async function readRaf(reader: MediaReader): Promise<MediaFacts> {
  const at = (await reader.view(RAF_PLACE, 4)).getUint32(0);
  return factsOf(await findInJpeg(reader, at));
}

/** Reads a CR3: each directory is a structure in a box of its own. */
export async function readCr3(reader: MediaReader): Promise<MediaFacts> {
  const whole = { at: 0, end: reader.size };
  const canon = await boxOf(reader, whole, "moov", "uuid");
  if (canon === undefined) return {};
  // Its UUID precedes its boxes.
  const inner = { at: canon.at + 16, end: canon.end };
  const read = async (
    type: string,
    factsIn: (tiff: Tiff) => TiffFacts,
  ): Promise<Partial<TiffFacts>> => {
    const box = await boxOf(reader, inner, type);
    if (box === undefined) return {};
    const { buffer } = await contentOf(reader, box);
    const tiff = Tiff.open(new Uint8Array(buffer));
    return tiff === undefined ? {} : factsIn(tiff);
  };
  const main = await read("CMT1", (tiff) => tiff.facts());
  const exif = await read("CMT2", (tiff) => tiff.factsAs("exif"));
  const gps = await read("CMT4", (tiff) => tiff.factsAs("gps"));
  const { rawWidth, rawHeight, dates: _, ...facts } = { ...main, ...exif };
  const camera = cameraOf({
    make: main.camera?.make,
    model: main.camera?.model,
    lens: exif.camera?.lens,
  });
  return {
    ...facts,
    ...takenBy({
      original: exif.dates?.original,
      digitized: exif.dates?.digitized,
      gps: gps.dates?.gps,
      modified: main.dates?.modified,
    }),
    ...(gps.place === undefined ? {} : { place: gps.place }),
    ...(camera === undefined ? {} : { camera }),
    ...shownExtent(rawWidth, rawHeight, main.orientation),
  };
}
