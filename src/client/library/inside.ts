/**
 * What a photo has inside, beside its picture, or is: noted when it was added,
 * as its file says it.
 *
 * @module
 */
import type { Metadata, PhotoEdit } from "../metadata.ts";

/** Whether a photo has a video: beside it, or in its own file. */
export function hasVideo({ derivatives, inside = [] }: Metadata): boolean {
  return inside.includes("video") ||
    derivatives.some(({ kind }) => kind === "motion");
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
