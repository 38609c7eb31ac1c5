/**
 * The owner's side of what viewers of an album say
 * (protocol/client-cryptography.md#what-viewers-say). The server lets viewers
 * add nothing to an album. So they send it by an upload link of the owner's,
 * which only members can read of, and the owner's programs store it with the
 * viewer's signature.
 *
 * @module
 */
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import { DAY_MS, HOUR_MS, readTime, toRfc3339 } from "../../core/time.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { UploadLinkEntry } from "../../wire/answers/own_links.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import {
  type AlbumRemark,
  openAlbumRemark,
} from "../../client/documents/album_remark.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { COMMENT_KIND, HEART_KIND } from "../../client/documents/metadata.ts";
import { type KeptLink, present } from "../../client/documents/state.ts";
import { parseUploadLink } from "../../client/documents/upload_link.ts";
import { type Album, takesRemarks } from "../albums/album_shown.ts";
import { removeRemarks } from "../albums/remarks.ts";
import { verifyViewersWords } from "../albums/viewers_words.ts";
import type { Library } from "../library.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import { isShown, type Row } from "../rows/rows.ts";
import { isAbroad } from "../trust/members_abroad.ts";
import { contributionsOf, refuseWaiting } from "./inbox.ts";
import { followed, forgetLink, listOf } from "./link_notes.ts";
import type { SaidAction, SayingLink } from "./taking_remarks.ts";
import { endAdding, uploadLinksOf } from "./upload_links.ts";

/** An upload link lives no longer (protocol/links.md#upload-links). */
const LONGEST_MS = 89 * DAY_MS;
/** It is replaced this long before it ends. */
const RENEWED_MS = 30 * DAY_MS;
/** A link that no album names is left alone so long: its album is to come. */
const UNNAMED_MS = HOUR_MS;
/** What waits under a link is taken in so long after another took its place. */
const EMPTIED_MS = DAY_MS;
/** How long an album is let alone that could not be changed. */
const PAUSE_MS = 6 * HOUR_MS;
/** Albums that get a link in one round. */
const MOST_AT_ONCE = 5;
const MOST_FILES = 1_000;
const MOST_BYTES = 16 * 1_024 ** 2;

/** The link by which viewers of an album say something; undefined for others. */
export function viewersLink(
  library: Library,
  opaqueId: string,
  link: KeptLink,
): SayingLink | undefined {
  if (link.viewers !== true) return undefined;
  const album = albumOf(library, link);
  return {
    opaqueId,
    adds: opaqueId,
    takes: album === undefined || album.fault !== undefined
      ? undefined
      : takesRemarks(album),
    async read(waiting) {
      await verifyViewersWords(library);
      const actions = new Map<string, SaidAction>();
      const ids = new Set<string>();
      for (const { id, file: { signed } } of waiting) {
        const bytes = fromBase64(signed ?? "") ?? new Uint8Array();
        const action = album && await actionOf(library, album, bytes, ids);
        if (action !== undefined) actions.set(id, action);
      }
      return actions;
    },
  };
}

function albumOf(
  { albums }: Pick<Library, "albums">,
  { into = "" }: KeptLink,
): Album | undefined {
  const list = listOf(into);
  return list?.kind === "album" ? albums.get(list.id) : undefined;
}

