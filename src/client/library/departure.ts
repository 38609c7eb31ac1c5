/**
 * Ending every session, and deleting the account. Both need a proof that only
 * the holder of the master key can make, so a stolen session is not enough
 * (protocol/authentication.md#global-sign-out).
 *
 * @module
 */
import { isPasskeyLabel } from "../recovery.ts";
import { fromBase64 } from "../../core/bytes.ts";
import { encodeCanonical } from "../../core/cbor.ts";
import type { Vault } from "./vault.ts";

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

/**
 * No words and no sentence open the account's keys: without this device they
 * may be lost for ever.
 */
export class NoWayBack extends Error {
  override readonly name = "NoWayBack";
}

/** Whether recovery words or a sentence open the keys on a new device. */
export async function hasWayBack(vault: Vault): Promise<boolean> {
  const labels = await vault.escrowLabels();
  return labels.some((label) => !isPasskeyLabel(label));
}

/**
 * Ends every session of the account, this one too, and forgets the keys here;
 * returns the number of sessions. Throws {@link NoWayBack} if that may lose the
 * keys and the person has not accepted it.
 */
export async function signOutEverywhere(
  vault: Vault,
  { withoutWayBack = false }: { readonly withoutWayBack?: boolean } = {},
): Promise<number> {
  if (!withoutWayBack && !await hasWayBack(vault)) {
    throw new NoWayBack("no recovery words and no sentence are kept");
  }
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
