/**
 * Pairing the two halves of a live photo: a still and a film of a few seconds,
 * which exports write as two files of the same name.
 *
 * @module
 */
import type { MediaFacts } from "../exif/mod.ts";
import { folderOf, partsOf } from "./takeout.ts";

/** Longest film of a live photo (ms). */
const LONGEST_MS = 4_000;

const STILL = /^\.(heic|heif|jpe?g|png|webp|dng)$/i;
const FILM = /^\.(mov|mp4|mp|mp~\d)$/i;

/** Whether a file with this name may be the film of a live photo. */
export function isMotionName(name: string): boolean {
  return FILM.test(partsOf(name).end);
}

/** Pairs stills with films by their names; the keys are the stills. */
export function pairByName<F extends { readonly path: string }>(
  files: readonly F[],
): Map<F, F> {
  const groups = new Map<string, { stills: F[]; films: F[] }>();
  for (const file of files) {
    const { folder, name } = folderOf(file.path);
    const { stem, end, number } = partsOf(name);
    const isStill = STILL.test(end);
    if (!isStill && !FILM.test(end)) continue;
    // A Pixel phone names a still `walk.MP.jpg` and its film `walk.MP`.
    const bare = stem.replace(/\.mp$/i, "").toLowerCase();
    const key = `${folder}\0${bare}\0${number}`;
    const group = groups.get(key) ?? { stills: [], films: [] };
    groups.set(key, group);
    group[isStill ? "stills" : "films"].push(file);
  }
  const pairs = new Map<F, F>();
  for (
    const { stills: [still, ...more], films: [film, ...others] } of groups
      .values()
  ) {
    const isPair = more.length === 0 && others.length === 0;
    if (isPair && still !== undefined && film !== undefined) {
      pairs.set(still, film);
    }
  }
  return pairs;
}

/**
 * Whether two files of the same name are one live photo: both have the same
 * content identifier, or, if one has none, the film is short and the export has
 * no sidecar of its own for it.
 */
export function isLivePhoto(
  still: MediaFacts,
  film: MediaFacts,
  filmIsKnownAlone: boolean,
): boolean {
  if (
    still.contentIdentifier !== undefined &&
    film.contentIdentifier !== undefined
  ) {
    return still.contentIdentifier === film.contentIdentifier;
  }
  return !filmIsKnownAlone && (film.durationMs ?? 0) <= LONGEST_MS;
}
