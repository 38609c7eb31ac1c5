/**
 * What a photo has inside, besides its picture, or is: noted when it was added,
 * as its file says it.
 *
 * @module
 */
import type { MediaFacts } from "../../media/exif/facts.ts";
import type { Metadata, PhotoEdit } from "../../client/documents/metadata.ts";

/** Whether a photo has a video: next to it, or in its own file. */
export function hasVideo({ derivatives, inside = [] }: Metadata): boolean {
  return inside.includes("video") ||
    derivatives.some(({ kind }) => kind === "motion");
}

/**
 * Whether a file may tell where it was taken: it was seen to when it was added,
 * or could not be understood. A place that a person wrote or a sidecar had
 * counts, too.
 */
export function mayTellPlace(
  { place, inside = [] }: Pick<Metadata | MediaFacts, "place" | "inside">,
): boolean {
  return place !== undefined || inside.includes("place");
}

/** Whether a photo is shown as a sphere, which one can look around in. */
export function isSphere({ inside = [], edit }: Metadata): boolean {
  return inside.includes("sphere") && keepsShape(edit);
}

/**
 * Whether a photo still has the shape of its original: a sphere that was turned
 * or cut is a picture like others.
 */
export function keepsShape(edit: PhotoEdit | undefined): boolean {
  if (edit === undefined) return true;
  const { mirrored, turns, angle, crop } = edit;
  return !mirrored && !turns && !angle && crop === undefined;
}
