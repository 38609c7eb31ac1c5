/**
 * Letting people of other servers into own albums
 * (protocol/albums-abroad.md#grant): the roster, the capability, and the pickup
 * at which their programs find it; keeping these alive, and removing people.
 *
 * @module
 */
import { ApiProblem, UnexpectedAnswer } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { verifyRoster } from "../../client/documents/roster.ts";
import { isOfEverything } from "../base/faults.ts";
import { entryOf, instantOf } from "../base/merging.ts";
import type { Library } from "../library.ts";
import { readCursor } from "../rows/cursor.ts";
import { type AbroadSlot, type Given } from "../trust/abroad_state.ts";
import {
  givenId,
  isAbroad,
  ofGiven,
  revokeAll,
} from "../trust/members_abroad.ts";
import { anchorInForce, claimInForce } from "../trust/trust_rules.ts";
import { AbroadError } from "./abroad_fault.ts";
import { ownServer } from "./other_servers.ts";
import {
  cardOf,
  end,
  give,
  holdsMail,
  isFor,
  isLasting,
  isServed,
  type Of,
  pickupLink,
  RENEW_MS,
} from "./grants.ts";

const MOST_MEMBERS = 50;
/** What failed, as one message names it. */
const MOST_FAULTS = 8;

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

/** Whether the server was restored since, which revokes all grants. */
async function isRestored(
  { store }: Library,
  { feed_epoch }: Given,
): Promise<boolean> {
  const epoch = (await readCursor(store))?.epoch ?? "";
  return epoch !== "" && epoch !== feed_epoch;
}
