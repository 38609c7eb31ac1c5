/**
 * The keys of an account on this device: the master key and the keys derived
 * from it, the library's album and its key, and the copy in escrow
 * (protocol/client-cryptography.md#master-key).
 *
 * The library is album 0 of the account. Its key (epoch 0) is the library key,
 * which is derived from the master key, so nothing else is needed to open it. A
 * roster that names only the owner seals the same key, for readers that know
 * only rosters. Assets without an album open with the library key too.
 *
 * @module
 */
import { type Bytes, equalBytes } from "../../core/bytes.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { EscrowError } from "../../client/documents/escrow.ts";
import {
  type Identity,
  MASTER_KEY_BYTES,
  openIdentity,
} from "../../client/documents/identity.ts";
import {
  type EscrowEntry,
  escrowLabels,
  openEscrow,
  PHRASE_LABEL,
  sealEscrow,
  WORDS_LABEL,
} from "../../client/documents/recovery.ts";
import { deriveKey } from "../../client/documents/suite.ts";
import { loaded } from "../base/lazy_loading.ts";
import { nameDevice } from "./naming.ts";
import { passphraseOptions, primitivesOf } from "../base/platform.ts";
import type { Session } from "./session.ts";

/** Few visits of a page make keys or replace the escrow. */
export const firstKeys = () => loaded(import("./first_keys.ts"));

/** The opened keys of an account. */
export interface Vault {
  readonly session: Session;
  readonly identity: Identity;
  /** Album 0. */
  readonly libraryAlbumId: string;
  /** The key of album 0, and of assets without an album. Secret. */
  readonly libraryKey: Bytes;
  /** Derives a key of the account for a purpose, 32 bytes. Secret. */
  derive(label: string): Bytes;
  /**
   * Adds a box with the master key to the escrow, or replaces the one with that
   * label: WORDS_LABEL for recovery words, PHRASE_LABEL for a phrase. The box
   * labelled `instead` goes in the same step.
   */
  escrow(entry: EscrowEntry, instead?: string): Promise<void>;
  /**
   * Removes the box of a label from the escrow. Throws a RangeError if none
   * would be left.
   */
  withdrawEscrow(label: string): Promise<void>;
  /** The labels of the boxes in escrow; empty without an escrow. */
  escrowLabels(): Promise<readonly string[]>;
}

/** Why a vault does not open. */
export type VaultFault =
  /** The account has keys but this device has not: recover or enroll. */
  | "locked"
  /** The account has no keys yet, and the caller asked to make none. */
  | "no_keys"
  /** The given key belongs to another account, or the server lies. */
  | "another_identity";

/** A vault does not open; the message contains no secret. */
export class VaultError extends Error {
  override readonly name = "VaultError";
  constructor(readonly fault: VaultFault, message: string) {
    super(message);
  }
}

/**
 * Opens the vault of a session with the master key of this device. For an
 * account without keys it makes a new master key and publishes directory, album
 * and roster. May be repeated after any failure; makes no request once this
 * device is set up. Throws {@link VaultError}: `no_keys`, with `makeKeys`
 * false, for a program that first shows recovery words and then calls
 * {@link beginKeys}.
 */
export async function openVault(
  session: Session,
  { makeKeys = true }: { readonly makeKeys?: boolean } = {},
): Promise<Vault> {
  const kept = session.masterKey();
  if (kept !== undefined && session.isSetUp()) {
    return await vaultOf(session, kept);
  }
  const anchor = await (await firstKeys()).anchorOf(session);
  let masterKey = kept;
  if (masterKey === undefined) {
    if (anchor !== undefined) {
      throw new VaultError("locked", "the account's keys are not here");
    }
    if (!makeKeys) {
      throw new VaultError("no_keys", "the account has no keys yet");
    }
    masterKey = new Uint8Array(session.platform.random(MASTER_KEY_BYTES));
    await session.holdArrival({ came: "first" });
    // Stored before anything is published, which a lost key would make useless.
    await session.holdMasterKey(masterKey);
  }
  // A key that is kept and was never set up is one that this device made.
  return await openWith(session, masterKey, anchor, { isMadeHere: true });
}

/**
 * Makes the keys of a new account and seals them for the escrow before anything
 * is published under them, so that no crash leaves an account whose keys are
 * lost. Without entries the keys are only on this device. Call `openVault`
 * afterwards, which throws {@link VaultError} `locked` if another device was
 * first. May be repeated. Throws it too if the account has other keys already.
 */
export async function beginKeys(
  session: Session,
  entries: readonly EscrowEntry[],
): Promise<void> {
  const { platform } = session;
  const kept = session.masterKey();
  const masterKey = kept ?? new Uint8Array(platform.random(MASTER_KEY_BYTES));
  const { publicKey } = (await vaultOf(session, masterKey)).identity.signer;
  const anchor = await (await firstKeys()).anchorOf(session);
  if (anchor !== undefined && !equalBytes(anchor, publicKey)) {
    throw new VaultError("locked", "the account's keys are not here");
  }
  if (entries.length > 0) {
    const options = passphraseOptions(platform);
    const blob = await sealEscrow(
      masterKey,
      entries,
      platform.random,
      options,
    );
    // Of keys that are published already, by an attempt that was cut off, the
    // newest entries count.
    if (anchor === undefined) {
      await (await firstKeys()).holdEscrow(session, publicKey, blob);
    } else {
      await session.recently(() => session.account.storeEscrow(blob));
      await (await firstKeys()).holdReplaced(session, undefined, blob);
    }
  }
  if (kept === undefined) await session.holdArrival({ came: "first" });
  await session.holdMasterKey(masterKey);
}

