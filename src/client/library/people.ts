/**
 * Other people of the server: whom this device believes to be who. An identity
 * is pinned when it is first seen; where the server shows another one later,
 * nothing is sealed to it until the person decides.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import { isUuid } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import type { Sought } from "../account_calls.ts";
import { judgeAnchor, safetyNumber } from "../anchors.ts";
import { ApiProblem } from "../api.ts";
import { verifyDirectory } from "../directory.ts";
import { DocumentError, instant } from "../fields.ts";
import { decodeJson, encodeJson } from "../json.ts";
import { primitivesOf } from "./platform.ts";
import { type AnchorPin, changedAt } from "../state.ts";
import type { SharedState } from "./shared_state.ts";
import type { Store } from "./store.ts";
import type { Vault } from "./vault.ts";

const pinSchema = z.object({
  /** The identity key, 1,984 bytes. */
  key: z.base64(),
  pinned_at: instant,
  /** When the people compared their safety number. */
  compared_at: z.optional(instant),
});
type Pin = z.infer<typeof pinSchema>;

/** The server shows another identity of somebody than this device has pinned. */
export class IdentityChanged extends DocumentError {
  override readonly name: string = "IdentityChanged";
  constructor(
    readonly userId: string,
    /** Fingerprint of the identity that is pinned, and of the one shown. */
    readonly pinned: string,
    readonly shown: string,
  ) {
    super(`the identity of ${userId} is another one than before`);
  }
}

/** Somebody, as far as this device knows. */
export interface KnownPerson {
  readonly userId: string;
  /** Fingerprint of the pinned identity key. */
  readonly keyId: string;
  /** What the two people compare: twelve groups of five digits. */
  readonly safetyNumber: string;
  readonly comparedAt: string | undefined;
}

/** Somebody as the server tells of them. */
export interface FoundPerson {
  readonly userId: string;
  readonly displayName: string | undefined;
  readonly handle: string | undefined;
}

/** Another identity than the one that is pinned. */
export interface ChangedIdentity {
  readonly pinned: string;
  readonly shown: string;
  /** What the two people compare, if the one that is shown is theirs. */
  readonly safetyNumber: string;
}

/** Other people of the server. */
export interface People {
  /** Finds somebody; what is told of them is the server's word. */
  find(sought: Sought): Promise<FoundPerson>;
  /** What the account calls somebody, as this device saw it last. */
  nameOf(userId: string): string | undefined;
  /** Calls somebody so, on all devices of the account. */
  call(userId: string, name: string): Promise<void>;
  /** The identity that the server shows, where it is not the pinned one. */
  changed(userId: string): Promise<ChangedIdentity | undefined>;
  /** The identity key (1,984 bytes) that is pinned, or is now. */
  anchorOf(userId: string): Promise<Bytes>;
  /**
   * What to seal to: of a directory that the pinned identity signed. Throws
   * {@link IdentityChanged}, DocumentError.
   */
  sealingKeyOf(userId: string): Promise<Bytes>;
  /** Throws as {@link People.anchorOf}. */
  known(userId: string): Promise<KnownPerson>;
  /** The person compared the number with the other one. */
  compared(userId: string): Promise<void>;
  /** The person decided for the identity that is shown, by its fingerprint. */
  believe(userId: string, shown: string): Promise<void>;
}

