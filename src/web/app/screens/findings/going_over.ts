/**
 * Going over the photos that are to be looked at, some at a time, while this
 * device is not in use: for everything that is looked for in photos.
 *
 * @module
 */
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import type { Thumbnail } from "../../../workers/library/photo_lists.ts";
import { lookAt, type Looked, type Outcome } from "./looking_thread.ts";

/** How photos are gone over. */
interface GoingOver<P, T> {
  readonly work: {
    readonly isHere: { peek(): boolean };
    readonly isBusy: { value: boolean };
    /** Resolves once the device is not in use. */
    idle(): Promise<void>;
  };
  /** Photos between two looks at whether the device is in use. */
  readonly atOnce: number;
  /** Photos after which it is told. */
  readonly toldEvery: number;
  /** The photos to look at next; none if there are no more. */
  next(most: number): Promise<readonly P[]>;
  /** Returns how to get the picture of each of some photos. */
  picturesOf(
    photos: readonly P[],
  ): Promise<(photo: P) => Promise<Blob>> | ((photo: P) => Promise<Blob>);
  look(picture: Blob, photo: P): Promise<Outcome<T>>;
  /** Keeps what became of some photos. */
  keep(looked: Looked<P, T>): Promise<void>;
  /** Tells other devices or pages of what was kept. */
  tell(): Promise<void>;
}

/**
 * Looks at all photos that there are. Throws why that failed; what was looked at
 * before is kept and told.
 */
export async function goOver<P, T>(
  { work, atOnce, toldEvery, ...how }: GoingOver<P, T>,
): Promise<void> {
  let untold = 0;
  try {
    while (work.isHere.peek()) {
      await work.idle();
      const photos = await how.next(atOnce);
      if (photos.length === 0) break;
      work.isBusy.value = true;
      const pictureOf = await how.picturesOf(photos);
      const looked = await lookAt(photos, pictureOf, how.look);
      await how.keep(looked);
      // Those that were passed over as well: fewer are left.
      untold += looked.looked.length + looked.passed.length +
        looked.unable.length;
      if ("fault" in looked) throw looked.fault;
      if (untold < toldEvery) continue;
      await how.tell();
      untold = 0;
    }
  } finally {
    if (untold > 0) await how.tell();
  }
}

/**
 * How to get small pictures that were fetched together. What could not be
 * fetched now is missing for want of a connection, and is to be looked at later.
 */
export function smallPictures(
  thumbnails: readonly Thumbnail[],
): (photo: { readonly id: string }) => Promise<Blob> {
  const byId = new Map(thumbnails.map((one) => [one.id, one]));
  return ({ id }) => {
    const { bytes, mime: type = "image/jpeg", missing } = byId.get(id) ?? {};
    if (bytes !== undefined) {
      return Promise.resolve(new Blob([bytes], { type }));
    }
    const kind = missing === "later" ? "ConnectionError" : "Error";
    const message = `no small picture: ${missing ?? "none"}`;
    return Promise.reject(new ThreadError({ kind, message }));
  };
}
