/**
 * The server's attestation keys, pinned at first sight. A later key is accepted
 * only if a pinned one vouches for it: the newest, or, where the server went
 * back to a backup from before that one, an older one.
 *
 * @module
 */
import * as z from "zod/mini";
import { fromBase64, fromUtf8, toBase64, utf8 } from "../../core/bytes.ts";
import type { HybridBackend } from "../../crypto/hybrid.ts";
import { ReceiptError } from "../../crypto/receipt.ts";
import type { PublishedKeys } from "../../crypto/receipt_chain.ts";
import { followSuccession } from "../../crypto/succession.ts";
import type { Client } from "../api.ts";
import { checked } from "../fields.ts";
import { CustodyError } from "./faults.ts";
import type { Store } from "./store.ts";
import type { Trust } from "./trust.ts";
import { seeServer } from "./trust_rules.ts";

const ATTESTATION = "attestation-keys";

const pinnedSchema = z.object({
  server_id: z.string(),
  former_ids: z.array(z.string()),
  keys: z.array(z.object({
    key_id: z.string(),
    public: z.base64(),
    active_from: z.int(),
    active_to: z.nullable(z.int()),
  })),
});

/** The pinned keys of a server. */
export interface Pins {
  /**
   * The attestation keys that this device trusts; with `renew`, newer ones are
   * fetched from the server. Throws CustodyError `keys_replaced`.
   */
  attestation(renew: boolean): Promise<PublishedKeys>;
}

/** Opens the pins in a store. */
export function openPins(
  client: Client,
  store: Store,
  hybrid: HybridBackend | undefined,
  trust?: Pick<Trust, "change" | "fresh" | "read" | "server">,
): Pins {
  let known: PublishedKeys | undefined;
  const published = async (): Promise<PublishedKeys> => {
    try {
      return await client.attestationKeys();
    } catch (error) {
      if (!(error instanceof ReceiptError)) throw error;
      throw new CustodyError(
        "keys_replaced",
        `the server publishes no valid keys: ${error.message}`,
      );
    }
  };
  const hold = async (keys: PublishedKeys): Promise<PublishedKeys> => {
    const value = utf8(JSON.stringify(encoded(keys)));
    // The record first: keys that are pinned here are not noted there again.
    await trust?.change((record) => seeServer(record, keys));
    await store.write([{ space: "pins", key: ATTESTATION, value }]);
    return known = keys;
  };
  /** The keys at first sight here; other devices may have seen some before. */
  const first = async (): Promise<PublishedKeys> => {
    const shown = await published();
    if (trust === undefined) return shown;
    if (!trust.fresh) await trust.read();
    const seen = trust.server.keys;
    const inTime = Object.entries(seen).toSorted(([, a], [, b]) => a - b);
    const [oldest] = inTime[0] ?? [];
    if (oldest === undefined) return shown;
    const start = shown.keys.find(({ keyId }) => keyId === oldest);
    const [newest] = inTime.at(-1) ?? [];
    // Those between are followed from the oldest on.
    const isFurther = shown.keys.some(({ keyId }) =>
      keyId === newest || !Object.hasOwn(seen, keyId)
    );
    if (start === undefined || !isFurther) throw replaced(shown);
    return await continued({ ...shown, keys: [start] }, shown, hybrid);
  };
  return {
    async attestation(renew) {
      known ??= decoded(await store.get("pins", ATTESTATION));
      if (known === undefined) {
        return await hold(await first());
      }
      if (!renew) return known;
      return await hold(
        await continued(known, await published(), hybrid),
      );
    },
  };
}

/**
 * The pinned keys, with their times as now published, and the keys that follow
 * them.
 */
async function continued(
  pinned: PublishedKeys,
  published: PublishedKeys,
  hybrid: HybridBackend | undefined,
): Promise<PublishedKeys> {
  const later = await keysAfter(pinned, published, hybrid);
  const times = new Map(published.keys.map((key) => [key.keyId, key]));
  const before = pinned.keys.map((key) => times.get(key.keyId) ?? key);
  return {
    serverId: published.serverId,
    formerIds: [...published.formerIds ?? []],
    keys: [...before, ...later],
  };
}

/**
 * The published keys for which the newest pinned one vouches that is published.
 * A server that is restored twice from one backup has a new key each time, and
 * nobody shows the one between any more: then there has to be a later one.
 * Throws CustodyError `keys_replaced`.
 */
export async function keysAfter(
  pinned: PublishedKeys,
  published: PublishedKeys,
  hybrid?: HybridBackend,
): Promise<PublishedKeys["keys"]> {
  const last = pinned.keys.findLast((one) =>
    published.keys.some(({ keyId }) => keyId === one.keyId)
  );
  const followed = last &&
    await followSuccession(published, last.keyId, hybrid);
  const later =
    followed?.published.keys.filter(({ keyId }) =>
      pinned.keys.every((key) => key.keyId !== keyId)
    ) ?? [];
  const isFurther = later.length > 0 || last === pinned.keys.at(-1);
  if (followed === undefined || !isFurther) throw replaced(published);
  return later;
}

function replaced({ serverId }: PublishedKeys): CustodyError {
  return new CustodyError(
    "keys_replaced",
    `${serverId} no longer publishes the key that it signed with`,
  );
}

function encoded(keys: PublishedKeys): z.input<typeof pinnedSchema> {
  return {
    server_id: keys.serverId,
    former_ids: [...keys.formerIds ?? []],
    keys: keys.keys.map((key) => ({
      key_id: key.keyId,
      public: toBase64(key.publicKey),
      active_from: key.activeFrom,
      active_to: key.activeTo,
    })),
  };
}

function decoded(value: Uint8Array | undefined): PublishedKeys | undefined {
  if (value === undefined) return undefined;
  const json: unknown = JSON.parse(fromUtf8(value) ?? "null");
  const pinned = checked(pinnedSchema, json, "pinned keys");
  return {
    serverId: pinned.server_id,
    formerIds: pinned.former_ids,
    keys: pinned.keys.map((key) => ({
      keyId: key.key_id,
      publicKey: fromBase64(key.public) ?? new Uint8Array(),
      activeFrom: key.active_from,
      activeTo: key.active_to,
    })),
  };
}