/**
 * Opens the vault with a master key from elsewhere (another device, the escrow)
 * and keeps it here. Throws {@link VaultError}.
 */
export async function adoptMasterKey(
  session: Session,
  masterKey: Uint8Array,
): Promise<Vault> {
  const anchor = await (await firstKeys()).anchorOf(session);
  const vault = await openWith(session, masterKey, anchor);
  await session.holdMasterKey(masterKey);
  return vault;
}

/**
 * Opens the vault of an account on an empty machine with its recovery words or
 * a phrase, as they were typed. Throws EscrowError if they are wrong,
 * ApiProblem if there is no escrow.
 */
export async function recoverVault(
  session: Session,
  typed: string,
): Promise<Vault> {
  const escrow = await (await firstKeys()).escrowOf(session) ??
    await session.account.escrow();
  const options = passphraseOptions(session.platform);
  const { masterKey } = await openEscrow(typed, escrow, options);
  const vault = await adoptMasterKey(session, masterKey);
  await (await firstKeys()).holdReplaced(session, undefined, escrow);
  await session.holdArrival({ came: "words" });
  return vault;
}

/**
 * Whether 24 words open the account whose keys are here, according to the
 * escrow that this device keeps. Throws EscrowError only if that is damaged.
 */
export async function opensAccount(
  session: Session,
  typed: string,
): Promise<boolean> {
  const own = session.masterKey();
  const escrow = session.escrow()?.blob;
  if (own === undefined || escrow === undefined) return false;
  const options = passphraseOptions(session.platform);
  try {
    return equalBytes(
      (await openEscrow(typed, escrow, options)).masterKey,
      own,
    );
  } catch (error) {
    const isWrong = error instanceof EscrowError &&
      error.fault === "passphrase_wrong";
    if (isWrong) return false;
    throw error;
  }
}

async function openWith(
  session: Session,
  masterKey: Uint8Array,
  anchor: Uint8Array | undefined,
  { isMadeHere = false }: { readonly isMadeHere?: boolean } = {},
): Promise<Vault> {
  const vault = await vaultOf(session, masterKey);
  const { publicKey } = vault.identity.signer;
  const isFirst = anchor === undefined;
  const overtaken = async () => {
    await (await firstKeys()).dropEscrow(session, publicKey);
    // Nothing was ever sealed under the keys that this device made.
    return new VaultError("locked", "another device made the account's keys");
  };
  if (!isFirst && !equalBytes(anchor, publicKey)) {
    if (isMadeHere) throw await overtaken();
    throw new VaultError(
      "another_identity",
      "the master key is not of the identity that the server shows",
    );
  }
  try {
    await nameDevice(vault, session.device, { first: isFirst });
    await (await firstKeys()).settleEscrow(session, publicKey);
    await (await firstKeys()).provideLibrary(vault);
    await session.holdSetUp();
  } catch (error) {
    const isOthers = error instanceof ApiProblem &&
      error.code === "error.directory.identity_mismatch";
    if (isOthers && isMadeHere) throw await overtaken();
    // A suspended account can still read; the next opening tries again.
    const suspended = error instanceof ApiProblem &&
      error.code === "error.account.suspended";
    if (!suspended || isFirst) throw error;
  }
  return vault;
}

async function vaultOf(
  session: Session,
  masterKey: Uint8Array,
): Promise<Vault> {
  const { platform } = session;
  const primitives = primitivesOf(platform);
  const identity = await openIdentity(masterKey, primitives, platform.hybrid);
  const none = new Uint8Array();
  const derive = (label: string) =>
    deriveKey(primitives, masterKey, none, label);
  return {
    session,
    identity,
    libraryAlbumId: identity.albumId(0),
    libraryKey: identity.libraryKey,
    derive,
    escrow: async (entry, instead) =>
      await (await firstKeys()).addEscrowBox(
        session,
        masterKey,
        entry,
        instead,
      ),
    withdrawEscrow: async (label) =>
      await (await firstKeys()).removeEscrowBox(session, label),
    escrowLabels: () => escrowLabelsOf(session),
  };
}

/**
 * Makes 24 words open the account, in place of earlier ones and of a recovery
 * sentence: programs show and replace none, so that it could not be revoked.
 */
export async function keepWords(vault: Vault, words: string): Promise<void> {
  await vault.escrow({ label: WORDS_LABEL, passphrase: words }, PHRASE_LABEL);
}

/** The labels of the boxes in escrow, for a program that has no key yet. */
export async function escrowLabelsOf(
  session: Session,
): Promise<readonly string[]> {
  const held = await (await firstKeys()).escrowOf(session);
  return held === undefined ? [] : escrowLabels(held);
}
