/**
 * Similar photos: which belong together, and which of them to keep. A group has
 * a first photo, the one that was taken first, and all others resemble that one.
 * So no chain of small differences leads from one photo to quite another.
 *
 * A photo resembles another one if it
 *
 * - has the same content, or
 * - looks almost the same ({@link CLOSE}), whenever it was taken: a copy that was
 *   sent by a messenger, made smaller or saved again, or
 * - looks alike ({@link ALIKE}) and was taken within {@link MOMENT_MS}: one more
 *   picture of the same thing.
 *
 * @module
 */
import { DAY_MS } from "../../core/time.ts";
import {
  differenceOf,
  isPlain,
  type Looks,
} from "../../media/pictures/looks.ts";

/** A photo that may be similar to others. */
export interface Resembling {
  readonly id: string;
  /** The same for photos with the same content. */
  readonly content: string;
  /** When it was taken (ms). */
  readonly taken: number;
  /** A raw file and the picture that was made of it belong together. */
  readonly isRaw: boolean;
  /** Undefined as long as it is not known, or there is no picture. */
  readonly looks: Looks | undefined;
}

/** What finding groups works with. */
interface GroupOptions {
  /** Whether the person said of two photos that they are different. */
  readonly areDifferent: (one: string, other: string) => boolean;
  /** Awaited after each {@link SLICE} of work, so that others have their turn. */
  readonly pause: () => Promise<void>;
}

/** Differing bits of photos that look almost the same, of 64. */
export const CLOSE = 3;
/** Differing bits of photos of the same moment that look alike, of 64. */
export const ALIKE = 10;
/** What was taken within this time may be of the same moment (ms). */
export const MOMENT_MS: number = 5 * 60_000;
/** Photos in a group; it can be looked through. */
export const MOST_IN_GROUP = 40;
/** First photos of the same moment that one is compared with. */
const MOST_OF_MOMENT = 60;
/** Comparisons between two pauses: some milliseconds. */
export const SLICE = 10_000;
/**
 * Two hashes that differ in at most {@link CLOSE} bits have one of so many parts
 * in common.
 */
const BANDS = CLOSE + 1;

/** A group that may get more photos. */
interface Group<P> {
  readonly first: P;
  readonly hash: Uint32Array | undefined;
  readonly all: P[];
}

/**
 * The groups of at least two photos, the newest first; in each, the photos by
 * when they were taken.
 */
export async function similarGroups<P extends Resembling>(
  photos: readonly P[],
  { areDifferent, pause }: GroupOptions,
): Promise<readonly (readonly P[])[]> {
  const byTime = photos.toSorted((a, b) =>
    a.taken - b.taken || (a.id < b.id ? -1 : 1)
  );
  const groups: Group<P>[] = [];
  const byContent = new Map<string, number[]>();
  const byBand = Array.from(
    { length: BANDS },
    () => new Map<number, number[]>(),
  );
  let compared = 0;
  /** The earliest group whose first photo may be of this moment. */
  let since = 0;

  /** The group whose first photo a photo resembles most. */
  const best = (photo: P, hash: Uint32Array | undefined) => {
    let found: Group<P> | undefined;
    let least = Infinity;
    const offer = (at: number, most: number) => {
      const group = groups[at];
      if (group === undefined || group === found) return;
      compared++;
      const difference = between(photo, hash, group);
      if (difference > most || difference >= least) return;
      if (group.all.length >= MOST_IN_GROUP) return;
      if (group.all.some(({ id }) => areDifferent(id, photo.id))) return;
      [found, least] = [group, difference];
    };
    for (const at of byContent.get(photo.content) ?? []) offer(at, CLOSE);
    if (least < 0 || hash === undefined) return found;
    for (let band = 0; band < BANDS; band++) {
      const lists = byBand[band]?.get(partOf(hash, band)) ?? [];
      for (const at of lists) offer(at, CLOSE);
    }
    const from = Math.max(since, groups.length - MOST_OF_MOMENT);
    for (let at = from; at < groups.length; at++) offer(at, ALIKE);
    return found;
  };

  for (const photo of byTime) {
    while (
      since < groups.length &&
      photo.taken - (groups[since]?.first.taken ?? 0) > MOMENT_MS
    ) since++;
    const hash = photo.looks === undefined || isPlain(photo.looks.hash)
      ? undefined
      : photo.looks.hash;
    const group = best(photo, hash);
    if (group !== undefined) group.all.push(photo);
    else {
      const at = groups.push({ first: photo, hash, all: [photo] }) - 1;
      add(byContent, photo.content, at);
      for (const [band, lists] of byBand.entries()) {
        if (hash !== undefined) add(lists, partOf(hash, band), at);
      }
    }
    compared++;
    if (compared >= SLICE) {
      compared = 0;
      await pause();
    }
  }
  return groups.filter(({ all }) => all.length > 1)
    .map(({ all }) => all).toReversed();
}

