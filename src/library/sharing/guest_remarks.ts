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
import { DocumentError, guestName } from "../../client/documents/fields.ts";
import { remarkId } from "../../client/documents/guest.ts";
import type { Remark } from "../../client/documents/metadata.ts";
import type { ShareRemark } from "../../client/documents/share.ts";
import { type KeptLink, present } from "../../client/documents/state.ts";
import {
  remarkBytes,
  remarksOn,
  type ShownRemark,
  storeRemark,
} from "../albums/remarks.ts";
import type { Library } from "../library.ts";
import { isShown, type Row } from "../rows/rows.ts";
import { listOf } from "./link_notes.ts";
import type { Said, ShareContents } from "./links.ts";
import { mayReact } from "./may_react.ts";
import {
  type Bounds,
  judgeTogether,
  MOST_SAID,
  type SayingLink,
  takeBackOf,
  takeWaiting,
  type WaitingSaid,
} from "./taking_remarks.ts";
import { viewersLink } from "./viewer_links.ts";

/** What it shows of one photo at most: the newest. */
const MOST_OF_PHOTO = 500;
/** Text that a link shows at most (UTF-16 code units), the newest first. */
const MOST_TEXT = 512 * 1_024;

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

/**
 * Takes in what guests said by links of the account, and viewers of its albums,
 * and takes out what they took back. Returns the account's upload links, if they
 * were asked for. Throws ConnectionError.
 */
export async function takeRemarks(library: Library, bounds?: Bounds) {
  const { links } = library.state.held;
  return await takeWaiting(
    library,
    present(links).flatMap(([opaqueId, link]) =>
      link.adds === undefined
        ? viewersLink(library, opaqueId, link) ?? []
        : guestsLink(library, opaqueId, link, link.adds)
    ),
    bounds,
  );
}

/** A link both ways, by which guests say something. */
function guestsLink(
  library: Library,
  opaqueId: string,
  link: KeptLink,
  adds: string,
): SayingLink {
  const takes = mayReact(library, link);
  // It reads the link's index from the server: once a round.
  let photos: Photos | "unread" | undefined;
  return {
    opaqueId,
    adds,
    of: opaqueId,
    takes,
    isForWordsAlone: false,
    keyOf,
    async read(waiting) {
      const coming = new Set<string>();
      return await judgeTogether(waiting, {
        keyOf,
        isTakeBack: ({ takes_back: token }) => token !== undefined,
        async judge(file, judging) {
          const { key } = judging;
          if (file.takes_back !== undefined) {
            const stored = () => guestRows(library, opaqueId, key);
            return takeBackOf(library, "", judging, stored);
          }
          if (takes !== true || file.remark === undefined) return undefined;
          photos ??= await photosOf(library, opaqueId);
          // Another device may have changed the index since this one's sync: the
          // bound of one author would delete words of many.
          if (photos === "unread") return { author: key, isUnknown: false };
          const said = remarkIn(file, photos.byHash, opaqueId);
          const { on } = file.remark;
          // It may open later, or a newer program may know the photo.
          const isUnsure = !photos.byHash.has(on) &&
            (photos.unopened.has(on) ||
              photos.unread.some(({ named }) => named.has(on)));
          if (said === undefined && isUnsure) {
            return { author: "", isUnknown: false };
          }
          if (said === undefined || coming.has(key)) return undefined;
          const { remark, photo } = said;
          // What was deleted on purpose does not come again.
          const isDeleted = library.deletions
            .hasSaid(sha256Hex(remarkBytes(remark)));
          if (isDeleted || guestRows(library, opaqueId, key).length > 0) {
            return undefined;
          }
          coming.add(key);
          const albumId = photo.album ?? library.vault.libraryAlbumId;
          const act = () => storeRemark(library, remark, albumId);
          return { isNew: true, act };
        },
      });
    },
  };
}

/** The id of a guest's remark, as it says, or of what it takes back. */
function keyOf(
  { remark, takes_back: token }: WaitingSaid["file"],
): string | undefined {
  return token === undefined ? remark?.id : remarkId(token);
}

/** The photos that a link shows. */
interface Photos {
  /** By the content addresses of its items. */
  readonly byHash: ReadonlyMap<string, Row>;
  /** The content addresses of items whose photos do not open here now. */
  readonly unopened: ReadonlySet<string>;
  /** Items that this program cannot read. */
  readonly unread: ShareContents["unread"];
}

/** What a link shows; "unread" if this program cannot read its index. */
async function photosOf(
  library: Library,
  opaqueId: string,
): Promise<Photos | "unread"> {
  const { albums, index, state, collections } = library;
  let contents: ShareContents;
  try {
    contents = await library.shareContents(opaqueId);
  } catch (error) {
    if (error instanceof DocumentError) return "unread";
    throw error;
  }
  const { items, unread } = contents;
  const shown = new Set(items.map(({ hash }) => hash));
  const list = listOf(state.held.links[opaqueId]?.follows ?? "");
  const listed = new Set(
    list?.kind === "collection" ? collections.get(list.id)?.assets : [],
  );
  const isListed = ({ id, album }: Row) =>
    list?.kind === "album" ? album === list.id : listed.has(id);
  const photos = new Map<string, Row>();
  const unopened = new Set<string>();
  for (const row of index.rows()) {
    // It may be in more than one place.
    const isMine = albums.get(row.album ?? "")?.role !== "viewer";
    if (!isMine || !(isShown(row) || mayBeShown(row))) continue;
    for (const { hash } of row.blobs) {
      if (!shown.has(hash)) continue;
      if (!isShown(row)) unopened.add(hash);
      else if (!photos.has(hash) || isListed(row)) photos.set(hash, row);
    }
  }
  return { byHash: photos, unopened, unread };
}

/** Whether a photo may be shown again that this device cannot show now. */
function mayBeShown({ state, metadata }: Row): boolean {
  return state === "live"
    ? metadata === undefined
    : state === "withheld" || state === "missing";
}

interface TakenIn {
  readonly remark: Remark;
  readonly photo: Row;
}

/** A guest's remark as it is stored; undefined if it is not taken in. */
function remarkIn(
  { remark, from = "" }: WaitingSaid["file"],
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
