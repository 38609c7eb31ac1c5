/**
 * Other people of the server and trust in their identities. An identity is
 * pinned when it is first seen. If the server later shows another one, nothing
 * is sealed to it until the person decides.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import { isUuid } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { Sought } from "../../client/api/account_calls.ts";
import { judgeAnchor, safetyNumber } from "../../client/documents/anchors.ts";
import { ApiProblem, createClient } from "../../client/api/api.ts";
import { verifyDirectory } from "../../client/documents/directory.ts";
import { DocumentError, instant } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import { clientOptions, primitivesOf } from "../base/platform.ts";
import { changedAt } from "../../client/documents/state.ts";
import { entryOf } from "../base/merging.ts";
import type { AbroadSlot } from "./abroad_state.ts";
import { isAbroad } from "./members_abroad.ts";
import type { ShownDirectories } from "./log_shown.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "./trust.ts";
import { NOBODY_NEW } from "./trust_status.ts";
import {
  anchorInForce,
  blockPerson,
  comparePerson,
  decidePerson,
  isBlocked,
  seePerson,
} from "./trust_rules.ts";
import type { Vault } from "../vault/vault.ts";

const pinSchema = z.object({
  /** The identity key, 1,984 bytes. */
  key: z.base64(),
  pinned_at: instant,
});
type Pin = z.infer<typeof pinSchema>;
/** Begins the keys of pinned identities, in the space `pins`. */
const PINS = "user/";

/**
 * The server shows another identity of a person than this device has pinned.
 */
export class IdentityChanged extends DocumentError {
  override readonly name: string = "IdentityChanged";
  constructor(
    readonly userId: string,
    /** Fingerprint of the pinned identity, and of the shown one. */
    readonly pinned: string,
    readonly shown: string,
  ) {
    super(`the identity of ${userId} is another one than before`);
  }
}

/**
 * Nothing can be sealed to a person, because their published directory or its
 * sealing key is malformed.
 */
export class Unsealable extends DocumentError {
  override readonly name: string = "Unsealable";
  constructor(readonly userId: string, options?: ErrorOptions) {
    const { cause } = options ?? {};
    const why = cause instanceof DocumentError
      ? cause.message
      : "their key is damaged";
    super(`nothing can be encrypted for ${userId}: ${why}`);
    if (cause !== undefined) this.cause = cause;
  }
}

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

