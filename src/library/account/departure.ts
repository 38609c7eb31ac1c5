/**
 * Deleting the keys from a device: signing out, here or everywhere, and
 * forgetting an ended session. One rule holds for all of them: while nothing
 * else opens the account, the keys stay. Also deleting the account. That and
 * signing out everywhere need a proof that only the holder of the master key can
 * make, so a stolen session is not enough
 * (protocol/authentication.md#global-sign-out).
 *
 * @module
 */
import { fromBase64 } from "../../core/bytes.ts";
import { encodeCanonical } from "../../core/cbor.ts";
import { ApiProblem, ConnectionError } from "../../client/api/transport.ts";
import { EscrowError } from "../../client/documents/escrow.ts";
import { escrowLabels } from "../../client/documents/recovery.ts";
import { ownDevices } from "./own_devices.ts";
import { decodeProfile, type KeptEscrow } from "../vault/profile.ts";
import type { Session } from "../vault/session.ts";
import { escrowLabelsOf, type Vault } from "../vault/vault.ts";

/** Signs the four values that a proof covers, under its domain. */
async function proofOf(vault: Vault, domain: string) {
  const { session, identity } = vault;
  const { account, client, userId } = session;
  const { server_id: serverId } = await client.serverInfo();
  const { challenge_id: challengeId, challenge } = await account
    .challengeProof();
  const payload = encodeCanonical([
    serverId,
    userId,
    challengeId,
    fromBase64(challenge) ?? new Uint8Array(),
  ]);
  return { challengeId, proof: await identity.signer.sign(domain, payload) };
}

/** What opens the account again once the keys of a device are deleted. */
export interface WaysBack {
  /** The labels of the boxes in escrow: `words`, `phrase`. */
  readonly boxes: readonly string[];
  /** The names of other devices that have the keys and are signed in. */
  readonly devices: readonly string[];
}

/** Nothing else opens the account: the keys of this device stay. */
export class NoWayBack extends Error {
  override readonly name = "NoWayBack";
}

/**
 * The ways back according to the server; where it does not answer, or has ended
 * the session, those that this device saw last. Without a vault, other devices
 * are not known.
 */
export async function waysBack(
  session: Session,
  vault?: Vault,
): Promise<WaysBack> {
  try {
    const [boxes, devices] = await Promise.all([
      readable(() => escrowLabelsOf(session)),
      vault === undefined ? [] : ownDevices(vault),
    ]);
    const others = devices.flatMap(({ name, session: signedIn, current, id }) =>
      name !== undefined && signedIn !== undefined && !current &&
        id !== session.device.device_id
        ? [name]
        : []
    );
    return { boxes, devices: others };
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return { boxes: await keptBoxes(session.escrow()), devices: [] };
  }
}

/**
 * The labels of the boxes that a stored profile knows of; undefined if it has no
 * keys. For a device on which no session is open.
 */
export async function boxesOfProfile(
  profile: Uint8Array,
): Promise<readonly string[] | undefined> {
  const { master_key, escrow } = decodeProfile(profile);
  return master_key === undefined ? undefined : await keptBoxes(escrow);
}

/** The labels of the boxes that this device saw last. */
export function keptBoxes(
  escrow: KeptEscrow | undefined,
): Promise<readonly string[]> {
  const blob = escrow?.blob;
  return readable(() => blob === undefined ? [] : escrowLabels(blob));
}

/** A damaged escrow opens nothing. */
async function readable(
  labels: () => readonly string[] | Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await labels();
  } catch (error) {
    if (error instanceof EscrowError) return [];
    throw error;
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof ConnectionError ||
    (error instanceof ApiProblem && error.status === 401);
}

/**
 * Throws {@link NoWayBack} if nothing in these ways opens the account. Every
 * deletion of keys asks this first.
 */
export function requireWayBack({ boxes, devices }: WaysBack): void {
  if (boxes.length + devices.length > 0) return;
  throw new NoWayBack("nothing else opens the account");
}

/**
 * Ends the session and deletes the keys from this device. Throws
 * {@link NoWayBack}. A session that has ended already is no obstacle, nor with
 * `offline` a server that does not answer.
 */
export async function dropKeys(
  session: Session,
  { vault, offline = false }: {
    readonly vault?: Vault | undefined;
    readonly offline?: boolean;
  } = {},
): Promise<void> {
  // Without a key on this device, nothing is lost.
  if (session.masterKey() !== undefined) {
    requireWayBack(await waysBack(session, vault));
  }
  try {
    await session.signOut();
  } catch (error) {
    const hasEnded = error instanceof ApiProblem && error.status === 401;
    if (!hasEnded && !offline) throw error;
    await session.forget();
  }
}

/**
 * Ends every session of the account, this one too, and deletes the keys here;
 * returns the number of sessions. Throws {@link NoWayBack} without words and
 * sentence: other devices do not count, as one may be stolen.
 */
export async function signOutEverywhere(vault: Vault): Promise<number> {
  const boxes = await readable(() => vault.escrowLabels());
  requireWayBack({ boxes, devices: [] });
  const { client } = vault.session;
  const { challengeId, proof } = await proofOf(vault, "service-revoke-all/v1");
  const ended = await client.revokeAll(challengeId, proof);
  await vault.session.forget();
  return ended;
}

/** Deletes the account and everything in it, for ever. */
export async function deleteAccount(vault: Vault): Promise<void> {
  const { session } = vault;
  await session.recently(async () => {
    const { challengeId, proof } = await proofOf(
      vault,
      "service-account-delete/v1",
    );
    await session.account.deleteAccount(challengeId, proof);
  });
  await session.forget();
}
