/**
 * The line of the keys that sign a server's public logs
 * (protocol/logs.md#keys): each signs that the next one follows it.
 *
 * @module
 */
import { type Bytes, concatBytes, toHex, utf8 } from "../core/bytes.ts";
import { encodeCanonical } from "../core/cbor.ts";
import { toRfc3339 } from "../core/time.ts";
import { verifyEd25519 } from "./ed25519.ts";
import { sha256 } from "./sha256.ts";
import { noteSigner } from "./signed_note.ts";

/** The signing domain, and the first item of the signed array. */
const LOG_SUCCESSION_DOMAIN = "service-log-key-succession/v1";

/** The algorithm's name on the wire. */
export const LOG_KEY_ALGORITHM = "Ed25519";

/** A key of the logs as it is published. */
export interface PublishedLogKey {
  /** SHA-256 of the public key, lowercase hex. */
  readonly keyId: string;
  readonly publicKey: Uint8Array;
  /** Milliseconds since the Unix epoch. */
  readonly activeFrom: number;
  /** The signature of the key before; undefined for the first. */
  readonly succession: Uint8Array | undefined;
}

/** The fingerprint of a key: SHA-256 in lowercase hex. */
export function logKeyId(publicKey: Uint8Array): string {
  return toHex(sha256(publicKey));
}

function messageOf(
  serverId: string,
  next: { readonly keyId: string; readonly activeFrom: number },
): Bytes {
  const from = toRfc3339(next.activeFrom);
  const statement = [LOG_SUCCESSION_DOMAIN, serverId, next.keyId, from];
  return concatBytes(
    utf8(LOG_SUCCESSION_DOMAIN),
    new Uint8Array(1),
    encodeCanonical(statement),
  );
}

/** Makes the function with which a key of the logs endorses the next one. */
export function endorsedLogKeyFor(serverId: string) {
  return async (
    before: Uint8Array<ArrayBuffer>,
    next: {
      readonly seed: Uint8Array<ArrayBuffer>;
      readonly activeFrom: number;
    },
  ): Promise<Bytes> => {
    const signer = await noteSigner(before);
    const { publicKey } = await noteSigner(next.seed);
    const message = messageOf(serverId, {
      keyId: logKeyId(publicKey),
      activeFrom: next.activeFrom,
    });
    return new Uint8Array(await signer.sign(message));
  };
}

/**
 * The published keys from a pinned one on, as long as each vouches for the
 * next under an id that the server has or had. None where the pinned key is
 * not among them.
 */
export async function followLogKeys(
  keys: readonly PublishedLogKey[],
  pinned: string,
  serverIds: readonly string[],
): Promise<readonly PublishedLogKey[]> {
  const start = keys.findIndex(({ keyId }) => keyId === pinned);
  let last = keys[start];
  if (last === undefined || logKeyId(last.publicKey) !== pinned) return [];
  const followed = [last];
  for (const next of keys.slice(start + 1)) {
    if (!await vouches(last, next, serverIds)) break;
    followed.push(next);
    last = next;
  }
  return followed;
}

async function vouches(
  before: PublishedLogKey,
  next: PublishedLogKey,
  serverIds: readonly string[],
): Promise<boolean> {
  const { succession } = next;
  if (succession === undefined) return false;
  if (logKeyId(next.publicKey) !== next.keyId) return false;
  for (const id of serverIds) {
    const message = messageOf(id, next);
    if (await verifyEd25519(before.publicKey, message, succession)) return true;
  }
  return false;
}
