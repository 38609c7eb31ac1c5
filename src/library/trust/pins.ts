/**
 * The server's attestation keys, pinned at first sight. A later key is accepted
 * only if the newest pinned one vouches for it. Where the server went back to a
 * backup from before that one, an older one vouches: the person is told, and
 * decides (protocol/discovery.md#attestation-keys).
 *
 * @module
 */
import * as z from "zod/mini";
import { fromBase64, fromUtf8, toBase64, utf8 } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { HybridBackend } from "../../crypto/hybrid.ts";
import { ReceiptError } from "../../crypto/receipt.ts";
import type { PublishedKeys } from "../../crypto/receipt_chain.ts";
import { followSuccession } from "../../crypto/succession.ts";
import type { Client } from "../../client/api/api.ts";
import { checked } from "../../client/documents/fields.ts";
import { CustodyError } from "../base/faults.ts";
import { entryOf } from "../base/merging.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "./trust.ts";
import { seeServer, withLogs } from "./trust_rules.ts";

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
interface Pins {
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
  { now, trust }: {
    readonly now: () => number;
    readonly trust?:
      | Pick<Trust, "change" | "fresh" | "read" | "record" | "server">
      | undefined;
  },
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
  /**
   * The keys that follow those that are pinned. Where the newest of these is
   * skipped, only once the person said that they know.
   */
  const follow = async (
    pinned: PublishedKeys,
    newest: string,
    shown: PublishedKeys,
  ): Promise<PublishedKeys> => {
    const isShown = shown.keys.some(({ keyId }) => keyId === newest);
    const mayGoBack = !isShown && trust !== undefined;
    const next = await continued(pinned, shown, { hybrid, mayGoBack });
    const isThere = next.keys.some(({ keyId }) => keyId === newest);
    if (isShown && isThere) return next;
    const last = next.keys.at(-1)?.keyId ?? "";
    const id = `key_skipped ${newest} ${last}`;
    const told = entryOf(trust?.record.logs?.evidence ?? {}, id);
    if (told?.answered_at !== undefined) return next;
    if (Object.hasOwn(trust?.server.keys ?? {}, last)) throw replaced(shown);
    const detail = `the server ${shown.serverId} no longer shows its newest ` +
      "key, and an older one vouches for another. This happens after the same " +
      "backup was restored twice; otherwise someone has stolen that older key";
    await trust?.change((record) =>
      withLogs(record, {
        evidence: {
          [id]: { kind: "key_skipped", detail, at: toRfc3339(now()) },
        },
      })
    );
    throw replaced(shown);
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
    const [newest = oldest] = inTime.at(-1) ?? [];
    // Those between are followed from the oldest on.
    if (start === undefined) throw replaced(shown);
    return await follow({ ...shown, keys: [start] }, newest, shown);
  };
  return {
    async attestation(renew) {
      known ??= decoded(await store.get("pins", ATTESTATION));
      if (known === undefined) {
        return await hold(await first());
      }
      if (!renew) return known;
      const newest = known.keys.at(-1)?.keyId ?? "";
      return await hold(await follow(known, newest, await published()));
    },
  };
}

/** How {@link keysAfter} follows. */
interface Following {
  readonly hybrid?: HybridBackend | undefined;
  /** Whether an older key than the newest pinned one may vouch. */
  readonly mayGoBack?: boolean;
}

/**
 * The pinned keys and those that follow them, with the times that are published
 * now. A time that ended does not go on: what is signed after it does not count.
 */
async function continued(
  pinned: PublishedKeys,
  published: PublishedKeys,
  following: Following,
): Promise<PublishedKeys> {
  const later = await keysAfter(pinned, published, following);
  const times = new Map(published.keys.map((key) => [key.keyId, key]));
  const before = pinned.keys.map((key) => {
    const shown = times.get(key.keyId);
    const ends = [key.activeTo, shown?.activeTo ?? null]
      .filter((end) => end !== null);
    // One that is skipped ends where the next one begins.
    if (shown === undefined && ends.length === 0 && later[0] !== undefined) {
      ends.push(later[0].activeFrom);
    }
    const activeTo = ends.length === 0 ? null : Math.min(...ends);
    return { ...key, ...shown, activeTo };
  });
  return {
    serverId: published.serverId,
    formerIds: [...published.formerIds ?? []],
    keys: [...before, ...later],
  };
}

/**
 * The published keys for which the newest pinned one vouches, one after the
 * other. A retired key vouches for nothing more, unless `mayGoBack`: a server
 * that is restored twice from one backup has a new key each time, and does not
 * show the one between any more. Throws CustodyError `keys_replaced`.
 */
export async function keysAfter(
  pinned: PublishedKeys,
  published: PublishedKeys,
  { hybrid, mayGoBack = false }: Following = {},
): Promise<PublishedKeys["keys"]> {
  const last = pinned.keys.findLast((one) =>
    published.keys.some(({ keyId }) => keyId === one.keyId)
  );
  const isNewest = last === pinned.keys.at(-1);
  const followed = last === undefined || !(isNewest || mayGoBack)
    ? undefined
    : await followSuccession(published, last.keyId, hybrid);
  const later =
    followed?.published.keys.filter(({ keyId }) =>
      pinned.keys.every((key) => key.keyId !== keyId)
    ) ?? [];
  const isFurther = later.length > 0 || isNewest;
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