/** What is done with something signed; undefined if it is to be deleted. */
async function actionOf(
  library: Library,
  album: Album,
  bytes: Bytes,
  ids: Set<string>,
): Promise<SaidAction | undefined> {
  const { deletions, people, vault: { session } } = library;
  let said: AlbumRemark;
  try {
    const opened = openAlbumRemark(bytes);
    const { author } = opened;
    const isIn = album.members.some(({ userId }) => userId === author) &&
      !people.isBlocked(author);
    // Who left takes back what they said, and says nothing more.
    if (!isIn && rowsOf(library, album, { author }).length === 0) {
      return undefined;
    }
    let key: Uint8Array;
    try {
      key = await people.anchorOf(author);
    } catch (error) {
      // It is not deleted because their identity is not known now.
      return { isNew: false, act: () => Promise.reject(error) };
    }
    said = await opened.verified(key, session.platform.hybrid);
    if (said.album_id !== album.id) return undefined;
    if (said.on !== undefined && !isIn) return undefined;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
  if (said.on === undefined) {
    return { isNew: false, act: () => takeBack(library, album, said) };
  }
  // Once, and not again what was deleted on purpose.
  const isKnown = !takesRemarks(album) || ids.has(said.id) ||
    deletions.hasFile(sha256Hex(bytes)) ||
    rowsOf(library, album, said).length > 0;
  if (isKnown || !isOfPhoto(library, said)) return undefined;
  ids.add(said.id);
  const kind = said.text === undefined ? HEART_KIND : COMMENT_KIND;
  const act = () =>
    library.take({
      source: plainOf(bytes),
      about: {
        kind,
        name: kind,
        mime: "application/octet-stream",
        signed: toBase64(bytes),
      },
    }, { albumId: album.id });
  return { isNew: true, act };
}

function isOfPhoto(
  { index }: Library,
  { on = "", of, album_id: albumId }: AlbumRemark,
): boolean {
  const photo = index.get(on);
  return photo !== undefined && isShown(photo) && photo.album === albumId &&
    photo.metadata?.sha256 === of;
}

async function takeBack(
  library: Library,
  album: Album,
  said: AlbumRemark,
): Promise<void> {
  // It may have come just before.
  await verifyViewersWords(library);
  const rows = rowsOf(library, album, said);
  await removeRemarks(library, rows.map(({ id }) => id));
}

/** What this account stored of what someone said in an album. */
function rowsOf(
  { index, vault: { session } }: Library,
  album: Album,
  { author, id }: { readonly author: string; readonly id?: string },
): readonly Row[] {
  return index.apart().filter(({ owner, said, ...row }) =>
    owner === session.userId && row.album === album.id &&
    said?.by === author && (id === undefined || said.id === id)
  );
}

/** By libraries and albums, until when an album is let alone (ms). */
const paused = new WeakMap<Library, Map<string, number>>();

/**
 * Gives each own album with viewers a link by which they say something, renews
 * it before it ends and when the album has a new key, and ends links that no
 * album names. `listed` are the account's upload links, if the caller has just
 * asked for them. Throws ConnectionError; other failures are tried again later.
 */
export async function keepViewerLinks(
  library: Library,
  listed?: ReadonlyMap<string, UploadLinkEntry>,
): Promise<void> {
  const { albums, state, vault: { session: { account, platform } } } = library;
  const noted = present(state.held.links)
    .filter(([, { viewers }]) => viewers === true);
  const wanted = albums.list().filter(wantsLink);
  if (noted.length + wanted.length === 0) return;
  const now = platform.now();
  const uploads = listed ?? await uploadLinksOf(account);
  const pauses = paused.get(library) ?? new Map<string, number>();
  paused.set(library, pauses);
  const due = wanted.filter(({ id, epoch, info }) => {
    const { viewers } = info ?? {};
    const upload = uploads.get(viewers?.opaque_id ?? "");
    const isGood = viewers?.epoch === epoch &&
      noted.some(([opaqueId]) => opaqueId === viewers.opaque_id) &&
      (readTime(upload?.expires_at) ?? 0) > now + RENEWED_MS;
    return !isGood && (pauses.get(id) ?? 0) <= now;
  });
  for (const album of due.slice(0, MOST_AT_ONCE)) {
    try {
      await giveLink(library, album);
    } catch (error) {
      if (error instanceof ConnectionError) throw error;
      pauses.set(album.id, now + PAUSE_MS);
    }
  }
  for (const [id, link] of noted) {
    const album = albumOf(library, link);
    const named = album?.tombstoned === false
      ? album.info?.viewers?.opaque_id
      : undefined;
    // What is in an album that does not open here, another device knows.
    if (named === id || album?.fault !== undefined) continue;
    const { created_at: made, files_used: waiting = 0 } = uploads.get(id) ?? {};
    const replaced = readTime(uploads.get(named ?? "")?.created_at) ?? now;
    const isWaiting = waiting > 0 && named !== undefined &&
      now < replaced + EMPTIED_MS;
    if (isWaiting || now < (readTime(made) ?? 0) + UNNAMED_MS) continue;
    await endAdding(account, id);
    for (const { upload_id } of await contributionsOf(library, id)) {
      await refuseWaiting(library, id, upload_id);
    }
    await forgetLink(state, id, now);
  }
}

function wantsLink(album: Album): boolean {
  return album.role === "owner" && takesRemarks(album) &&
    album.members.some(({ userId, role }) =>
      role === "viewer" && !isAbroad(userId)
    );
}

/** Makes a link, and names it in the album's information. */
async function giveLink(library: Library, { id, epoch, info }: Album) {
  const { platform } = library.vault.session;
  const { opaqueId, url } = await library.request({
    expiresAt: toRfc3339(platform.now() + LONGEST_MS),
    maxFiles: MOST_FILES,
    maxBytes: MOST_BYTES,
    into: followed({ kind: "album", id }),
    viewers: true,
  });
  try {
    const { fingerprint, gate } = parseUploadLink(url) ?? {};
    if (fingerprint === undefined || gate === undefined) {
      throw new Error("the link has no key");
    }
    const viewers = { opaque_id: opaqueId, fingerprint, gate, epoch };
    await library.albums.describe(id, { title: "", ...info, viewers });
  } catch (error) {
    await library.revokeRequest(opaqueId).catch(() => {});
    throw error;
  }
}
