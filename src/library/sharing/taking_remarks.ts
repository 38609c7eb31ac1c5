/**
 * Taking in what people sent by upload links and that is no file: what guests
 * said of photos by links both ways (`guest_remarks.ts`), and viewers of albums
 * (`viewer_links.ts`).
 *
 * @module
 */
import { DAY_MS, readTime } from "../../core/time.ts";
import type { UploadLinkEntry } from "../../wire/answers/own_links.ts";
import { ApiProblem, ConnectionError } from "../../client/api/transport.ts";
import type { GuestFile } from "../../client/documents/guest.ts";
import {
  DocumentError,
  NewerDocumentError,
} from "../../client/documents/fields.ts";
import { NoLongerWaits } from "../base/faults.ts";
import { removeRemarks } from "../albums/remarks.ts";
import type { Library } from "../library.ts";
import { followedTo } from "../rows/cursor.ts";
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
/** What is taken in at once of one link: other work waits for it. */
const MOST_AT_ONCE = 50;
/** What waits of one author at most because a device cannot judge it. */
const MOST_UNSURE = 100;
/** The blob of what a viewer says, which has no content (bytes). */
const LARGEST_WORDS = 1_024;
/**
 * So long after the server got it, something counts as looked at: its clock and
 * this device's may differ by less.
 */
const LATE_MS = DAY_MS;
/**
 * How long a link is let alone that the server refuses something of, and what
 * waits while the account does not change (ms).
 */
const PAUSE_MS = 600_000;

/** A link by which people say something. */
export interface SayingLink {
  /** The link whose entry counts in `said` what was taken in. */
  readonly opaqueId: string;
  /** The upload link under which it waits. */
  readonly adds: string;
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
  /** Of whom it is, as it says; "" if that is not known. */
  readonly author: string;
  /** Whether it is refused if it is the same after a later sync. */
  readonly isUnknown: boolean;
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
  /** What `said` of the link counts, and the server did not take yet. */
  readonly counted: Set<string>;
  /** What waits because this device could not judge it. */
  readonly unsure: Map<string, Unsure>;
}
interface Unsure extends Waits {
  /** When it was looked at first (ms). */
  readonly since: number;
  /** Until when it is let alone (ms), unless the feed has gone on from here. */
  readonly until: number;
  readonly feed: number;
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
    if (action !== undefined) actions.set(id, action);
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
): Promise<ReadonlyMap<string, UploadLinkEntry> | undefined> {
  const { session } = library.vault;
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
      counted: new Set(),
      unsure: new Map(),
    };
    all.set(adds, held);
    const last = upload.last_received_at ?? "";
    const now = session.platform.now();
    const isDue = held.last !== last ||
      [...held.unsure.values()].some((one) => isDueAgain(one, now, feed));
    if (!isDue || now < held.until) continue;
    try {
      const isDone = await takeOf(library, link, held, feed);
      held.last = isDone ? last : undefined;
    } catch (error) {
      if (error instanceof ConnectionError) throw error;
      held.until = session.platform.now() + PAUSE_MS;
    }
  }
  return uploads;
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
  return one.until <= now || one.feed !== feed;
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

/**
 * Takes in what was said by a link; whether everything that is due was looked
 * at. A file is deleted only when it was acted on, or is refused for good.
 */
async function takeOf(
  library: Library,
  { opaqueId, adds, takes, isForWordsAlone, keyOf, read }: SayingLink,
  { others, counted, unsure }: Pick<Known, "others" | "counted" | "unsure">,
  feed: number,
): Promise<boolean> {
  const { vault, state } = library;
  if (takes === undefined) return false;
  const now = vault.session.platform.now();
  const half = state.held.links[adds];
  const files: Found[] = [];
  const waits = new Set<string>();
  const wait = ({ id, received }: Found, { author, isUnknown }: Waits) => {
    const held = unsure.get(id);
    // A program that ends after each command has never looked before.
    const since = Math.min(held?.since ?? now, received + LATE_MS);
    // A sync that began later has brought what came before it, from any device.
    const isOver = isUnknown && library.syncedAt() >= since + PAUSE_MS;
    const isTooMuch = () =>
      [...unsure].filter(([one, { author: by, isUnknown: isSoon }]) =>
        one !== id && by === author && !isSoon
      ).length >= MOST_UNSURE;
    if (isOver || !isUnknown && isTooMuch()) return;
    const until = now + PAUSE_MS;
    unsure.set(id, { author, isUnknown, since, until, feed });
    waits.add(id);
  };
  const waiting = await contributionsOf(library, adds);
  const there = new Set(waiting.map(({ upload_id: id }) => id));
  for (const id of unsure.keys()) if (!there.has(id)) unsure.delete(id);
  const isDue = (id: string) => {
    const held = unsure.get(id);
    return held === undefined || isDueAgain(held, now, feed);
  };
  for (const one of waiting) {
    const id = one.upload_id;
    if (others.has(id)) continue;
    const received = readTime(one.received_at) ?? now;
    const isTooLarge = isForWordsAlone && one.size > LARGEST_WORDS;
    const file = isTooLarge ? undefined : guestOf(library, adds, half, one);
    if (file === "newer") {
      if (!isForWordsAlone) others.add(id);
      else files.push({ id, received, key: id, file });
    } else if (file !== undefined && isSaying(file)) {
      files.push({ id, received, key: keyOf(file) ?? id, file });
    } else if (isForWordsAlone) files.push({ id, received, key: id, file: {} });
    else others.add(id);
  }
  const groups = Map.groupBy(files, ({ key }) => key);
  const due = [...groups.values()].filter((group) =>
    group.some(({ id }) => isDue(id))
  );
  // What waits for something else does not hold up the rest.
  const until = ({ id }: Found) => unsure.get(id)?.until ?? 0;
  const order = (group: readonly Found[]) => Math.min(...group.map(until));
  const sorted = due.toSorted((a, b) => order(a) - order(b));
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
      if (one.file === "newer") wait(one, { author: "", isUnknown: false });
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
        else others.add(id);
      }
    }
    return batch.filter(({ id }) => !waits.has(id)).length;
  };
  let [looked, taken, isWhole] = [0, 0, true];
  // What only waits costs little. A program that ends after each command would
  // come no further otherwise.
  while (looked < sorted.length && taken < MOST_AT_ONCE) {
    const batch: Found[] = [];
    while (looked < sorted.length && batch.length < MOST_AT_ONCE) {
      const group = (sorted[looked++] ?? [])
        .toSorted((a, b) => until(a) - until(b));
      // Our programs send no more than words and their take-back.
      batch.push(...group.slice(0, MOST_AT_ONCE));
      isWhole &&= group.length <= MOST_AT_ONCE;
    }
    taken += await take(batch);
  }
  return isWhole && looked === sorted.length;
}
