/**
 * What the people of a household know by themselves, whatever their programs
 * say: which photos there are, what became of them, and what they wanted.
 *
 * @module
 */
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { ciphertext } from "../support/people.ts";

export type PersonName = "ada" | "bob";

/** What its owner wants of a photo, as far as they know themselves. */
type Wish =
  | "kept"
  /** It was thrown away, and the program said so. */
  | "gone"
  /** It was to be deleted or restored, and the outcome is unknown. */
  | "either";

/** A photo that was really taken. */
export interface Photo {
  readonly name: string;
  readonly owner: PersonName;
  readonly isGuests: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  /** Devices that said that it is kept. */
  readonly told: Set<string>;
  /** It is in its owner's own library, and not in an album alone. */
  isInLibrary: boolean;
  /** A guest was told that it arrived. */
  isSent: boolean;
  wish: Wish;
  /** What the caption may be by now. */
  captions: Set<string | undefined>;
  /** Whether it may be a favourite by now. */
  favourite: Set<boolean>;
  /** The newest backup has it. */
  isBackedUp: boolean;
  /** The server went back to a backup that does not have it. */
  mayBeLost: boolean;
  /** It was deleted or restored since the newest backup. */
  isMovedSince: boolean;
}

/** Whether a person is in the album: unknown after an interrupted step. */
type Membership = "in" | "invited" | "out" | "unknown";

/** The photos, and who is in the album. */
export class Book {
  readonly photos = new Map<string, Photo>();
  bob: Membership = "out";
  /** How often the server went back. */
  restores = 0;
  #count = 0;

  /** A new photo. */
  take(owner: PersonName, length: number, isGuests = false): Photo {
    const name = `${isGuests ? "guest" : owner}-${this.#count++}.bin`;
    const bytes = ciphertext(name, length);
    const photo: Photo = {
      name,
      owner,
      isGuests,
      bytes,
      sha256: sha256Hex(bytes),
      told: new Set(),
      isInLibrary: false,
      isSent: false,
      wish: "kept",
      captions: new Set([undefined]),
      favourite: new Set([false]),
      isBackedUp: false,
      mayBeLost: false,
      isMovedSince: false,
    };
    this.photos.set(name, photo);
    return photo;
  }

  /** A device said that a photo is kept. */
  keep(name: string, device: string): void {
    const photo = this.photos.get(name);
    if (photo === undefined) return;
    photo.told.add(device);
    photo.mayBeLost = false;
    photo.isBackedUp = false;
  }

  /** A person's photos that a device reported as stored, in their order. */
  keptBy(owner: PersonName): Photo[] {
    return [...this.photos.values()].filter((photo) =>
      photo.owner === owner && photo.told.size > 0
    );
  }

  /** The operator made a backup. */
  backedUp(): void {
    for (const photo of this.photos.values()) {
      photo.isBackedUp = photo.told.size > 0 || photo.isSent;
      photo.isMovedSince = false;
    }
  }

  /** The server went back to the newest backup. */
  wentBack(): void {
    this.restores += 1;
    for (const photo of this.photos.values()) {
      if (!photo.isBackedUp) photo.mayBeLost = true;
      if (photo.isMovedSince) photo.wish = "either";
    }
  }

  /** The same again, for a history of its own. */
  clone(): Book {
    const book = new Book();
    book.bob = this.bob;
    book.restores = this.restores;
    book.#count = this.#count;
    for (const [name, photo] of this.photos) {
      book.photos.set(name, {
        ...photo,
        told: new Set(photo.told),
        captions: new Set(photo.captions),
        favourite: new Set(photo.favourite),
      });
    }
    return book;
  }
}
