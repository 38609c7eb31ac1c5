/**
 * Other people of the server and trust in their identities. An identity is
 * pinned when it is first seen. If the server later shows another one, nothing
 * is sealed to it until the person decides.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { keyId } from "../../crypto/hybrid.ts";
import type { Sought } from "../../client/api/account_calls.ts";
import { judgeAnchor, safetyNumber } from "../../client/documents/anchors.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { primitivesOf } from "../base/platform.ts";
import { changedAt } from "../../client/documents/state.ts";
import { entryOf } from "../base/merging.ts";
import type { AbroadSlot } from "./abroad_state.ts";
import {
  Identities,
  type IdentitiesContext,
  IdentityChanged,
} from "./identities.ts";
import { isAbroad } from "./members_abroad.ts";
import type { ShownDirectories } from "./log_shown.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "./trust.ts";
import {
  blockPerson,
  comparePerson,
  decidePerson,
  isBlocked,
} from "./trust_rules.ts";
import type { Vault } from "../vault/vault.ts";

export { IdentityChanged, Unsealable } from "./identities.ts";

/**
 * This program has no contact card of members of other servers, so an album
 * cannot get a new key while they are in it.
 */
export class NoCard extends DocumentError {
  override readonly name: string = "NoCard";
  constructor(readonly members: readonly string[]) {
    super(
      `there is no contact card of ${members.join(" and ")}, so nothing new ` +
        "can be encrypted for them: add their cards, or remove them from the " +
        "album",
    );
  }
}

/** A person whose identity is pinned here. */
export interface KnownPerson {
  readonly userId: string;
  /** Fingerprint of the pinned identity key. */
  readonly keyId: string;
  /** The number that the two people compare: twelve groups of five digits. */
  readonly safetyNumber: string;
  readonly comparedAt: string | undefined;
}

/** A person as the server describes them. */
export interface FoundPerson {
  readonly userId: string;
  readonly displayName: string | undefined;
  readonly handle: string | undefined;
}

/** An identity that differs from the pinned one. */
export interface ChangedIdentity {
  readonly pinned: string;
  readonly shown: string;
  /** The number that the two people compare if the shown identity is right. */
  readonly safetyNumber: string;
}

/** Other people of the server. */
export interface People {
  /** Finds a person; the result is only the server's claim. */
  find(sought: Sought): Promise<FoundPerson>;
  /** The account's name for a person, as this device last saw it. */
  nameOf(userId: string): string | undefined;
  /** Sets the name of a person on all devices of the account. */
  call(userId: string, name: string): Promise<void>;
  /** The identity that the server shows, if it is not the pinned one. */
  changed(userId: string): Promise<ChangedIdentity | undefined>;
  /** The pinned identity key (1,984 bytes); pins it now at first sight. */
  anchorOf(userId: string): Promise<Bytes>;
  /**
   * The key to seal to, from a directory that the pinned identity signed.
   * Throws {@link IdentityChanged}, DocumentError.
   */
  sealingKeyOf(userId: string): Promise<Bytes>;
  /** Throws as {@link People.anchorOf}. */
  known(userId: string): Promise<KnownPerson>;
  /** Notes that the two people have compared their number. */
  compared(userId: string): Promise<void>;
  /** Whether the person wants no invitations from someone. */
  isBlocked(userId: string): boolean;
  /** The people who are blocked, by their user ids. */
  blocked(): readonly string[];
  /**
   * Blocks someone: their invitations are not shown. Or unblocks them. Throws
   * a DocumentError for someone whose identity was never seen.
   */
  block(userId: string, blocked: boolean): Promise<void>;
  /** Pins the shown identity, which the person accepted by its fingerprint. */
  believe(userId: string, shown: string): Promise<void>;
}

/** What the people of an account are opened over. */
interface PeopleContext extends IdentitiesContext {
  readonly state: SharedState;
  readonly abroad: () => Promise<AbroadSlot>;
}

/** Opens the people of a vault's account. */
export function openPeople(
  vault: Vault,
  store: Store,
  state: SharedState,
  trust: Trust,
  logged: ShownDirectories,
  abroad: () => Promise<AbroadSlot>,
): People {
  return new PeopleHere({ vault, store, state, trust, logged, abroad });
}

/** Other people, by the identities that count. */
class PeopleHere implements People {
  readonly #identities: Identities;

  constructor(private readonly context: PeopleContext) {
    this.#identities = new Identities(context);
  }

  async anchorOf(userId: string): Promise<Bytes> {
    return await this.#identities.anchorOf(userId);
  }

  async find(sought: Sought): Promise<FoundPerson> {
    const { account } = this.context.vault.session;
    const { user_id, display_name, handle } = await account.lookUp(sought);
    return {
      userId: user_id,
      displayName: display_name ?? undefined,
      handle: handle ?? undefined,
    };
  }

  nameOf(userId: string): string | undefined {
    return this.context.state.held.pins[userId]?.name;
  }

