/**
 * The grant of someone of another server in an own album
 * (protocol/albums-abroad.md#grant): minting it, writing it into the pickup, and
 * ending it there.
 *
 * @module
 */
import { fromHex } from "../../core/bytes.ts";
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { ApiProblem } from "../../client/api/api.ts";
import {
  type AlbumGrant,
  type GrantedToken,
  sealGrant,
  signGrant,
} from "../../client/documents/album_grant.ts";
import { buildAbroadLink } from "../../client/documents/abroad_links.ts";
import {
  type ContactCard,
  verifyCard,
} from "../../client/documents/contact_card.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { newShare } from "../../client/documents/new_share.ts";
import { KEY_BYTES } from "../../client/documents/suite.ts";
import { entryOf, instantOf } from "../base/merging.ts";
import { primitivesOf } from "../base/platform.ts";
import type { Library } from "../library.ts";
import { readCursor } from "../rows/cursor.ts";
import { contributionsOf } from "../sharing/inbox.ts";
import {
  type AbroadSlot,
  type Given,
  MOST_FORMER,
  type Unstamped,
} from "../trust/abroad_state.ts";
import { givenId, revokeAll } from "../trust/members_abroad.ts";
import { IdentityChanged, NoCard } from "../trust/people.ts";
import { claimInForce } from "../trust/trust_rules.ts";
import { AbroadError } from "./abroad_fault.ts";
import { endAbroadLink, putAbroadIndex } from "./abroad_shares.ts";
import { ownServer } from "./other_servers.ts";
import { closeBox, openBox } from "./mail.ts";

const TTL_SECONDS = DAY_MS / 1_000;
/** A day less than the server takes, for clocks that differ. */
const GRANT_DAYS = 89;
/** A grant with less left is minted again (ms). */
export const RENEW_MS = 30 * DAY_MS;
/** What a link for a member's replies takes. */
const REPLIES_MAX_BYTES = 4 * 1024 * 1024;
const REPLIES_MAX_FILES = 256;
/** Key ids that a grant names. */
const MOST_KEYS = 16;

/** An own album, and someone of another server. */
export interface Of {
  readonly albumId: string;
  readonly member: string;
}
/** The same with their card. */
interface OfCard extends Of {
  readonly card: ContactCard;
}
/** What they get to see. */
type Scope = Given["scope"];

/**
 * Writes a new grant into the pickup, and revokes those of before once that is
 * there. What was cut off goes on with the grant that was minted. Someone with
 * another identity gets another pickup, after the one of before has ended.
 */
export async function give(
  library: Library,
  slot: AbroadSlot,
  of: OfCard,
  before: Given | undefined,
  scope: Scope,
): Promise<Given> {
  const { albums, vault: { session: { account } } } = library;
  const { albumId, card } = of;
  const same = before !== undefined && isFor(before, card) ? before : undefined;
  if (before !== undefined && same === undefined) {
    await revokeAll(account, albumId, before);
    await endPickup(library, before);
  }
  await albums.sealAnew(albumId);
  const { pickup, moved, server_id } = await placeFor(library, same);
  const now = await serverTime(library.vault.session);
  const reply = await replyFor(library, same, now);
  // While the entry names it: no other link of these shows in the inbox.
  const boxBefore = before?.reply?.opaque_id;
  if (boxBefore !== undefined && boxBefore !== reply.opaque_id) {
    await closeBox(library, boxBefore);
  }
  const begun = same?.journal?.what === "writing" && same.scope === scope
    ? await tokenOf(library, albumId, same)
    : undefined;
  const { given, token } = begun ?? await mint(library, of, { scope, now });
  const former = before === undefined ? [] : [
    ...(before.jti === given.jti ? [] : [before.jti]),
    ...before.former ?? [],
  ].slice(0, MOST_FORMER);
  const held = await putGiven(slot, of, before, {
    ...restOf(before),
    ...given,
    pickup,
    seq: (before?.seq ?? 0) + 1,
    former,
    reply,
    server_id,
    ...(moved === undefined ? {} : { moved }),
    journal: { what: "writing" },
  }).catch(async (error) => {
    // It was given to no one, and nothing names it.
    if (error instanceof DocumentError && begun === undefined) {
      await account.revokeCapability(albumId, given.jti);
    }
    throw error;
  });
  const box = await replyBox(library, reply);
  await writePickup(library, of, held, { state: "live", grant: token, ...box });
  if (moved !== undefined) {
    await writePickup(library, of, { ...held, pickup: moved.pickup }, {
      state: "moved",
      server_id: moved.server_id,
      successor: { server_id, pickup: held.pickup },
    });
  }
  for (const jti of former) await account.revokeCapability(albumId, jti);
  const { journal: _, former: __, moved: ___, ...written } = held;
  return await putGiven(slot, of, held, written);
}

