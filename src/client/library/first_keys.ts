/**
 * Making the keys of a new account. Which device makes them is decided by the
 * directory: the server takes the first identity key and no other. A device
 * that lost must not have written anything that the winner's keys need, so the
 * sealed master key waits in a state slot of its own, and only the winner makes
 * it the escrow (protocol/client-cryptography.md#escrow-blob).
 *
 * @module
 */
import { type Bytes, equalBytes } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { ApiProblem } from "../api.ts";
import { EscrowError } from "../escrow.ts";
import type { Identity } from "../identity.ts";
import {
  type EscrowEntry,
  escrowLabels,
  sealEscrow,
  withEscrowBox,
  withoutEscrowBox,
} from "../recovery.ts";
import { sealAmk, signRoster } from "../roster.ts";
import { passphraseOptions, primitivesOf } from "./platform.ts";
import type { Session } from "./session.ts";

/** Characters of the `key_id` in the name of the slot. */
const ID_LENGTH = 24;

/** The slot in which the escrow of an identity's keys waits. */
function waitingSlot(identityKey: Uint8Array): string {
  return `escrow-${keyId(identityKey).slice(0, ID_LENGTH)}`;
}

/** Keeps an escrow blob until its keys are the account's, or others are. */
export async function holdEscrow(
  { account }: Session,
  identityKey: Uint8Array,
  blob: Bytes,
): Promise<void> {
  const slot = waitingSlot(identityKey);
  try {
    await account.putSlot(slot, blob, null);
  } catch (error) {
    const isHeld = error instanceof ApiProblem &&
      error.code === "error.state.version_conflict";
    if (!isHeld) throw error;
    // Of an earlier attempt of this device: nobody else has these keys.
    await account.putSlot(slot, blob, "*");
  }
}

/**
 * Makes the blob that waits for these keys the account's escrow. Where this
 * device did not publish them just now, a blob that is held is the newer one.
 */
export async function settleEscrow(
  session: Session,
  identityKey: Uint8Array,
  isFirst: boolean,
): Promise<void> {
  const { account } = session;
  const slot = waitingSlot(identityKey);
  const waiting = await unlessMissing(() => account.slot(slot));
  if (waiting === undefined) return;
  await replaceEscrow(
    session,
    (held) =>
      Promise.resolve(
        isFirst || held === undefined ? waiting.bytes : undefined,
      ),
  );
  await account.deleteSlot(slot);
}

/** How often an escrow that other devices replace too is read again. */
const REPLACINGS = 4;

/**
 * Replaces the account's escrow by what `make` returns for the stored one;
 * nothing is written where that is undefined. What another device puts there
 * meanwhile is not overwritten: it is made anew from that.
 */
export async function replaceEscrow(
  session: Session,
  make: (held: Bytes | undefined) => Promise<Bytes | undefined>,
): Promise<void> {
  const { account } = session;
  for (let left = REPLACINGS; left > 0; left--) {
    const held = await unlessMissing(() => account.taggedEscrow());
    const blob = await make(held?.bytes);
    if (blob === undefined) return;
    try {
      await session.recently(() =>
        account.storeEscrow(blob, held?.etag ?? null)
      );
      await holdReplaced(session, held?.bytes, blob);
      return;
    } catch (error) {
      if (left === 1 || !isOvertaken(error)) throw error;
    }
  }
}

/** How many earlier escrows a device remembers. */
const MOST_BEFORE = 64;

/** Keeps an escrow on this device, and that another one is older. */
export async function holdReplaced(
  session: Session,
  older: Uint8Array | undefined,
  blob: Uint8Array | undefined,
): Promise<void> {
  const kept = session.escrow();
  const earlier = [older, kept?.blob].flatMap((one) =>
    one === undefined || (blob !== undefined && equalBytes(one, blob))
      ? []
      : [sha256Hex(one)]
  );
  const before = [...new Set([...kept?.before ?? [], ...earlier])];
  await session.holdEscrow({
    ...(blob === undefined ? {} : { blob }),
    before: before.slice(-MOST_BEFORE),
    at: session.platform.now(),
  });
}

/** Whether another device has stored another escrow meanwhile. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ApiProblem &&
    error.code === "error.escrow.version_conflict";
}

/** Forgets what waits for keys that are not the account's. */
export async function dropEscrow(
  { account }: Session,
  identityKey: Uint8Array,
): Promise<void> {
  // Nobody needs it, and nobody misses that it is gone.
  await account.deleteSlot(waitingSlot(identityKey)).catch(() => {});
}

/**
 * The account's escrow; undefined if there is none. It is still in its slot if
 * the device that made the keys was cut off.
 */
export async function escrowOf(session: Session): Promise<Bytes | undefined> {
  const { account } = session;
  const held = await unlessMissing(() => account.escrow());
  if (held !== undefined) return held;
  const anchor = await anchorOf(session);
  if (anchor === undefined) return undefined;
  const slot = waitingSlot(anchor);
  return (await unlessMissing(() => account.slot(slot)))?.bytes;
}

/** The account's identity anchor according to the server. */
export async function anchorOf(
  { account, userId }: Session,
): Promise<Uint8Array | undefined> {
  return (await unlessMissing(() => account.directory(userId)))?.identityKey;
}

/** What is fetched; undefined if the server has none. */
export async function unlessMissing<T>(
  fetched: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await fetched();
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}

/** The keys of a vault that has no album yet. */
export interface NewVault {
  readonly session: Session;
  readonly identity: Identity;
  readonly libraryAlbumId: string;
  readonly libraryKey: Bytes;
}

/** Provisions album 0 and its roster unless they exist. */
export async function provideLibrary(vault: NewVault): Promise<void> {
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
      wrapped_amk: await sealAmk(
        vault.libraryKey,
        await identity.sealing.publicKey(),
        context,
        platform.random,
        primitivesOf(platform),
      ),
    }],
    signed_at: toRfc3339(platform.now()),
  });
  await account.publishRoster(albumId, roster);
}

/**
 * Adds a box to the account's escrow; resolves to the labels of boxes that
 * could not be kept.
 */
export async function addEscrowBox(
  session: Session,
  masterKey: Uint8Array,
  entry: EscrowEntry,
): Promise<readonly string[]> {
  let dropped: readonly string[] = [];
  await replaceEscrow(session, async (held) => {
    const before = held ?? await escrowOf(session);
    const blob = await withBox(session, masterKey, before, entry);
    const kept = new Set(escrowLabels(blob));
    dropped = labelsOf(before).filter((label) => !kept.has(label));
    return blob;
  });
  return dropped;
}

/** Removes the box of a label; a RangeError if none would be left. */
export async function removeEscrowBox(
  session: Session,
  label: string,
): Promise<void> {
  const first = await session.account.escrow();
  await replaceEscrow(
    session,
    (held) => Promise.resolve(withoutEscrowBox(held ?? first, label)),
  );
}

/** The labels of an escrow blob; none if it cannot be read. */
function labelsOf(escrow: Uint8Array | undefined): readonly string[] {
  try {
    return escrow === undefined ? [] : escrowLabels(escrow);
  } catch (error) {
    if (error instanceof EscrowError) return [];
    throw error;
  }
}

/**
 * The escrow blob with one more box; a blob that cannot be extended is
 * replaced.
 */
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
    // A blob of version 1, or a damaged one, cannot be extended.
    const old = error instanceof EscrowError && error.fault === "unreadable";
    if (!old) throw error;
    return await anew();
  }
}
