/**
 * Pairing the two halves of a live photo: a still and a video of a few seconds,
 * which exports write as two files of the same name.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { HOUR_MS, MINUTE_MS, readTime, SECOND_MS } from "../../core/time.ts";
import { type MediaFacts, readMediaFacts } from "../exif/mod.ts";
import { mediaTypeOf } from "../media_types.ts";
import type { PlainSource } from "../../client/stream/sealer.ts";
import { folderOf, partsOf } from "./takeout.ts";

/** Longest video of a live photo (ms). */
const LONGEST_MS = 4_000;

const STILL = /^\.(heic|heif|avif|jpe?g|png|webp|dng)$/i;
/** Of several stills of a name the video is that of the camera's own. */
const ORIGINAL = /^\.(heic|heif)$/i;
const VIDEO = /^\.(mov|mp4|mp|mp~\d)$/i;
/** Google's export leaves the end of these videos out. */
const BARE_VIDEO = /^MVIMG_/i;

/**
 * Pairs stills with videos by their names; the keys are the stills. Of a HEIC
 * and a JPEG of one name the HEIC has the video.
 */
export function pairByName<F extends { readonly path: string }>(
  files: readonly F[],
): Map<F, F> {
  const groups = new Map<string, { stills: F[]; videos: F[] }>();
  for (const file of files) {
    const { folder, name } = folderOf(file.path);
    const { stem, end, number } = partsOf(name);
    const isStill = STILL.test(end);
    const isVideo = VIDEO.test(end) || (end === "" && BARE_VIDEO.test(stem));
    if (!isStill && !isVideo) continue;
    // A Pixel phone names a still `walk.MP.jpg` and its video `walk.MP`; iCloud
    // names the video of `walk.JPG` `walk_HEVC.MOV`.
    const bare = stem.replace(isStill ? /\.mp$/i : /\.mp$|_hevc$/i, "")
      .toLowerCase();
    const key = `${folder}\0${bare}\0${number}`;
    const group = groups.get(key) ?? { stills: [], videos: [] };
    groups.set(key, group);
    group[isStill ? "stills" : "videos"].push(file);
  }
  const pairs = new Map<F, F>();
  for (const { stills, videos: [video, ...others] } of groups.values()) {
    const originals = stills.length === 1
      ? stills
      : stills.filter(({ path }) => ORIGINAL.test(partsOf(path).end));
    const [still, ...more] = originals;
    const isPair = more.length === 0 && others.length === 0;
    if (isPair && still !== undefined && video !== undefined) {
      pairs.set(still, video);
    }
  }
  return pairs;
}

/** Stills of the same name as a pair, such as the JPEG of an edited HEIC. */
export function besidePairs<F extends { readonly path: string }>(
  files: readonly F[],
  pairs: ReadonlyMap<F, F>,
): F[] {
  const bareOf = ({ path }: F) => {
    const { folder, name } = folderOf(path);
    const { stem, number } = partsOf(name);
    return `${folder}\0${stem.toLowerCase()}\0${number}`;
  };
  const paired = new Set([...pairs.keys()].map(bareOf));
  return files.filter((file) =>
    STILL.test(partsOf(file.path).end) && !pairs.has(file) &&
    paired.has(bareOf(file))
  );
}

/** The halves of a live photo are taken within so much (ms). */
const MOMENT_MS = 3 * SECOND_MS;
/** Zones differ by multiples of this (ms). */
const ZONE_MS = 15 * MINUTE_MS;
const WIDEST_ZONE_MS = 14 * HOUR_MS;

/**
 * Whether two were taken at once, as far as their clocks tell their zones: the
 * header of a video ought to be UTC, but many cameras write local time.
 */
export function areAtOnce(one: MediaFacts, other: MediaFacts): boolean {
  const [a, b] = [readTime(one.takenAt), readTime(other.takenAt)];
  if (a === undefined || b === undefined) return false;
  const apart = Math.abs(a - b);
  if (apart <= MOMENT_MS) return true;
  const isKnown = one.takenOffset !== undefined &&
    other.takenOffset !== undefined;
  const rest = apart % ZONE_MS;
  return !isKnown && apart <= WIDEST_ZONE_MS + MOMENT_MS &&
    Math.min(rest, ZONE_MS - rest) <= MOMENT_MS;
}

/**
 * Whether two files of the same name are one live photo: both have the same
 * content identifier, or, if one has none, the video is short, was taken with
 * the still or has no date, and the export has no sidecar of its own for it.
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
  return !videoIsKnownAlone && (video.durationMs ?? 0) <= LONGEST_MS &&
    (video.takenAt === undefined || areAtOnce(still, video));
}

/** A larger video is an asset of its own (bytes). */
const MAX_MOTION_BYTES = 32 * 1024 * 1024;

/** The video of a live photo, as one of its small parts. */
export interface Motion {
  readonly kind: "motion";
  readonly mime: string;
  /** Its file's name and when it was taken, which need not be the still's. */
  readonly name: string;
  readonly taken_at: string | undefined;
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
    name: folderOf(name).name,
    taken_at: moving.takenAt,
    mime: mime.startsWith("video/") ? mime : "video/mp4",
    width: moving.width,
    height: moving.height,
    bytes: await video.read(0, video.size),
  };
}
