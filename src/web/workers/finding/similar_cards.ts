/**
 * Similar photos as the page shows them.
 *
 * @module
 */
import type { Looks } from "../../../media/pictures/looks.ts";
import type { Noun, PhotoKind } from "../library/photo_lists.ts";

/** A photo of a group. */
export interface SimilarCard {
  readonly id: string;
  readonly kind: PhotoKind;
  readonly name: string;
  /** The local time at which it was taken, as if it were UTC (ms). */
  readonly taken: number;
  readonly width?: number;
  readonly height?: number;
  /** Bytes of the original. */
  readonly size: number;
  readonly hasPicture: boolean;
  readonly isFavourite: boolean;
  readonly isArchived: boolean;
  /** Whether a link shows it. */
  readonly isLinked: boolean;
  /** The titles of the albums and collections that it is in. */
  readonly albums: readonly string[];
  /** Whether it is clearly larger, or sharper, than the others. */
  readonly isLargest: boolean;
  readonly isSharpest: boolean;
  /** Whether it is suggested to be kept. */
  readonly isKept: boolean;
}

/** Photos that resemble each other. */
export interface SimilarGroup {
  /** Whether they have the same content. */
  readonly isSame: boolean;
  readonly noun: Noun;
  readonly photos: readonly SimilarCard[];
}

/** How many photos were looked at. */
export interface LookedAt {
  readonly done: number;
  readonly of: number;
  /** Bytes of the small pictures that are still to be looked at, about. */
  readonly bytes: number;
}

/** A small picture to look at. */
export interface ToLookAt {
  /** Its content address. */
  readonly blob: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mime: string;
}

/** What a small picture looks like; without looks if it has none. */
export interface Looked {
  readonly blob: string;
  readonly looks?: Looks;
}
