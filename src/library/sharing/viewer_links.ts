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
import {
  DAY_MS,
  HOUR_MS,
  livesUntil,
  readTime,
  toRfc3339,
} from "../../core/time.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { UploadLinkEntry } from "../../wire/answers/own_links.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import {
  type AlbumRemark,
  openAlbumRemark,
  type OpenedRemark,
} from "../../client/documents/album_remark.ts";
import {
  DocumentError,
  NewerDocumentError,
} from "../../client/documents/fields.ts";
import { COMMENT_KIND, HEART_KIND } from "../../client/documents/metadata.ts";
import { type KeptLink, present } from "../../client/documents/state.ts";
import { parseUploadLink } from "../../client/documents/upload_link.ts";
import { type Album, takesRemarks } from "../albums/album_shown.ts";
import { isOfEverything } from "../base/faults.ts";
import type { Library } from "../library.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import { isShown, type Row } from "../rows/rows.ts";
import { isAbroad } from "../trust/members_abroad.ts";
import { contributionsOf, refuseWaiting } from "./inbox.ts";
import { followed, forgetLink, listOf } from "./link_notes.ts";
import {
  judgeTogether,
  type Judging,
  MOST_SAID,
  type SaidAction,
  type SayingLink,
  takeBackOf,
  type Waits,
} from "./taking_remarks.ts";
import { endAdding, uploadLinksOf } from "./upload_links.ts";

/** An upload link lives no longer (protocol/links.md#upload-links). */
const LONGEST_MS = 89 * DAY_MS;
/** It is replaced this long before it ends. */
const RENEWED_MS = 30 * DAY_MS;
/** A link that no album names is left alone so long: its album is to come. */
const UNNAMED_MS = HOUR_MS;
/** What waits under a link is taken in so long after another took its place. */
const EMPTIED_MS = DAY_MS;
/** How long an album is let alone once it got a link, or could not get one. */
const PAUSE_MS = 6 * HOUR_MS;
/** Albums that get a link in one round. */
const MOST_AT_ONCE = 5;
const MOST_FILES = 1_000;
/** A link that took in so much is replaced: the rest is for what waits. */
const RENEWED_SAID = MOST_SAID / 2;
/** What an album keeps of one viewer: others have their say, too. */
const MOST_OF_VIEWER = 500;
const MOST_BYTES = 16 * 1_024 ** 2;

/** The link by which viewers of an album say something; undefined for others. */
export function viewersLink(
  library: Library,
  opaqueId: string,
  link: KeptLink,
): SayingLink | undefined {
  if (link.viewers !== true) return undefined;
  const album = albumOf(library, link);
  // What waits under a link that was replaced counts for the next one.
  const named = album?.info?.viewers?.opaque_id ?? opaqueId;
  const { viewers } = library.state.held.links[named] ?? {};
  const keyOf: SayingLink["keyOf"] = ({ signed }) => {
    const said = saidIn(signed);
    return said && keyOfSaid(said);
  };
  return {
    opaqueId: viewers === true ? named : opaqueId,
    adds: opaqueId,
    of: link.into ?? opaqueId,
    takes: album === undefined || album.fault !== undefined ||
        library.albums.unread().includes(album.id)
      ? undefined
      : takesRemarks(album),
    isForWordsAlone: true,
    keyOf,
    async read(waiting) {
      if (album === undefined) return new Map();
      const coming: AlbumRemark[] = [];
      return await judgeTogether(waiting, {
        keyOf,
        isTakeBack: ({ signed }) => saidIn(signed)?.on === undefined,
        judge: ({ signed }, judging) =>
          actionOf(library, album, signed, { ...judging, coming }),
      });
    },
  };
}

interface JudgingViewer extends Judging {
  /** What will be stored. */
  readonly coming: AlbumRemark[];
}

function keyOfSaid({ author, id }: RowSaid): string {
  return `${author} ${id}`;
}

