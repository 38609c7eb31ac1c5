/**
 * The data about comments, hearts and what is new in albums that pages get.
 *
 * @module
 */
import type { Noun } from "../photo_lists.ts";

/** Someone who said or did something. */
export interface RemarkAuthor {
  readonly me: boolean;
  readonly name?: string;
  /**
   * Of a guest, in an account: the member by whose link they said it, or `me`.
   */
  readonly guestOf?: Omit<RemarkAuthor, "guestOf">;
}

/** A comment. */
export interface CommentCard extends RemarkAuthor {
  readonly id: string;
  /** When it was written (ms). */
  readonly at: number;
  readonly text: string;
  /** Whether the person may delete it. */
  readonly removable: boolean;
}

/** What is said of one photo. */
export interface PhotoRemarks {
  /**
   * What the person may do; `none` where there is nothing to show. `guests`
   * where nothing but what guests said by links is shown.
   */
  readonly may: "none" | "read" | "write" | "guests";
  /**
   * With `write`: others see what the person says once a device of the album's
   * owner took it in.
   */
  readonly isSent: boolean;
  readonly hearts: readonly RemarkAuthor[];
  /** Oldest first. */
  readonly comments: readonly CommentCard[];
}

/** Something that another member, or a guest, did in an album. */
export interface NewsCard extends RemarkAuthor {
  readonly key: string;
  readonly what: "added" | "heart" | "comment";
  readonly album: {
    /** A private album is a collection; guests alone say something in it. */
    readonly kind: "album" | "collection";
    readonly id: string;
    readonly title: string;
  };
  /** When (ms). */
  readonly at: number;
  /** The photos that it is about: the first few. */
  readonly photos: readonly string[];
  /** The number of all of them. */
  readonly count: number;
  readonly noun: Noun;
  /** Of a comment. */
  readonly text?: string;
  /** Whether the person has not seen it. */
  readonly fresh: boolean;
}
