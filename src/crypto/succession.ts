/**
 * The line of a server's attestation keys
 * (protocol/discovery.md#attestation-keys): each key signs that the next one
 * follows it, so that a client that pinned one key can follow the server
 * through its rotations.
 *
 * @module
 */
import type { Bytes } from "../core/bytes.ts";
import { encodeCanonical } from "../core/cbor.ts";
import { toRfc3339 } from "../core/time.ts";
import {
  type HybridBackend,
  hybridSignerFromSeeds,
  keyId,
  verifyHybrid,
} from "./hybrid.ts";
import type { PublishedKey, PublishedKeys } from "./receipt_chain.ts";

/** The signing domain, and the first item of the signed array. */
export const SUCCESSION_DOMAIN = "service-key-succession/v1";

/**
 * The statement of a succession: the key signs for the server from `activeFrom`
 * on.
 */
interface Succession {
  readonly serverId: string;
  readonly keyId: string;
  /**
   * Milliseconds since the Unix epoch; signed as the RFC 3339 text that is
   * published.
   */
  readonly activeFrom: number;
}

function payloadOf({ serverId, keyId, activeFrom }: Succession): Uint8Array {
  const from = toRfc3339(activeFrom);
  return encodeCanonical([SUCCESSION_DOMAIN, serverId, keyId, from]);
}

/**
 * Opens the hybrid key of a 64 byte seed: 32 bytes for Ed25519, then 32 for
 * ML-DSA.
 */
export function hybridSignerFromSeed(seed: Uint8Array<ArrayBuffer>) {
  return hybridSignerFromSeeds({
    ed25519: seed.subarray(0, 32),
    mlDsa65: seed.subarray(32),
  });
}

/**
 * Makes the function with which a server's key endorses the one that follows
 * it.
 */
export function endorsedFor(serverId: string) {
  return async (
    before: Uint8Array<ArrayBuffer>,
    next: {
      readonly seed: Uint8Array<ArrayBuffer>;
      readonly activeFrom: number;
    },
  ): Promise<Bytes> => {
    const signer = await hybridSignerFromSeed(before);
    const { keyId } = await hybridSignerFromSeed(next.seed);
    const { activeFrom } = next;
    const payload = payloadOf({ serverId, keyId, activeFrom });
    return await signer.sign(SUCCESSION_DOMAIN, payload);
  };
}

/** The part of the published keys that a pinned key vouches for. */
export interface Followed {
  /**
   * The record, reduced to the pinned key and the keys vouched for after it.
   */
  readonly published: PublishedKeys;
  /** The first later key that its predecessor does not vouch for. */
  readonly endsBefore: string | undefined;
}

/**
 * Follows the line from a pinned key, through later keys as long as each is
 * vouched for by its predecessor under an id that the server has or had.
 * Undefined if the pinned key is not published.
 */
export async function followSuccession(
  published: PublishedKeys,
  pinned: string,
  backend?: HybridBackend,
): Promise<Followed | undefined> {
  const start = published.keys.findIndex((key) => key.keyId === pinned);
  let last = published.keys[start];
  // The record may not have come through parsePublishedKeys, which checks this.
  if (last === undefined || keyId(last.publicKey) !== pinned) return undefined;
  const keys = [last];
  for (const next of published.keys.slice(start + 1)) {
    if (!await vouches(published, last, next, backend)) {
      return { published: { ...published, keys }, endsBefore: next.keyId };
    }
    keys.push(next);
    last = next;
  }
  return { published: { ...published, keys }, endsBefore: undefined };
}

async function vouches(
  { serverId, formerIds = [] }: PublishedKeys,
  before: PublishedKey,
  next: PublishedKey,
  backend: HybridBackend | undefined,
): Promise<boolean> {
  const { succession, activeFrom } = next;
  if (succession === undefined) return false;
  if (keyId(next.publicKey) !== next.keyId) return false;
  for (const id of new Set([serverId, ...formerIds])) {
    const payload = payloadOf({ serverId: id, keyId: next.keyId, activeFrom });
    const signed = await verifyHybrid(
      before.publicKey,
      SUCCESSION_DOMAIN,
      payload,
      succession,
      backend,
    );
    if (signed) return true;
  }
  return false;
}
