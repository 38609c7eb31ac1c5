/**
 * The data about links and guests' files that pages get.
 *
 * @module
 */
import type { Placeless } from "../../../../library/mod.ts";
import type { FollowedList } from "../../../../library/sharing/link_notes.ts";
import type { Films } from "../../../../library/showing/films.ts";
import type { Noun } from "../photo_lists.ts";

/** The photos of a selection that a link can show. */
export interface Shareable extends Placeless {
  /** The ids of these photos, in the given order. */
  readonly ids: readonly string[];
  /** What they are counted as. */
  readonly noun: Noun;
  /**
   * Number of others' photos in others' albums, which only their owners can
   * share.
   */
  readonly others: number;
  /** Number of videos among them. */
  readonly films: number;
  /** Whether other people can add to the list that these are of. */
  readonly othersAdd: boolean;
}

/** A link to make. */
export interface LinkWish {
  readonly assetIds: readonly string[];
  readonly title: string;
  readonly message: string;
  readonly from: string;
  /** RFC 3339. */
  readonly expiresAt?: string;
  readonly passphrase?: string;
  /** Whether viewers get original files that contain their place. */
  readonly withPlaces: boolean;
  /** Whether it gives the smallest copies of videos that there are. */
  readonly films: Films;
  /** The list whose photos these are. */
  readonly list?: FollowedList;
  /** With a list: whether it shows what comes into it later. */
  readonly isLiving?: boolean;
  /** With a list: whether people can add to it. */
  readonly takesMore?: boolean;
  /** With `takesMore`: whether they can give hearts and comments, too. */
  readonly reacts?: boolean;
}

/** One of the account's share links. */
export interface LinkCard {
  readonly opaqueId: string;
  /** The hash of its present index, which changes with its contents. */
  readonly index: string;
  /** Absent if another program made the link and kept its key to itself. */
  readonly url?: string;
  readonly title?: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  /** Whether it has a passphrase. */
  readonly passphrase: boolean;
  /** Whether it is a picture frame, which follows its list by itself. */
  readonly frame: boolean;
  /**
   * Of another link to a list: whether it shows what comes into it later. Absent
   * if it is of photos that were picked.
   */
  readonly living?: boolean;
  /**
   * Of a link by which people can add: whether they can give hearts and
   * comments, too.
   */
  readonly reacts?: boolean;
  readonly views: number;
  readonly lastViewedAt?: string;
}

/** The contents of a link. */
export interface LinkContents {
  readonly title: string;
  readonly message: string;
  readonly from: string;
  /** Number of items that the link shows, with those that are locked here. */
  readonly count: number;
  /** What all of them are counted as. */
  readonly noun: Noun;
  /** Those that may be listed here. */
  readonly items: readonly {
    /** Content address, by which a change names the item. */
    readonly hash: string;
    readonly name: string;
    /** The photo, if it is still in the library. */
    readonly assetId?: string;
  }[];
  /** The videos among them that are in the library. */
  readonly filmIds: readonly string[];
  /** Whether the link gives videos in 720p. */
  readonly films: Films;
}

/** Changes to a link; an empty text removes one. */
export interface LinkChange {
  readonly title?: string;
  readonly message?: string;
  readonly from?: string;
  readonly expiresAt?: string | null;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly withPlaces?: boolean;
  /** Of added videos. */
  readonly films?: Films;
  /** Of the videos that it shows already. */
  readonly shownFilms?: Films;
  /** Whether it shows what comes into its list later. */
  readonly living?: boolean;
  /** Whether people can give hearts and comments. */
  readonly reacts?: boolean;
}

/** An upload link to make. */
export interface RequestWish {
  readonly note: string;
  readonly expiresAt: string;
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly passphrase?: string;
  /** It is for the person's own devices: nothing that comes by it waits. */
  readonly mine?: boolean;
}

/** One of the account's upload links. */
export interface RequestCard {
  readonly opaqueId: string;
  readonly url: string;
  readonly note?: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly maxFiles: number;
  readonly filesUsed: number;
  readonly maxBytes: number;
  readonly bytesUsed: number;
  /** When a file came last, whatever became of it. */
  readonly lastReceivedAt?: string;
  readonly mine: boolean;
}

/** What comes from the person's own phone. */
export interface PhoneState {
  /** The links that are marked as the person's own, the newest first. */
  readonly links: readonly RequestCard[];
  /** Number of files that wait to be accepted. */
  readonly waits: number;
  /** When the oldest of them was received. */
  readonly oldest?: string;
  /** When this browser last accepted any (ms since the epoch). */
  readonly last?: number;
  /** Ids of links by which files used to come, and none for a week. */
  readonly silent: readonly string[];
}

/** A guest's file that waits to be accepted. */
export interface WaitingCard {
  readonly opaqueId: string;
  readonly uploadId: string;
  /** The guest's name for the file; absent if it does not open. */
  readonly name?: string;
  readonly mime?: string;
  readonly takenAt?: string;
  readonly size: number;
  readonly receivedAt: string;
  /** A small JPEG that the guest's browser made. */
  readonly thumbnail?: Uint8Array<ArrayBuffer>;
  /** The note of the upload link. */
  readonly note?: string;
  /** What the guest calls themselves. */
  readonly from?: string;
  /** The list that it was sent for. */
  readonly into?: FollowedList;
}
