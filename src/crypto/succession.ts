/**
 * The line of a server's attestation keys
 * (protocol/discovery.md#attestation-keys): each key signs that the next one
 * follows it, so that whoever pinned one key can follow the server through its
 * rotations.
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

/** The signing domain, and the first word of what is signed. */
export const SUCCESSION_DOMAIN = "service-key-succession/v1";

/** What a succession says: this key signs for that server from then on. */
interface Succession {
  readonly serverId: string;
  readonly keyId: string;
  /** Milliseconds since the Unix epoch; signed as it is published. */
  readonly activeFrom: number;
}

function payloadOf({ serverId, keyId, activeFrom }: Succession): Uint8Array {
  const from = toRfc3339(activeFrom);
  return encodeCanonical([SUCCESSION_DOMAIN, serverId, keyId, from]);
}

/** Opens the hybrid key of a 64 byte seed: Ed25519's half, then ML-DSA's. */
export function hybridSignerFromSeed(seed: Uint8Array<ArrayBuffer>) {
  return hybridSignerFromSeeds({
    ed25519: seed.subarray(0, 32),
    mlDsa65: seed.subarray(32),
  });
}

/** How the keys of a server endorse those that follow them. */
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

/** What of the published keys a pinned one vouches for. */
export interface Followed {
  /** The same record with the pinned key and those that follow it alone. */
  readonly published: PublishedKeys;
  /** The first later key that the one before it does not vouch for. */
  readonly endsBefore: string | undefined;
}

/**
 * Follows the line from one pinned key: through every later key that the one
 * before it vouches for, under any id that the server has or had, and no
 * further. Undefined where the pinned key is not published.
 */
export async function followSuccession(
  published: PublishedKeys,
  pinned: string,
  backend?: HybridBackend,
): Promise<Followed | undefined> {
  const start = published.keys.findIndex((key) => key.keyId === pinned);
  let last = published.keys[start];
  // A record need not have come through the reader that looks at this.
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
