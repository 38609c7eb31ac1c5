/**
 * Taking in what people sent by upload links and that is no file: what guests
 * said of photos by links both ways (`guest_remarks.ts`), and viewers of albums
 * (`viewer_links.ts`).
 *
 * @module
 */
import type { RandomBytes } from "../../core/bytes.ts";
import { DAY_MS, livesUntil, readTime } from "../../core/time.ts";
import type {
  Contribution,
  UploadLinkEntry,
} from "../../wire/answers/own_links.ts";
import { ApiProblem, ConnectionError } from "../../client/api/transport.ts";
import type { GuestFile } from "../../client/documents/guest.ts";
import {
  DocumentError,
  NewerDocumentError,
} from "../../client/documents/fields.ts";
import { NoLongerWaits } from "../base/faults.ts";
import { removeRemarks } from "../albums/remarks.ts";
import type { Library } from "../library.ts";
import { followedTo, pageAfter, readCursor } from "../rows/cursor.ts";
import type { Row } from "../rows/rows.ts";
import {
  contributionsOf,
  isSaying,
  readGuest,
  refuseWaiting,
} from "./inbox.ts";
import { noteLink } from "./link_notes.ts";
import { uploadLinksOf } from "./upload_links.ts";

/** What a link takes in as long as it lives, and shows at most. */
export const MOST_SAID = 2_000;

/** What a round does with what waits under one link, at most. */
export interface Bounds {
  /** What is taken in at once: other work waits for it. */
  readonly atOnce: number;
  /**
   * What waits of one author because a device cannot judge it, and of a link's
   * take-backs once their time is over.
   */
  readonly unsure: number;
  /** What is opened, verified and judged. */
  readonly lookedAt: number;
}
/** The bounds of the protocol. */
export const BOUNDS: Bounds = { atOnce: 50, unsure: 100, lookedAt: 200 };

/** The blob of what a viewer says, which has no content (bytes). */
const LARGEST_WORDS = 1_024;
/**
 * So long after the server got it, something counts as looked at: its clock and
 * this device's may differ by less.
 */
const LATE_MS = DAY_MS;
/** The same for a take-back: its words may come later, or from another device. */
const TAKE_BACK_LATE_MS = 3 * DAY_MS;
/** The server keeps nothing so long that waits: its clock is wrong. */
const TOO_LONG_MS = 31 * DAY_MS;
/**
 * How long a link is let alone that the server refuses something of, and what
 * waits while the account does not change (ms).
 */
const PAUSE_MS = 600_000;

/**
 * So long what waits is let alone although the feed has gone on, once it was
 * looked at for that (ms): a feed may go on every second.
 */
const FEED_PAUSE_MS = 30_000;

/** A link by which people say something. */
export interface SayingLink {
  /** The link whose entry counts in `said` what was taken in. */
  readonly opaqueId: string;
  /** The upload link under which it waits. */
  readonly adds: string;
  /** Words by links that have the same may be taken back by any of them. */
  readonly of: string;
  /** Whether anything is taken in; undefined if this device cannot tell. */
  readonly takes: boolean | undefined;
  /** Whether it takes no files: what is something else only fills the link. */
  readonly isForWordsAlone: boolean;
  /**
   * The same for someone's words and their take-back, as it says: they are
   * looked at together. Undefined if it is neither.
   */
  keyOf(file: WaitingSaid["file"]): string | undefined;
  /**
   * What is to be done with what waits, by the ids of its uploads. What is not
   * named is refused for good.
   */
  read(
    waiting: readonly WaitingSaid[],
  ): Promise<ReadonlyMap<string, SaidAction | Waits>>;
}

/** Something that someone sent, and waits. */
export interface WaitingSaid {
  readonly id: string;
  readonly file: Pick<GuestFile, "from" | "remark" | "signed" | "takes_back">;
}

/** Something that stays under the link, and is looked at again. */
export interface Waits {
  /** Of whom it is; "" if that is not known. What has the same shares a bound. */
  readonly author: string;
  /** Whether it is refused if it is the same after a later sync. */
  readonly isUnknown: boolean;
  /** Whether it takes something back, which may be to come. */
  readonly isTakeBack?: boolean;
  /** Whether only newer programs can read it. */
  readonly isNewer?: boolean;
}

