/**
 * What has to be true of a household once nothing goes wrong any more: a fresh
 * device that has only the 24 words shows and reads everything.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { equalBytes } from "../../src/core/bytes.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import { wholeOf } from "../support/library.ts";
import { faultsOf } from "../support/backups.ts";
import type { PersonName, Photo } from "./chaos_book.ts";
import { type Household, textOf } from "./chaos_household.ts";
import type { Machine } from "./chaos_machine.ts";

/** A photo as a device shows it. */
interface Shown {
  readonly id: string;
  readonly name: string;
  readonly caption: string | undefined;
  readonly favourite: boolean;
  readonly owner: string;
  readonly isOwn: boolean;
  readonly isInLibrary: boolean;
  readonly album?: string | undefined;
}

/** What a device knows. */
interface View {
  readonly userId: string;
  readonly rows: readonly Shown[];
  readonly missing: readonly string[];
  readonly trashed: readonly string[];
  readonly albums: readonly {
    readonly id: string;
    readonly owner: string;
    readonly members: readonly string[];
  }[];
}

/**
 * Whether a photo is of an album of which its owner is a member. A device that
 * saw none of a member's photos before they were removed does not take them
 * afterwards, and a new one does (protocol/client-cryptography.md).
 */
function isOfMember(
  { album, owner, isInLibrary }: Pick<Shown, "album" | "owner" | "isInLibrary">,
  { albums }: View,
): boolean {
  const of = albums.find(({ id }) => id === album);
  return isInLibrary || of?.owner === owner ||
    of?.members.includes(owner) === true;
}

/** Rounds in which every device syncs, so that others see what one repairs. */
const ROUNDS = 3;

/** Lets nothing go wrong any more, and compares everything. */
export async function expectNothingLost(household: Household): Promise<void> {
  const { network, machines, book } = household;
  network.begin([]);
  await network.settle();
  household.setClocks();
  const broken: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    network.app.clock.advance(HOUR_MS);
    await household.perform({ deed: "accept", at: 0, pick: 0, faults: [] });
    for (const at of machines.keys()) {
      await household.perform({ deed: "push", at, pick: 0, faults: [] });
    }
    await household.passDay();
  }
  const views: View[] = [];
  for (const machine of machines) {
    views.push(await viewOf(household, machine, broken));
  }
  const fresh: Partial<Record<PersonName, View>> = {};
  for (const owner of ["ada", "bob"] as const) {
    const device = await household.fresh(owner);
    const view = await viewOf(household, device, broken, true);
    fresh[owner] = view;
    const verified = await household.as(device, "verify", "--deep");
    if (verified.status !== 0) {
      broken.push(`verify of ${owner}: ${textOf(verified)}`);
    }
    for (const photo of book.photos.values()) {
      if (photo.owner !== owner) continue;
      broken.push(...await faultsWith(household, photo, view, views));
    }
    broken.push(...duplicatesIn(owner, view));
    for (const [at, seen] of views.entries()) {
      if (machines[at]?.owner !== owner) continue;
      broken.push(...differences(machines[at]?.name ?? "", seen, view));
    }
  }
  broken.push(...albumFaults(household, fresh));
  await network.app.reopen({}, async () => {
    broken.push(...await faultsOf(network.app.dataDir));
  }).then((app) => network.app = app);
  assert.deepEqual(broken, [], "once nothing goes wrong");
}

/** What a device shows, and whether it reads what it shows. */
async function viewOf(
  household: Household,
  machine: Machine,
  broken: string[],
  isRead = false,
): Promise<View> {
  let view: View | undefined;
  const outcome = await household.working(machine, async ({ library }) => {
    await library.sync();
    const { userId } = library.vault.session;
    const { libraryAlbumId } = library.vault;
    for (const { id, fault } of library.albums.list()) {
      if (fault === undefined) continue;
      broken.push(`${machine.name}: album ${id} is at fault: ${fault}`);
    }
    const rows = library.list();
    if (isRead) {
      for (const row of rows) {
        const made = household.book.photos.get(row.metadata?.name ?? "");
        const bytes = await wholeOf(library.read(row.id));
        if (made !== undefined && equalBytes(made.bytes, bytes)) continue;
        broken.push(`${machine.name}: other bytes of ${row.metadata?.name}`);
      }
    }
    view = {
      userId,
      rows: rows.map((row) => ({
        id: row.id,
        name: row.metadata?.name ?? "",
        caption: row.metadata?.caption,
        favourite: library.flags.of(row).favourite,
        owner: row.owner,
        isOwn: row.owner === userId,
        isInLibrary: row.album === undefined || row.album === libraryAlbumId,
        album: row.album,
      })),
      missing: library.missing().map(({ metadata }) => metadata?.name ?? ""),
      trashed: library.trashed().map(({ metadata }) => metadata?.name ?? ""),
      albums: library.albums.list().filter(({ tombstoned }) => !tombstoned)
        .map(({ id, owner, members }) => ({
          id,
          owner,
          members: members.map((one) => one.userId),
        })),
    };
    for (const row of library.unopened()) {
      const isOwn = row.owner === userId;
      if (!isOwn && !isOfMember({ ...row, isInLibrary: false }, view)) continue;
      broken.push(`${machine.name}: ${row.id} does not open: ${row.fault}`);
    }
  });
  assert.ok(view !== undefined, `${machine.name}: ${textOf(outcome)}`);
  return view;
}

