/**
 * The identities of other people: what the server shows of them, what this
 * device has pinned, and which of them counts.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import { isUuid } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { judgeAnchor } from "../../client/documents/anchors.ts";
import { ApiProblem, createClient } from "../../client/api/api.ts";
import {
  type Directory,
  verifyDirectory,
} from "../../client/documents/directory.ts";
import { DocumentError, instant } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import { clientOptions } from "../base/platform.ts";
import { entryOf } from "../base/merging.ts";
import type { ShownDirectories } from "./log_shown.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "./trust.ts";
import { NOBODY_NEW } from "./trust_status.ts";
import { anchorInForce, seePerson } from "./trust_rules.ts";
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

/** What identities are judged by. */
export interface IdentitiesContext {
  readonly vault: Vault;
  readonly store: Store;
  readonly trust: Trust;
  /** The directories that were shown, for the public log. */
  readonly logged: ShownDirectories;
}

/** An identity that the server shows, and the directory that it signed. */
interface ShownIdentity {
  readonly identityKey: Bytes;
  readonly directory: Directory;
}

/** The identities of other people, as they are shown and as they are pinned. */
export class Identities {
  /** The ids that this server has or had. */
  #serverIds: Promise<readonly string[]> | undefined;

  constructor(private readonly context: IdentitiesContext) {}

  /** Fingerprint of the identity that counts, on any device of the account. */
  inForce(userId: string): string | undefined {
    const person = entryOf(this.context.trust.record.people, userId);
    return person === undefined ? undefined : anchorInForce(person);
  }

  /**
   * The pinned identity key; pins it now at first sight. Throws IdentityChanged
   * if the server shows another one, and DocumentError.
   */
  async anchorOf(userId: string): Promise<Bytes> {
    const { trust, vault } = this.context;
    const { platform, userId: own } = vault.session;
    if (userId === own) return vault.identity.signer.publicKey;
    const pin = await this.#pinOf(userId);
    const held = pin === undefined ? undefined : fromBase64(pin.key);
    if (held !== undefined && keyId(held) === this.inForce(userId)) return held;
    const { identityKey } = await this.shown(userId);
    if (this.inForce(userId) === undefined) {
      // Another device of the account may have pinned the person before.
      if (!trust.fresh) await trust.read();
    }
    const now = keyId(identityKey);
    const known = this.inForce(userId);
    if (known === undefined && trust.status === "behind") {
      throw new DocumentError(NOBODY_NEW);
    }
    await trust.change((record) =>
      seePerson(record, userId, now, platform.now())
    );
    if (known !== undefined && judgeAnchor(known, now) === "changed") {
      throw new IdentityChanged(userId, known, now);
    }
    await this.hold(userId, identityKey);
    return identityKey;
  }

  /** Keeps the whole key here; the record holds its fingerprint alone. */
  async hold(userId: string, key: Uint8Array): Promise<void> {
    const { store, vault } = this.context;
    const at = toRfc3339(vault.session.platform.now());
    const pin = { key: toBase64(key), pinned_at: at };
    const value = encodeJson(pinSchema, pin, "pinned identity");
    await store.write([{ space: "pins", key: `${PINS}${userId}`, value }]);
  }

  /**
   * The identity that the server shows and the directory signed by it. Throws
   * {@link Unsealable} for a directory that does not count.
   */
  async shown(userId: string): Promise<ShownIdentity> {
    try {
      return await this.#verified(userId);
    } catch (cause) {
      if (!(cause instanceof DocumentError)) throw cause;
      throw new Unsealable(userId, { cause });
    }
  }

  async #verified(userId: string): Promise<ShownIdentity> {
    const { logged, vault: { session } } = this.context;
    const { platform, userId: own } = session;
    const { bytes, identityKey } = await this.#fetched(userId);
    if (identityKey === undefined) {
      throw new DocumentError(`${userId} has no identity`);
    }
    const directory = await verifyDirectory(
      bytes,
      identityKey,
      userId,
      platform.hybrid,
    );
    await this.#assertOfServer(directory.server_id);
    if (userId !== own) {
      await logged.note(userId, {
        version: directory.directory_version,
        sha256: sha256Hex(bytes),
        at: toRfc3339(platform.now()),
      });
    }
    return { identityKey, directory };
  }

  async #fetched(userId: string) {
    // A roster may name any text as its owner, even a path.
    if (!isUuid(userId)) throw new DocumentError("not a user of this server");
    try {
      return await this.context.vault.session.account.directory(userId);
    } catch (error) {
      const gone = error instanceof ApiProblem && error.status === 404;
      throw gone ? new DocumentError(`${userId} has no directory`) : error;
    }
  }

  /**
   * Throws a DocumentError for a directory of another server: of none of the
   * ids that this one has or had.
   */
  async #assertOfServer(serverId: string): Promise<void> {
    const { trust, vault } = this.context;
    if (trust.record.server.server_ids.includes(serverId)) return;
    const { platform, server } = vault.session;
    this.#serverIds ??= createClient(clientOptions(platform, server))
      .attestationKeys()
      .then((keys) => [keys.serverId, ...keys.formerIds ?? []])
      .catch((error) => {
        this.#serverIds = undefined;
        throw error;
      });
    if ((await this.#serverIds).includes(serverId)) return;
    this.#serverIds = undefined;
    throw new DocumentError("the directory is of another server");
  }

  async #pinOf(userId: string): Promise<Pin | undefined> {
    const value = await this.context.store.get("pins", `${PINS}${userId}`);
    return value === undefined
      ? undefined
      : decodeJson(pinSchema, value, "pinned identity");
  }
}