/** What is done with something that waits. */
export interface SaidAction {
  /** Whether it is stored, and so counts for the link. */
  readonly isNew: boolean;
  act(): Promise<unknown>;
}

/** What a device knows of what waits under an upload link. */
interface Known {
  /** When something came last, as this device looked. */
  last?: string | undefined;
  /** Until when it is let alone (ms). */
  until: number;
  /** What is a file, or cannot be taken in: it is not opened again. */
  readonly others: Set<string>;
  /**
   * What only newer programs can read, or could not be stored. It may be words
   * that a take-back is about.
   */
  readonly maybeWords: Set<string>;
  /**
   * Whether something is there that may be words, and was not judged: also as
   * long as no round came to its end.
   */
  mayHideWords: boolean;
  /** What `said` of the link counts, and the server did not take yet. */
  readonly counted: Set<string>;
  /** What waits because this device could not judge it. */
  readonly unsure: Map<string, Unsure>;
  /** How far the feed was when what waits was looked at for it, and when (ms). */
  feed: number;
  fedAt: number;
}
interface Unsure extends Waits {
  /** What is looked at together: it is opened only when it is due. */
  readonly key: string;
  /** When the server got it (ms). */
  readonly received: number;
  /** When it was looked at first (ms). */
  readonly since: number;
  /** Until when it is let alone (ms), unless the feed has gone on from here. */
  readonly until: number;
  readonly feed: number;
  readonly isTakeBack: boolean;
  /** Whether it is a take-back whose time was over at the last look. */
  readonly isLate: boolean;
}
const known = new WeakMap<Library, Map<string, Known>>();

/** Something that waits, as it is judged. */
export interface Judging {
  /** By `keyOf`, what is taken back by who said it. */
  readonly gone: Set<string>;
  /** Its own key; "" if it has none. */
  readonly key: string;
}

/**
 * Judges what waits under a link, take-backs first: the words of one that is in
 * `gone` are refused without being judged. Returns what `read` of a link does.
 */
export async function judgeTogether(
  waiting: readonly WaitingSaid[],
  { keyOf, isTakeBack, judge }: Pick<SayingLink, "keyOf"> & {
    isTakeBack(file: WaitingSaid["file"]): boolean;
    /** Undefined if it is refused for good. */
    judge(
      file: WaitingSaid["file"],
      judging: Judging,
    ): Promise<SaidAction | Waits | undefined>;
  },
): Promise<ReadonlyMap<string, SaidAction | Waits>> {
  const actions = new Map<string, SaidAction | Waits>();
  const gone = new Set<string>();
  const isWord = ({ file }: WaitingSaid) => Number(!isTakeBack(file));
  for (
    const { id, file } of waiting.toSorted((a, b) => isWord(a) - isWord(b))
  ) {
    const key = keyOf(file) ?? "";
    if (!isTakeBack(file) && gone.has(key)) continue;
    const action = await judge(file, { gone, key });
    if (action === undefined) continue;
    const isWaiting = isTakeBack(file) && !("act" in action);
    actions.set(id, isWaiting ? { ...action, isTakeBack: true } : action);
  }
  return actions;
}

/**
 * What is done with a take-back whose author is proven: it deletes what is
 * stored, and waits if that is nothing. What another device stored comes by a
 * later sync.
 */
export function takeBackOf(
  library: Library,
  author: string,
  { gone, key }: Judging,
  stored: () => readonly Row[],
): SaidAction | Waits {
  gone.add(key);
  if (stored().length === 0) return { author, isUnknown: true };
  const act = () => removeRemarks(library, stored().map(({ id }) => id));
  return { isNew: false, act };
}

/**
 * Takes in what waits under some links. What is not as it should be is deleted,
 * and costs nothing else. Returns the account's upload links, if they were asked
 * for. Throws ConnectionError.
 */
