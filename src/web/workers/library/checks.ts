/**
 * The times of this browser's last custody checks, and the small check that it
 * makes every day by itself.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../../core/bytes.ts";
import { FACES } from "../../../library/finding/faces_pages.ts";
import {
  isSlotOf,
  type KindOfFindings,
} from "../../../library/finding/findings_pages.ts";
import { THINGS } from "../../../library/finding/picture_things.ts";
import { PICTURE_TEXT } from "../../../library/finding/picture_text.ts";
import type { Library } from "../../../library/mod.ts";
import { fillRules } from "../../../library/albums/filling.ts";
import { alarmOfPhoto, ownRows, tellAlarms } from "./alarms.ts";
import type { CheckKind, VaultContext } from "../vault/context.ts";

/** A completed check. */
export interface Noted {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly looked: number;
  readonly wrong: number;
}

const KINDS = ["confirm", "deep", "download", "receipts"] as const;
const DAILY = "daily";
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Photos in the daily check: those not checked for the longest time. */
const DAILY_PHOTOS = 500;

/** Takes over what other devices found in photos. */
export async function followFindings(
  context: VaultContext,
  slots: readonly string[],
): Promise<void> {
  // Most people have none.
  const isOf = (kind: KindOfFindings) =>
    slots.some((slot) => isSlotOf(kind, slot));
  if (isOf(FACES)) {
    const { readAgain } = await import("../finding/faces_loader.ts");
    await readAgain(context.opened(), slots);
    context.changed();
  }
  for (
    const [name, kind] of [["things", THINGS], [
      "pictureText",
      PICTURE_TEXT,
    ]] as const
  ) {
    if (!isOf(kind)) continue;
    const loaders = await import("../finding/findings_loader.ts");
    await (await loaders[name].of(context.opened())).read(slots);
    context.changed();
  }
}

/** Notes a completed check. */
export async function noteChecked(
  context: VaultContext,
  kind: CheckKind | typeof DAILY,
  looked: number,
  wrong: number,
): Promise<void> {
  const noted: Noted = { at: context.platform.now(), looked, wrong };
  const value = utf8(JSON.stringify(noted));
  const key = `checked/${kind}`;
  await context.opened().store.write([{ space: "program", key, value }]);
}

/** The last completed check of each kind. */
export async function notedChecks(
  library: Library,
): Promise<Partial<Record<CheckKind, Noted>>> {
  const found = await Promise.all(KINDS.map(async (kind) => {
    const noted = await read(library, kind);
    return noted === undefined ? [] : [[kind, noted] as const];
  }));
  return Object.fromEntries(found.flat());
}

async function read(
  library: Library,
  kind: string,
): Promise<Noted | undefined> {
  const value = await library.store.get("program", `checked/${kind}`);
  return value === undefined
    ? undefined
    : JSON.parse(fromUtf8(value) ?? "null") ?? undefined;
}

/** So many photos of other devices are proven here without being asked to. */
const MOST_PROVEN = 200;

/**
 * Verifies the receipts of photos that other devices added, where they are few:
 * of a whole library they are too much to fetch before anybody asks for it.
 */
export async function proveFew(context: VaultContext): Promise<void> {
  const library = context.opened();
  const ids: string[] = [];
  for (const { id, state, custody } of ownRows(library)) {
    if (state === "live" && custody === "unverified") ids.push(id);
    if (ids.length > MOST_PROVEN) return;
  }
  if (ids.length === 0) return;
  const { proven } = await library.prove(ids, context.closing.signal);
  if (proven.length > 0) context.changed();
}

/**
 * Heals photos that the server lost or damaged from copies of them, such as in
 * an album.
 */
export async function healLost(context: VaultContext): Promise<void> {
  const library = context.opened();
  if (alarmOfPhoto([...ownRows(library)]) === undefined) return;
  const { healFromCopies } = await import(
    "../../../library/care/other_copies.ts"
  );
  const { signal } = context.closing;
  if ((await healFromCopies(library, { signal })).length === 0) return;
  context.changed();
  tellAlarms(context);
}

export { followLinks } from "../../../library/sharing/following_links.ts";

/** Adds to albums that fill themselves what has come since. */
export async function fillAlbums(context: VaultContext): Promise<void> {
  const library = context.opened();
  // Most people have no such album.
  if (fillRules(library.state.held.settings).size === 0) return;
  const { followRules } = await import("./filling_calls.ts");
  await followRules(context);
}

/**
 * Follows albums of other servers, keeps alive what this account gave to their
 * people, and reads what they sent: `heard` is whether the feed told of a
 * guest's file. Few people have any of it.
 */
export async function followAbroad(
  context: VaultContext,
  heard: boolean,
): Promise<void> {
  const slot = await context.opened().abroad();
  await slot.read();
  const isUsed = [slot.joined, slot.given, slot.cards]
    .some((entries) => entries.list().length > 0);
  if (!isUsed) return;
  const albums = await context.abroadAlbums();
  const done = await Promise.allSettled([
    // First the mailbox: whoever has left is given nothing more.
    albums.readMailbox(heard).finally(() => albums.keepGiven()),
    albums.followDue(),
  ]);
  for (const one of done) {
    if (one.status === "rejected") throw one.reason;
  }
}

/** Checks the server's public logs when the app is opened, and once a day. */
export async function readLogs(context: VaultContext): Promise<void> {
  const report = await context.opened().logs.checkIfDue();
  if (report !== undefined) tellAlarms(context);
}

/**
 * Asks the server once a day about the photos that were not checked for the
 * longest time, so that a loss is noticed even if no one looks.
 */
export async function lookDaily(context: VaultContext): Promise<void> {
  const library = context.opened();
  const now = context.platform.now();
  const last = await read(library, DAILY);
  if (last !== undefined && now - last.at < DAY_MS) return;
  const { userId } = library.vault.session;
  const assetIds = [...library.index.rows()]
    .filter(({ owner, state }) => owner === userId && state === "live")
    .map(({ id, custody_at: at }) => ({ id, at: at ?? "" }))
    .sort((a, b) => a.at < b.at ? -1 : 1)
    .slice(0, DAILY_PHOTOS)
    .map(({ id }) => id);
  const { confirmed, missing, damaged } = await library.confirm({
    assetIds,
    signal: context.closing.signal,
  });
  const wrong = missing.length + damaged.length;
  await noteChecked(context, DAILY, confirmed.length + wrong, wrong);
  if (wrong === 0) return;
  context.changed();
  tellAlarms(context);
}
