/**
 * What is wrong with a card, an invitation or an album of another server, by
 * names that a program has texts for.
 *
 * @module
 */
import { DocumentError } from "../../client/documents/fields.ts";
import type { Trust } from "../trust/trust.ts";
import { NOBODY_NEW } from "../trust/trust_status.ts";

/** Why a card or an invitation is not taken. */
export type AbroadFault =
  /** The own server calls itself another address than it was opened at. */
  | "address"
  /** The own server does not share with others. */
  | "off"
  /** The other server has another address, or does not share with others. */
  | "their_server"
  /** There are as many as there can be. */
  | "limit"
  /** It is of the own server. */
  | "own_server"
  | "no_card"
  | "no_invitation"
  | "expired"
  /** The card has another sealing key under the same identity. */
  | "other_key"
  /** It is sealed to another person, or answers no card that is still valid. */
  | "not_yours"
  | "no_card_of_yours"
  /** The server shows an older invitation than before. */
  | "older"
  | "ended"
  /** The own server withholds what other devices know of people. */
  | "withheld"
  /** Another device of the person's was faster. */
  | "raced"
  /** A person whose card is to be deleted is still in an own album. */
  | "in_album"
  /** The owner was asked today, or cannot be asked. */
  | "asked"
  | "no_reply"
  | "newer_program"
  | "older_server";

/** A card or an invitation that is not taken. */
export class AbroadError extends DocumentError {
  override readonly name: string = "AbroadError";
  constructor(readonly fault: AbroadFault, message: string) {
    super(message);
  }
}

/** The person is not in an album, or has left it meanwhile. */
export class AlbumLeft extends DocumentError {
  override readonly name: string = "AlbumLeft";
  constructor(id: string) {
    super(`you are not in the album ${id}`);
  }
}

/** The album is another one now, by its owner's word; the person is in that. */
export class AlbumMoved extends AlbumLeft {
  override readonly name = "AlbumMoved";
  constructor(id: string, readonly to: string) {
    super(id);
  }
}

/** Throws for a new person while the own server withholds what others know. */
export function assertNothingWithheld({ status }: Pick<Trust, "status">): void {
  if (status === "behind") throw new AbroadError("withheld", NOBODY_NEW);
}

/** Why an album of another server is paused. */
export type PauseReason =
  /** Its server says that the person is no longer on the roster. */
  | "removed"
  /** Its owner signed that it ended. */
  | "ended"
  /** Its server lists the grant as revoked. */
  | "revoked"
  /** The grant has run out. */
  | "over"
  /** Its server does not take the grant. */
  | "refused"
  /** Its server shows what was not signed, or is older than before. */
  | "doubtful"
  /** Its server answers with an error. */
  | "error";

/** An album is paused, with a text for people. */
export class AlbumPaused extends DocumentError {
  override readonly name = "AlbumPaused";
  constructor(readonly reason: PauseReason, message: string) {
    super(message);
  }
}