/**
 * Where the next grant is picked up, and the pickup of before that says so.
 * `before` is the grant of the same identity, if there is one.
 */
async function placeFor(
  library: Library,
  before: Given | undefined,
): Promise<
  Pick<Given, "pickup" | "moved"> & { readonly server_id: string }
> {
  const { platform } = library.vault.session;
  const { server_id } = await ownServer(library);
  // Under another address of the server there is another pickup, and the one
  // of before says where.
  const former = before?.server_id !== undefined &&
      before.server_id !== server_id
    ? { server_id: before.server_id, pickup: before.pickup }
    : undefined;
  const moved = former ?? before?.moved;
  // A link that was ended never lives again.
  const keeps = before !== undefined && former === undefined &&
    (!before.ended || await isServed(library, before));
  const pickup = keeps ? before.pickup : pickupOf(newShare(platform.random));
  return { pickup, server_id, ...(moved === undefined ? {} : { moved }) };
}

/**
 * The link for replies to the next grant: the one of before, `before` being of
 * the same identity, or another one.
 */
async function replyFor(
  library: Library,
  before: Given | undefined,
  now: number,
): Promise<NonNullable<Given["reply"]>> {
  const boxed = before?.ended ? undefined : before?.reply;
  // One that holds what was not read yet is replaced another time.
  const keeps = boxed !== undefined &&
    (isLasting(boxed, now) || await holdsMail(library, boxed));
  return keeps ? boxed : {
    opaque_id: newShare(library.vault.session.platform.random).opaqueId,
    expires_at: toRfc3339(now + GRANT_DAYS * DAY_MS),
  };
}

/** The fields of a grant that the next one keeps, also of newer programs. */
function restOf(before: Given | undefined): Partial<Given> {
  if (before === undefined) return {};
  const { ended: _, feed_epoch: __, ...rest } = before;
  return rest;
}

/** Puts a grant in the place of the one that was read, and of no other. */
async function putGiven(
  slot: AbroadSlot,
  { albumId, member }: Of,
  before: Given | undefined,
  next: Unstamped<Given>,
): Promise<Given> {
  const id = givenId(albumId, member);
  await slot.given.change(id, (present) => {
    if (present?.at === before?.at) return next;
    throw new AbroadError(
      "raced",
      "another device of yours came first: try again",
    );
  });
  const put = slot.given.get(id);
  if (put === undefined) throw new DocumentError(`${id} is gone`);
  return put;
}

/**
 * Says in the pickup that it ended. Its number is kept: the member's program
 * takes no lower one when they are let in again.
 */
export async function end(
  library: Library,
  slot: AbroadSlot,
  of: Of,
  given: Given,
): Promise<void> {
  const seq = given.seq + 1;
  let held = given;
  try {
    const card = await cardOf(library, slot, of.member);
    if (!isFor(given, card)) throw new NoCard([of.member]);
    held = await putGiven(slot, of, given, { ...given, seq });
    await writePickup(library, { ...of, card }, held, { state: "ended" });
  } catch (error) {
    // Without the card nothing can be said in it, nor under another address.
    const isNone = error instanceof NoCard ||
      error instanceof IdentityChanged ||
      (error instanceof AbroadError && error.fault === "address");
    if (!isNone) throw error;
    await endPickup(library, given);
  }
  const { journal: _, former: __, ...done } = held;
  await putGiven(slot, of, held, { ...done, seq, ended: true });
}

