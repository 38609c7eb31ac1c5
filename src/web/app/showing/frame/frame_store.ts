/**
 * What a picture frame keeps in its browser: the link with its key, the list of
 * photos as it was last, and some of the photos, for when there is no network.
 *
 * @module
 */
import type { FrameItem } from "../../../workers/shared/share_calls.ts";
import type { FrameOrder } from "./order.ts";

/** A frame that was set up. */
export interface KeptFrame {
  readonly opaqueId: string;
  readonly secret: Uint8Array;
  readonly title: string;
  /** The number of the index, which never goes back. */
  readonly n: number;
  /** The hash of the index that the items are of; empty before the first. */
  readonly index: string;
  readonly items: readonly FrameItem[];
  readonly order: FrameOrder;
  /** Whether it is dark at night. */
  readonly dims: boolean;
}

/** A kept photo: without its bytes, to know what is there. */
interface Note {
  readonly hash: string;
  readonly bytes: number;
  /** Grows with every use. */
  readonly used: number;
}

/** Most photos and bytes that are kept; those not shown for longest go. */
const MOST_KEPT = 300;
const MOST_BYTES = 300 * 1024 * 1024;
const NAME = "strongroom-frame";
const KEY = "frame";

/** The database of this browser's frame. */
export class FrameStore {
  private constructor(private readonly database: IDBDatabase) {}

  /** Opens it; rejects where the browser stores nothing. */
  static async open(): Promise<FrameStore> {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => {
      for (const store of ["frame", "pictures", "notes"]) {
        asked.result.createObjectStore(store);
      }
    };
    return new FrameStore(await done(asked));
  }

  /** The frame, if one was set up. */
  async frame(): Promise<KeptFrame | undefined> {
    return await done(this.#store("frame", "readonly").get(KEY));
  }

  async keep(frame: KeptFrame): Promise<void> {
    await done(this.#store("frame").put(frame, KEY));
  }

  /** Forgets the link, its key and every photo. */
  async forget(): Promise<void> {
    await done(this.#store("frame").clear());
    await this.dropPictures();
  }

  /** A photo that was kept. */
  async picture(hash: string): Promise<Blob | undefined> {
    const kept: Blob | undefined = await done(
      this.#store("pictures", "readonly").get(hash),
    );
    if (kept !== undefined) await this.#note(hash, kept.size);
    return kept;
  }

  /** Keeps a photo, and lets go those that were not shown for longest. */
  async keepPicture(hash: string, picture: Blob): Promise<void> {
    await done(this.#store("pictures").put(picture, hash));
    await this.#note(hash, picture.size);
    const notes = (await this.#notes()).toSorted((a, b) => b.used - a.used);
    let bytes = 0;
    for (const [at, note] of notes.entries()) {
      bytes += note.bytes;
      if (at >= MOST_KEPT || bytes > MOST_BYTES) await this.#drop(note.hash);
    }
  }

  /** Drops the photos that the link does not show any more. */
  async keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    const kept = await done(this.#store("pictures", "readonly").getAllKeys());
    for (const hash of kept) {
      if (typeof hash === "string" && !hashes.has(hash)) await this.#drop(hash);
    }
  }

  async dropPictures(): Promise<void> {
    await done(this.#store("pictures").clear());
    await done(this.#store("notes").clear());
  }

  async #drop(hash: string): Promise<void> {
    await done(this.#store("pictures").delete(hash));
    await done(this.#store("notes").delete(hash));
  }

  #notes(): Promise<Note[]> {
    return done(this.#store("notes", "readonly").getAll());
  }

  async #note(hash: string, bytes: number): Promise<void> {
    const last = Math.max(0, ...(await this.#notes()).map(({ used }) => used));
    await done(this.#store("notes").put({ hash, bytes, used: last + 1 }, hash));
  }

  #store(
    name: string,
    mode: IDBTransactionMode = "readwrite",
  ): IDBObjectStore {
    return this.database.transaction(name, mode).objectStore(name);
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
