/**
 * Making the keys of a new account. Which device makes them is decided by the
 * directory: the server takes the first identity key and no other. A device
 * that lost must not have overwritten anything that the winner's keys need, so
 * the sealed master keys of all that begin wait in the escrow together, and the
 * winner makes its own the only one (protocol/client-cryptography.md#escrow-blob).
 *
 * @module
 */
import { type Bytes, equalBytes } from "../../core/bytes.ts";
import {
  CborError,
  type CborValue,
  decodeCanonical,
  encodeCanonical,
  isCborMap,
} from "../../core/cbor.ts";
import { toRfc3339 } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { EscrowError } from "../../client/documents/escrow.ts";
import type { Identity } from "../../client/documents/identity.ts";
import {
  type EscrowEntry,
  sealEscrow,
  withEscrowBox,
  withoutEscrowBox,
} from "../../client/documents/recovery.ts";
import {
  amkCommitment,
  sealMember,
  signRoster,
} from "../../client/documents/roster.ts";
import { loaded } from "../base/lazy_loading.ts";
import { passphraseOptions, primitivesOf } from "../base/platform.ts";
import type { Session } from "./session.ts";

/** Most devices that begin one account: the oldest makes room. */
const MOST_BEGUN = 8;

/** Sealed keys of devices that begin an account, and an escrow from before. */
interface Begun {
  /** The newest is last; `id` is the `key_id` of the identity. */
  readonly begun: readonly {
    readonly id: string;
    readonly escrow: Uint8Array;
  }[];
  readonly settled?: Uint8Array | undefined;
}

/** Reads an escrow that waits for the directory; undefined for any other. */
function begunOf(blob: Uint8Array): Begun | undefined {
  let value: CborValue;
  try {
    value = decodeCanonical(blob, { maxItems: 100 });
  } catch (error) {
    if (error instanceof CborError) return undefined;
    throw error;
  }
  if (!isCborMap(value)) return undefined;
  const { begun, settled } = value;
  if (!Array.isArray(begun)) return undefined;
  return {
    begun: begun.flatMap((one) => {
      if (!isCborMap(one)) return [];
      const { id, escrow } = one;
      return typeof id === "string" && escrow instanceof Uint8Array
        ? [{ id, escrow }]
        : [];
    }),
    ...(settled instanceof Uint8Array ? { settled } : {}),
  };
}

function encodeBegun({ begun, settled }: Begun): Bytes {
  return encodeCanonical({
    begun: begun.map(({ id, escrow }) => ({ id, escrow })),
    ...(settled === undefined ? {} : { settled }),
  });
}

/** The escrow of an identity's keys: it may still wait among others. */
function escrowFor(
  identityKey: Uint8Array,
  blob: Uint8Array,
): Bytes | undefined {
  const waiting = begunOf(blob);
  if (waiting === undefined) return new Uint8Array(blob);
  const id = keyId(identityKey);
  const own = waiting.begun.find((one) => one.id === id)?.escrow ??
    waiting.settled;
  return own === undefined ? undefined : new Uint8Array(own);
}

/**
 * The account's escrow in what is stored for it; undefined while no directory
 * says whose keys the account has.
 */
export async function ownEscrow(
  session: Session,
  blob: Bytes,
): Promise<Bytes | undefined> {
  if (begunOf(blob) === undefined) return blob;
  const anchor = await anchorOf(session);
  return anchor === undefined ? undefined : escrowFor(anchor, blob);
}

/** Keeps an escrow blob until its keys are the account's, or others are. */
export async function holdEscrow(
  session: Session,
  identityKey: Uint8Array,
  blob: Bytes,
): Promise<void> {
  const id = keyId(identityKey);
  await replaceStored(session, (held) => {
    const waiting = held === undefined ? { begun: [] } : begunOf(held);
    const { begun, settled } = waiting ?? { begun: [], settled: held };
    const others = begun.filter((one) => one.id !== id);
    return encodeBegun({
      begun: [...others, { id, escrow: blob }].slice(-MOST_BEGUN),
      settled,
    });
  });
}

/** Makes the blob that waits for these keys the account's escrow. */
export async function settleEscrow(
  session: Session,
  identityKey: Uint8Array,
): Promise<void> {
  const replaced = await replaceStored(
    session,
    (held) =>
      held === undefined || begunOf(held) === undefined
        ? undefined
        : escrowFor(identityKey, held),
  );
  if (replaced === undefined) return;
  await holdReplaced(session, replaced.before, replaced.blob);
}

