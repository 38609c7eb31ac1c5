/**
 * What a server that lies must not achieve, looked at after every deed; and
 * what is well again once it lies no longer.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  NotSignedIn,
  openLibrary,
  openVault,
  resumeSession,
} from "../../src/library/mod.ts";
import { type Row, takenAt } from "../../src/library/rows/rows.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { equalBytes } from "../../src/core/bytes.ts";
import { enter, libraryOn, wholeOf } from "../support/library.ts";
import { deviceIn, type Family, type Member } from "./family.ts";

/** Whether a row says of itself that something is wrong with it. */
function isTold(row: Row): boolean {
  return row.state === "missing" || row.state === "withheld" ||
    row.state === "removed" || row.shown !== undefined ||
    row.fault !== undefined || row.custody === "missing" ||
    row.custody === "damaged";
}

/** Looks at every device after a deed. */
export async function expectPromisesKept(
  family: Family,
  after: string,
): Promise<void> {
  const broken: string[] = [];
  for (const [at, member] of family.members.entries()) {
    const found = [
      ...nothingInvented(family, member),
      ...nothingVanished(family, member),
      ...await nothingGivenAway(family, member),
      ...await nothingChanged(family, member),
    ];
    broken.push(...found.map((what) => `${member.name} ${at}: ${what}`));
  }
  broken.push(...family.adversary.broken);
  assert.deepEqual(broken, [], `after ${after}`);
}

/**
 * Everything shown was made by a person with the right to, and one bad record
 * costs one record.
 */
function nothingInvented(family: Family, { library }: Member): string[] {
  const dan = family.adversary.contributor?.session.userId;
  return library.list().flatMap((row) => {
    if (Number.isNaN(takenAt(row))) return [`${row.id} was taken at no time`];
    // A contributor may show whatever is theirs.
    if (row.owner === dan) return [];
    const name = row.metadata?.name ?? "";
    return family.made.has(name) ? [] : [`shows ${name}, which no one made`];
  });
}

/** The album and the name of a photo; no two photos have one name. */
function placeOf({ album, metadata }: Row): string {
  return `${album} ${metadata?.name}`;
}

/**
 * Whether a photo that was lost is there under another id: whoever stores it
 * again in the same album is told of the loss no more.
 */
function isThereAgain(
  { places }: Family,
  { library }: Member,
  id: string,
): boolean {
  const { userId } = library.vault.session;
  return library.list().some((row) =>
    row.owner === userId && !isTold(row) && placeOf(row) === places.get(id)
  );
}

/** Own photos stay, unless their owner wanted them gone, or it is told. */
function nothingVanished(family: Family, member: Member): string[] {
  const { library, shown } = member;
  const { userId } = library.vault.session;
  const broken: string[] = [];
  for (const row of library.list()) {
    if (row.owner !== userId) continue;
    const place = family.places.get(row.id);
    if (place !== undefined && place !== placeOf(row) && !isTold(row)) {
      broken.push(`shows ${row.id} in another album`);
    }
    family.places.set(row.id, placeOf(row));
    const given = family.captions.get(row.id) ?? [];
    const caption = given.lastIndexOf(row.metadata?.caption ?? "");
    shown.set(row.id, Math.max(shown.get(row.id) ?? -1, caption));
  }
  for (const [id, newest] of shown) {
    if (family.unwanted.has(id)) continue;
    const row = library.index.get(id);
    if (row === undefined && isThereAgain(family, member, id)) {
      // From here on it is the other one that must stay.
      shown.delete(id);
      continue;
    }
    if (row === undefined) {
      broken.push(`lost ${id} without a word`);
      continue;
    }
    if (isTold(row)) continue;
    if (row.state !== "live" || row.metadata === undefined) {
      broken.push(`shows ${id} as ${row.state}, which no one did`);
      continue;
    }
    const given = family.captions.get(id) ?? [];
    const caption = given.lastIndexOf(row.metadata.caption ?? "");
    if (caption < newest) broken.push(`shows an older caption of ${id}`);
  }
  return broken;
}

/** The next photo is sealed with a key that the adversary lacks. */
async function nothingGivenAway(
  family: Family,
  member: Member,
): Promise<string[]> {
  const { albums } = member.library;
  const { adversary, albumId, eveId } = family;
  const members = albums.get(albumId)?.members;
  if (members !== undefined) {
    member.isEveOut ||= members.every(({ userId }) => userId !== eveId);
  }
  const newest = await albums.newestOf(albumId).catch(() => undefined);
  if (newest === undefined) return [];
  if (equalBytes(newest.amk, adversary.amk)) {
    return ["would seal the next photo to a key of the server's"];
  }
  const eves = adversary.accompliceKeys.some(({ amk }) =>
    equalBytes(amk, newest.amk)
  );
  return member.isEveOut && eves
    ? ["would seal the next photo to someone who was removed"]
    : [];
}