export async function takeWaiting(
  library: Library,
  links: readonly SayingLink[],
  bounds = BOUNDS,
): Promise<ReadonlyMap<string, UploadLinkEntry> | undefined> {
  const { session } = library.vault;
  const present: Present[] = [];
  // A sync may end during the round: what was judged does not know it.
  const terms = { bounds, syncedAt: library.syncedAt() };
  await deleteAgain(library);
  if (links.length === 0) return undefined;
  const uploads = await uploadLinksOf(session.account);
  const all = known.get(library) ?? new Map<string, Known>();
  known.set(library, all);
  const feed = await followedTo(library.store);
  for (const link of links) {
    const { adds } = link;
    const upload = uploads.get(adds);
    if (upload === undefined || upload.files_used === 0) continue;
    const held: Known = all.get(adds) ?? {
      until: 0,
      others: new Set(),
      maybeWords: new Set(),
      mayHideWords: true,
      counted: new Set(),
      unsure: new Map(),
      feed,
      fedAt: -Infinity,
    };
    all.set(adds, held);
    const late = new Map<string, WaitingSaid["file"]>();
    present.push({ link, held, late });
    const last = upload.last_received_at ?? "";
    const now = session.platform.now();
    if (livesUntil(held.until, PAUSE_MS, now)) continue;
    if (held.unsure.size === 0) held.feed = feed;
    else if (
      held.feed !== feed &&
      !livesUntil(held.fedAt + FEED_PAUSE_MS, FEED_PAUSE_MS, now)
    ) {
      [held.feed, held.fedAt] = [feed, now];
    }
    const isDue = held.last !== last ||
      [...held.unsure.values()].some((one) => isDueAgain(one, now, held.feed));
    if (!isDue) continue;
    await orPause(library, held, async () => {
      held.mayHideWords = true;
      const taken = await takeOf(library, link, held, terms);
      held.last = taken.isDone ? last : undefined;
      for (const [id, file] of taken.late) late.set(id, file);
    });
  }
  await refuseEnded(library, present, terms);
  return uploads;
}

/** Does something of one link, which is let alone for a while if that fails. */
async function orPause(
  library: Library,
  held: Known,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    held.until = library.vault.session.platform.now() + PAUSE_MS;
  }
}

/** A link under which something waits. */
interface Present {
  readonly link: SayingLink;
  readonly held: Known;
  /** The take-backs whose time is over, of this round. */
  readonly late: ReadonlyMap<string, WaitingSaid["file"]>;
}

/** A take-back that waits no longer. */
interface Ended extends WaitingSaid {
  readonly held: Unsure;
  /** Whether it is above the bound: then it waits for nothing. */
  readonly isTooMuch: boolean;
}

/** What holds for all links of a round. */
interface Terms {
  readonly bounds: Bounds;
  /** When the last sync began that came to its end before the round (ms). */
  readonly syncedAt: number;
}

/**
 * The take-backs of a link that wait no longer: those whose words wait nowhere,
 * and those above the bound.
 */
function endedOf(
  { link: { of }, held, late }: Present,
  present: readonly Present[],
  bounds: Bounds,
): readonly Ended[] {
  const { unsure } = held;
  const alike = present.filter(({ link }) => link.of === of)
    .map((one) => one.held);
  // What waits under the same link was judged together with its take-back.
  const words = alike.filter((one) => one !== held)
    .flatMap((one) => [...one.unsure.values()])
    .filter(({ isTakeBack }) => !isTakeBack);
  const keys = new Set(words.map(({ key }) => key));
  const above = new Map(lateAbove(unsure, bounds.unsure));
  const over = new Map(above);
  if (!alike.some(({ mayHideWords }) => mayHideWords)) {
    for (const id of late.keys()) {
      const one = unsure.get(id);
      if (one !== undefined && !keys.has(one.key)) over.set(id, one);
    }
  }
  // The next round looks at the others before it refuses them.
  for (const [id, one] of over) unsure.set(id, { ...one, until: 0 });
  return [...over].flatMap(([id, one]) => {
    const file = late.get(id);
    const isTooMuch = above.has(id);
    return file === undefined ? [] : [{ id, file, held: one, isTooMuch }];
  }).slice(0, bounds.atOnce);
}

/**
 * Refuses take-backs once all links were read: their words may have come by
 * another one, or by a sync meanwhile. So each is judged once more, and acts on
 * what is stored now. Since this program's last sync another device may have
 * stored the words. So those that it looked at first after that sync wait for
 * the next one if the feed tells of a new asset.
 */
