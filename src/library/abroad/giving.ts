/**
 * Letting people of other servers into own albums
 * (protocol/albums-abroad.md#grant): the roster, the capability, and the pickup
 * at which their programs find it; keeping these alive, and removing people.
 *
 * @module
 */
import { fromHex } from "../../core/bytes.ts";
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { ApiProblem, UnexpectedAnswer } from "../../client/api/api.ts";
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
import { verifyRoster } from "../../client/documents/roster.ts";
import { newShare } from "../../client/documents/new_share.ts";
import { KEY_BYTES } from "../../client/documents/suite.ts";
import { isOfEverything } from "../base/faults.ts";
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
import {
  givenId,
  isAbroad,
  ofGiven,
  revokeAll,
} from "../trust/members_abroad.ts";
import { IdentityChanged, NoCard } from "../trust/people.ts";
import { anchorInForce, claimInForce } from "../trust/trust_rules.ts";
import { AbroadError } from "./abroad_fault.ts";
import { endAbroadLink, putAbroadIndex } from "./abroad_shares.ts";
import { ownServer } from "./other_servers.ts";
import { closeBox, openBox } from "./mail.ts";

const MOST_MEMBERS = 50;
const TTL_SECONDS = DAY_MS / 1_000;
/** A day less than the server takes, for clocks that differ. */
const GRANT_DAYS = 89;
/** A grant with less left is minted again (ms). */
const RENEW_MS = 30 * DAY_MS;
/** What a link for a member's replies takes. */
const REPLIES_MAX_BYTES = 4 * 1024 * 1024;
const REPLIES_MAX_FILES = 256;
/** Key ids that a grant names. */
const MOST_KEYS = 16;
/** What failed, as one message names it. */
const MOST_FAULTS = 8;

interface Of {
  readonly albumId: string;
  readonly member: string;
}
interface OfCard extends Of {
  readonly card: ContactCard;
}
type Scope = Given["scope"];

/**
 * Lets someone into an own album; returns the link to hand to them. Again for
 * someone who is in it already, it returns the link once more. With `again`
 * that is all: it throws an AbroadError for a person who is no longer in it.
 * With `small` they get only the small pictures, even if they had all before. A
 * member never gets more than before, and a removed person only if `small` is
 * false.
 */
export async function inviteAbroad(
  library: Library,
  albumId: string,
  member: string,
  { again = false, small }: {
    readonly again?: boolean;
    readonly small?: boolean;
  } = {},
): Promise<string> {
  const { albums, vault: { session: { account } } } = library;
  await ownServer(library);
  const slot = await library.abroad();
  await slot.read({ again: true });
  const card = await cardOf(library, slot, member);
  const held = slot.given.get(givenId(albumId, member));
  if (held?.journal?.what === "removing") {
    throw new DocumentError(`${member} is being removed: try again`);
  }
  const members = albums.get(albumId)?.members ?? [];
  const isIn = members.some(({ userId }) => userId === member);
  // Another device may have removed them, which this one has not heard of yet.
  if (again && (!isIn || held === undefined || held.ended)) {
    throw new AbroadError("ended", `${member} is no longer in the album`);
  }
  if (!isIn) {
    const abroad = members.filter(({ userId }) => isAbroad(userId));
    if (abroad.length >= MOST_MEMBERS) {
      throw new AbroadError(
        "limit",
        `the album has ${MOST_MEMBERS} people of other servers already`,
      );
    }
    // It would read again with its member on the list.
    if (held !== undefined) await revokeAll(account, albumId, held);
    await albums.invite(albumId, member, "viewer");
  }
  const isKept = small === undefined || (isIn && !held?.ended);
  const scope = small
    ? "read-derivative-only"
    : (isKept ? held?.scope : undefined) ?? "read";
  const isGiven = isIn && held !== undefined && !held.ended &&
    held.journal === undefined && isFor(held, card) && held.scope === scope &&
    await isServed(library, held);
  if (isGiven) {
    await albums.sealAnew(albumId);
    return await pickupLink(library, held);
  }
  const of = { albumId, member, card };
  const given = await give(library, slot, of, held, scope);
  return await pickupLink(library, given);
}

/**
 * Removes someone of another server from an own album: their grant is revoked,
 * the album gets a new key, and the pickup says that it ended.
 */
export async function removeAbroad(
  library: Library,
  albumId: string,
  member: string,
): Promise<void> {
  // It revokes the grant first, and notes that it is being removed.
  await library.albums.remove(albumId, member);
  const slot = await library.abroad();
  const given = slot.given.get(givenId(albumId, member));
  if (given !== undefined) await end(library, slot, { albumId, member }, given);
}

