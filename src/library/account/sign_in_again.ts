/**
 * Signing in again on a device that has the keys of an account: the same
 * account alone, at the server of before or at its new address.
 *
 * @module
 */
import { equalBytes } from "../../core/bytes.ts";
import { openPins } from "../trust/pins.ts";
import { primitivesOf } from "../base/platform.ts";
import type { LibraryPlatform } from "../base/platform.ts";
import {
  type CredentialStore,
  decodeProfile,
  encodeProfile,
  memoryCredentialStore,
} from "../vault/profile.ts";
import { resumeSession, type Session } from "../vault/session.ts";
import { sealedStore, type Store } from "../base/store.ts";
import { firstKeys, openVault, VaultError } from "../vault/vault.ts";

/** What a device knows of the account whose keys it has. */
export interface KeptAccount {
  /** The server's origin. */
  readonly server: string;
  readonly userId: string;
  readonly address: string | undefined;
  readonly hasKeys: boolean;
}

/**
 * The account of a profile, signed in or not; undefined without a profile.
 * Throws DocumentError if the profile is damaged.
 */
export async function keptAccount(
  credentials: CredentialStore,
): Promise<KeptAccount | undefined> {
  const bytes = await credentials.read();
  if (bytes === undefined) return undefined;
  const { server, tokens, address, master_key } = decodeProfile(bytes);
  return {
    server,
    userId: tokens.user_id,
    address,
    hasKeys: master_key !== undefined,
  };
}

/**
 * Follows an account to the new address of its server and signs in there.
 * Nothing that is kept here changes before the server has shown that it is the
 * same one: before the password is sent, its attestation keys are those that
 * this device pinned, or follow them; afterwards, the account and its identity
 * are the same. Throws {@link CustodyError} and {@link VaultError}.
 *
 * @param signIn Signs in with the credential store that it is given.
 */
export async function moveServer(
  platform: LibraryPlatform,
  credentials: CredentialStore,
  server: string,
  store: Store,
  signIn: (credentials: CredentialStore) => Promise<Session>,
): Promise<Session> {
  const bytes = await credentials.read();
  if (bytes === undefined) throw new VaultError("locked", "no keys are here");
  const { ended: _, ...profile } = decodeProfile(bytes);
  const moved = memoryCredentialStore();
  await moved.write(encodeProfile({ ...profile, server }));
  const before = await resumeSession(platform, { credentials: moved });
  if (before.masterKey() === undefined || !before.isSetUp()) {
    throw new VaultError("locked", "the account's keys are not here");
  }
  const vault = await openVault(before);
  const sealed = sealedStore(
    store,
    vault.derive("service-local-store/v1"),
    platform.random,
    primitivesOf(platform),
  );
  await openPins(before.client, sealed, platform.hybrid, { now: platform.now })
    .attestation(true);
  const session = await signIn(moved);
  const anchor = await (await firstKeys()).anchorOf(session);
  const { publicKey } = vault.identity.signer;
  if (anchor === undefined || !equalBytes(anchor, publicKey)) {
    await session.signOut();
    throw new VaultError(
      "another_identity",
      `${server} does not have this account's identity`,
    );
  }
  const held = await moved.read();
  if (held !== undefined) await credentials.write(held);
  return await resumeSession(platform, { credentials });
}
