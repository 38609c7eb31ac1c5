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
  /**
   * What is to be done with what waits, by the ids of its uploads. What is not
   * named is deleted.
   */
  read(
    waiting: readonly WaitingSaid[],
  ): Promise<ReadonlyMap<string, SaidAction>>;
}

/** Something that someone sent, and waits. */
export interface WaitingSaid {
  readonly id: string;
  readonly file: GuestFile;
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

/** Takes in what was said by a link; whether that was all of it. */
async function takeOf(
  library: Library,
  { opaqueId, adds, takes, read }: SayingLink,
  { others, counted }: Pick<Known, "others" | "counted">,
): Promise<boolean> {
  const { vault, state } = library;
  if (takes === undefined) return false;
  const half = state.held.links[adds];
  const files: WaitingSaid[] = [];
  for (const one of await contributionsOf(library, adds)) {
    if (others.has(one.upload_id)) continue;
    const file = openGuest(library, adds, half, one);
    if (file === undefined || !isSaying(file)) others.add(one.upload_id);
    else files.push({ id: one.upload_id, file });
  }
  const now = files.slice(0, MOST_AT_ONCE);
  const actions = new Map(await read(now));
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
  return now.length === files.length;
}
