/**
 * Whether a roster counts: its owner signed it, and it takes nothing back of
 * what the trust record remembers (protocol/client-cryptography.md#rosters).
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { type Roster, verifyRoster } from "../../client/documents/roster.ts";
import { entryOf } from "../base/merging.ts";
import type { People } from "../trust/people.ts";
import type { Trust } from "../trust/trust.ts";
import {
  claimInForce,
  isAccepted,
  judgeRoster,
  type RosterFault,
  type SeenRoster,
  seeRoster,
} from "../trust/trust_rules.ts";
import type { Vault } from "../vault/vault.ts";
import { unverifiedOwner } from "./album_record.ts";

/** Why an album is frozen, as texts for people. */
export const ROSTER_FAULTS: Readonly<Record<RosterFault, string>> = {
  another_owner: "the server shows another owner than before",
  another_identity: "its owner shows another identity than before",
  older_version: "the server shows an older list of members than before",
  older_epoch: "the server shows an older key than before",
  other_bytes: "the server showed two lists of members of the same number",
};

/** Own ids are looked for this far beyond the last one known. */
const OWN_GAP = 256;

/** A roster that its owner signed, and what speaks against it. */
export interface VerifiedRoster {
  readonly roster: Roster;
  readonly seen: SeenRoster;
  readonly fault: RosterFault | undefined;
}

/** Judges rosters by what an account's devices have seen. */
export class RosterJudge {
  readonly #ownIds: OwnIds;

  constructor(
    private readonly vault: Vault,
    private readonly people: People,
    private readonly trust: Trust,
  ) {
    this.#ownIds = new OwnIds((number) => vault.identity.albumId(number));
  }

  /** Whether an album is the account's own, whatever a server says. */
  isOwn(albumId: string): boolean {
    const claim = claimInForce(entryOf(this.trust.record.albums, albumId));
    return claim?.own === true || this.#ownIds.has(albumId);
  }

  /** Whether it is the account's own or the person accepted to be in it. */
  isJoined(albumId: string): boolean {
    return this.isOwn(albumId) ||
      isAccepted(entryOf(this.trust.record.albums, albumId));
  }

  /** What is remembered of an album; of an own one, own rosters alone. */
  claimOf(albumId: string) {
    const claim = claimInForce(entryOf(this.trust.record.albums, albumId));
    return claim?.own !== true && this.#ownIds.has(albumId) ? undefined : claim;
  }

  /** Throws a DocumentError for a roster of which nothing is believed. */
  async verified(albumId: string, bytes: Bytes): Promise<VerifiedRoster> {
    const { platform } = this.vault.session;
    const named = unverifiedOwner(bytes);
    const owner = this.#ownerOf(albumId) ?? named;
    if (named !== owner) throw new DocumentError(ROSTER_FAULTS.another_owner);
    const anchor = await this.people.anchorOf(owner);
    const roster = await verifyRoster(bytes, anchor, platform.hybrid);
    if (roster.album_id !== albumId || roster.owner !== owner) {
      throw new DocumentError("the roster is another album's");
    }
    const seen = {
      owner,
      anchor: keyId(anchor),
      version: roster.roster_version,
      epoch: roster.amk_epoch,
      sha256: sha256Hex(bytes),
    };
    const fault = this.claimOf(albumId) === undefined
      ? undefined
      : judgeRoster(this.trust.record, albumId, seen);
    if (fault === "another_owner" || fault === "another_identity") {
      throw new DocumentError(ROSTER_FAULTS[fault]);
    }
    return { roster, seen, fault };
  }

  /** The owner of an album, if the account knows it. */
  #ownerOf(albumId: string): string | undefined {
    const { userId } = this.vault.session;
    return this.isOwn(albumId) ? userId : this.claimOf(albumId)?.owner;
  }

  /** Notes a roster that counts, for all devices. */
  async remember(albumId: string, { seen }: VerifiedRoster): Promise<void> {
    const { platform, userId } = this.vault.session;
    const own = seen.owner === userId;
    await this.trust.change((record) =>
      seeRoster(record, albumId, seen, { own, now: platform.now() })
    );
  }
}

/** Ids of own albums, which are derived from the master key by their number. */
class OwnIds {
  readonly #numbers = new Map<string, number>();
  #due = 0;

  constructor(private readonly idOf: (number: number) => string) {}

  /** Whether an id is one of those, as far as they are looked for. */
  has(albumId: string): boolean {
    for (;;) {
      const number = this.#numbers.get(albumId);
      if (number !== undefined) {
        this.#due = Math.max(this.#due, number + 1);
        return true;
      }
      const { size } = this.#numbers;
      if (size >= this.#due + OWN_GAP) return false;
      this.#numbers.set(this.idOf(size), size);
    }
  }
}
