/**
 * What readers of the public logs need that no client here does: all tiles of a
 * tree, and the line of a log's keys (protocol/logs.md#keys).
 *
 * @module
 */
import { verifyEd25519 } from "../../src/crypto/ed25519.ts";
import { logKeyId, messageOf } from "../../src/crypto/logs/log_key.ts";
import {
  type Tile,
  TILE_WIDTH,
  tilesOfLevel,
} from "../../src/crypto/logs/merkle.ts";

/** The tiles of hashes that a tree of a size has and a smaller one has not. */
export function tilesBetween(oldSize: number, size: number): Tile[] {
  const tiles: Tile[] = [];
  let from = oldSize;
  let to = size;
  for (let level = 0; to > 0; level++) {
    if (from !== to) tiles.push(...tilesOfLevel(level, from, to));
    from = Math.floor(from / TILE_WIDTH);
    to = Math.floor(to / TILE_WIDTH);
  }
  return tiles;
}

/** A key of the logs as it is published. */
interface PublishedLogKey {
  /** SHA-256 of the public key, lowercase hex. */
  readonly keyId: string;
  readonly publicKey: Uint8Array;
  /** Milliseconds since the Unix epoch. */
  readonly activeFrom: number;
  /** The signature of the key before; undefined for the first. */
  readonly succession: Uint8Array | undefined;
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
