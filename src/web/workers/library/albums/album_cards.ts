/**
 * The data about albums, collections and people that pages get.
 *
 * @module
 */
import type { AlbumOrder } from "../../../../library/albums/album_order.ts";
import type { WhereWhen } from "../../../../library/finding/where_when.ts";
import type { Noun } from "../photo_lists.ts";

/** An album in the overview. */
export interface AlbumCard {
  readonly id: string;
  readonly title: string;
  /** Whether the person owns it. */
  readonly own: boolean;
  /**
   * The owner's name, if the album is someone else's and the name is known.
   */
  readonly owner?: string;
  /** Whether the person marked it as a favourite. */
  readonly favourite: boolean;
  /** Number of members besides the person. */
  readonly others: number;
  readonly count: number;
  /** What they are counted as. */
  readonly noun: Noun;
  /** Where and when its photos were taken. */
  readonly taken: WhereWhen;
  /** The id of its cover photo. */
  readonly cover?: string;
  /** When something was last added (ms). */
  readonly changed: number;
  /** Where the person placed it, if they sort albums by hand. */
  readonly place?: number;
  /** Whether it does not open here or its owner's signature is wrong. */
  readonly broken: boolean;
  /** Whether that is for want of a connection, and is tried again. */
  readonly unopened: boolean;
}

/** An invitation to an album, which the person has not answered. */
export interface AlbumInvitation {
  readonly id: string;
  readonly title: string;
  /** Number of members, the person included. */
  readonly people: number;
  /** Whether the person wants to decide another time. */
  readonly isForLater: boolean;
  /** Who, where they have a name here. */
  readonly by?: string;
  /** Their handle, where they chose one and it is not their name. */
  readonly handle?: string;
}

/** A private collection as the overview shows it. */
export interface CollectionCard {
  readonly id: string;
  readonly title: string;
  readonly favourite: boolean;
  readonly count: number;
  readonly noun: Noun;
  readonly taken: WhereWhen;
  /** When it was last changed (ms). */
  readonly changed: number;
  /** Where the person placed it, if they sort albums by hand. */
  readonly place?: number;
  readonly cover?: string;
}

/** Everything that the overview shows, in its order. */
export interface AlbumsOverview {
  readonly order: AlbumOrder;
  readonly albums: readonly AlbumCard[];
  readonly collections: readonly CollectionCard[];
}

/** The role of a member in an album. */
export type MemberRole = "viewer" | "contributor";

/** A member of an album. */
export interface MemberCard {
  readonly userId: string;
  readonly name?: string;
  readonly role: MemberRole;
  /** Their server, if it is another one: `photos.example`. */
  readonly host?: string;
  readonly me: boolean;
  readonly owner: boolean;
  /** Photos that they added. */
  readonly count: number;
  readonly noun: Noun;
}

/** An album with its members. */
export interface AlbumPage extends AlbumCard {
  readonly description?: string;
  /** Whether photos can be added to it. */
  readonly writable: boolean;
  /** Whether the person's timeline shows its photos. */
  readonly inTimeline: boolean;
  /** The order of its photos, for all members. */
  readonly order: "newest" | "oldest";
  /** Whether its owner lets members comment. */
  readonly remarks: boolean;
  readonly members: readonly MemberCard[];
  /** Who is out because nothing could be encrypted for them. */
  readonly leftOut: readonly Pick<MemberCard, "name" | "userId">[];
}

/** A collection on its page. */
export interface CollectionPage {
  readonly id: string;
  readonly title: string;
  readonly favourite: boolean;
  readonly count: number;
  /** Of these, the ones that an album of it would get: none that is hidden. */
  readonly open: number;
  readonly noun: Noun;
  readonly taken: WhereWhen;
}

/** A person, and how well their identity is verified. */
export interface PersonCard {
  readonly userId: string;
  readonly name?: string;
  readonly handle?: string;
  readonly me: boolean;
  /** Twelve groups of five digits. */
  readonly safetyNumber?: string;
  /** When the two compared it: RFC 3339. */
  readonly comparedAt?: string;
  /** Set if the server shows another key than before. */
  readonly changed?: {
    readonly shown: string;
    /** The number to compare for the new key. */
    readonly safetyNumber: string;
  };
  /** Whether their account has no key to encrypt to yet. */
  readonly unready: boolean;
}

/** The outcome of a change of an album's members or name. */
export type RosterOutcome =
  | { readonly outcome: "done" }
  /** The server shows another key of a person, so nothing was changed. */
  | { readonly outcome: "changed_key"; readonly person: PersonCard };

/** The outcome of adding photos. */
export interface AddedPhotos {
  readonly added: number;
  /** Photos that the album already had. */
  readonly known: number;
  readonly failed: number;
}
