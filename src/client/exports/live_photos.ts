/**
 * Pairing the two halves of a live photo: a still and a video of a few seconds,
 * which exports write as two files of the same name.
 *
 * @module
 */
import type { MediaFacts } from "../exif/mod.ts";
import { folderOf, partsOf } from "./takeout.ts";

/** Longest video of a live photo (ms). */
const LONGEST_MS = 4_000;

const STILL = /^\.(heic|heif|jpe?g|png|webp|dng)$/i;
const VIDEO = /^\.(mov|mp4|mp|mp~\d)$/i;

/** Pairs stills with videos by their names; the keys are the stills. */
export function pairByName<F extends { readonly path: string }>(
  files: readonly F[],
): Map<F, F> {
  const groups = new Map<string, { stills: F[]; videos: F[] }>();
  for (const file of files) {
    const { folder, name } = folderOf(file.path);
    const { stem, end, number } = partsOf(name);
    const isStill = STILL.test(end);
    if (!isStill && !VIDEO.test(end)) continue;
    // A Pixel phone names a still `walk.MP.jpg` and its video `walk.MP`.
    const bare = stem.replace(/\.mp$/i, "").toLowerCase();
    const key = `${folder}\0${bare}\0${number}`;
    const group = groups.get(key) ?? { stills: [], videos: [] };
    groups.set(key, group);
    group[isStill ? "stills" : "videos"].push(file);
  }
  const pairs = new Map<F, F>();
  for (
    const { stills: [still, ...more], videos: [video, ...others] } of groups
      .values()
  ) {
    const isPair = more.length === 0 && others.length === 0;
    if (isPair && still !== undefined && video !== undefined) {
      pairs.set(still, video);
    }
  }
  return pairs;
}

/**
 * Whether two files of the same name are one live photo: both have the same
 * content identifier, or, if one has none, the video is short and the export
 * has no sidecar of its own for it.
 */
export function isLivePhoto(
  still: MediaFacts,
  video: MediaFacts,
  videoIsKnownAlone: boolean,
): boolean {
  if (
    still.contentIdentifier !== undefined &&
    video.contentIdentifier !== undefined
  ) {
    return still.contentIdentifier === video.contentIdentifier;
  }
  return !videoIsKnownAlone && (video.durationMs ?? 0) <= LONGEST_MS;
}