/**
 * Keeps what this account gave alive: finishes what was cut off, and mints
 * grants again that end within thirty days, or that the server ended because it
 * was restored. Returns how many it changed. Called at each start and once a
 * day. One that fails keeps no other from it; a DocumentError names those.
 */
export async function keepGiven(library: Library): Promise<number> {
  const slot = await library.abroad();
  await slot.read({ again: true });
  let changed = 0;
  const each = slot.given.list().filter(([, { ended }]) => !ended);
  const serverId = each.length === 0 ? undefined : await presentId(library);
  await forEachOf(each, ([id]) => id, async ([id, given]) => {
    const hasMoved = serverId !== undefined && given.server_id !== undefined &&
      serverId !== given.server_id;
    if (await keep(library, slot, ofGiven(id), given, hasMoved)) changed += 1;
  });
  return changed;
}

/**
 * After another identity of a member was decided: whoever had the one before
 * gets no more of any album. Their grants are revoked, the albums get new keys,
 * and new pickups are written.
 */
export async function giveToOther(
  library: Library,
  member: string,
): Promise<void> {
  const { albums } = library;
  const slot = await library.abroad();
  await slot.read({ again: true });
  const card = await cardOf(library, slot, member);
  const own = albums.list().filter(({ role, tombstoned, fault, members }) =>
    role === "owner" && !tombstoned && fault === undefined &&
    members.some(({ userId }) => userId === member)
  );
  await forEachOf(own, ({ id }) => id, async ({ id: albumId }) => {
    const held = slot.given.get(givenId(albumId, member));
    const isOther = held !== undefined && !held.ended &&
      held.journal?.what !== "removing" && !isFor(held, card);
    const of = { albumId, member, card };
    if (isOther) await give(library, slot, of, held, held.scope);
    else await albums.sealAnew(albumId);
  });
}

/** Mints a grant again that a member asks for, who is in the album. */
export async function giveAgain(library: Library, of: Of): Promise<void> {
  const slot = await library.abroad();
  const card = await cardOf(library, slot, of.member);
  const held = slot.given.get(givenId(of.albumId, of.member));
  if (held === undefined || held.journal?.what === "removing") return;
  await give(library, slot, { ...of, card }, held, held.scope);
}

/** Does each, and throws a DocumentError at the end that names what failed. */
export async function forEachOf<T>(
  all: readonly T[],
  nameOf: (one: T) => string,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  for (const one of all) {
    try {
      await work(one);
    } catch (error) {
      const isOfOne = error instanceof DocumentError ||
        error instanceof ApiProblem || error instanceof UnexpectedAnswer;
      if (!isOfOne || isOfEverything(error)) throw error;
      faults.push(`${nameOf(one)}: ${error.message}`);
    }
  }
  if (faults.length === 0) return;
  const shown = faults.slice(0, MOST_FAULTS).join("; ");
  const more = faults.length - MOST_FAULTS;
  throw new DocumentError(more > 0 ? `${shown}; and ${more} more` : shown);
}

/** The server's id, unless this program was opened at another address. */
async function presentId(library: Library): Promise<string | undefined> {
  try {
    return (await ownServer(library)).server_id;
  } catch (error) {
    const isOther = error instanceof AbroadError && error.fault === "address";
    if (!isOther) throw error;
    return undefined;
  }
}

/** Keeps one grant alive, or finishes its removal; whether it was changed. */
async function keep(
  library: Library,
  slot: AbroadSlot,
  of: Of,
  given: Given,
  hasMoved: boolean,
): Promise<boolean> {
  const { albumId, member } = of;
  const { albums, trust, vault: { session: { account, platform } } } = library;
  const album = albums.get(albumId);
  const isUnclear = album === undefined || album.tombstoned ||
    album.fault !== undefined;
  if (isUnclear) return false;
  const isIn = album.members.some(({ userId }) => userId === member);
  if (given.journal?.what === "removing" || !isIn) {
    if (isIn) await albums.remove(albumId, member);
    else if (await isListed(library, of)) return false;
    else await revokeAll(account, albumId, given);
    const held = slot.given.get(givenId(albumId, member)) ?? given;
    await end(library, slot, of, held);
    return true;
  }
  const person = entryOf(trust.record.people, member);
  const isDue = hasMoved || given.journal !== undefined ||
    person === undefined ||
    given.key_id !== anchorInForce(person) ||
    instantOf(given.not_after) - platform.now() <= RENEW_MS ||
    (given.reply !== undefined && !isLasting(given.reply, platform.now()) &&
      !await holdsMail(library, given.reply)) ||
    await isRestored(library, given);
  if (!isDue) return false;
  const card = await cardOf(library, slot, member);
  await give(library, slot, { ...of, card }, given, given.scope);
  return true;
}