/** -1 for the same content; Infinity for a raw file and another one. */
function between(
  photo: Resembling,
  hash: Uint32Array | undefined,
  { first, hash: other }: Group<Resembling>,
): number {
  if (photo.content === first.content) return -1;
  if (photo.isRaw !== first.isRaw) return Infinity;
  if (hash === undefined || other === undefined) return Infinity;
  return differenceOf(hash, other);
}

/** 16 of the 64 bits from left to right. */
function partOf(hash: Uint32Array, band: number): number {
  return ((hash[band >>> 1] ?? 0) >>> (16 * (band & 1))) & 0xffff;
}

function add<K>(lists: Map<K, number[]>, key: K, at: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [at]);
  else list.push(at);
}

/** What decides which photos of a group to keep. */
export interface Weighed {
  readonly id: string;
  readonly content: string;
  /** When it was taken (ms). */
  readonly taken: number;
  readonly isFavourite: boolean;
  /**
   * Whether it would be missed elsewhere: in an album, a collection, a link, or
   * the archive.
   */
  readonly isUsed: boolean;
  /** 0 if it is not known. */
  readonly pixels: number;
  /** Bytes of the original. */
  readonly bytes: number;
  readonly sharpness: number | undefined;
}

/** A picture is sharper, or larger, if it is so by more than this share. */
const SHARPER = 1.15;
const LARGER = 1.1;

/**
 * Photos of different content that were taken further apart are not of one
 * occasion, however alike they look: the same tree every year (ms).
 */
const OCCASION_MS = 90 * DAY_MS;

/**
 * The photos of a group that are suggested to be kept: every favourite and
 * everything that is used elsewhere, and of each occasion the best one, unless
 * one of those is as good. There is always one.
 */
export function toKeep(group: readonly Weighed[]): ReadonlySet<string> {
  const kept = group.filter((one) => one.isFavourite || one.isUsed);
  const [best] = group.toSorted(better);
  const ids = new Set(kept.map(({ id }) => id));
  if (best !== undefined && !kept.some((one) => isAsGood(one, best))) {
    ids.add(best.id);
  }
  for (const one of group.toSorted(better)) {
    const isOfKept = group.some((other) =>
      ids.has(other.id) &&
      (other.content === one.content ||
        Math.abs(other.taken - one.taken) <= OCCASION_MS)
    );
    if (!isOfKept) ids.add(one.id);
  }
  return ids;
}

/** Sorts photos of the same thing, the best first. */
function better(a: Weighed, b: Weighed): number {
  const order = [
    stepsOf(b.pixels, LARGER) - stepsOf(a.pixels, LARGER),
    stepsOf(b.sharpness, SHARPER) - stepsOf(a.sharpness, SHARPER),
    Number(b.isFavourite) - Number(a.isFavourite),
    Number(b.isUsed) - Number(a.isUsed),
    b.bytes - a.bytes,
  ];
  return order.find((one) => one !== 0) ?? (a.id < b.id ? -1 : 1);
}

/** Steps instead of shares, so that the order of three is always the same. */
function stepsOf(value: number | undefined, share: number): number {
  return Math.round(Math.log1p(value ?? 0) / Math.log(share));
}

function isAsGood(one: Weighed, best: Weighed): boolean {
  return one.content === best.content ||
    (one.pixels * LARGER >= best.pixels && !isSharper(best, one));
}

/** Whether one is clearly larger than all others of a group. */
export function isLargest(one: Weighed, group: readonly Weighed[]): boolean {
  return group.every((other) =>
    other === one || one.pixels > other.pixels * LARGER
  );
}

/**
 * Whether one is clearly sharper than all others of its size. Of a smaller one
 * that is not known: every picture is sharp once it is small.
 */
export function isSharpest(one: Weighed, group: readonly Weighed[]): boolean {
  const others = group.filter((other) =>
    other !== one && other.pixels * LARGER >= one.pixels
  );
  return others.length > 0 &&
    others.every((other) =>
      one.pixels * LARGER >= other.pixels && isSharper(one, other)
    );
}

function isSharper(a: Weighed, b: Weighed): boolean {
  return a.sharpness !== undefined && b.sharpness !== undefined &&
    a.sharpness > b.sharpness * SHARPER;
}
