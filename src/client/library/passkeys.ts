/**
 * Passkeys: signing in with one, and the keys that its PRF opens
 * (protocol/client-cryptography.md#passkeys-that-open-keys). The browser's page
 * asks the authenticator; everything else is here.
 *
 * @module
 */
import {
  type Bytes,
  equalBytes,
  toBase64Url,
  toHex,
  utf8,
} from "../../core/bytes.ts";
import { sha256 } from "../../crypto/sha256.ts";
import type {
  MadePasskey,
  Passkey,
  PasskeyLoginOptions,
  PasskeyOptions,
  SignedByPasskey,
} from "../passkey_calls.ts";
import { isPasskeyLabel, openEscrowBox, PASSKEY_LABEL } from "../recovery.ts";
import { escrowOf, holdReplaced } from "./first_keys.ts";
import { type LibraryPlatform, passphraseOptions } from "./platform.ts";
import { begin, withDeviceId } from "./sign_in.ts";
import {
  connect,
  type Entrance,
  publicClient,
  type Session,
} from "./session.ts";
import { adoptMasterKey, type Vault } from "./vault.ts";

/** Boxes that one escrow blob has at most. */
const MOST_BOXES = 8;

/** Options for an authenticator, and the input of its PRF. */
export type Asked<T> = T & { readonly prfInput: Bytes };

/** Puts the input of the PRF beside a server's options. */
function withPrf<T>(asked: T): Asked<T> {
  return { ...asked, prfInput: utf8("service-passkey-prf/v1") };
}

/** A challenge for a passkey; of one account with its address. */
export async function askPasskey(
  platform: LibraryPlatform,
  server: string,
  address?: string,
): Promise<Asked<PasskeyLoginOptions>> {
  const client = publicClient(platform, server);
  return withPrf(await (await client.passkeys()).options(address));
}

/** Signs in with what a passkey signed for a challenge. Throws ApiProblem. */
export async function signInWithPasskey(
  platform: LibraryPlatform,
  entrance: Entrance & {
    readonly address?: string;
    readonly challengeId: string;
    readonly signed: SignedByPasskey;
  },
): Promise<Session> {
  const { challengeId, signed } = entrance;
  const { client, hold } = connect(platform, entrance);
  const named = await withDeviceId(platform, entrance);
  const { device_id } = named.device;
  const passkeys = await client.passkeys();
  const account = await passkeys.login(challengeId, signed, { device_id });
  return await begin(platform, named, { client, account, hold });
}

/**
 * The label of the box that a passkey opens, from the id that its authenticator
 * gave it: `passkey-` and 24 characters of base64url.
 */
export function passkeyLabel(credentialId: string): string {
  const hash = sha256(utf8(credentialId));
  return `${PASSKEY_LABEL}${toBase64Url(hash.subarray(0, 18))}`;
}

/** The output of a PRF as the passphrase of its box. */
const prfPassphrase = toHex;

/**
 * Opens the vault of an account with what the PRF of a passkey gave; undefined
 * where no box in escrow opens with it.
 */
export async function recoverWithPasskey(
  session: Session,
  credentialId: string,
  prf: Uint8Array,
): Promise<Vault | undefined> {
  const escrow = await escrowOf(session);
  if (escrow === undefined) return undefined;
  const masterKey = await openEscrowBox(
    passkeyLabel(credentialId),
    prfPassphrase(prf),
    escrow,
    passphraseOptions(session.platform),
  );
  if (masterKey === undefined) return undefined;
  const vault = await adoptMasterKey(session, masterKey);
  await holdReplaced(session, undefined, escrow);
  await session.holdArrival({ came: "words" });
  return vault;
}

/**
 * Whether what the PRF of a passkey gave opens the keys of a session's account:
 * such a passkey may open what a device locks.
 */
export async function opensKeysOf(
  session: Session,
  credentialId: string,
  prf: Uint8Array,
): Promise<boolean> {
  const [escrow, held] = [await escrowOf(session), session.masterKey()];
  if (escrow === undefined || held === undefined) return false;
  const masterKey = await openEscrowBox(
    passkeyLabel(credentialId),
    prfPassphrase(prf),
    escrow,
    passphraseOptions(session.platform),
  );
  return masterKey !== undefined && equalBytes(masterKey, held);
}

/** A passkey, and whether it opens the keys too. */
export type OwnPasskey = Passkey & { readonly opensKeys: boolean };

/** The account's passkeys, the oldest first. */
export async function ownPasskeys(
  vault: Vault,
): Promise<readonly OwnPasskey[]> {
  const [passkeys, labels] = await Promise.all([
    passkeysOf(vault),
    vault.escrowLabels(),
  ]);
  return passkeys.map((passkey) => ({
    ...passkey,
    opensKeys: labels.includes(passkeyLabel(passkey.credential_id)),
  }));
}

async function passkeysOf({ session }: Vault): Promise<readonly Passkey[]> {
  return await (await session.account.passkeys()).list();
}

/** Begins to add a passkey: what the authenticator is to be asked. */
export async function beginPasskey(
  { account, recently }: Pick<Session, "account" | "recently">,
): Promise<Asked<PasskeyOptions>> {
  const asked = await recently(() =>
    account.passkeys().then((calls) => calls.options())
  );
  return withPrf(asked);
}

/** A passkey that an authenticator made. */
export interface NewPasskey {
  readonly challengeId: string;
  readonly name: string;
  readonly made: MadePasskey;
  /** What its PRF gave, if it has one. */
  readonly prf?: Uint8Array | undefined;
}

/**
 * Adds a passkey. Where its authenticator has PRF, it also opens the keys, if
 * recovery words or a phrase do so already: a passkey that is lost must not
 * take the photos with it.
 */
export async function addPasskey(
  vault: Vault,
  { challengeId, name, made, prf }: NewPasskey,
): Promise<OwnPasskey> {
  const { account } = vault.session;
  const passkey = await vault.session.recently(() =>
    account.passkeys().then((calls) => calls.add(challengeId, name, made))
  );
  await dropStrayBoxes(vault);
  const labels = await vault.escrowLabels();
  const opensKeys = prf !== undefined && labels.length < MOST_BOXES &&
    labels.some((label) => !isPasskeyLabel(label));
  if (opensKeys) {
    await vault.escrow({
      label: passkeyLabel(passkey.credential_id),
      passphrase: prfPassphrase(prf),
    });
  }
  return { ...passkey, opensKeys };
}

/** Removes a passkey, and the box that it opens. */
export async function removePasskey(
  vault: Vault,
  passkeyId: string,
): Promise<void> {
  const { account } = vault.session;
  await vault.session.recently(() =>
    account.passkeys().then((calls) => calls.remove(passkeyId))
  );
  await dropStrayBoxes(vault);
}

/** Removes the boxes of passkeys that are not the account's any more. */
async function dropStrayBoxes(vault: Vault): Promise<void> {
  const passkeys = await passkeysOf(vault);
  const own = new Set(
    passkeys.map(({ credential_id }) => passkeyLabel(credential_id)),
  );
  for (const label of await vault.escrowLabels()) {
    if (!isPasskeyLabel(label) || own.has(label)) continue;
    await vault.withdrawEscrow(label);
  }
}
