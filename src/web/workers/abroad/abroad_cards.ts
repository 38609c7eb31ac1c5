/**
 * The data about people and albums of other servers that pages get.
 *
 * @module
 */
import type { PauseReason } from "../../../library/abroad/abroad_fault.ts";
import type { Noun } from "../library/photo_lists.ts";

/** Why nothing new comes. */
export type Standstill =
  | PauseReason
  /** This app's server does not let it talk to the album's. */
  | "not_pinned"
  /** Its server does not answer. */
  | "away";

/** An album of another server. */
export interface AbroadCard {
  /** `<album_id>@<server_id>`. */
  readonly id: string;
  /** Its server, as people read it: `photos.example`. */
  readonly host: string;
  /** Empty as long as it is not known here. */
  readonly title: string;
  readonly count: number;
  readonly noun: Noun;
  /** The id of its newest photo. */
  readonly cover?: string;
  /** Why nothing new comes; what was there stays. */
  readonly stopped?: Standstill;
  /** Whether its owner can be asked to let the person see it again. */
  readonly mayAsk: boolean;
  /** Whether its server no longer shows its public log. */
  readonly isDoubted: boolean;
  /** Whether the small pictures stand for the photos. */
  readonly isSmall: boolean;
  /** The owner's name in what is remembered of people. */
  readonly owner: string;
  /** When the two compared their number: RFC 3339. */
  readonly comparedAt?: string;
}

/** A person of another server whose card is stored. */
export interface ContactCardShown {
  readonly member: string;
  readonly name?: string;
  readonly host: string;
  readonly safetyNumber: string;
  readonly comparedAt?: string;
}

/** What became of a card that was read. */
export type CardRead =
  | {
    readonly outcome: "read";
    readonly contact: ContactCardShown;
    /** Whether the card's server could be asked. */
    readonly asked: boolean;
  }
  /** It has another identity than before. */
  | {
    readonly outcome: "changed";
    readonly member: string;
    readonly shown: string;
  };

/** An own card that is still good. */
export interface OwnCardShown {
  readonly id: string;
  readonly expiresAt: string;
}

/** An own card that was just made. */
export interface CardMade {
  readonly link: string;
  /** The signed card, for a file. */
  readonly file: Blob;
  readonly expiresAt: string;
}

/** A person who was let into an album. */
export interface LetIn {
  readonly link: string;
  /** Whether their server took the news; if not, the link has to be sent. */
  readonly isTold: boolean;
}

/** An invitation that came by itself. */
export interface InvitationWaiting {
  /** `<album_id>@<server_id>`. */
  readonly id: string;
  readonly link: string;
  readonly host: string;
  readonly name?: string;
}

/** A person who is no longer in an own album and asks to see it again. */
export interface AsksAgain {
  readonly member: string;
  readonly name?: string;
  readonly host: string;
  /** What they say. */
  readonly text?: string;
}

/** What a report about a photo names, as `report send` takes it. */
export interface PhotoReport {
  readonly host: string;
  /** The other server's id. */
  readonly to: string;
  readonly user: string;
  readonly album: string;
  readonly assetHash: string;
}

/** An invitation that was read, and is not accepted yet. */
export interface InvitationRead {
  readonly link: string;
  readonly host: string;
  readonly safetyNumber: string;
  /** What the owner calls themselves. */
  readonly name?: string;
  readonly isEnded: boolean;
}

/** The server of a name such as `<id>@<server_id>`, as people read it. */
export function hostOf(name: string): string {
  return URL.parse(name.slice(name.indexOf("@") + 1))?.host ?? "";
}