/** The people that a vault's account meets. */
export function openPeople(
  vault: Vault,
  store: Store,
  state: SharedState,
): People {
  const { account, platform, userId: own } = vault.session;
  const ownKey = vault.identity.signer.publicKey;
  const nameOf = (userId: string) => `user/${userId}`;
  const pinOf = async (userId: string): Promise<Pin | undefined> => {
    const value = await store.get("pins", nameOf(userId));
    return value === undefined
      ? undefined
      : decodeJson(pinSchema, value, "pinned identity");
  };
  const hold = async (userId: string, pin: Pin) => {
    const value = encodeJson(pinSchema, pin, "pinned identity");
    await store.write([{ space: "pins", key: nameOf(userId), value }]);
  };
  const pinNow = async (userId: string, key: Uint8Array) => {
    const pinned_at = toRfc3339(platform.now());
    await hold(userId, { key: toBase64(key), pinned_at });
    await tell(userId, { key_id: keyId(key) });
  };
  /** Tells the account's other devices, where the server takes it. */
  const tell = async (
    userId: string,
    pin: Pick<AnchorPin, "key_id" | "compared_at" | "name">,
  ) => {
    const change = state.change((held) => {
      const { [userId]: before } = held.pins;
      const at = changedAt(before, platform.now());
      const named = before?.name === undefined ? {} : { name: before.name };
      // Compared is an identity, not a person: a new one was not.
      const compared =
        before?.key_id === pin.key_id && before.compared_at !== undefined
          ? { compared_at: before.compared_at }
          : {};
      const next = { ...named, ...compared, ...pin, at };
      return { ...held, pins: { ...held.pins, [userId]: next } };
    });
    // Suspended, or no room: what is pinned here counts all the same.
    await change.catch((error) => {
      if (!(error instanceof ApiProblem)) throw error;
    });
  };
  const fetched = async (userId: string) => {
    // A roster may name anything as its owner, a path too.
    if (!isUuid(userId)) throw new DocumentError("not a user of this server");
    try {
      return await account.directory(userId);
    } catch (error) {
      const gone = error instanceof ApiProblem && error.status === 404;
      throw gone ? new DocumentError(`${userId} has no directory`) : error;
    }
  };
  /** What the server shows, signed by the identity that it shows. */
  const shown = async (userId: string) => {
    const { bytes, identityKey } = await fetched(userId);
    if (identityKey === undefined) {
      throw new DocumentError(`${userId} has no identity`);
    }
    const directory = await verifyDirectory(
      bytes,
      identityKey,
      platform.hybrid,
    );
    return { identityKey, directory };
  };
  const anchorOf = async (userId: string): Promise<Bytes> => {
    if (userId === own) return ownKey;
    const pin = await pinOf(userId);
    const key = pin === undefined ? undefined : fromBase64(pin.key);
    if (key !== undefined) return key;
    const { identityKey } = await shown(userId);
    // Another device of the account may have seen them before this one.
    const { [userId]: elsewhere } = (await state.read()).pins;
    const now = keyId(identityKey);
    const before = elsewhere?.removed ? undefined : elsewhere?.key_id;
    if (before !== undefined && judgeAnchor(before, now) === "changed") {
      throw new IdentityChanged(userId, before, now);
    }
    await pinNow(userId, identityKey);
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
      await tell(userId, { name, key_id: keyId(await anchorOf(userId)) });
    },
    async changed(userId) {
      if (userId === own) return undefined;
      try {
        const pinned = keyId(await anchorOf(userId));
        const now = keyId((await shown(userId)).identityKey);
        if (judgeAnchor(pinned, now) !== "changed") return undefined;
        return { pinned, shown: now, safetyNumber: numberWith(now) };
      } catch (error) {
        // Another device of the account pinned it.
        if (!(error instanceof IdentityChanged)) throw error;
        const { pinned, shown: now } = error;
        return { pinned, shown: now, safetyNumber: numberWith(now) };
      }
    },
    async sealingKeyOf(userId) {
      if (userId === own) return vault.identity.sealing.publicKey;
      const pinned = keyId(await anchorOf(userId));
      const { identityKey, directory } = await shown(userId);
      const now = keyId(identityKey);
      if (judgeAnchor(pinned, now) === "changed") {
        throw new IdentityChanged(userId, pinned, now);
      }
      return new Uint8Array(directory.sealing_key);
    },
    async known(userId) {
      const theirs = keyId(await anchorOf(userId));
      const comparedAt = (await pinOf(userId))?.compared_at;
      const number = numberWith(theirs);
      return { userId, keyId: theirs, safetyNumber: number, comparedAt };
    },
    async compared(userId) {
      await anchorOf(userId);
      const pin = await pinOf(userId);
      if (pin === undefined) return;
      const compared_at = toRfc3339(platform.now());
      await hold(userId, { ...pin, compared_at });
      await tell(userId, {
        key_id: keyId(await anchorOf(userId)),
        compared_at,
      });
    },
    async believe(userId, fingerprint) {
      const { identityKey } = await shown(userId);
      const now = keyId(identityKey);
      // Not the one that the person looked at.
      if (now !== fingerprint) {
        throw new IdentityChanged(userId, fingerprint, now);
      }
      await pinNow(userId, identityKey);
    },
  };
}