async function refuseEnded(
  library: Library,
  present: readonly Present[],
  { bounds, syncedAt }: Terms,
): Promise<void> {
  const ends = present.map((one) => ({
    ...one,
    ended: endedOf(one, present, bounds),
  }));
  const isNew = ({ held, isTooMuch }: Ended) =>
    held.since >= syncedAt && !isTooMuch;
  const mayBeStored = ends.some(({ ended }) => ended.some(isNew)) &&
    await hasNewAssets(library);
  for (const { link, held, ended } of ends) {
    if (ended.length === 0) continue;
    await orPause(library, held, async () => {
      const judged = await link.read(ended);
      for (const one of ended) {
        const action = judged.get(one.id);
        const isAct = action !== undefined && "act" in action;
        if (isAct) await action.act();
        else if (action?.isUnknown === false) continue;
        else if (mayBeStored && isNew(one)) continue;
        await refuseIfThere(library, link.adds, one.id);
        held.unsure.delete(one.id);
      }
    });
  }
}

/** Whether there may be assets that the last sync did not bring. */
async function hasNewAssets(
  { index, store, vault: { session: { account } } }: Library,
): Promise<boolean> {
  try {
    const page = await pageAfter(account, await readCursor(store), undefined);
    return page === "restored" || page.more ||
      page.entries.some(({ asset_id: id }) =>
        typeof id === "string" && index.get(id) === undefined
      );
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    return true;
  }
}

/**
 * Deletes copies of what was deleted: another device may have taken in the same
 * just before. Only this account can.
 */
async function deleteAgain(library: Library): Promise<void> {
  const { deletions, index, vault: { session } } = library;
  const copies = index.apart().filter(({ owner, state, said, metadata }) =>
    owner === session.userId && state === "live" &&
    (said ?? metadata?.signed ?? metadata?.remark?.guest) !== undefined &&
    deletions.hasSaid(metadata?.sha256 ?? "")
  );
  if (copies.length === 0) return;
  try {
    await removeRemarks(library, copies.map(({ id }) => id));
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
  }
}

function isDueAgain(one: Unsure, now: number, feed: number): boolean {
  return !livesUntil(one.until, PAUSE_MS, now) || one.feed !== feed;
}