/** How often an escrow that other devices replace too is read again. */
const REPLACINGS = 4;

/**
 * Replaces the account's escrow by what `make` returns for the stored one;
 * nothing is written where that is undefined. What another device puts there
 * meanwhile is not overwritten: it is made again from that.
 */
async function replaceEscrow(
  session: Session,
  make: (held: Bytes | undefined) => Promise<Bytes | undefined>,
): Promise<void> {
  const replaced = await replaceStored(
    session,
    async (held) =>
      await make(
        held === undefined ? undefined : await ownEscrow(session, held),
      ),
  );
  if (replaced === undefined) return;
  await holdReplaced(session, replaced.before, replaced.blob);
}

/** The same with what is stored, whoever's it is; resolves to what it did. */
async function replaceStored(
  session: Session,
  make: (
    held: Bytes | undefined,
  ) => Promise<Bytes | undefined> | Bytes | undefined,
): Promise<
  { readonly before: Bytes | undefined; readonly blob: Bytes } | undefined
> {
  const { account } = session;
  for (let left = REPLACINGS;; left--) {
    const held = await unlessMissing(() => account.taggedEscrow());
    const blob = await make(held?.bytes);
    if (blob === undefined) return undefined;
    try {
      await session.recently(() =>
        account.storeEscrow(blob, held?.etag ?? null)
      );
      return { before: held?.bytes, blob };
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
  const id = keyId(identityKey);
  try {
    const { bytes, etag } = await account.taggedEscrow();
    const waiting = begunOf(bytes);
    if (waiting === undefined) return;
    const { settled } = waiting;
    const begun = waiting.begun.filter((one) => one.id !== id);
    const left = begun.length > 0 ? encodeBegun({ begun, settled }) : settled;
    if (left === undefined) return;
    await account.storeEscrow(new Uint8Array(left), etag);
  } catch (error) {
    // It opens nothing, and goes when the other device settles its own.
    if (!(error instanceof ApiProblem)) throw error;
  }
}

/**
 * The account's escrow; undefined if there is none. It still waits among others
 * if the device that made the keys was cut off.
 */
export async function escrowOf(session: Session): Promise<Bytes | undefined> {
  const held = await unlessMissing(() => session.account.escrow());
  return held === undefined ? undefined : await ownEscrow(session, held);
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
interface NewVault {
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
  const of = { albumId, amkEpoch: 0 };
  const primitives = primitivesOf(platform);
  const roster = await signRoster(identity.signer, {
    album_id: albumId,
    owner: userId,
    roster_version: 1,
    amk_epoch: 0,
    amk_commitment: amkCommitment(vault.libraryKey, of, primitives),
    members: [
      await sealMember(
        vault.libraryKey,
        await identity.sealing.publicKey(),
        { ...of, member: userId, role: "contributor" },
        platform.random,
        primitives,
      ),
    ],
    signed_at: toRfc3339(platform.now()),
  });
  const { notePublishing } = await loaded(import("./published.ts"));
  await notePublishing(vault, "roster", roster);
  await account.publishRoster(albumId, roster);
}

/** Adds a box to the account's escrow, in place of the one of `instead`. */
export async function addEscrowBox(
  session: Session,
  masterKey: Uint8Array,
  entry: EscrowEntry,
  instead?: string,
): Promise<void> {
  await replaceEscrow(
    session,
    async (held) => {
      const before = held ?? await escrowOf(session);
      const blob = await withBox(session, masterKey, before, entry);
      return instead === undefined ? blob : withoutEscrowBox(blob, instead);
    },
  );
}

/** Removes the box of a label; a RangeError if none would be left. */
export async function removeEscrowBox(
  session: Session,
  label: string,
): Promise<void> {
  const first = await escrowOf(session) ?? await session.account.escrow();
  await replaceEscrow(
    session,
    (held) => Promise.resolve(withoutEscrowBox(held ?? first, label)),
  );
}

/** The escrow blob with one more box; a damaged blob is replaced. */
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
    const isDamaged = error instanceof EscrowError &&
      error.fault === "unreadable";
    if (!isDamaged) throw error;
    return await anew();
  }
}
