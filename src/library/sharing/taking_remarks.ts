/**
 * Taking in what people sent by upload links and that is no file: what guests
 * said of photos by links both ways (`guest_remarks.ts`), and viewers of albums
 * (`viewer_links.ts`).
 *
 * @module
 */
import type { UploadLinkEntry } from "../../wire/answers/own_links.ts";
import { ApiProblem, ConnectionError } from "../../client/api/transport.ts";
import type { GuestFile } from "../../client/documents/guest.ts";
import { NoLongerWaits } from "../base/faults.ts";
import { removeRemarks } from "../albums/remarks.ts";
import { verifyViewersWords } from "../albums/viewers_words.ts";
import type { Library } from "../library.ts";
import {
  contributionsOf,
  isSaying,
  openGuest,
  refuseWaiting,
} from "./inbox.ts";
import { noteLink } from "./link_notes.ts";
import { uploadLinksOf } from "./upload_links.ts";

/** What a link takes in as long as it lives, and shows at most. */
export const MOST_SAID = 2_000;
/** What is taken in at once of one link: other work waits for it. */
const MOST_AT_ONCE = 50;
/** What waits of one link at most because a device cannot judge it. */
const MOST_UNSURE = 100;
/** The blob of what a viewer says, which has no content (bytes). */
const LARGEST_WORDS = 1_024;
/** How long a link is let alone that the server refuses something of (ms). */
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
   * What is to be done with what waits, by the ids of its uploads. What is not
   * named is deleted.
   */
  read(
    waiting: readonly WaitingSaid[],
  ): Promise<ReadonlyMap<string, SaidAction | "wait">>;
}

/** Something that someone sent, and waits. */
export interface WaitingSaid {
  readonly id: string;
  readonly file: Pick<GuestFile, "from" | "remark" | "signed" | "takes_back">;
  /** Whether this device let it wait before. */
  readonly isAgain: boolean;
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
  readonly unsure: Set<string>;
}
const known = new WeakMap<Library, Map<string, Known>>();

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
  for (const link of links) {
    const { adds } = link;
    const upload = uploads.get(adds);
    if (upload === undefined || upload.files_used === 0) continue;
    const held = all.get(adds) ?? {
      until: 0,
      others: new Set(),
      counted: new Set(),
      unsure: new Set(),
    };
    all.set(adds, held);
    const last = upload.last_received_at ?? "";
    if (held.last === last || session.platform.now() < held.until) continue;
    try {
      const isDone = await takeOf(library, link, held);
      if (isDone) held.last = last;
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
  await verifyViewersWords(library);
  const copies = index.apart().filter(({ owner, state, said, metadata }) =>
    owner === session.userId && state === "live" &&
    (said ?? metadata?.remark?.guest) !== undefined &&
    deletions.hasSaid(metadata?.sha256 ?? "")
  );
  if (copies.length === 0) return;
  try {
    await removeRemarks(library, copies.map(({ id }) => id));
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
  }
}

/** Takes in what was said by a link; whether that was all of it. */
async function takeOf(
  library: Library,
  { opaqueId, adds, takes, isForWordsAlone, read }: SayingLink,
  { others, counted, unsure }: Pick<Known, "others" | "counted" | "unsure">,
): Promise<boolean> {
  const { vault, state } = library;
  if (takes === undefined) return false;
  const half = state.held.links[adds];
  const files: WaitingSaid[] = [];
  const waiting = await contributionsOf(library, adds);
  const there = new Set(waiting.map(({ upload_id: id }) => id));
  for (const id of unsure) if (!there.has(id)) unsure.delete(id);
  for (const one of waiting) {
    const id = one.upload_id;
    if (others.has(id)) continue;
    const isTooLarge = isForWordsAlone && one.size > LARGEST_WORDS;
    const file = isTooLarge ? undefined : openGuest(library, adds, half, one);
    const isAgain = unsure.has(id);
    if (file !== undefined && isSaying(file)) files.push({ id, file, isAgain });
    else if (isForWordsAlone) files.push({ id, file: {}, isAgain });
    else others.add(id);
  }
  // What waits for something else does not hold up the rest.
  const now = files.toSorted((a, b) => Number(a.isAgain) - Number(b.isAgain))
    .slice(0, MOST_AT_ONCE);
  const actions = new Map<string, SaidAction>();
  const waits = new Set<string>();
  for (const [id, action] of await read(now)) {
    if (action !== "wait") actions.set(id, action);
    else if (unsure.has(id) || unsure.size < MOST_UNSURE) {
      unsure.add(id);
      waits.add(id);
    }
  }
  const before = state.held.links[opaqueId]?.said ?? 0;
  const fresh = [...actions].flatMap(([id, { isNew }]) =>
    isNew && !counted.has(id) ? [id] : []
  );
  const left = Math.max(MOST_SAID - before, 0);
  for (const id of fresh.splice(left)) actions.delete(id);
  // First: what is deleted later is remembered, and that has its bounds. Once:
  // what the server refuses to store now is tried again.
  if (fresh.length > 0) {
    const at = vault.session.platform.now();
    await noteLink(state, opaqueId, { said: before + fresh.length }, at);
    for (const id of fresh) counted.add(id);
  }
  for (const { id } of now) {
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
      if (!(error instanceof NoLongerWaits)) others.add(id);
    }
  }
  return now.length === files.length && waits.size === 0;
}