/**
 * Whether the server's roster names a member: another device let them in, and
 * this one has not heard of it yet.
 */
async function isListed(
  { trust, vault: { session: { account, platform }, identity } }: Library,
  { albumId, member }: Of,
): Promise<boolean> {
  const { members, roster_version } = await verifyRoster(
    await account.roster(albumId),
    identity.signer.publicKey,
    platform.hybrid,
  );
  const claim = claimInForce(entryOf(trust.record.albums, albumId));
  return roster_version >= (claim?.roster_version ?? 0) &&
    members.some((one) => one.member === member);
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
 * Writes a new grant into the pickup, and revokes those of before once that is
 * there. What was cut off goes on with the grant that was minted. Someone with
 * another identity gets another pickup, after the one of before has ended.
 */
async function give(
  library: Library,
  slot: AbroadSlot,
  of: OfCard,
  before: Given | undefined,
  scope: Scope,
): Promise<Given> {
  const { albums, vault: { session: { account, platform } } } = library;
  const { albumId, card } = of;
  const isSame = before !== undefined && isFor(before, card);
  if (before !== undefined && !isSame) {
    await revokeAll(account, albumId, before);
    await endPickup(library, before);
  }
  await albums.sealAnew(albumId);
  const { server_id } = await ownServer(library);
  // Under another address of the server there is another pickup, and the one
  // of before says where.
  const moved = !isSame
    ? undefined
    : before.server_id !== undefined && before.server_id !== server_id
    ? { server_id: before.server_id, pickup: before.pickup }
    : before.moved;
  const hasMoved = moved !== undefined && moved !== before?.moved;
  // A link that was ended never lives again.
  const keeps = isSame && !hasMoved &&
    (!before.ended || await isServed(library, before));
  const pickup = keeps ? before.pickup : pickupOf(newShare(platform.random));
  const seq = (before?.seq ?? 0) + 1;
  const now = await serverTime(library.vault.session);
  const boxed = isSame && !before.ended ? before.reply : undefined;
  // One that holds what was not read yet is replaced another time.
  const keepsBox = boxed !== undefined &&
    (isLasting(boxed, now) || await holdsMail(library, boxed));
  const reply = keepsBox ? boxed : {
    opaque_id: newShare(platform.random).opaqueId,
    expires_at: toRfc3339(now + GRANT_DAYS * DAY_MS),
  };
  // While the entry names it: no other link of these shows in the inbox.
  const boxBefore = before?.reply?.opaque_id;
  if (boxBefore !== undefined && boxBefore !== reply.opaque_id) {
    await closeBox(library, boxBefore);
  }
  const begun = isSame && before.journal?.what === "writing" &&
      before.scope === scope
    ? await tokenOf(library, albumId, before)
    : undefined;
  const { given, token } = begun ?? await mint(library, of, { scope, now });
  const former = before === undefined ? [] : [
    ...(before.jti === given.jti ? [] : [before.jti]),
    ...before.former ?? [],
  ].slice(0, MOST_FORMER);
  let held: Given;
  try {
    held = await putGiven(slot, of, before, {
      ...restOf(before),
      ...given,
      pickup,
      seq,
      former,
      reply,
      server_id,
      ...(moved === undefined ? {} : { moved }),
      journal: { what: "writing" },
    });
  } catch (error) {
    // It was given to no one, and nothing names it.
    if (error instanceof DocumentError && begun === undefined) {
      await account.revokeCapability(albumId, given.jti);
    }
    throw error;
  }
  const told = { state: "live", grant: token } as const;
  await writePickup(library, of, held, {
    ...told,
    ...await replyBox(library, reply),
  });
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
 * Says in the pickup that it ended. Its number is kept: the member's program
 * takes no lower one when they are let in again.
 */
async function end(
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
function isLasting(
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
async function holdsMail(
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
function isFor({ key_id }: Given, { identity_key }: ContactCard): boolean {
  return key_id === keyId(identity_key);
}

/** Whether the server was restored since, which revokes all grants. */
async function isRestored(
  { store }: Library,
  { feed_epoch }: Given,
): Promise<boolean> {
  const epoch = (await readCursor(store))?.epoch ?? "";
  return epoch !== "" && epoch !== feed_epoch;
}

async function cardOf(
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

async function isServed(
  { vault: { session: { account } } }: Library,
  { pickup }: Given,
): Promise<boolean> {
  return (await account.shares())
    .some(({ opaque_id }) => opaque_id === pickup.opaque_id);
}

async function pickupLink(
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
