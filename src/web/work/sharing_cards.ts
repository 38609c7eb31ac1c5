/**
 * What pages see of links, and of what guests left.
 *
 * @module
 */

/** What of a selection a link can show. */
export interface Shareable {
  /** Those that it can, in the order given. */
  readonly ids: readonly string[];
  /** Others' photos in others' albums: their owners alone can share them. */
  readonly others: number;
  /** Photos whose files tell where they were taken. */
  readonly places: number;
  /** Of these, those that have no picture without it. */
  readonly onlyWithPlace: number;
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
  /** Files that tell where they were taken go along as they are. */
  readonly withPlaces: boolean;
}

/** A share link of the account's. */
export interface LinkCard {
  readonly opaqueId: string;
  /** Names what it shows now; another one where that was changed. */
  readonly index: string;
  /** Absent where another program made it, and kept its key to itself. */
  readonly url?: string;
  readonly title?: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  /** It is behind a passphrase. */
  readonly passphrase: boolean;
  readonly views: number;
  readonly lastViewedAt?: string;
}

/** What a link shows. */
export interface LinkContents {
  readonly title: string;
  readonly message: string;
  readonly from: string;
  readonly items: readonly {
    /** Names the item in a change. */
    readonly hash: string;
    readonly name: string;
    /** The photo, where it is still in the library. */
    readonly assetId?: string;
  }[];
}

/** What changes of a link; an empty text takes one away. */
export interface LinkChange {
  readonly title?: string;
  readonly message?: string;
  readonly from?: string;
  readonly expiresAt?: string | null;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly withPlaces?: boolean;
}

/** An upload link to make. */
export interface RequestWish {
  readonly note: string;
  readonly expiresAt: string;
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly passphrase?: string;
}

/** An upload link of the account's. */
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
}

/** A guest's file that waits to be looked at. */
export interface WaitingCard {
  readonly opaqueId: string;
  readonly uploadId: string;
  /** The guest's word; absent where it does not open. */
  readonly name?: string;
  readonly mime?: string;
  readonly takenAt?: string;
  readonly size: number;
  readonly receivedAt: string;
  /** A small JPEG that the guest's browser made. */
  readonly thumbnail?: Uint8Array<ArrayBuffer>;
  /** The note of the link that it came by. */
  readonly note?: string;
}