/** Whether a link for replies is for long enough. */
export function isLasting(
  { expires_at }: { readonly expires_at: string },
  now: number,
): boolean {
  return instantOf(expires_at) - now > RENEW_MS;
}

/**
 * A link for replies as the member gets it, which is made unless it is there.
 * Nothing if the server makes none: the member can do without.
 */
async function replyBox(
  library: Library,
  { opaque_id, expires_at }: NonNullable<Given["reply"]>,
): Promise<Pick<AlbumGrant, "reply">> {
  const limits = {
    expiresAt: expires_at,
    maxBytes: REPLIES_MAX_BYTES,
    maxFiles: REPLIES_MAX_FILES,
  };
  const box = await openBox(library, opaque_id, limits);
  return box === undefined ? {} : { reply: { ...box, expires_at } };
}

/** Whether a link for replies, also one that ended, holds what was not read. */
export async function holdsMail(
  library: Library,
  { opaque_id }: NonNullable<Given["reply"]>,
): Promise<boolean> {
  return (await contributionsOf(library, opaque_id)).length > 0;
}

async function endPickup(library: Library, given: Given): Promise<void> {
  const { reply } = given;
  if (reply !== undefined) await closeBox(library, reply.opaque_id);
  if (!await isServed(library, given)) return;
  await endAbroadLink(library, given.pickup.opaque_id);
}

/** Whether a grant is for the identity on a card. */
export function isFor(
  { key_id }: Given,
  { identity_key }: ContactCard,
): boolean {
  return key_id === keyId(identity_key);
}

export async function cardOf(
  library: Library,
  slot: AbroadSlot,
  member: string,
): Promise<ContactCard> {
  // The identity in force decides, and the card's own keys are of it.
  await library.people.sealingKeyOf(member);
  const contact = slot.contacts.get(member);
  if (contact === undefined) throw new NoCard([member]);
  return await verifyCard(contact.card);
}

function pickupOf({ opaqueId, secret }: ReturnType<typeof newShare>) {
  return { opaque_id: opaqueId, secret };
}

/** What is noted of a grant that was minted. */
type Minted = Omit<Unstamped<Given>, "pickup" | "seq">;

/** Mints a grant at the server's `now`, which was not handed out yet. */
async function mint(
  { store, vault: { session } }: Library,
  { albumId, member, card }: OfCard,
  { scope, now }: { readonly scope: Scope; readonly now: number },
): Promise<{ readonly given: Minted; readonly token: GrantedToken }> {
  const { account, platform } = session;
  const feed_epoch = (await readCursor(store))?.epoch ?? "";
  const minted = await account.mintCapability(albumId, {
    peer: card.server_id,
    member,
    scope,
    ttlSeconds: TTL_SECONDS,
    renewableUntil: toRfc3339(now + GRANT_DAYS * DAY_MS),
  });
  const renewal = new Uint8Array(platform.random(KEY_BYTES));
  const { jti, not_after } = minted;
  await account.setRenewal(albumId, jti, sha256Hex(renewal));
  const given = {
    ...{ jti, not_after, scope, renewal },
    key_id: keyId(card.identity_key),
    ...(feed_epoch === "" ? {} : { feed_epoch }),
  };
  const { token, expires_at, min_protocol_version } = minted;
  const granted: GrantedToken = {
    ...{ token, jti, renewal, expires_at, not_after, scope },
    min_protocol_version,
  };
  return { given, token: granted };
}

/** A live token of a grant that was noted; undefined if the grant is over. */
async function tokenOf(
  { vault: { session: { account, client } } }: Library,
  albumId: string,
  given: Given,
): Promise<
  { readonly given: Minted; readonly token: GrantedToken } | undefined