/** A guest's file; "newer" if only newer programs can read it. */
function guestOf(
  ...args: Parameters<typeof readGuest>
): ReturnType<typeof readGuest> | "newer" {
  try {
    return readGuest(...args);
  } catch (error) {
    if (error instanceof NewerDocumentError) return "newer";
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

interface Found {
  readonly id: string;
  /** When the server got it (ms). */
  readonly received: number;
  readonly key: string;
  readonly file: WaitingSaid["file"] | "newer";
}

/** What is looked at in a round, and whether that is all that is due. */
interface Round {
  /** What has the same key is looked at together. */
  readonly groups: readonly (readonly Found[])[];
  readonly isAll: boolean;
  /** Whether something is there that this device has never opened. */
  readonly isMore: boolean;
}

/**
 * Opens what is due, new things and others by turns, and what waits with the
 * same key as one of these.
 */
function roundOf(
  library: Library,
  link: SayingLink,
  { others, maybeWords, unsure, feed }: Known,
  { waiting, bounds }: {
    readonly waiting: readonly Contribution[];
    readonly bounds: Bounds;
  },
): Round {
  const { platform } = library.vault.session;
  const now = platform.now();
  const ofId = new Map(waiting.map((one) => [one.upload_id, one]));
  const ofKey = Map.groupBy(
    [...unsure].filter(([id]) => ofId.has(id)),
    ([, { key }]) => key,
  );
  const untilOf = (id: string) => unsure.get(id)?.until ?? 0;
  const again = waiting.filter(({ upload_id: id }) => {
    const held = unsure.get(id);
    return held !== undefined && isDueAgain(held, now, feed);
  }).toSorted((a, b) => untilOf(a.upload_id) - untilOf(b.upload_id));
  const fresh = waiting.filter(({ upload_id: id }) =>
    !unsure.has(id) && !others.has(id)
  );
  // A program that ends after each command would never come to the last ones.
  const isFirst = unsure.size + others.size === 0;
  const begins = isFirst && fresh.length > bounds.lookedAt
    ? placeIn(fresh.length, platform.random)
    : 0;
  // Our programs send what is said with little content; a link has photos, too.
  const isLarge = ({ size }: Contribution) => Number(size > LARGEST_WORDS);
  const starting = [...fresh.slice(begins), ...fresh.slice(0, begins)]
    .toSorted((a, b) => isLarge(a) - isLarge(b));
  const due = byTurns(starting, again);
  const found = new Map<string, Found>();
  const opened = new Set<string>();
  const open = (one: Contribution) => {
    opened.add(one.upload_id);
    const what = foundIn(library, link, one);
    if (what?.file === "newer") maybeWords.add(one.upload_id);
    const isOther = what === undefined ||
      what.file === "newer" && !link.isForWordsAlone;
    if (isOther) others.add(one.upload_id);
    else found.set(what.id, what);
    return what?.key;
  };
  let looked = 0;
  // What waits for something else does not hold up the rest.
  while (looked < due.length && opened.size < bounds.lookedAt) {
    const one = due[looked++];
    if (one === undefined || opened.has(one.upload_id)) continue;
    const alike = ofKey.get(open(one) ?? "") ?? [];
    // Our programs send no more than words and their take-back.
    for (const [id] of alike.slice(0, bounds.atOnce)) {
      const other = opened.has(id) ? undefined : ofId.get(id);
      if (other !== undefined) open(other);
    }
  }
  const groups = Map.groupBy(found.values(), ({ key }) => key);
  return {
    groups: [...groups.values()],
    isAll: looked === due.length,
    isMore: fresh.some(({ upload_id: id }) => !opened.has(id)),
  };
}

/** A random place in a list. */
function placeIn(length: number, random: RandomBytes): number {
  const [low = 0, high = 0] = random(2);
  return Math.floor((high * 256 + low) / 65_536 * length);
}

/** The first of each list, the second of each, and so on. */
function byTurns<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  return Array.from(
    { length: Math.max(one.length, other.length) },
    (_, place) => [one.slice(place, place + 1), other.slice(place, place + 1)],
  ).flat(2);
}

/** What someone sent; undefined if it is a file, or cannot be taken in. */
function foundIn(
  library: Library,
  { adds, isForWordsAlone, keyOf }: SayingLink,
  one: Contribution,
): Found | undefined {
  const id = one.upload_id;
  const { vault: { session }, state } = library;
  const now = session.platform.now();
  const time = readTime(one.received_at) ?? now;
  const received = time < now - TOO_LONG_MS ? now : time;
  const isTooLarge = isForWordsAlone && one.size > LARGEST_WORDS;
  const file = isTooLarge
    ? undefined
    : guestOf(library, adds, state.held.links[adds], one);
  if (file === "newer") return { id, received, key: id, file };
  if (file !== undefined && isSaying(file)) {
    return { id, received, key: keyOf(file) ?? id, file };
  }
  return isForWordsAlone ? { id, received, key: id, file: {} } : undefined;
}

/**
 * Takes in what was said by a link. Returns whether everything that is due was
 * looked at, and the take-backs whose time is over. A file is deleted only when
 * it was acted on, or is refused for good.
 */
async function takeOf(
  library: Library,
  link: SayingLink,
  held: Known,
  { bounds, syncedAt }: Terms,
): Promise<Pick<Present, "late"> & { readonly isDone: boolean }> {
  const { opaqueId, adds, takes, isForWordsAlone, read } = link;
  const { others, maybeWords, counted, unsure, feed } = held;
  const { vault, state } = library;
  if (takes === undefined) return { isDone: false, late: new Map() };
  const now = vault.session.platform.now();
  const waits = new Set<string>();
  const late = new Map<string, WaitingSaid["file"]>();
  const wait = (
    { id, key, received, file }: Found,
    { author, isUnknown, isTakeBack = false, isNewer = false }: Waits,
  ) => {
    if (isNewer) maybeWords.add(id);
    const since = Math.min(unsure.get(id)?.since ?? now, now);
    // A program that ends after each command has never looked before.
    const latest = received + (isTakeBack ? TAKE_BACK_LATE_MS : LATE_MS);
    // A sync that began later has brought what came before it, from any device.
    const isOver = isUnknown &&
      syncedAt >= Math.min(since, latest) + PAUSE_MS;
    const isTooMuch = () =>
      [...unsure].filter(([one, { author: by, isUnknown: isSoon }]) =>
        one !== id && by === author && !isSoon
      ).length >= bounds.unsure;
    if (isOver && !isTakeBack || !isUnknown && isTooMuch()) return;
    const until = now + PAUSE_MS;
    unsure.set(id, {
      ...{ author, isUnknown, key, received, since, until, feed, isTakeBack },
      isLate: isOver,
    });
    if (isOver && file !== "newer") late.set(id, file);
    waits.add(id);
  };
  const waiting = await contributionsOf(library, adds);
  const there = new Set(waiting.map(({ upload_id: id }) => id));
  for (const ids of [unsure, maybeWords, others, counted]) {
    for (const id of ids.keys()) if (!there.has(id)) ids.delete(id);
  }
  const { groups, isAll, isMore } = roundOf(library, link, held, {
    waiting,
    bounds,
  });
  const until = ({ id }: Found) => unsure.get(id)?.until ?? 0;
  const take = async (batch: readonly Found[]) => {
    const byId = new Map(batch.map((one) => [one.id, one]));
    const waitFor = (id: string, what: Waits) => {
      const one = byId.get(id);
      if (one !== undefined) wait(one, what);
    };
    const said = batch.flatMap(({ id, file }) =>
      file === "newer" ? [] : [{ id, file }]
    );
    const actions = new Map<string, SaidAction>();
    for (const [id, action] of await read(said)) {
      if ("act" in action) actions.set(id, action);
      else waitFor(id, action);
    }
    for (const one of batch) {
      if (one.file === "newer") {
        wait(one, { author: "", isUnknown: false, isNewer: true });
      }
    }
    const before = state.held.links[opaqueId]?.said ?? 0;
    const fresh = [...actions].flatMap(([id, { isNew }]) =>
      isNew && !counted.has(id) ? [id] : []
    );
    const left = Math.max(MOST_SAID - before, 0);
    for (const id of fresh.splice(left)) {
      actions.delete(id);
      // The link that takes its place has room.
      if (isForWordsAlone) waitFor(id, { author: id, isUnknown: false });
    }
    // First: what is deleted later is remembered, and that has its bounds. Once:
    // what the server refuses to store now is tried again.
    if (fresh.length > 0) {
      await noteLink(state, opaqueId, { said: before + fresh.length }, now);
      for (const id of fresh) counted.add(id);
    }
    for (const one of batch) {
      const { id } = one;
      if (waits.has(id)) continue;
      try {
        await actions.get(id)?.act();
        await refuseWaiting(library, adds, id);
        counted.delete(id);
      } catch (error) {
        const isOfAll = error instanceof ConnectionError ||
          error instanceof ApiProblem;
        if (isOfAll) throw error;
        // Another device was first, or it fails by itself.
        if (error instanceof NoLongerWaits) continue;
        if (isForWordsAlone) wait(one, { author: id, isUnknown: false });
        else for (const ids of [others, maybeWords]) ids.add(id);
      }
    }
    return batch.filter(({ id }) => !waits.has(id)).length;
  };
  let [looked, taken, isWhole] = [0, 0, isAll];
  // What only waits costs little. A program that ends after each command would
  // come no further otherwise.
  while (looked < groups.length && taken < bounds.atOnce) {
    const batch: Found[] = [];
    while (looked < groups.length && batch.length < bounds.atOnce) {
      const group = (groups[looked++] ?? [])
        .toSorted((a, b) => until(a) - until(b));
      batch.push(...group.slice(0, bounds.atOnce));
      isWhole &&= group.length <= bounds.atOnce;
    }
    taken += await take(batch);
  }
  // Only now it is known whether words may be to come.
  held.mayHideWords = isMore || looked < groups.length || maybeWords.size > 0;
  return { isDone: isWhole && looked === groups.length, late };
}

/**
 * The late take-backs that are above a bound. They are of the authors who have
 * the most, and of each the newest: a flood takes no one else's place.
 */
function lateAbove(
  unsure: ReadonlyMap<string, Unsure>,
  most: number,
): readonly (readonly [string, Unsure])[] {
  const byAge = [...unsure].filter(([, { isLate }]) => isLate)
    .toSorted(([, a], [, b]) => a.received - b.received);
  return [...Map.groupBy(byAge, ([, { author }]) => author).values()]
    .flatMap((ofOne) => ofOne.map((one, place) => ({ one, place })))
    .toSorted((a, b) =>
      a.place - b.place || a.one[1].received - b.one[1].received
    )
    .slice(most)
    .map(({ one }) => one);
}

/** Refuses something, unless another device was first. */
async function refuseIfThere(
  library: Library,
  adds: string,
  id: string,
): Promise<void> {
  try {
    await refuseWaiting(library, adds, id);
  } catch (error) {
    if (!(error instanceof NoLongerWaits)) throw error;
  }
}
