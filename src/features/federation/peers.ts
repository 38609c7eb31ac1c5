/**
 * Peers: the servers whose reports are accepted. Only the operator pins them
 * (protocol/federation.md#reports).
 *
 * @module
 */
import { equalBytes } from "../../core/bytes.ts";
import { OperatorFault } from "../../core/operator.ts";
import { parseOrigin } from "../../core/origin.ts";
import { isEd25519PublicKey } from "../../crypto/ed25519_strict.ts";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import { deletePeer, findPeer, putPeer, selectPeers } from "./store.ts";

/** What pinning did: a new peer, another key for it, or nothing at all. */
interface Pinned {
  /** The canonical origin. */
  readonly serverId: string;
  readonly outcome: "pinned" | "replaced" | "unchanged";
}

/**
 * Pins a server's raw Ed25519 public key, in place of the one before. Throws
 * an {@link OperatorFault} for what is no canonical origin or no public key.
 */
export async function pinPeer(
  db: Db,
  serverId: string,
  publicKey: Uint8Array<ArrayBuffer>,
  now: number,
): Promise<Pinned> {
  const origin = requireOrigin(serverId);
  if (!isEd25519PublicKey(publicKey)) {
    throw new OperatorFault(
      "the key is not an Ed25519 public key of 32 bytes: use the " +
        `signing_key of ${origin}/.well-known/service/server-info`,
    );
  }
  return await transaction(db, async (tx) => {
    const before = await findPeer(tx, origin);
    await putPeer(tx, origin, publicKey, now);
    const outcome = before === undefined
      ? "pinned"
      : equalBytes(before.public_key, publicKey)
      ? "unchanged"
      : "replaced";
    return { serverId: origin, outcome };
  });
}

/**
 * Takes a pin away and returns the canonical origin that had it; throws an
 * {@link OperatorFault} if there is none.
 */
export async function unpinPeer(db: Db, serverId: string): Promise<string> {
  const origin = requireOrigin(serverId);
  if (await deletePeer(db, origin)) return origin;
  throw new OperatorFault(
    `${origin} is not pinned: strongroom peer list shows what is`,
  );
}

/** Every pinned peer, in the order of the server ids. */
export async function listPeers(db: Db) {
  const rows = await selectPeers(db);
  return rows.map((row) => ({
    serverId: row.server_id,
    publicKey: row.public_key,
    pinnedAt: row.pinned_at,
  }));
}

function requireOrigin(serverId: string): string {
  const origin = parseOrigin(serverId);
  if (origin !== undefined) return origin;
  throw new OperatorFault(
    `${JSON.stringify(serverId)} is not a canonical origin: use the ` +
      "server_id of the peer's server-info, such as " +
      "https://photos.example",
  );
}