/** What is wrong with a photo that its owner wants to be kept. */
async function faultsWith(
  household: Household,
  photo: Photo,
  fresh: View,
  views: readonly View[],
): Promise<string[]> {
  const { machines } = household;
  const { name, wish } = photo;
  if (wish !== "kept" || (photo.told.size === 0 && !photo.isSent)) return [];
  const rows = fresh.rows.filter((row) => row.isOwn && row.name === name);
  const isKept = photo.isInLibrary
    ? rows.some(({ isInLibrary }) => isInLibrary)
    : rows.length > 0;
  if (isKept) {
    const broken: string[] = [];
    for (const { caption, isInLibrary } of rows) {
      if (!isInLibrary || photo.captions.has(caption)) continue;
      broken.push(
        `${name} has the caption ${caption}, ` +
          `and not ${[...photo.captions].join(" or ")}`,
      );
    }
    const favourite = rows.some((row) => row.favourite);
    if (!photo.favourite.has(favourite)) {
      broken.push(`${name} is ${favourite ? "a" : "no"} favourite`);
    }
    return broken;
  }
  if (!photo.mayBeLost) return [`${name} was kept, and is gone`];
  const own = [...machines.entries()].filter(([, { owner }]) =>
    owner === photo.owner
  );
  for (const [, machine] of own) {
    const isHere = await Deno.lstat(join(machine.photos, name)).then(
      () => true,
      () => false,
    );
    if (isHere) return [`${name} is on ${machine.name}, and not given back`];
  }
  if (photo.told.size === 0) return [];
  const isTold = own.some(([at]) => views[at]?.missing.includes(name));
  return isTold ? [] : [`${name} was lost without a word`];
}

/** Photos that one album or the library shows twice. */
function duplicatesIn(owner: PersonName, { rows }: View): string[] {
  const seen = new Set<string>();
  return rows.flatMap(({ name, album, isOwn }) => {
    const key = `${name} of ${album}`;
    if (!isOwn || !seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [`${owner} has ${name} twice`];
  });
}

/** What an old device shows and a fresh one does not, and the other way. */
function differences(name: string, seen: View, fresh: View): string[] {
  const [before, now] = [seen, fresh].map(({ rows }) =>
    new Set(
      rows.filter((row) => isOfMember(row, fresh))
        .map((row) => JSON.stringify(row)),
    )
  );
  return [
    ...[...before ?? []].filter((row) => !now?.has(row))
      .map((row) => `${name} still shows ${row}`),
    ...[...now ?? []].filter((row) => !before?.has(row))
      .map((row) => `${name} does not show ${row}`),
  ];
}

/** The album is what its owner sees, for whoever is in it. */
function albumFaults(
  { book }: Household,
  { ada, bob }: Partial<Record<PersonName, View>>,
): string[] {
  if (ada === undefined || bob === undefined) return ["no one looked"];
  const [album] = ada.albums;
  if (album === undefined) return ["the album is gone"];
  const isIn = bob.albums.some(({ id }) => id === album.id);
  const isListed = album.members.includes(bob.userId);
  if (isIn && !isListed) return ["bob is in the album, and ada does not know"];
  if (book.bob === "in" && !isIn) return ["bob is not in the album any more"];
  if (book.bob === "out" && isIn) return ["bob is in the album still"];
  if (!isIn) return [];
  const [owners, members] = [ada, bob].map(({ rows }) =>
    new Set(
      rows.filter((row) => row.album === album.id && isOfMember(row, ada))
        .map(({ id, name, caption }) => `${name} (${caption}): ${id}`),
    )
  );
  return [
    ...[...owners ?? []].filter((row) => !members?.has(row))
      .map((row) => `bob does not see ${row}`),
    ...[...members ?? []].filter((row) => !owners?.has(row))
      .map((row) => `ada does not see ${row}`),
  ];
}