> {
  const { jti, renewal, not_after, scope } = given;
  let renewed;
  try {
    renewed = await client.renewCapability(jti, renewal);
  } catch (error) {
    const isOver = error instanceof ApiProblem &&
      error.code === "error.federation.capability_invalid";
    if (!isOver) throw error;
    return undefined;
  }
  const album = (await account.albums())
    .find(({ album_id }) => album_id === albumId);
  if (album === undefined) {
    throw new DocumentError(`album ${albumId} is not at the server`);
  }
  const { token, expires_at } = renewed;
  const granted: GrantedToken = {
    ...{ token, jti, renewal, expires_at, not_after, scope },
    min_protocol_version: album.protocol_version,
  };
  return { given, token: granted };
}

/** The server's time, which judges how long a grant is (ms). */
async function serverTime(
  { account, platform }: Library["vault"]["session"],
): Promise<number> {
  const call = { method: "GET", path: "/v1/version" } as const;
  const response = await account.send(call);
  await response.body?.cancel();
  const told = Date.parse(response.headers.get("Date") ?? "");
  return Number.isNaN(told) ? platform.now() : told;
}

export async function isServed(
  { vault: { session: { account } } }: Library,
  { pickup }: Given,
): Promise<boolean> {
  return (await account.shares())
    .some(({ opaque_id }) => opaque_id === pickup.opaque_id);
}

export async function pickupLink(
  library: Library,
  { pickup }: Given,
): Promise<string> {
  const { server_id: serverId } = await ownServer(library);
  const { opaque_id: opaqueId } = pickup;
  const secret = new Uint8Array(pickup.secret);
  return buildAbroadLink({ kind: "pickup", serverId, opaqueId, secret });
}

/** What a pickup says, and under which id of the server if not the present. */
type Told =
  & Pick<AlbumGrant, "state" | "grant" | "reply" | "successor">
  & Partial<Pick<AlbumGrant, "server_id">>;

/** Writes what a member finds in their pickup. */
async function writePickup(
  library: Library,
  { albumId, member, card }: OfCard,
  { pickup, seq }: Given,
  told: Told,
): Promise<void> {
  const { vault: { session, identity }, trust } = library;
  const { platform, userId } = session;
  const claim = claimInForce(entryOf(trust.record.albums, albumId));
  const roster = fromHex(claim?.roster ?? "");
  if (claim === undefined || roster === undefined) {
    throw new DocumentError(`album ${albumId} has no roster here`);
  }
  const { server_id: serverId } = await ownServer(library);
  const { display_name: name } = await session.account.profile();
  const grant = await signGrant(identity.signer, {
    seq,
    member,
    card_id: card.card_id,
    server_id: serverId,
    album_id: albumId,
    owner: userId,
    owner_key: identity.signer.publicKey,
    ...(name ? { owner_name: name } : {}),
    roster_version: claim.roster_version,
    amk_epoch: claim.amk_epoch,
    roster,
    keys: await attestationKeys(library),
    signed_at: toRfc3339(platform.now()),
    ...told,
  });
  const opaqueId = pickup.opaque_id;
  const sealed = await sealGrant(
    grant,
    card.sealing_key,
    { member, opaqueId },
    platform.random,
    primitivesOf(platform),
  );
  const link = { opaqueId, secret: new Uint8Array(pickup.secret) };
  await putAbroadIndex(library, "pickup", link, sealed, { n: seq });
}

/** The key ids of the server's line that this account follows. */
async function attestationKeys(
  { trust, vault: { session } }: Library,
): Promise<string[]> {
  const held = Object.entries(trust.record.server.keys)
    .toSorted(([, a], [, b]) => a - b)
    .map(([id]) => id);
  if (held.length > 0) return held.slice(-MOST_KEYS);
  const { keys } = await session.client.attestationKeys();
  return keys.map(({ keyId }) => keyId).slice(-MOST_KEYS);
}