/** Opens the people of a vault's account. */
export function openPeople(
  vault: Vault,
  store: Store,
  state: SharedState,
  trust: Trust,
  logged: ShownDirectories,
  abroad: () => Promise<AbroadSlot>,
): People {
  const { account, device, platform, server, userId: own } = vault.session;
  const ownKey = vault.identity.signer.publicKey;
  const nameOf = (userId: string) => `${PINS}${userId}`;
  const pinOf = async (userId: string): Promise<Pin | undefined> => {
    const value = await store.get("pins", nameOf(userId));
    return value === undefined
      ? undefined
      : decodeJson(pinSchema, value, "pinned identity");
  };
  /** Keeps the whole key here; the record holds its fingerprint alone. */
  const hold = async (userId: string, key: Uint8Array) => {
    const pin = { key: toBase64(key), pinned_at: toRfc3339(platform.now()) };
    const value = encodeJson(pinSchema, pin, "pinned identity");
    await store.write([{ space: "pins", key: nameOf(userId), value }]);
  };
  const fetched = async (userId: string) => {
    // A roster may name any text as its owner, even a path.
    if (!isUuid(userId)) throw new DocumentError("not a user of this server");
    try {
      return await account.directory(userId);
    } catch (error) {
      const gone = error instanceof ApiProblem && error.status === 404;
      throw gone ? new DocumentError(`${userId} has no directory`) : error;
    }
  };
  let serverIds: Promise<readonly string[]> | undefined;
  /**
   * Throws a DocumentError for a directory of another server: of none of the
   * ids that this one has or had.
   */
  const assertOfServer = async (serverId: string): Promise<void> => {
    if (trust.record.server.server_ids.includes(serverId)) return;
    serverIds ??= createClient(clientOptions(platform, server))
      .attestationKeys()
      .then((keys) => [keys.serverId, ...keys.formerIds ?? []])
      .catch((error) => {
        serverIds = undefined;
        throw error;
      });
    if ((await serverIds).includes(serverId)) return;
    serverIds = undefined;
    throw new DocumentError("the directory is of another server");
  };
  /**
   * The identity that the server shows and the directory signed by it. Throws
   * {@link Unsealable} for a directory that does not count.
   */
  const shown = (userId: string) =>
    verified(userId).catch((cause) => {
      if (!(cause instanceof DocumentError)) throw cause;
      throw new Unsealable(userId, { cause });
    });
  const verified = async (userId: string) => {
    const { bytes, identityKey } = await fetched(userId);
    if (identityKey === undefined) {
      throw new DocumentError(`${userId} has no identity`);
    }
    const directory = await verifyDirectory(
      bytes,
      identityKey,
      userId,
      platform.hybrid,
    );
    await assertOfServer(directory.server_id);
    if (userId !== own) {
      await logged.note(userId, {
        version: directory.directory_version,
        sha256: sha256Hex(bytes),
        at: toRfc3339(platform.now()),
      });
    }
    return { identityKey, directory };
  };
  const inForce = (userId: string): string | undefined => {
    const person = entryOf(trust.record.people, userId);
    return person === undefined ? undefined : anchorInForce(person);
  };
  /** The key to seal to of a member of another server: it is on their card. */
  const cardKeyOf = async (member: string): Promise<Bytes> => {
    const card = await (await abroad()).cardOf(member);
    const pinned = inForce(member);
    if (card === undefined || pinned === undefined) throw new NoCard([member]);
    const shown = keyId(card.identity_key);
    if (pinned !== shown) throw new IdentityChanged(member, pinned, shown);
    return new Uint8Array(card.sealing_key);
  };
  /** Of someone abroad only the fingerprint is kept here. */
  const pinnedOf = async (userId: string): Promise<string> => {
    if (!isAbroad(userId)) return keyId(await anchorOf(userId));
    const pinned = inForce(userId);
    if (pinned !== undefined) return pinned;
    throw new DocumentError(`${userId} is not known here`);
  };
  const anchorOf = async (userId: string): Promise<Bytes> => {
    if (userId === own) return ownKey;
    const pin = await pinOf(userId);
    const held = pin === undefined ? undefined : fromBase64(pin.key);
    if (held !== undefined && keyId(held) === inForce(userId)) return held;
    const { identityKey } = await shown(userId);
    if (inForce(userId) === undefined) {
      // Another device of the account may have pinned the person before.
      if (!trust.fresh) await trust.read();
    }
    const now = keyId(identityKey);
    const known = inForce(userId);
    if (known === undefined && trust.status === "behind") {
      throw new DocumentError(NOBODY_NEW);
    }
    await trust.change((record) =>
      seePerson(record, userId, now, platform.now())
    );
    if (known !== undefined && judgeAnchor(known, now) === "changed") {
      throw new IdentityChanged(userId, known, now);
    }
    await hold(userId, identityKey);
    return identityKey;
  };
  const numberWith = (theirs: string) =>
    safetyNumber(vault.identity.signer.keyId, theirs, primitivesOf(platform));
  return {
    anchorOf,
    async find(sought) {
      const { user_id, display_name, handle } = await account.lookUp(sought);
      return {
        userId: user_id,
        displayName: display_name ?? undefined,
        handle: handle ?? undefined,
      };
    },
    nameOf: (userId) => state.held.pins[userId]?.name,
    async call(userId, name) {
      if (userId === own) return;
      const key_id = keyId(await anchorOf(userId));
      const change = state.change((held) => {
        const { [userId]: before } = held.pins;
        const at = changedAt(before, platform.now());
        const next = { key_id, name, at };
        return { ...held, pins: { ...held.pins, [userId]: next } };
      });
      // The account may be suspended or have no room.
      await change.catch((error) => {
        if (!(error instanceof ApiProblem)) throw error;
      });
    },
    async changed(userId) {
      // No server shows anybody of another one: their card does.
      if (userId === own || isAbroad(userId)) return undefined;
      try {
        const pinned = keyId(await anchorOf(userId));
        const now = keyId((await shown(userId)).identityKey);
        if (judgeAnchor(pinned, now) !== "changed") return undefined;
        return { pinned, shown: now, safetyNumber: numberWith(now) };
      } catch (error) {
        // The pinned identity is from another device of the account.
        if (!(error instanceof IdentityChanged)) throw error;
        const { pinned, shown: now } = error;
        return { pinned, shown: now, safetyNumber: numberWith(now) };
      }
    },
    async sealingKeyOf(userId) {
      if (isAbroad(userId)) return await cardKeyOf(userId);
      if (userId === own) return await vault.identity.sealing.publicKey();
      const pinned = keyId(await anchorOf(userId));
      const { identityKey, directory } = await shown(userId);
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
    },
    async known(userId) {
      const theirs = await pinnedOf(userId);
      const { compared } = entryOf(trust.record.people, userId) ?? {};
      const comparedAt = compared?.key_id === theirs ? compared.at : undefined;
      const number = numberWith(theirs);
      return { userId, keyId: theirs, safetyNumber: number, comparedAt };
    },
    async compared(userId) {
      if (userId === own) return;
      const compared = {
        key_id: await pinnedOf(userId),
        by: device.device_id,
      };
      await trust.change((record) =>
        comparePerson(record, userId, compared, platform.now())
      );
      await trust.settle();
    },
    isBlocked: (userId) => isBlocked(trust.record, userId),
    blocked: () =>
      Object.keys(trust.record.people).filter((userId) =>
        isBlocked(trust.record, userId)
      ),
    async block(userId, blocked) {
      if (userId === own) throw new DocumentError("this is your own account");
      if (inForce(userId) === undefined) await anchorOf(userId);
      await trust.change((record) =>
        blockPerson(record, userId, blocked, platform.now())
      );
      await trust.settle();
    },
    async believe(userId, fingerprint) {
      const { identityKey } = await shown(userId);
      const now = keyId(identityKey);
      // The server now shows another identity than the person accepted.
      if (now !== fingerprint) {
        throw new IdentityChanged(userId, fingerprint, now);
      }
      await trust.change((record) =>
        decidePerson(record, userId, now, platform.now())
      );
      await hold(userId, identityKey);
      await trust.settle();
    },
  };
}