/** What someone signed, without its signature being verified. */
function saidIn(signed = ""): AlbumRemark | undefined {
  try {
    return openAlbumRemark(fromBase64(signed) ?? new Uint8Array()).said;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function albumOf(
  { albums }: Pick<Library, "albums">,
  { into = "" }: KeptLink,
): Album | undefined {
  const list = listOf(into);
  return list?.kind === "album" ? albums.get(list.id) : undefined;
}

/** What is done with something signed; undefined if it is refused for good. */
async function actionOf(
  library: Library,
  album: Album,
  signed: string | undefined,
  judging: JudgingViewer,
): Promise<SaidAction | Waits | undefined> {
  const { deletions, people } = library;
  const { coming } = judging;
  const bytes = fromBase64(signed ?? "") ?? new Uint8Array();
  let said: AlbumRemark;
  let isIn: boolean;
  let author = "";
  try {
    const opened = openAlbumRemark(bytes);
    const by = opened.said.author;
    isIn = album.members.some(({ userId }) => userId === by) &&
      !people.isBlocked(by);
    // Who left takes back what they said, and says nothing more.
    if (!isIn && rowsOf(library, album, { author: by }).length === 0) {
      // The signature is not verified: anyone may name any author.
      return { author: "", isUnknown: true };
    }
    const verified = await verifiedOf(library, opened);
    if (verified === "later") return { author: by, isUnknown: false };
    [said, author] = [verified, by];
  } catch (error) {
    if (error instanceof NewerDocumentError) {
      return { author: "", isUnknown: false, isNewer: true };
    }
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
  if (said.album_id !== album.id) return undefined;
  if (said.on === undefined) {
    return takeBackOf(
      library,
      author,
      judging,
      () => rowsOf(library, album, said),
    );
  }
  if (!isIn) return { author, isUnknown: true };
  // Once, and not again what was deleted on purpose.
  const isKnown = deletions.hasSaid(sha256Hex(bytes)) ||
    rowsOf(library, album, said).length > 0 ||
    coming.some((one) => keyOfSaid(one) === judging.key);
  if (isKnown || isTooMuch(library, album, said, judging)) return undefined;
  const isOfPhoto = isOfPhotoHere(library, said);
  if (isOfPhoto === undefined) return undefined;
  if (isOfPhoto !== true) return { author, isUnknown: isOfPhoto === "unknown" };
  // Nothing is shown while comments are off, and nothing is lost.
  if (!takesRemarks(album)) return { author, isUnknown: false };
  coming.push(said);
  return { isNew: true, act: () => store(library, album, said, bytes) };
}

/**
 * Whether it is a second heart for a photo, or more than the album keeps of one
 * viewer.
 */
function isTooMuch(
  library: Library,
  album: Album,
  { author, on, text }: AlbumRemark,
  { gone, coming: all }: JudgingViewer,
): boolean {
  const rows = rowsOf(library, album, { author });
  const coming = all.filter((one) => one.author === author);
  const shown = rows.flatMap((row) => {
    const said = row.state === "live" ? saidOf(row) : undefined;
    return said === undefined || gone.has(keyOfSaid(said)) ? [] : said;
  });
  const isAgain = text === undefined && [...shown, ...coming]
    .some((one) => one.on === on && one.text === undefined);
  return isAgain || rows.length + coming.length >= MOST_OF_VIEWER;
}

/**
 * What someone signed; `later` if their identity is not known now, or the server
 * shows another one. Throws a DocumentError if they did not sign it.
 */
async function verifiedOf(
  { people, vault: { session: { platform } } }: Library,
  opened: OpenedRemark,
): Promise<AlbumRemark | "later"> {
  let key: Uint8Array;
  try {
    key = await people.anchorOf(opened.said.author);
  } catch (error) {
    if (isOfEverything(error)) throw error;
    return "later";
  }
  try {
    return await opened.verified(key, platform.hybrid);
  } catch (error) {
    const isAnother = error instanceof DocumentError &&
      await people.changed(opened.said.author) !== undefined;
    if (isAnother) return "later";
    throw error;
  }
}

/**
 * Whether what is said is of a photo that is in the album; otherwise what to do
 * with it.
 */
function isOfPhotoHere(
  { index }: Library,
  { on = "", of, album_id: albumId }: AlbumRemark,
): true | "wait" | "unknown" | undefined {
  const photo = index.get(on);
  if (photo === undefined) return "unknown";
  if (photo.album !== albumId) return undefined;
  if (photo.metadata === undefined) return "wait";
  return isShown(photo) && photo.metadata.sha256 === of ? true : undefined;
}

/** Stores what a viewer said. */
async function store(
  library: Library,
  album: Album,
  { text }: AlbumRemark,
  bytes: Bytes,
): Promise<void> {
  const kind = text === undefined ? HEART_KIND : COMMENT_KIND;
  await library.take({
    source: plainOf(bytes),
    about: {
      kind,
      name: kind,
      mime: "application/octet-stream",
      signed: toBase64(bytes),
    },
  }, { albumId: album.id });
}

/** What this account stored of what someone said in an album. */
function rowsOf(
  { index, vault: { session } }: Library,
  album: Album,
  { author, id }: { readonly author: string; readonly id?: string },
): readonly Row[] {
  return index.apart().filter((row) => {
    if (row.owner !== session.userId || row.album !== album.id) return false;
    const said = saidOf(row);
    return said?.author === author && (id === undefined || said.id === id);
  });
}

interface RowSaid {
  readonly author: string;
  readonly id: string;
  readonly on?: string | undefined;
  readonly text?: string | undefined;
}
const opened = new WeakMap<Row, RowSaid>();

/**
 * What an own row has of a viewer's words. The account's programs verified it
 * before they stored it: it counts also where this device has not verified it.
 */
function saidOf(row: Row): RowSaid | undefined {
  const { said, metadata } = row;
  if (said !== undefined) {
    const { by: author, ...rest } = said;
    return { author, ...rest };
  }
  if (metadata?.signed === undefined) return undefined;
  const held = opened.get(row) ?? saidIn(metadata.signed);
  if (held !== undefined) opened.set(row, held);
  return held;
}

/** By libraries, albums and epochs, until when they are let alone (ms). */
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
  const wanted = albums.list().filter((album) => wantsLink(library, album));
  if (noted.length + wanted.length === 0) return;
  const now = platform.now();
  const uploads = listed ?? await uploadLinksOf(account);
  const pauses = paused.get(library) ?? new Map<string, number>();
  paused.set(library, pauses);
  const due = wanted.filter(({ id, epoch, info }) => {
    const { viewers } = info ?? {};
    const opaqueId = viewers?.opaque_id ?? "";
    const [, entry] = noted.find(([one]) => one === opaqueId) ?? [];
    const ends = readTime(uploads.get(opaqueId)?.expires_at) ?? 0;
    const isGood = viewers?.epoch === epoch && entry !== undefined &&
      ends > now + RENEWED_MS && (entry.said ?? 0) < RENEWED_SAID;
    const until = pauses.get(`${id} ${epoch}`) ?? 0;
    return !isGood && !livesUntil(until, PAUSE_MS, now);
  });
  for (const { id, epoch } of due.slice(0, MOST_AT_ONCE)) {
    // Also where it is given: a server that hides it gets no second one soon.
    pauses.set(`${id} ${epoch}`, now + PAUSE_MS);
    try {
      await giveLink(library, id);
    } catch (error) {
      if (!(error instanceof ConnectionError)) continue;
      pauses.delete(`${id} ${epoch}`);
      throw error;
    }
  }
  await endUnnamed(library, noted);
}

/** Ends links that no album names. */
async function endUnnamed(
  library: Library,
  noted: readonly (readonly [string, KeptLink])[],
): Promise<void> {
  const { state, vault: { session: { account, platform } } } = library;
  const now = platform.now();
  // Another device may have made one, and this one has just taken something in.
  let uploads: ReadonlyMap<string, UploadLinkEntry> | undefined;
  for (const [id, link] of noted) {
    const album = albumOf(library, link);
    const named = album?.tombstoned === false
      ? album.info?.viewers?.opaque_id
      : undefined;
    // What is in an album that does not open here, another device knows.
    if (named === id || album?.fault !== undefined) continue;
    if (now < (readTime(link.at) ?? 0) + UNNAMED_MS) continue;
    uploads ??= await uploadLinksOf(account);
    const upload = uploads.get(id);
    // An album that is not known here may be to come.
    if (album === undefined && upload !== undefined) continue;
    const replaced = readTime(uploads.get(named ?? "")?.created_at) ?? now;
    const isWaiting = (upload?.files_used ?? 0) > 0 && named !== undefined &&
      now < replaced + EMPTIED_MS;
    if (isWaiting) continue;
    await endAdding(account, id);
    for (const { upload_id } of await contributionsOf(library, id)) {
      await refuseWaiting(library, id, upload_id);
    }
    await forgetLink(state, id, now);
  }
}

/** Whether an own album has someone who says, or may take back, something. */
function wantsLink(library: Library, album: Album): boolean {
  const { role, members } = album;
  return role === "owner" && takesRemarks(album) &&
    members.some((one) =>
      !isAbroad(one.userId) && (one.role === "viewer" ||
        rowsOf(library, album, { author: one.userId }).length > 0)
    );
}

/** Makes a link, and names it in the album's information. */
async function giveLink(library: Library, id: string): Promise<void> {
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
    // It may have been changed while the link was made.
    const { epoch, info } = library.albums.get(id) ?? {};
    if (epoch === undefined) throw new Error("the album is gone");
    const viewers = { opaque_id: opaqueId, fingerprint, gate, epoch };
    await library.albums.describe(id, { title: "", ...info, viewers });
  } catch (error) {
    await library.revokeRequest(opaqueId).catch(() => {});
    throw error;
  }
}
