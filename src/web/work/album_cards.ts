/**
 * What pages see of albums, collections and people.
 *
 * @module
 */

/** An album as the overview shows it. */
export interface AlbumCard {
  readonly id: string;
  readonly title: string;
  /** One's own: others are guests in it. */
  readonly own: boolean;
  /** Who owns it, where it is another's and they have a name here. */
  readonly owner?: string;
  /** Members beside oneself. */
  readonly others: number;
  readonly count: number;
  /** The photo that stands for it. */
  readonly cover?: string;
  /** When something was last added, in milliseconds. */
  readonly newest: number;
  /** It does not open here, or its owner's signature is not right. */
  readonly broken: boolean;
}

/** A private collection as the overview shows it. */
export interface CollectionCard {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  readonly cover?: string;
}

/** Everything that the overview shows. */
export interface AlbumsOverview {
  readonly albums: readonly AlbumCard[];
  readonly collections: readonly CollectionCard[];
}

/** What somebody may do in an album. */
export type MemberRole = "viewer" | "contributor";

/** A member of an album. */
export interface MemberCard {
  readonly userId: string;
  readonly name?: string;
  readonly role: MemberRole;
  readonly me: boolean;
  readonly owner: boolean;
  /** Photos that they added. */
  readonly count: number;
}

/** An album with its members. */
export interface AlbumPage extends AlbumCard {
  readonly description?: string;
  /** Whether photos can be added to it. */
  readonly writable: boolean;
  readonly members: readonly MemberCard[];
}

/** A collection as its page shows it. */
export interface CollectionPage {
  readonly id: string;
  readonly title: string;
  readonly count: number;
}

/** Somebody, and how sure one is of them. */
export interface PersonCard {
  readonly userId: string;
  readonly name?: string;
  readonly handle?: string;
  readonly me: boolean;
  /** Twelve groups of five digits. */
  readonly safetyNumber?: string;
  /** When the two compared it: RFC 3339. */
  readonly comparedAt?: string;
  /** The server shows another key than before. */
  readonly changed?: {
    readonly shown: string;
    /** What the two would compare, if the new key is theirs. */
    readonly safetyNumber: string;
  };
  /** They have an account, and nothing to encrypt to yet. */
  readonly unready: boolean;
}

/** What became of a change of an album's members or its name. */
export type RosterOutcome =
  | { readonly outcome: "done" }
  /** Of somebody another key is shown: nothing was changed. */
  | { readonly outcome: "changed_key"; readonly person: PersonCard };

/** What became of adding photos. */
export interface AddedPhotos {
  readonly added: number;
  /** The album has the same photo. */
  readonly known: number;
  readonly failed: number;
}
