/**
 * A player fed through Media Source, with only the next seconds of a video and
 * from any position.
 *
 * @module
 */
import type { FilmKind } from "../../../../library/showing/films.ts";
import type { Segment } from "../../../workers/media/videos/cutting.ts";
import { mediaThread } from "../../upload/media_threads.ts";
import { vault } from "../../vault.ts";

/** Seconds that are held ahead of and behind the present position. */
const AHEAD_S = 20;
const BEHIND_S = 20;
/** Longest gap at the beginning that is skipped (seconds). */
const GAP_S = 1;

/** Media Source with the property of the managed one on iPhones. */
interface Source extends MediaSource {
  readonly streaming?: boolean;
}
declare const ManagedMediaSource: (new () => Source) | undefined;

/** A video in a player. */
export class Remuxed {
  /** Ended if the video holds it up. */
  readonly #thread = mediaThread("video");
  readonly #source: Source;
  readonly #ending = new AbortController();
  readonly #buffers = new Map<number, SourceBuffer>();
  #address = "";
  #busy = false;
  #ended = false;
  /** The position of a seek that is not handled yet. */
  #wanted: number | undefined;

  constructor(
    private readonly player: HTMLVideoElement,
    private readonly failed: (error: unknown) => void,
  ) {
    const managed = typeof ManagedMediaSource === "undefined"
      ? undefined
      : ManagedMediaSource;
    this.#source = managed === undefined ? new MediaSource() : new managed();
    // A managed source can play only on this device.
    player.disableRemotePlayback = true;
  }

  /** Opens a video or a copy. Rejects if this browser lacks its codecs. */
  async open(assetId: string, size: number, copy?: FilmKind): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    vault().viewing.parts(assetId, port1, copy);
    const video = await this.#thread.run(({ videos }) =>
      videos.open(size, port2)
    );
    const playable = video.tracks
      .filter(({ type }) => MediaSource.isTypeSupported(type));
    // Of each kind only the first track is played.
    const kinds = ["video", "audio"] as const;
    const tracks = kinds.flatMap((kind) =>
      playable.filter((track) => track.kind === kind).slice(0, 1)
    );
    if (tracks[0]?.kind !== video.tracks[0]?.kind) throw new Error("no codec");
    const { signal } = this.#ending;
    signal.throwIfAborted();
    this.#address = URL.createObjectURL(this.#source);
    const isOpen = heard(this.#source, "sourceopen", signal);
    this.player.src = this.#address;
    await isOpen;
    this.#source.duration = video.seconds;
    for (const { id, type } of tracks) {
      this.#buffers.set(id, this.#source.addSourceBuffer(type));
    }
    const ids = tracks.map(({ id }) => id);
    await this.#append(
      await this.#thread.run(({ videos }) => videos.begin(ids)),
    );
    for (const event of ["timeupdate", "waiting", "progress"]) {
      this.player.addEventListener(event, () => this.#feed(), { signal });
    }
    this.player.addEventListener("seeking", () => {
      if (this.#ahead() > 0) return;
      this.#wanted = this.player.currentTime;
      this.#feed();
    }, { signal });
    this.#source.addEventListener("startstreaming", () => this.#feed(), {
      signal,
    });
    await this.#thread.run(({ videos }) => videos.seek(0));
    this.#feed();
  }

  /** Ends the thread and releases everything. */
  close(): void {
    this.#ending.abort();
    this.#thread.end();
    URL.revokeObjectURL(this.#address);
  }

  /** Seconds that are buffered from the present position. */
  #ahead(): number {
    const { buffered, currentTime } = this.player;
    for (let n = 0; n < buffered.length; n++) {
      if (
        buffered.start(n) <= currentTime + 0.1 && currentTime < buffered.end(n)
      ) return buffered.end(n) - currentTime;
    }
    return 0;
  }

  async #feed(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#isHungry()) {
        const wanted = this.#wanted;
        this.#wanted = undefined;
        if (wanted !== undefined) {
          this.#ended = false;
          await this.#thread.run(({ videos }) => videos.seek(wanted));
        }
        const segments = await this.#thread.run(({ videos }) => videos.next());
        if (this.#ending.signal.aborted) return;
        // Someone has sought to another position meanwhile.
        if (this.#wanted !== undefined) continue;
        if (segments.length === 0) {
          this.#ended = true;
          if (this.#source.readyState === "open") this.#source.endOfStream();
          continue;
        }
        await this.#append(segments);
        this.#overGap();
      }
    } catch (error) {
      if (!this.#ending.signal.aborted) this.failed(error);
    } finally {
      this.#busy = false;
    }
  }

  #isHungry(): boolean {
    if (this.#ending.signal.aborted) return false;
    if (this.#wanted !== undefined) return true;
    if (this.#ended || this.#source.streaming === false) return false;
    return this.#ahead() < AHEAD_S;
  }

  async #append(segments: readonly Segment[]): Promise<void> {
    for (const { track, bytes } of segments) {
      const buffer = this.#buffers.get(track);
      if (buffer === undefined) continue;
      try {
        await this.#done(buffer, () => buffer.appendBuffer(bytes));
      } catch (error) {
        const isFull = error instanceof DOMException &&
          error.name === "QuotaExceededError";
        if (!isFull) throw error;
        await this.#forget(buffer, 1);
        await this.#done(buffer, () => buffer.appendBuffer(bytes));
      }
      await this.#forget(buffer, BEHIND_S);
    }
  }

  /** Removes segments that were played or skipped by a seek. */
  async #forget(buffer: SourceBuffer, seconds: number): Promise<void> {
    const until = this.player.currentTime - seconds;
    const { buffered } = buffer;
    if (buffered.length > 0 && buffered.start(0) < until - BEHIND_S) {
      await this.#done(buffer, () => buffer.remove(0, until));
    }
  }

  async #done(buffer: SourceBuffer, act: () => void): Promise<void> {
    const { signal } = this.#ending;
    const done = heard(buffer, "updateend", signal);
    act();
    await done;
    signal.throwIfAborted();
  }

  /** Skips a short gap, with which some videos begin. */
  #overGap(): void {
    const { buffered, currentTime } = this.player;
    if (this.#ahead() > 0) return;
    for (let n = 0; n < buffered.length; n++) {
      const gap = buffered.start(n) - currentTime;
      if (gap > 0 && gap < GAP_S) {
        this.player.currentTime = buffered.start(n) + 0.01;
        return;
      }
    }
  }
}

function heard(
  target: EventTarget,
  event: string,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    target.addEventListener(event, () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => reject(signal.reason), {
      once: true,
    });
  });
}