/** What is read is what was made, or nothing. */
async function nothingChanged(
  family: Family,
  { library }: Member,
): Promise<string[]> {
  const [row] = library.list();
  const made = family.made.get(row?.metadata?.name ?? "");
  if (row === undefined || made === undefined) return [];
  try {
    const bytes = await wholeOf(library.read(row.id));
    return equalBytes(bytes, made.bytes)
      ? []
      : [`reads other bytes of ${row.metadata?.name}`];
  } catch {
    return [];
  }
}

/**
 * The server is honest from here on: every device ends with what a new device
 * of the same account sees, and everything that was kept is there.
 */
export async function expectHealed(family: Family): Promise<void> {
  const { app } = family;
  for (let day = 0; day < 3; day++) {
    app.clock.advance(DAY_MS);
    for (const member of family.members) await visit(family, member);
  }
  const broken: string[] = [];
  for (const [at, member] of family.members.entries()) {
    const fresh = await newDevice(family, member);
    // A server can claim that a member left, which takes them off the roster
    // and is reported to both. Their photos are in their own library as well.
    const isOut = fresh.albums.get(family.albumId) === undefined;
    for (const [id, name] of family.kept) {
      if (name !== member.name || family.unwanted.has(id)) continue;
      if (isOut && family.copies.has(id)) continue;
      if (family.adversary.destroyed.has(id)) {
        const row = member.shown.has(id)
          ? member.library.index.get(id)
          : undefined;
        const isMissed = member.shown.has(id) &&
          !isThereAgain(family, member, id);
        if (isMissed && (row === undefined || !isTold(row))) {
          broken.push(`${at}: ${id} was destroyed, and it is not told`);
        }
      } else if (!fresh.list().some((row) => row.id === id)) {
        broken.push(`${at}: ${id} was kept and is not there`);
      }
    }
    const albumId = isOut ? family.albumId : undefined;
    const [seen, there] = [member.library, fresh].map((library) =>
      summaryOf(library, albumId)
    );
    for (const line of there ?? []) {
      if (!seen?.has(line)) broken.push(`${at}: does not show ${line}`);
    }
    for (const line of seen ?? []) {
      if (!there?.has(line)) broken.push(`${at}: still shows ${line}`);
    }
    for (const album of member.library.albums.list()) {
      if (album.fault === undefined) continue;
      broken.push(`${at}: album ${album.id} stays closed: ${album.fault}`);
    }
  }
  broken.push(...family.adversary.broken);
  assert.deepEqual(broken, [], "once the server is honest");
}

/** A person opens the program again, signs in if they have to, and looks. */
async function visit(family: Family, member: Member): Promise<void> {
  const { device } = member;
  const again = async () => {
    try {
      return await resumeSession(device.platform, device.entrance);
    } catch (error) {
      if (!(error instanceof NotSignedIn)) throw error;
      return await enter(device, member.name);
    }
  };
  try {
    member.library = await openLibrary(
      await openVault(await again()),
      device.store,
    );
    await member.library.sync();
  } catch (error) {
    if (!(error instanceof NotSignedIn)) throw error;
    const session = await enter(device, member.name);
    member.library = await openLibrary(
      await openVault(session),
      device.store,
    );
    await member.library.sync();
  }
  await expectPromisesKept(family, "a visit");
}

async function newDevice(
  family: Family,
  { name, library }: Member,
): Promise<Library> {
  const device = deviceIn(family.wire, family.adversary, `${name}'s new`);
  const fresh = await libraryOn(device, library, name);
  await fresh.sync();
  await fresh.sync();
  return fresh;
}

/** What a gallery shows without an album, a line a photo. */
function summaryOf(
  library: Library,
  without: string | undefined,
): Set<string> {
  const rows = library.list().filter(({ album }) =>
    album === undefined || album !== without
  );
  return new Set(
    rows.map(({ id, head, album, metadata }) =>
      `${metadata?.name} (${metadata?.caption ?? "no caption"}) ` +
      `of ${album}: ${id} at ${head.slice(0, 8)}`
    ),
  );
}