  async call(userId: string, name: string): Promise<void> {
    if (this.#isOwn(userId)) return;
    const key_id = keyId(await this.anchorOf(userId));
    const change = this.context.state.change((held) => {
      const { [userId]: before } = held.pins;
      const at = changedAt(before, this.#now());
      const next = { key_id, name, at };
      return { ...held, pins: { ...held.pins, [userId]: next } };
    });
    // The account may be suspended or have no room.
    await change.catch((error) => {
      if (!(error instanceof ApiProblem)) throw error;
    });
  }

  async changed(userId: string): Promise<ChangedIdentity | undefined> {
    // No server shows anybody of another one: their card does.
    if (this.#isOwn(userId) || isAbroad(userId)) return undefined;
    try {
      const pinned = keyId(await this.anchorOf(userId));
      const now = keyId((await this.#identities.shown(userId)).identityKey);
      if (judgeAnchor(pinned, now) !== "changed") return undefined;
      return { pinned, shown: now, safetyNumber: this.#numberWith(now) };
    } catch (error) {
      // The pinned identity is from another device of the account.
      if (!(error instanceof IdentityChanged)) throw error;
      const { pinned, shown: now } = error;
      return { pinned, shown: now, safetyNumber: this.#numberWith(now) };
    }
  }

  async sealingKeyOf(userId: string): Promise<Bytes> {
    const { logged, vault } = this.context;
    if (isAbroad(userId)) return await this.#cardKeyOf(userId);
    if (this.#isOwn(userId)) return await vault.identity.sealing.publicKey();
    const pinned = keyId(await this.anchorOf(userId));
    const { identityKey, directory } = await this.#identities.shown(userId);
    const now = keyId(identityKey);
    if (judgeAnchor(pinned, now) === "changed") {
      throw new IdentityChanged(userId, pinned, now);
    }
    if (entryOf(logged.held, userId)?.checked !== true) {
      await logged.readLog();
    }
    if (entryOf(logged.held, userId)?.frozen === true) {
      throw new DocumentError(
        `the list of devices that the server shows for ${userId} is not ` +
          "the one in its public log: nothing is shared with them",
      );
    }
    return new Uint8Array(directory.sealing_key);
  }

  async known(userId: string): Promise<KnownPerson> {
    const theirs = await this.#pinnedOf(userId);
    const { people } = this.context.trust.record;
    const { compared } = entryOf(people, userId) ?? {};
    const comparedAt = compared?.key_id === theirs ? compared.at : undefined;
    const number = this.#numberWith(theirs);
    return { userId, keyId: theirs, safetyNumber: number, comparedAt };
  }

  async compared(userId: string): Promise<void> {
    if (this.#isOwn(userId)) return;
    const { trust, vault } = this.context;
    const compared = {
      key_id: await this.#pinnedOf(userId),
      by: vault.session.device.device_id,
    };
    await trust.change((record) =>
      comparePerson(record, userId, compared, this.#now())
    );
    await trust.settle();
  }

  isBlocked(userId: string): boolean {
    return isBlocked(this.context.trust.record, userId);
  }

  blocked(): readonly string[] {
    return Object.keys(this.context.trust.record.people)
      .filter((userId) => this.isBlocked(userId));
  }

  async block(userId: string, blocked: boolean): Promise<void> {
    const { trust } = this.context;
    if (this.#isOwn(userId)) {
      throw new DocumentError("this is your own account");
    }
    if (this.#identities.inForce(userId) === undefined) {
      await this.anchorOf(userId);
    }
    await trust.change((record) =>
      blockPerson(record, userId, blocked, this.#now())
    );
    await trust.settle();
  }

  async believe(userId: string, fingerprint: string): Promise<void> {
    const { trust } = this.context;
    const { identityKey } = await this.#identities.shown(userId);
    const now = keyId(identityKey);
    // The server now shows another identity than the person accepted.
    if (now !== fingerprint) {
      throw new IdentityChanged(userId, fingerprint, now);
    }
    await trust.change((record) =>
      decidePerson(record, userId, now, this.#now())
    );
    await this.#identities.hold(userId, identityKey);
    await trust.settle();
  }

  /** The key to seal to of a member of another server: it is on their card. */
  async #cardKeyOf(member: string): Promise<Bytes> {
    const card = await (await this.context.abroad()).cardOf(member);
    const pinned = this.#identities.inForce(member);
    if (card === undefined || pinned === undefined) throw new NoCard([member]);
    const shown = keyId(card.identity_key);
    if (pinned !== shown) throw new IdentityChanged(member, pinned, shown);
    return new Uint8Array(card.sealing_key);
  }

  /** Of someone abroad only the fingerprint is kept here. */
  async #pinnedOf(userId: string): Promise<string> {
    if (!isAbroad(userId)) return keyId(await this.anchorOf(userId));
    const pinned = this.#identities.inForce(userId);
    if (pinned !== undefined) return pinned;
    throw new DocumentError(`${userId} is not known here`);
  }

  #numberWith(theirs: string): string {
    const { identity, session: { platform } } = this.context.vault;
    return safetyNumber(identity.signer.keyId, theirs, primitivesOf(platform));
  }

  #isOwn(userId: string): boolean {
    return userId === this.context.vault.session.userId;
  }

  #now(): number {
    return this.context.vault.session.platform.now();
  }
}
