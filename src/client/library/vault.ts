/**
 * The keys of an account on this device: the master key and what comes of it,
 * the library's album and its key, and the copy in escrow
 * (protocol/client-cryptography.md#master-key).
 *
 * The library is album 0 of the account. Its key (epoch 0) is the library key,
 * derived from the master key, so that it opens with nothing but that; a roster
 * that names the owner alone seals the same key, for readers that know rosters
 * only. Assets without an album open with the library key too.
 *
 * @module
 */
import { type Bytes, equalBytes } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { ApiProblem } from "../api.ts";
import { signDirectory, verifyDirectory } from "../directory.ts";
import { EscrowError } from "../escrow.ts";
import { type Identity, MASTER_KEY_BYTES, openIdentity } from "../identity.ts";
import {
  type EscrowEntry,
  escrowLabels,
  openEscrow,
  sealEscrow,
  withEscrowBox,
  withoutEscrowBox,
} from "../recovery.ts";
import { sealAmk, signRoster } from "../roster.ts";
import { deriveKey } from "../suite.ts";
import { passphraseOptions, primitivesOf } from "./platform.ts";
import type { Device } from "./profile.ts";
import type { Session } from "./session.ts";

/** An account's keys, open. */
export interface Vault {
  readonly session: Session;
  readonly identity: Identity;
  /** Album 0. */
  readonly libraryAlbumId: string;
  /** The key of album 0, and of assets without an album. Secret. */
  readonly libraryKey: Bytes;
  /** A key of this account's for a purpose, 32 bytes. Secret. */
  derive(label: string): Bytes;
  /**
   * Puts the master key into escrow in one more box, or in place of the one of
   * that label: WORDS_LABEL for recovery words, PHRASE_LABEL for a phrase.
   * Resolves to the labels of boxes that could not be carried along, and open
   * the key no longer: those of version 1.
   */
  escrow(entry: EscrowEntry): Promise<readonly string[]>;
  /**
   * Takes the box of a label out of escrow. Throws a RangeError where none would
   * be left.
   */
  withdrawEscrow(label: string): Promise<void>;
  /** The labels of the boxes in escrow; none where there is no escrow. */
  escrowLabels(): Promise<readonly string[]>;
}

/** What keeps a vault from opening. */
export type VaultFault =
  /** The account has keys, and this device does not: recover, or enroll. */
  | "locked"
  /** The account has no keys yet, and none were to be made. */
  | "no_keys"
  /** The key that was given is another account's, or the server lies. */
  | "another_identity";

/** A vault that does not open; the message holds no secret. */
export class VaultError extends Error {
  override readonly name = "VaultError";
  constructor(readonly fault: VaultFault, message: string) {
    super(message);
  }
}

/**
 * Opens the vault of a session: with the master key that this device keeps, or
 * for an account that has none yet with a new one, whose directory, album and
 * roster it publishes. May be repeated after any failure, and asks the server for
 * nothing once this device is set up. Throws {@link VaultError}: `no_keys` where
 * a program shows recovery words first, and then calls {@link beginKeys}.
 */
export async function openVault(
  session: Session,
  { makeKeys = true }: { readonly makeKeys?: boolean } = {},
): Promise<Vault> {
  const kept = session.masterKey();
  if (kept !== undefined && session.isSetUp()) {
    return await vaultOf(session, kept);
  }
  const anchor = await anchorOf(session);
  let masterKey = kept;
  if (masterKey === undefined) {
    if (anchor !== undefined) {
      throw new VaultError("locked", "the account's keys are not here");
    }
    if (!makeKeys) {
      throw new VaultError("no_keys", "the account has no keys yet");
    }
    masterKey = new Uint8Array(session.platform.random(MASTER_KEY_BYTES));
    // First here: what is published under a key that is lost is lost.
    await session.holdMasterKey(masterKey);
  }
  return await openWith(session, masterKey, anchor);
}

/**
 * Makes the keys of a new account and puts them into escrow before anything is
 * published under them, so that no crash leaves an account whose keys are
 * nowhere. With no entries the keys are on this device alone. `openVault` goes
 * on from there. May be repeated. Throws {@link VaultError} `locked` where the
 * account has keys already.
 */
export async function beginKeys(
  session: Session,
  entries: readonly EscrowEntry[],
): Promise<void> {
  const { platform, account } = session;
  let masterKey = session.masterKey();
  if (masterKey === undefined) {
    if (await anchorOf(session) !== undefined) {
      throw new VaultError("locked", "the account's keys are not here");
    }
    masterKey = new Uint8Array(platform.random(MASTER_KEY_BYTES));
  }
  if (entries.length > 0) {
    const options = passphraseOptions(platform);
    const blob = await sealEscrow(
      masterKey,
      entries,
      platform.random,
      options,
    );
    await session.recently(() => account.storeEscrow(blob));
  }
  await session.holdMasterKey(masterKey);
}

/**
 * Opens the vault with a master key that came from elsewhere (another device, a
 * phrase) and keeps it here. Throws {@link VaultError}.
 */
export async function adoptMasterKey(
  session: Session,
  masterKey: Uint8Array,
): Promise<Vault> {
  const anchor = await anchorOf(session);
  const vault = await openWith(session, masterKey, anchor);
  await session.holdMasterKey(masterKey);
  return vault;
}

/**
 * Opens the vault of an account on an empty machine with its recovery words or
 * a phrase, as they were typed. Throws EscrowError for wrong ones, ApiProblem
 * where nothing is in escrow.
 */
