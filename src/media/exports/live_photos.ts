/**
 * Pairing the two halves of a live photo: a still and a video of a few seconds,
 * which exports write as two files of the same name.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { HOUR_MS, MINUTE_MS, readTime, SECOND_MS } from "../../core/time.ts";
import {
  type MediaFacts,
  readContentIdentifier,
  readMediaFacts,
} from "../exif/mod.ts";
import { mediaTypeOf } from "../media_types.ts";
import type { PlainSource } from "../../client/stream/sealer.ts";
import { folderOf, partsOf } from "./takeout.ts";

/** Longest video that a name alone makes part of a live photo (ms). */
const LONGEST_MS = 4_000;

const STILL = /^\.(heic|heif|avif|jpe?g|png|webp|dng)$/i;
/** Of several stills of a name the video is that of the camera's own. */
const ORIGINAL = /^\.(heic|heif)$/i;
const VIDEO = /^\.(mov|mp4|mp|mp~\d)$/i;
/** Google's export leaves the end of these videos out. */
const BARE_VIDEO = /^MVIMG_/i;

/** Whether a file is a still or a video of a live photo, judged by its name. */
function halfOf(path: string): "still" | "video" | undefined {
  const { stem, end } = partsOf(folderOf(path).name);
  if (STILL.test(end)) return "still";
  const isVideo = VIDEO.test(end) || (end === "" && BARE_VIDEO.test(stem));
  return isVideo ? "video" : undefined;
}

/** Whether a file is the video of a live photo, judged by its name. */
export function isVideoHalf(path: string): boolean {
  return halfOf(path) === "video";
}

/** What the names of both halves have in common, with their folder. */
function nameKey(path: string): string {
  const { folder, name } = folderOf(path);
  const { stem, number } = partsOf(name);
  // A Pixel phone names a still `walk.MP.jpg` and its video `walk.MP`; iCloud
  // names the video of `walk.JPG` `walk_HEVC.MOV`.
  const end = halfOf(path) === "still" ? /\.mp$/i : /\.mp$|_hevc$/i;
  return `${folder}\0${stem.replace(end, "").toLowerCase()}\0${number}`;
}

/**
 * Pairs stills with videos by their names; the keys are the stills. Of a HEIC
 * and a JPEG of one name the HEIC has the video.
 */
export function pairByName<F extends { readonly path: string }>(
  files: readonly F[],
): Map<F, F> {
  const halves = files.filter(({ path }) => halfOf(path) !== undefined);
  const pairs = new Map<F, F>();
  for (const group of Map.groupBy(halves, (f) => nameKey(f.path)).values()) {
    const stills = group.filter(({ path }) => halfOf(path) === "still");
    const [video, ...others] = group.filter((file) => !stills.includes(file));
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

/** Stills that may have Apple's note, which has the identifier. */
const WITH_NOTE = /\.(heic|heif|jpe?g)$/i;

/**
 * Pairs the stills and videos of a folder by their content identifier, whatever
 * their names, and the rest by their names. A still of the video's name comes
 * first, and of those a HEIC; under other names only the one still and the one
 * video that are left of an identifier are a pair. `identifierOf`, for which
 * {@link identifierIn} is there, is asked of every video, and of stills only
 * where a video has an identifier.
 */
export async function pairFiles<F extends { readonly path: string }>(
  files: readonly F[],
  identifierOf: (file: F) => Promise<string | undefined>,
): Promise<Map<F, F>> {
  const known = new Map<F, Promise<string | undefined>>();
  const idOf = async (file: F) => {
    const asked = known.get(file) ?? identifierOf(file);
    known.set(file, asked);
    return await asked;
  };
  const isOriginal = ({ path }: F) => ORIGINAL.test(partsOf(path).end);
  const stills = files.filter(({ path }) => WITH_NOTE.test(path))
    .sort((a, b) => Number(isOriginal(b)) - Number(isOriginal(a)));
  const named = Map.groupBy(stills, ({ path }) => nameKey(path));
  const pairs = new Map<F, F>();
  const left: { readonly video: F; readonly key: string }[] = [];
  for (const video of files.filter(({ path }) => isVideoHalf(path))) {
    const id = await idOf(video);
    if (id === undefined) continue;
    let still: F | undefined;
    for (const one of named.get(nameKey(video.path)) ?? []) {
      if (still === undefined && !pairs.has(one) && await idOf(one) === id) {
        still = one;
      }
    }
    if (still !== undefined) pairs.set(still, video);
    else left.push({ video, key: `${folderOf(video.path).folder}\0${id}` });
  }
  const byId = new Map<string, F[]>();
  const folders = new Set(left.map(({ video }) => folderOf(video.path).folder));
  for (const still of left.length === 0 ? [] : stills) {
    const { folder } = folderOf(still.path);
    if (pairs.has(still) || !folders.has(folder)) continue;
    const id = await idOf(still);
    if (id === undefined) continue;
    const key = `${folder}\0${id}`;
    const others = byId.get(key);
    if (others === undefined) byId.set(key, [still]);
    else others.push(still);
  }
  // Of several with one identifier nothing but their names tells which belong
  // together.
  for (const [key, videos] of Map.groupBy(left, ({ key }) => key)) {
    const [still, ...others] = byId.get(key) ?? [];
    const [first, ...more] = videos;
    const isOnly = others.length === 0 && more.length === 0;
    if (isOnly && still !== undefined && first !== undefined) {
      pairs.set(still, first.video);
    }
  }
  const taken = new Set([...pairs].flat());
  const rest = files.filter((file) => !taken.has(file));
  return new Map([...pairs, ...pairByName(rest)]);
}

/** Stills of the same name as a pair, such as the JPEG of an edited HEIC. */
export function besidePairs<F extends { readonly path: string }>(
  files: readonly F[],
  pairs: ReadonlyMap<F, F>,
): F[] {
  const paired = new Set([...pairs.keys()].map(({ path }) => nameKey(path)));
  return files.filter((file) =>
    halfOf(file.path) === "still" && !pairs.has(file) &&
    paired.has(nameKey(file.path))
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
 * Whether two files are one live photo: both have the same content identifier,
 * or, if one has none, the video is short, was taken with the still or has no
 * date, and the export has no sidecar of its own for it.
 *
 * An identifier says so by itself, of a video of any length and date: Apple's
 * Photos goes by it alone, as immich does, and other apps make live photos from
 * long videos and write it into both files. Only {@link MAX_MOTION_BYTES} bounds
 * them.
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
export const MAX_MOTION_BYTES: number = 32 * 1024 * 1024;

/**
 * The content identifier in a still or a video, by which {@link pairFiles}
 * pairs. Undefined for a video that is too large for a live photo, and for a
 * file that cannot be read, which is named when its turn comes. Throws errors of
 * the source that `isOfAll` says are about more than this file.
 */
export async function identifierIn(
  path: string,
  source: PlainSource,
  isOfAll: (error: unknown) => boolean = () => false,
): Promise<string | undefined> {
  if (isVideoHalf(path) && source.size > MAX_MOTION_BYTES) return undefined;
  try {
    return await readContentIdentifier(source);
  } catch (error) {
    if (isOfAll(error)) throw error;
    return undefined;
  }
}

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
