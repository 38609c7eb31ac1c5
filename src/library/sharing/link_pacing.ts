/**
 * When a link that follows a list is brought to it: each change stores an index
 * of all its photos.
 *
 * @module
 */

/**
 * Least time between two changes that only add (ms), while photos arrive one by
 * one: with a round of the feed, which a device waits for, it is less than a
 * minute. What has left the list or was deleted leaves the link at once.
 */
const ADDING_MS = 25_000;
/** Pauses after a change that failed, each twice the last one (ms). */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** A list, as far as a link shows it. */
export interface FollowedPhotos {
  /** The assets, in their order, and what guests said of them. */
  readonly shown: readonly string[];
  /** Says of each asset which manifest is its newest one. */
  readonly heads: string;
}

interface Paced {
  /** The list that the link has. */
  readonly list?: FollowedPhotos | undefined;
  /** The link's index, as this device knew it then. */
  readonly index?: string | undefined;
  /** Until when it is let alone (ms). */
  readonly until: number;
  /** The pause after a failure (ms); 0 if the last change was made. */
  readonly pause: number;
  /** The pause after another device wrote something else (ms). */
  readonly contested: number;
}

/** The paces of links, by their ids. */
export class LinkPacing {
  readonly #links = new Map<string, Paced>();

  /** `now` in milliseconds. */
  constructor(private readonly now: () => number) {}

  /**
   * Whether a link is to be brought to this list now. `index` is the one that it
   * has: where another device wrote it, that one may have known less.
   */
  isDue(opaqueId: string, list: FollowedPhotos, index = ""): boolean {
    const link = this.#links.get(opaqueId);
    if (link === undefined) return true;
    const { list: before, until, pause } = link;
    if (before?.heads === list.heads && link.index === index) return false;
    if (this.now() >= until) return true;
    return pause === 0 && hasLost(before?.shown ?? [], list.shown);
  }

  /** Notes that a link has this list and this index, and if that was a change. */
  settled(
    opaqueId: string,
    list: FollowedPhotos,
    isChanged: boolean,
    index = "",
  ): void {
    const before = this.#links.get(opaqueId);
    // Two devices that disagree, such as programs of two versions, would write
    // in turn for ever.
    const contested = isChanged && before?.list?.heads === list.heads
      ? longer(before.contested)
      : 0;
    const until = isChanged ? this.now() + Math.max(ADDING_MS, contested) : 0;
    this.#links.set(opaqueId, { list, index, until, pause: 0, contested });
  }

  /** Notes that a change failed. */
  failed(opaqueId: string): void {
    const before = this.#links.get(opaqueId);
    const pause = longer(before?.pause ?? 0);
    const until = this.now() + pause;
    const { list, index, contested = 0 } = before ?? {};
    this.#links.set(opaqueId, { list, index, until, pause, contested });
  }
}

function longer(pause: number): number {
  return pause === 0 ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
}

function hasLost(before: readonly string[], now: readonly string[]): boolean {
  const there = new Set(now);
  return before.some((id) => !there.has(id));
}
