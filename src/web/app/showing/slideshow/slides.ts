/**
 * What a slideshow shows of each photo, loaded before it is its turn.
 *
 * @module
 */
import { MOST_SMALL_PIXELS } from "../../../../media/exif/extent.ts";
import { isPicture, showingOf } from "../../../workers/media/showing.ts";
import { drawable, drawableOriginal } from "../lightbox/drawable.ts";
import { blobOf } from "../lightbox/bytes.ts";
import type { PhotoInfo } from "../../list.ts";
import { vault } from "../../vault.ts";

/** A photo that is ready to be drawn, or a video to play. */
export interface Slide {
  /** Its position among all. */
  readonly place: number;
  readonly info: PhotoInfo;
  /** Absent for a video. */
  readonly picture?: Blob;
}

/** Largest original that is loaded if nothing smaller can be drawn (bytes). */
const MOST_ORIGINAL_BYTES = 64 * 1024 * 1024;

/** Loads the slides of a show; those near the shown one are kept. */
export class Slides {
  readonly #near = new Map<number, Promise<Slide | undefined>>();
  readonly #ending = new AbortController();

  constructor(private readonly ids: readonly string[]) {}

  /**
   * The next slide that can be shown, from a position on in a direction;
   * undefined if there is none.
   */
  async from(place: number, by: 1 | -1): Promise<Slide | undefined> {
    const { length } = this.ids;
    for (let n = 0; n < length; n++) {
      const at = (place + by * n + length * n) % length;
      const slide = await this.#at((at + length) % length);
      if (this.#ending.signal.aborted) return undefined;
      if (slide !== undefined && await this.isThere(slide)) return slide;
    }
    return undefined;
  }

  /** Whether a slide may be shown still: it was not deleted, nor locked away. */
  async isThere({ place, info }: Slide): Promise<boolean> {
    try {
      await vault().photos.info(info.id);
      return true;
    } catch {
      this.#near.delete(place);
      return false;
    }
  }

  /** Loads the one after a position, and forgets those far away. */
  ahead(place: number): void {
    const { length } = this.ids;
    const after = (place + 1) % length;
    const near = [(place - 1 + length) % length, place, after];
    for (const held of this.#near.keys()) {
      if (!near.includes(held)) this.#near.delete(held);
    }
    this.#at(after);
  }

  /** Stops what is being loaded. */
  end(): void {
    this.#ending.abort();
    this.#near.clear();
  }

  #at(place: number): Promise<Slide | undefined> {
    let held = this.#near.get(place);
    if (held === undefined) {
      held = this.#load(place).catch(() => undefined);
      this.#near.set(place, held);
      held.then((slide) => {
        // Another round may find it: a network comes back.
        if (slide === undefined) this.#near.delete(place);
      });
    }
    return held;
  }

  async #load(place: number): Promise<Slide | undefined> {
    const info = await vault().photos.info(this.ids[place] ?? "");
    const showing = showingOf(info.mime);
    if (showing === "video") return { place, info };
    if (!isPicture(info.mime)) return undefined;
    const picture = await pictureOf(info, this.#ending.signal);
    return picture === undefined ? undefined : { place, info, picture };
  }
}

/**
 * The picture that fills a screen: the preview, else the original, else the
 * thumbnail; undefined if none can be drawn.
 */
async function pictureOf(
  info: PhotoInfo,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  const has = (kind: string) =>
    info.derivatives.some((one) => one.kind === kind);
  const small = (part: "preview" | "thumbnail") => async () =>
    await drawable(await blobOf(info.id, part, { signal }), MOST_SMALL_PIXELS);
  const ways = [
    ...(has("preview") ? [small("preview")] : []),
    ...(info.size <= MOST_ORIGINAL_BYTES
      ? [async () =>
        await drawableOriginal(
          await blobOf(info.id, "original", { signal }),
          info,
        )]
      : []),
    ...(has("thumbnail") ? [small("thumbnail")] : []),
  ];
  for (const way of ways) {
    try {
      return await way();
    } catch {
      // The next one may work.
      if (signal.aborted) return undefined;
    }
  }
  return undefined;
}
