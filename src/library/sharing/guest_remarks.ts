/**
 * Hearts and comments of guests on what a link both ways shows
 * (protocol/client-cryptography.md#guests-hearts-and-comments). A guest sends
 * them as a file without content; any device of the link's owner takes them in,
 * stores them as comments and hearts are stored, and shows them by the link.
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { ApiProblem, ConnectionError } from "../../client/api/transport.ts";
import { guestName } from "../../client/documents/fields.ts";
import { type GuestFile, remarkId } from "../../client/documents/guest.ts";
import type { Remark } from "../../client/documents/metadata.ts";
import type { ShareRemark } from "../../client/documents/share.ts";
import { type KeptLink, present } from "../../client/documents/state.ts";
import {
  remarkBytes,
  remarksOn,
  removeRemarks,
  type ShownRemark,
  storeRemark,
} from "../albums/remarks.ts";
import { NoLongerWaits } from "../base/faults.ts";
import type { Library } from "../library.ts";
import { isShown, type Row } from "../rows/rows.ts";
import {
  contributionsOf,
  isSaying,
  openGuest,
  refuseWaiting,
} from "./inbox.ts";
import { listOf, noteLink } from "./link_notes.ts";
import type { Said } from "./links.ts";
import { mayReact } from "./may_react.ts";

/** What a link takes in as long as it lives, and shows at most. */
const MOST_SAID = 2_000;
/** What it shows of one photo at most: the newest. */
const MOST_OF_PHOTO = 500;
/** Text that a link shows at most (UTF-16 code units), the newest first. */
const MOST_TEXT = 512 * 1_024;
/** What is taken in at once of one link: other work waits for it. */
const MOST_AT_ONCE = 50;
/** How long a link is let alone that the server refuses something of (ms). */
const PAUSE_MS = 600_000;

/** What guests said by a link both ways, as it is shown by it. */
export function saidBy(library: Library, opaqueId: string): Said | undefined {
  const link = library.state.held.links[opaqueId];
  if (link?.adds === undefined) return undefined;
  const reacts = mayReact(library, link) === true;
  const remarks = new Map<string, ShareRemark[]>();
  if (!reacts) return { reacts, remarks };
  const { index } = library;
  const of = new Map<string, ShareRemark[]>();
  const newest = saidIn(library, opaqueId).toReversed().slice(0, MOST_SAID);
  let text = 0;
  for (const { guest, on, at, ...one } of newest) {
    text += one.text?.length ?? 0;
    const isTooMuch = text > MOST_TEXT && one.text !== undefined;
    if (guest === undefined || isTooMuch) continue;
    const told = of.get(on) ?? [];
    of.set(on, told);
    if (told.length >= MOST_OF_PHOTO) continue;
    const { id, name: from } = guest;
    const said = one.text === undefined ? {} : { text: one.text };
    told.unshift({ id, from, at: toRfc3339(at), ...said });
  }
  for (const [on, told] of of) {
    for (const { hash } of index.get(on)?.blobs ?? []) remarks.set(hash, told);
  }
  return { reacts, remarks };
}

/** What is believed of what this account took in by a link, oldest first. */
function saidIn(library: Library, opaqueId: string): readonly ShownRemark[] {
  const { userId } = library.vault.session;
  return remarksOn(library).filter(({ author, guest }) =>
    author === userId && guest?.link === opaqueId
  );
}

/** What a device knows of what waits under the upload half of a link. */
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
 * Takes in what guests said by all links of the account, and takes out what
 * they took back. What is not as it should be is deleted, and costs nothing
 * else. Throws ConnectionError.
 */
export async function takeGuestRemarks(library: Library): Promise<void> {
  const { vault: { session }, state } = library;
  const halves = present(state.held.links)
    .filter(([, { adds }]) => adds !== undefined);
  if (halves.length === 0) return;
  const uploads = new Map(
    (await session.account.uploadLinks())
      .map((one) => [one.opaque_id, one] as const),
  );
  const all = known.get(library) ?? new Map<string, Known>();
  known.set(library, all);
  for (const [opaqueId, link] of halves) {
    const { adds = "" } = link;
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
      const isDone = await takeOf(library, opaqueId, link, held);
      if (isDone) held.last = last;
    } catch (error) {
      if (error instanceof ConnectionError) throw error;
      held.until = session.platform.now() + PAUSE_MS;
    }
  }
}

