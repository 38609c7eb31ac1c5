/**
 * When the link of a picture frame is brought to its list: each change stores an
 * index of all its photos.
 *
 * @module
 */

/**
 * Least time between two changes that only add (ms), while photos arrive one by
 * one. What has left the list leaves the frame at once.
 */
const ADDING_MS = 120_000;
/** Pauses after a change that failed, each twice the last one (ms). */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** A list, as far as a frame shows it. */
export interface FrameList {
  /** The assets, in their order. */
  readonly assets: readonly string[];
  /** Says of each of them which manifest is its newest one. */
  readonly heads: string;
}

interface Paced {
  /** The list that the frame has. */
  readonly list?: FrameList | undefined;
  /** Until when it is let alone (ms). */
  readonly until: number;
  /** The pause after a failure (ms); 0 if the last change was made. */
  readonly pause: number;
}

/** The paces of the frames, by their links. */
export class FramePacing {
  readonly #frames = new Map<string, Paced>();

  /** `now` in milliseconds. */
  constructor(private readonly now: () => number) {}

  /** Whether a frame is to be brought to this list now. */
  isDue(opaqueId: string, list: FrameList): boolean {
    const frame = this.#frames.get(opaqueId);
    if (frame === undefined) return true;
    const { list: before, until, pause } = frame;
    if (before?.heads === list.heads) return false;
    if (this.now() >= until) return true;
    return pause === 0 && hasLost(before?.assets ?? [], list.assets);
  }

  /** Notes that a frame has this list, and whether that was a change. */
  settled(opaqueId: string, list: FrameList, isChanged: boolean): void {
    const until = isChanged ? this.now() + ADDING_MS : 0;
    this.#frames.set(opaqueId, { list, until, pause: 0 });
  }

  /** Notes that a change failed. */
  failed(opaqueId: string): void {
    const before = this.#frames.get(opaqueId);
    const pause = before === undefined || before.pause === 0
      ? FIRST_PAUSE_MS
      : Math.min(before.pause * 2, LONGEST_PAUSE_MS);
    const until = this.now() + pause;
    this.#frames.set(opaqueId, { list: before?.list, until, pause });
  }
}

function hasLost(before: readonly string[], now: readonly string[]): boolean {
  const there = new Set(now);
  return before.some((id) => !there.has(id));
}