export async function recoverVault(
  session: Session,
  typed: string,
): Promise<Vault> {
  const escrow = await session.account.escrow();
  const options = passphraseOptions(session.platform);
  const { masterKey } = await openEscrow(typed, escrow, options);
  return await adoptMasterKey(session, masterKey);
}

async function openWith(
  session: Session,
  masterKey: Uint8Array,
  anchor: Uint8Array | undefined,
): Promise<Vault> {
  const vault = await vaultOf(session, masterKey);
  const { publicKey } = vault.identity.signer;
  if (anchor !== undefined && !equalBytes(anchor, publicKey)) {
    throw new VaultError(
      "another_identity",
      "the master key is not of the identity that the server shows",
    );
  }
  try {
    await nameDevice(vault, session.device, anchor === undefined);
    await provideLibrary(vault);
    await session.holdSetUp();
  } catch (error) {
    // Who may not write may read all the same; the next opening tries again.
    const suspended = error instanceof ApiProblem &&
      error.code === "error.account.suspended";
    if (!suspended || anchor === undefined) throw error;
  }
  return vault;
}

async function vaultOf(
  session: Session,
  masterKey: Uint8Array,
): Promise<Vault> {
  const { platform, account } = session;
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
    async escrow(entry) {
      const held = await unlessMissing(() => account.escrow());
      const blob = await withBox(session, masterKey, held, entry);
      await session.recently(() => account.storeEscrow(blob));
      const kept = new Set(escrowLabels(blob));
      return labelsOf(held).filter((label) => !kept.has(label));
    },
    async withdrawEscrow(label) {
      const blob = withoutEscrowBox(await account.escrow(), label);
      await session.recently(() => account.storeEscrow(blob));
    },
    escrowLabels: () => escrowLabelsOf(session),
  };
}

/** None of what cannot be read. */
function labelsOf(escrow: Uint8Array | undefined): readonly string[] {
  try {
    return escrow === undefined ? [] : escrowLabels(escrow);
  } catch (error) {
    if (error instanceof EscrowError) return [];
    throw error;
  }
}

/** The labels of the boxes in escrow, for a program that has no key yet. */
export async function escrowLabelsOf(
  { account }: Session,
): Promise<readonly string[]> {
  const held = await unlessMissing(() => account.escrow());
  return held === undefined ? [] : escrowLabels(held);
}

/** What is in escrow with a box more; what cannot be kept is made anew. */
async function withBox(
  { platform }: Session,
  masterKey: Uint8Array,
  held: Uint8Array | undefined,
  entry: EscrowEntry,
): Promise<Bytes> {
  const options = passphraseOptions(platform);
  const { random } = platform;
  const anew = () => sealEscrow(masterKey, [entry], random, options);
  if (held === undefined) return await anew();
  try {
    return await withEscrowBox(held, masterKey, entry, random, options);
  } catch (error) {
    // Of version 1, or damaged: its box cannot be carried along.
    const old = error instanceof EscrowError && error.fault === "unreadable";
    if (!old) throw error;
    return await anew();
  }
}

/** Names a device in the account's directory, where it is not yet. */
export async function nameDevice(
  vault: Vault,
  device: Device,
  first = false,
): Promise<void> {
  const { session, identity } = vault;
  const { account, platform, userId } = session;
  const held = first
    ? undefined
    : (await unlessMissing(() => account.directory(userId)))?.bytes;
  const directory = held === undefined ? undefined : await verifyDirectory(
    held,
    identity.signer.publicKey,
    platform.hybrid,
  );
  const devices = directory?.devices ?? [];
  if (devices.some((one) => one.device_id === device.device_id)) return;
  const now = toRfc3339(platform.now());
  const bytes = await signDirectory(identity.signer, {
    directory_version: (directory?.directory_version ?? 0) + 1,
    sealing_key: identity.sealing.publicKey,
    devices: [...devices, { ...device, added_at: now }],
    signed_at: now,
  });
  const { publicKey } = identity.signer;
  await session.recently(() => account.publishDirectory(bytes, publicKey));
}

/** Provisions album 0 and its roster, where they are not there yet. */
async function provideLibrary(vault: Vault): Promise<void> {
  const { session, identity, libraryAlbumId: albumId } = vault;
  const { account, platform, userId } = session;
  const albums = await account.albums();
  const album = albums.find((one) => one.album_id === albumId);
  if (album === undefined) await account.provisionAlbum(albumId);
  if (album !== undefined && album.roster_version > 0) return;
  const context = { albumId, amkEpoch: 0, member: userId };
  const roster = await signRoster(identity.signer, {
    album_id: albumId,
    owner: userId,
    roster_version: 1,
    amk_epoch: 0,
    members: [{
      member: userId,
      role: "contributor",
      wrapped_amk: sealAmk(
        vault.libraryKey,
        identity.sealing.publicKey,
        context,
        platform.random,
        primitivesOf(platform),
      ),
    }],
    signed_at: toRfc3339(platform.now()),
  });
  await account.publishRoster(albumId, roster);
}

/** The identity anchor that the server has of the account. */
async function anchorOf(session: Session): Promise<Uint8Array | undefined> {
  const { account, userId } = session;
  return (await unlessMissing(() => account.directory(userId)))?.identityKey;
}

async function unlessMissing<T>(
  fetched: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await fetched();
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}