/** Takes in what was said by a link; whether that was all of it. */
async function takeOf(
  library: Library,
  opaqueId: string,
  link: KeptLink,
  { others, counted }: Pick<Known, "others" | "counted">,
): Promise<boolean> {
  const { vault, state } = library;
  const { adds = "" } = link;
  const may = mayReact(library, link);
  if (may === undefined) return false;
  const half = state.held.links[adds];
  const files: WaitingSaid[] = [];
  for (const one of await contributionsOf(library, adds)) {
    if (others.has(one.upload_id)) continue;
    const file = openGuest(library, adds, half, one);
    if (file === undefined || !isSaying(file)) others.add(one.upload_id);
    else files.push({ id: one.upload_id, file });
  }
  const now = files.slice(0, MOST_AT_ONCE);
  const found = may
    ? await newIn(library, opaqueId, now)
    : new Map<string, TakenIn>();
  const before = link.said ?? 0;
  const fresh = [...found.keys()].filter((id) => !counted.has(id));
  const left = Math.max(MOST_SAID - before, 0);
  for (const id of fresh.splice(left)) found.delete(id);
  // First: what is deleted later is remembered, and that has its bounds. Once:
  // what the server refuses to store now is tried again.
  if (fresh.length > 0) {
    const at = vault.session.platform.now();
    await noteLink(state, opaqueId, { said: before + fresh.length }, at);
    for (const id of fresh) counted.add(id);
  }
  for (const { id, file } of now) {
    try {
      const back = file.takes_back;
      const said = found.get(id);
      if (back !== undefined) await takeBack(library, opaqueId, back);
      else if (said !== undefined) {
        const { remark, photo } = said;
        const albumId = photo.album ?? vault.libraryAlbumId;
        await storeRemark(library, remark, albumId);
      }
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

interface WaitingSaid {
  readonly id: string;
  readonly file: GuestFile;
}

/** What is to be taken in of what waits, by the ids of its uploads. */
async function newIn(
  library: Library,
  opaqueId: string,
  waiting: readonly WaitingSaid[],
): Promise<Map<string, TakenIn>> {
  const found = new Map<string, TakenIn>();
  if (waiting.every(({ file }) => file.remark === undefined)) return found;
  const photos = await photosOf(library, opaqueId);
  const ids = new Set<string>();
  for (const { id, file } of waiting) {
    const one = remarkIn(file, photos, opaqueId);
    const said = one?.remark.guest?.id;
    if (one === undefined || said === undefined || ids.has(said)) continue;
    // What was deleted on purpose does not come again.
    const isDeleted = library.deletions
      .hasFile(sha256Hex(remarkBytes(one.remark)));
    if (isDeleted || guestRows(library, opaqueId, said).length > 0) continue;
    ids.add(said);
    found.set(id, one);
  }
  return found;
}

/** The photos that a link shows, by the content addresses of its items. */
async function photosOf(
  library: Library,
  opaqueId: string,
): Promise<ReadonlyMap<string, Row>> {
  const { albums, index, state, collections } = library;
  const { items } = await library.shareContents(opaqueId);
  const shown = new Set(items.map(({ hash }) => hash));
  const list = listOf(state.held.links[opaqueId]?.follows ?? "");
  const listed = new Set(
    list?.kind === "collection" ? collections.get(list.id)?.assets : [],
  );
  const isListed = ({ id, album }: Row) =>
    list?.kind === "album" ? album === list.id : listed.has(id);
  const photos = new Map<string, Row>();
  for (const row of index.rows()) {
    // It may be in more than one place.
    const isMine = albums.get(row.album ?? "")?.role !== "viewer";
    if (!isShown(row) || !isMine) continue;
    for (const { hash } of row.blobs) {
      const isFirst = shown.has(hash) && !photos.has(hash);
      if (isFirst || (shown.has(hash) && isListed(row))) photos.set(hash, row);
    }
  }
  return photos;
}

interface TakenIn {
  readonly remark: Remark;
  readonly photo: Row;
}

/** A guest's remark as it is stored; undefined if it is not taken in. */
function remarkIn(
  { remark, from = "" }: GuestFile,
  photos: ReadonlyMap<string, Row>,
  link: string,
): TakenIn | undefined {
  const photo = remark && photos.get(remark.on);
  const of = photo?.metadata?.sha256;
  const name = from.trim();
  if (!remark || !photo || of === undefined) return undefined;
  if (!guestName.safeParse(name).success) return undefined;
  const { id, on: _, ...said } = remark;
  const guest = { name, link, id };
  return { photo, remark: { ...said, on: photo.id, of, guest } };
}

async function takeBack(
  library: Library,
  opaqueId: string,
  token: string,
): Promise<void> {
  const rows = guestRows(library, opaqueId, remarkId(token));
  await removeRemarks(library, rows.map(({ id }) => id));
}

/** What this account stored of what a guest said. */
function guestRows(
  { index, vault: { session } }: Library,
  link: string,
  said: string,
): readonly Row[] {
  return index.apart().filter(({ owner, metadata }) => {
    const guest = metadata?.remark?.guest;
    return owner === session.userId && guest?.link === link &&
      guest.id === said;
  });
}
