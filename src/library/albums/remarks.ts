/**
 * Comments on photos of an album, and hearts for them
 * (protocol/client-cryptography.md#comments-and-hearts). Each is a small asset
 * of the album: its author's signed manifest says whose it is and in which
 * album, and the metadata that the manifest names says of which photo.
 *
 * @module
 */
import { type Bytes, utf8 } from "../../core/bytes.ts";
import { readTime, toRfc3339 } from "../../core/time.ts";
import { ApiProblem } from "../../client/api/api.ts";
import {
  COMMENT_MAX,
  commentText as textField,
  DocumentError,
} from "../../client/documents/fields.ts";
import {
  COMMENT_KIND,
  HEART_KIND,
  type Remark,
  type RemarkGuest,
} from "../../client/documents/metadata.ts";
import type { Library } from "../library.ts";
import { takesRemarks } from "./album_shown.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import { isShown, type Row, type SaidByViewer } from "../rows/rows.ts";

/** Comments, and guests' hearts, of one photo that are shown: the newest. */
const MOST_SHOWN = 500;

/** A comment or a heart that a reader believes. */
export interface ShownRemark {
  readonly id: string;
  readonly kind: "comment" | "heart";
  /**
   * The user id of the author, who signed it: of what a guest said, the member
   * by whose link.
   */
  readonly author: string;
  readonly guest?: RemarkGuest;
  /** Of what a viewer said, who signed it: its id. */
  readonly said?: string;
  /** The photo. */
  readonly on: string;
  /** The library's own id for a photo outside of albums. */
  readonly album: string;
  /**
   * When it was written (ms): as its author says, but not after it was stored.
   */
  readonly at: number;
  /** Of a comment. */
  readonly text?: string;
  /**
   * Whether this account may delete it: as its author, or the album's owner.
   */
  readonly removable: boolean;
}

type Reading = Pick<
  Library,
  "albums" | "deletions" | "index" | "people" | "vault"
>;

/**
 * What is said of photos in the albums of this account, and by guests of photos
 * in its library, oldest first; of one photo, or of all. An author has one
 * heart for a photo, however many they stored, and guests and viewers said each
 * thing once. Of what viewers said, that is shown which was verified before
 * (`viewer_remarks.ts`). `rows` is by default what the index has.
 */
export function remarksOn(
  library: Reading,
  photoId?: string,
  rows: readonly Row[] = library.index.apart(),
): readonly ShownRemark[] {
  const found = rows
    .filter(({ metadata, said }) =>
      photoId === undefined || (said ?? metadata?.remark)?.on === photoId
    )
    .flatMap((row) => remarkOf(library, row) ?? [])
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const told = new Set<string>();
  const once = found.filter(({ kind, on, author, guest, said }) => {
    const id = guest?.id ?? (kind === "comment" ? said : undefined);
    if (kind === "comment" && id === undefined) return true;
    const one = [on, author, guest?.link, id].join(" ");
    return !told.has(one) && told.add(one);
  });
  if (photoId === undefined) return once;
  // Guests are as many as an author likes. Members have one heart each.
  const counts = new Map<string, number>();
  return once.toReversed().filter(({ kind, guest }) => {
    if (kind === "heart" && guest === undefined) return true;
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return count < MOST_SHOWN;
  }).reverse();
}

/**
 * A remark as it is shown; undefined for another row, or one that its reader
 * does not believe.
 */
function remarkOf(
  { albums, deletions, index, people, vault }: Reading,
  row: Row,
): ShownRemark | undefined {
  const { id, metadata, said } = row;
  const remark: Remark | undefined = said ?? metadata?.remark;
  if (row.state !== "live" || remark === undefined) return undefined;
  // It is never replaced: no one changes what others have answered to.
  if (row.revision !== 0 || row.fault !== undefined) return undefined;
  const kind = said === undefined
    ? kindOf(metadata?.kind, remark)
    : saidAs(said);
  const author = said?.by ?? row.owner;
  const { libraryAlbumId, session } = vault;
  const { album: inAlbum = libraryAlbumId } = row;
  const album = albums.get(inAlbum);
  const isOfLibrary = inAlbum === libraryAlbumId &&
    author === session.userId && remark.guest !== undefined;
  if (kind === undefined) return undefined;
  if (!isOfLibrary && !takesRemarks(album)) return undefined;
  // The owner alone takes in what viewers say, and what was deleted stays so.
  if (said !== undefined && row.owner !== album?.owner) return undefined;
  // This account deleted it, whatever the server shows or says of it.
  if (deletions.has(id) || deletions.isSaidRestored(id)) return undefined;
  // Nor another device's copy of what a guest said.
  const isTakenIn = remark.guest !== undefined || said !== undefined;
  const isDeleted = isTakenIn &&
    deletions.hasSaid(metadata?.sha256 ?? "");
  if (isDeleted) return undefined;
  if (people.isBlocked(author)) return undefined;
  const photo = index.get(remark.on);
  const isOfPhoto = photo !== undefined && isShown(photo) &&
    (photo.album ?? libraryAlbumId) === inAlbum &&
    photo.metadata?.sha256 === remark.of;
  if (!isOfPhoto) return undefined;
  const stored = readTime(row.at) ?? 0;
  const { text, guest } = remark;
  return {
    id,
    kind,
    author,
    ...(guest === undefined ? {} : { guest }),
    ...(said === undefined ? {} : { said: said.id }),
    on: remark.on,
    album: inAlbum,
    at: Math.min(readTime(remark.at) ?? stored, stored),
    ...(kind === "comment" && text !== undefined ? { text } : {}),
    removable: author === session.userId || album?.role === "owner",
  };
}

