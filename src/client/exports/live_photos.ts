/**
 * Pairing the two halves of a live photo: a still and a video of a few seconds,
 * which exports write as two files of the same name.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { type MediaFacts, readMediaFacts } from "../exif/mod.ts";
import { mediaTypeOf } from "../media_types.ts";
import type { PlainSource } from "../sealer.ts";
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

/** A larger video is an asset of its own (bytes). */
const MAX_MOTION_BYTES = 32 * 1024 * 1024;

/** The video of a live photo, as one of its small parts. */
export interface Motion {
  readonly kind: "motion";
  readonly mime: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly bytes: Bytes;
}

/** Whether two files of a name have to prove that they are one photo. */
export interface Pairing {
  /** The export tells of the video by itself. */
  readonly isKnownAlone: boolean;
  /** A video that does not say how long it is may be any. */
  readonly needsLength: boolean;
}

/** Files that nothing tells of but themselves. */
export const UNTOLD: Pairing = { isKnownAlone: false, needsLength: true };

/** The video as part of its still; undefined where the two are no pair. */
export async function motionOf(
  still: PlainSource,
  video: PlainSource,
  name: string,
  { isKnownAlone, needsLength }: Pairing,
): Promise<Motion | undefined> {
  if (video.size > MAX_MOTION_BYTES) return undefined;
  const [picture, moving] = [
    await readMediaFacts(still),
    await readMediaFacts(video),
  ];
  const isTold = moving.durationMs !== undefined ||
    moving.contentIdentifier !== undefined;
  if (needsLength && !isTold) return undefined;
  if (!isLivePhoto(picture, moving, isKnownAlone)) return undefined;
  const mime = mediaTypeOf(name);
  return {
    kind: "motion",
    mime: mime.startsWith("video/") ? mime : "video/mp4",
    width: moving.width,
    height: moving.height,
    bytes: await video.read(0, video.size),
  };
}