function kindOf(
  kind: string | undefined,
  { text }: Remark,
): ShownRemark["kind"] | undefined {
  if (kind === HEART_KIND) return "heart";
  return kind === COMMENT_KIND && text !== undefined ? "comment" : undefined;
}

/** What a viewer signed says itself whether it is a comment. */
function saidAs({ text }: SaidByViewer): ShownRemark["kind"] {
  return text === undefined ? "heart" : "comment";
}

/**
 * What this account may say of a photo: nothing outside an album, in a frozen
 * one, or where the owner turned it off. Viewers `send` it to the owner, and
 * may only read as long as the album names no link for that.
 */
export function remarkRights(
  { albums, index }: Pick<Library, "albums" | "index">,
  photoId: string,
): "none" | "read" | "send" | "write" {
  const row = index.get(photoId);
  const album = row?.album === undefined ? undefined : albums.get(row.album);
  const isOn = row !== undefined && isShown(row) && takesRemarks(album);
  if (!isOn) return "none";
  if (album?.role !== "viewer") return "write";
  return album.info?.viewers === undefined ? "read" : "send";
}

/**
 * A comment's text as it is stored: NFC, without white space around it.
 * Undefined if it is empty or longer than a comment may be.
 */
export function commentText(typed: string): string | undefined {
  const { success, data } = textField.safeParse(typed.normalize("NFC").trim());
  return success ? data : undefined;
}

/**
 * Comments on a photo of an album, or gives it a heart where no text is given.
 * It takes room of this account. Throws a DocumentError if the account may not,
 * or the text is malformed; ApiProblem and ConnectionError.
 */
export async function addRemark(
  library: Pick<Library, "albums" | "index" | "take" | "vault">,
  photoId: string,
  typed?: string,
): Promise<void> {
  const { album, remark } = newRemark(library, photoId, typed);
  if (remarkRights(library, photoId) !== "write") {
    throw new DocumentError(`album ${album} takes no comments`);
  }
  await storeRemark(library, remark, album);
}

/**
 * A comment on a photo of an album, or a heart where no text is given, and the
 * album. Throws a DocumentError if the photo is in no album, or the text is
 * malformed.
 */
export function newRemark(
  { index, vault }: Pick<Library, "index" | "vault">,
  photoId: string,
  typed?: string,
): { readonly album: string; readonly remark: NewRemark } {
  const { album, metadata } = index.get(photoId) ?? {};
  if (album === undefined || metadata === undefined) {
    throw new DocumentError(`asset ${photoId} is in no album`);
  }
  const text = typed === undefined ? undefined : commentText(typed);
  if (typed !== undefined && text === undefined) {
    throw new DocumentError(`a comment has 1 to ${COMMENT_MAX} characters`);
  }
  const remark = {
    on: photoId,
    of: metadata.sha256,
    at: toRfc3339(vault.session.platform.now()),
    ...(text === undefined ? {} : { text }),
  };
  return { album, remark };
}

/** What a member says. */
interface NewRemark extends Omit<Remark, "guest" | "text"> {
  readonly text?: string;
}

/** The bytes of a remark's original. No two remarks have the same. */
export function remarkBytes(remark: Remark): Bytes {
  return utf8(JSON.stringify(remark));
}

/** Stores a remark in an album, or in the library. Throws as `take` does. */
export async function storeRemark(
  library: Pick<Library, "take">,
  remark: Remark,
  albumId: string,
): Promise<void> {
  const kind = remark.text === undefined ? HEART_KIND : COMMENT_KIND;
  await library.take({
    source: plainOf(remarkBytes(remark)),
    about: { kind, name: `${kind}.json`, mime: "application/json", remark },
  }, { albumId });
}

/**
 * Deletes comments and hearts: one's own for ever, those of others in an album
 * of one's own by moving them to their trash, where no one sees them.
 */
export async function removeRemarks(
  library: Pick<Library, "index" | "purge" | "trash" | "vault">,
  ids: readonly string[],
): Promise<void> {
  const { index, vault } = library;
  // Two devices may both have taken in what a guest or a viewer said.
  const saying = (row: Row | undefined) => {
    const { said, owner } = row ?? {};
    if (said !== undefined) return `${owner} ${said.by} ${said.id}`;
    const guest = row?.metadata?.remark?.guest;
    return guest && `${owner} ${guest.link} ${guest.id}`;
  };
  const said = new Set(ids.flatMap((id) => saying(index.get(id)) ?? []));
  const alike = said.size === 0
    ? []
    : index.apart().filter((row) => said.has(saying(row) ?? ""));
  for (const id of new Set([...ids, ...alike.map(({ id }) => id)])) {
    const row = index.get(id);
    const { remark, signed } = row?.metadata ?? {};
    const isRemark = (row?.said ?? remark ?? signed) !== undefined;
    if (row === undefined || !isRemark) continue;
    if (row.state === "live") await library.trash(id);
    if (row.owner !== vault.session.userId) continue;
    try {
      await library.purge(id);
    } catch (error) {
      // It is held by the operator: it stays in the trash, and is not shown.
      if (!(error instanceof ApiProblem)) throw error;
    }
  }
}

/** Takes this account's heart from a photo. */
export async function takeHeartBack(
  library: Parameters<typeof removeRemarks>[0],
  photoId: string,
): Promise<void> {
  const { index, vault: { session } } = library;
  const hearts = index.apart().filter(({ owner, state, metadata }) =>
    owner === session.userId && state === "live" &&
    metadata?.kind === HEART_KIND && metadata.remark?.on === photoId &&
    metadata.remark.guest === undefined
  );
  await removeRemarks(library, hearts.map(({ id }) => id));
}
