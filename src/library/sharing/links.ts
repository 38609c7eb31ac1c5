/**
 * The account's own share links. The encrypted index of a link is an asset
 * without an album whose file key is the link's secret, wrapped under the
 * library key, so that every device of the account can show the link again
 * (protocol/client-cryptography.md#share).
 *
 * @module
 */
import type { ShareEntry } from "../../wire/answers/own_links.ts";
import { equalBytes } from "../../core/bytes.ts";
import { ApiProblem } from "../../client/api/api.ts";
import type { LinkGives } from "../../client/documents/state.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import {
  buildShareLink,
  decodeUnreadIndex,
  encodeShareIndex,
  hashesIn,
  newShare,
  protectShare,
  type ShareAdds,
  type ShareIndex,
  type ShareItem,
  type ShareRemark,
  type UnreadItem,
} from "../../client/documents/share.ts";
import {
  dropIndex,
  dropStale,
  indexOf,
  isIndexOf,
  type LinkContext,
  openIndex,
  secretOf,
  servedBy,
  storeIndex,
  UNTITLED,
} from "./link_index.ts";
import {
  type FilmGiven,
  filmGiven,
  type Films,
  isFilm,
} from "../showing/films.ts";
import { itemsOf } from "./link_items.ts";
import type { Places } from "./placeless.ts";
import { passphraseOptions } from "../base/platform.ts";
import { blobOf, type Row } from "../rows/rows.ts";

/** A link to make. */
export interface NewShare {
  readonly assetIds: readonly string[];
  readonly title?: string;
  /** A message to the viewers. */
  readonly message?: string;
  /** The sharing person's name in their own words. */
  readonly from?: string;
  /** Default: `left_out`. */
  readonly places?: Places;
  /** Default: `original`. */
  readonly films?: Films;
  /** RFC 3339; without it the link does not expire. */
  readonly expiresAt?: string;
  /** If given, the link opens only with it. */
  readonly passphrase?: string;
  /** The upload link by which viewers add photos; see `both_ways.ts`. */
  readonly adds?: ShareAdds;
  /** The list that the link follows; see `state.ts`. */
  readonly follows?: string;
  /** With `follows`: it is a link for people, and no picture frame. */
  readonly gives?: Pick<LinkGives, "still" | "reacts">;
}

/** The link that was made. */
export interface MadeShare {
  readonly opaqueId: string;
  /** The URL to hand out. Secret. */
  readonly url: string;
  /** The row of the index. */
  readonly row: Row;
  /** Assets that were left out because they contain their place. */
  readonly leftOut: readonly string[];
}

/** Changes to a link; null removes a text or the expiry. */
export interface ShareChanges {
  readonly title?: string | null;
  readonly message?: string | null;
  readonly from?: string | null;
  readonly expiresAt?: string | null;
  /** Assets to add. */
  readonly add?: readonly string[];
  /** Content addresses of items to remove. */
  readonly remove?: readonly string[];
  /** For the added assets; default: `left_out`. */
  readonly places?: Places;
  /** The same; default: `original`. */
  readonly films?: Films;
  /**
   * Gives the films that the link shows already in this way. Originals that
   * contain their place are not given by it.
   */
  readonly shownFilms?: Films;
}

/** How a link is brought to its assets. */
interface Keeping {
  /** Nothing gets into it that is not there already. */
  readonly removesOnly: boolean;
  /** Default: `left_out`. */
  readonly places?: Places;
  /** Default: `original`. */
  readonly films?: Films;
  /** Default: what guests said stays as it is. */
  readonly said?: Said | undefined;
}

/** What guests said by a link, and whether they may say more. */
export interface Said {
  readonly reacts: boolean;
  /** By the content addresses of what the photos have. */
  readonly remarks: ReadonlyMap<string, readonly ShareRemark[]>;
}

/** The contents of a link. */
export interface ShareContents {
  readonly title: string | undefined;
  readonly message: string | undefined;
  readonly from: string | undefined;
  readonly items: readonly {
    /** Content address, by which a change names the item. */
    readonly hash: string;
    readonly name: string;
    readonly mime: string;
    /** Its asset, if this library still has it. */
    readonly assetId: string | undefined;
    /** Of a film in this library. */
    readonly film?: FilmGiven;
  }[];
  /** Items that this program cannot read. */
  readonly unread: readonly UnreadContents[];
}

/** What an item that cannot be read may show. */
interface UnreadContents {
  /** The content addresses in it. */
  readonly named: ReadonlySet<string>;
  /** The assets that have these blobs. */
  readonly assetIds: readonly string[];
}

/** One of the account's links. */
export interface OwnShare extends ShareEntry {
  /** Undefined if its index is not in this library. */
  readonly url: string | undefined;
  readonly title: string | undefined;
}

/**
 * Issues a link to assets. Throws DocumentError for one that cannot be read.
 */
export async function shareAssets(
  context: LinkContext,
  share: NewShare,
): Promise<MadeShare> {
  const { session } = context.vault;
  const { platform, account } = session;
  const { opaqueId, secret: fragment } = newShare(platform.random);
  const { title, message, from, adds, passphrase, expiresAt } = share;
  const { places = "left_out", films } = share;
  const { items, leftOut } = await itemsOf(
    context,
    share.assetIds,
    places,
    films,
  );
  const shown = indexOf({ n: 0, title, message, from, adds, items });
  const guarded = passphrase === undefined ? undefined : await protectShare(
    passphrase,
    { opaqueId, fragment },
    platform.random,
    passphraseOptions(platform),
  );
  const link = guarded === undefined
    ? { opaqueId, secret: fragment }
    : { opaqueId, secret: guarded.secret, fragment };
  const { row, hash } = await storeIndex(context, shown, link);
  await account.issueShare({
    opaqueId,
    metadataHash: hash,
    serves: servedBy(context, hash, shown),
    ...(guarded === undefined ? {} : { wrappedSecret: guarded.wrappedSecret }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  const url = buildShareLink({
    origin: context.origins.links,
    opaqueId,
    secret: fragment,
  });
  return { opaqueId, url, row, leftOut };
}

/**
 * The contents of one of the account's links, also if another device made it. A
 * `metadataHash` from the list of links saves a request.
 */
export async function shareContents(
  context: LinkContext,
  opaqueId: string,
  metadataHash?: string,
): Promise<ShareContents> {
  const { shown } = await openIndex(
    context,
    opaqueId,
    metadataHash,
    decodeUnreadIndex,
  );
  const rowOf = rowsByBlob(context);
  return {
    title: shown.title,
    message: shown.message,
    from: shown.from,
    items: shown.items.map(({ hash, name, mime }) => {
      const { id, metadata } = rowOf(hash) ?? {};
      const film = metadata && filmGiven(metadata, hash);
      return {
        hash,
        name,
        mime,
        assetId: id,
        ...(film === undefined ? {} : { film }),
      };
    }),
    unread: namedIn(context, shown).map(({ named, rows }) => ({
      named,
      assetIds: [...new Set(rows.flat().map(({ id }) => id))],
    })),
  };
}

/** Finds the live assets that have blobs. */
function rowsByBlob({ index }: LinkContext): (hash: string) => Row | undefined {
  const rows = new Map<string, Row>();
  for (const row of index.rows()) {
    if (row.state !== "live" || row.metadata === undefined) continue;
    for (const { hash } of row.blobs) rows.set(hash, row);
  }
  return (hash) => rows.get(hash);
}

/** The items with the films as they are wanted, as far as that can be. */
async function withFilms(
  context: LinkContext,
  items: readonly ShareItem[],
  films: Films,
): Promise<readonly ShareItem[]> {
  const rowOf = rowsByBlob(context);
  const given: ShareItem[] = [];
  for (const item of items) {
    const row = rowOf(item.hash);
    const isOfFilm = row?.metadata !== undefined && isFilm(row.metadata);
    const [made] = isOfFilm
      ? (await itemsOf(context, [row.id], "left_out", films)).items
      : [];
    // A still picture would be less than what it was.
    given.push(made !== undefined && isFilm(made) ? made : item);
  }
  return given;
}

/**
 * Changes an existing link; its address stays. The passphrase cannot be
 * changed. Items that cannot be read stay as they are, except those of photos
 * whose items are removed. Throws DocumentError if its index is not in this
 * library, or no items would be left.
 */
export async function changeShare(
  context: LinkContext,
  opaqueId: string,
  changes: ShareChanges,
): Promise<{ readonly leftOut: readonly string[] }> {
  const { account } = context.vault.session;
  const { expiresAt } = changes;
  const { title, message, from, add = [], remove = [] } = changes;
  const { shownFilms } = changes;
  const isSame = [title, message, from, shownFilms].every((one) =>
    one === undefined
  );
  if (isSame && add.length === 0 && remove.length === 0) {
    if (expiresAt !== undefined) {
      await account.changeShare(opaqueId, { expiresAt });
    }
    return { leftOut: [] };
  }
  const { row: before, shown } = await openToChange(context, opaqueId);
  const { places = "left_out", films } = changes;
  const added = await itemsOf(context, add, places, films);
  const gone = new Set(remove);
  const kept = shown.items.filter(({ hash }) => !gone.has(hash));
  const isGone = ({ blobs }: Row) => blobs.some(({ hash }) => gone.has(hash));
  const unread = unreadOf(
    context,
    shown,
    (named, rows) =>
      !rows.flat().some(isGone) && ![...named].some((one) => gone.has(one)),
  );
  // What is removed and added is made again.
  const had = new Set([
    ...kept.map(({ hash }) => hash),
    ...unread.flatMap((one) => [...hashesIn(one)]),
  ]);
  const items = [
    ...shownFilms === undefined
      ? kept
      : await withFilms(context, kept, shownFilms),
    ...added.items.filter(({ hash }) => !had.has(hash)),
  ];
  if (items.length + unread.length === 0) {
    throw new DocumentError("the link would be empty");
  }
  const next = indexOf({
    n: shown.n + 1,
    title: title === undefined ? shown.title : title ?? undefined,
    message: message === undefined ? shown.message : message ?? undefined,
    from: from === undefined ? shown.from : from ?? undefined,
    adds: shown.adds,
    unreadAdds: shown.unreadAdds,
    items,
    unread,
  });
  await replaceIndex(
    context,
    opaqueId,
    before,
    next,
    expiresAt === undefined ? {} : { expiresAt },
  );
  return { leftOut: added.leftOut };
}

/**
 * Brings a link to exactly these assets as they are now, in this order, also to
 * none; whether that changed it. What cannot be read, or has a place and no
 * smaller copy, is left out. With `removesOnly`, nothing gets into the link
 * that is not there already, and what stays does so in its order. `as_shown`
 * changes only what guests said. An item that cannot be read stays as it is,
 * unless it names blobs, and not of these assets alone; no items of the assets
 * that it names are added. Of its remarks those stay that are said now.
 */
export async function keepShareAt(
  context: LinkContext,
  opaqueId: string,
  assetIds: readonly string[] | "as_shown",
  { removesOnly, places = "left_out", films, said }: Keeping,
): Promise<boolean> {
  const { row: before, shown } = await openToChange(context, opaqueId);
  const isAsShown = assetIds === "as_shown";
  const ids = new Set(isAsShown ? [] : assetIds);
  const named = new Set<string>();
  const stays = isAsShown
    ? shown.unread ?? []
    : unreadOf(context, shown, (hashes, rows) => {
      const isKept = rows.length === 0
        ? hashes.size === 0
        : rows.every((some) => some.some(({ id }) => ids.has(id)));
      if (isKept) { for (const { id } of rows.flat()) named.add(id); }
      return isKept;
    });
  const already = named.size === 0 ? named : assetsOf(context, shown.items);
  const wanted: ShareItem[] = isAsShown ? [...shown.items] : [];
  for (const id of isAsShown ? [] : assetIds) {
    // It may be the photo in another shape, or only a group with the photo.
    if (named.has(id) && !already.has(id)) continue;
    try {
      wanted.push(...(await itemsOf(context, [id], places, films)).items);
    } catch (error) {
      // What cannot be added keeps nothing in the link that has left the list.
      if (!(error instanceof DocumentError)) throw error;
    }
  }
  const kept = removesOnly ? among(shown.items, wanted) : wanted;
  const now = said ?? saidIn(shown);
  const unread = said === undefined ? stays : onlySaid(stays, said);
  const items = kept.map((item) => withRemarks(item, now));
  const { items: _, unread: __, ...had } = shown;
  const same = { ...had, adds: had.adds && withReacts(had.adds, now), unread };
  // Every item is made again: a photo may have got a place since it was shared.
  const isSame = equalBytes(
    encodeShareIndex(indexOf({ ...same, items })),
    encodeShareIndex(indexOf(shown)),
  );
  if (isSame) {
    await dropStale(context, opaqueId);
    return false;
  }
  const next = indexOf({ ...same, n: same.n + 1, items });
  await replaceIndex(context, opaqueId, before, next);
  await dropStale(context, opaqueId);
  return true;
}

/** Gives a link an index; the one that it does not get, or had, is dropped. */
async function replaceIndex(
  context: LinkContext,
  opaqueId: string,
  before: Row,
  next: ShareIndex,
  more: Pick<ShareChanges, "expiresAt"> = {},
): Promise<void> {
  const link = secretOf(before, opaqueId);
  const { row, hash } = await storeIndex(context, next, link);
  try {
    await context.vault.session.account.changeShare(opaqueId, {
      metadataHash: hash,
      serves: servedBy(context, hash, next),
      ...more,
    });
  } catch (error) {
    // The link has the index that it had, and no one else knows this one.
    if (error instanceof ApiProblem) await dropIndex(context, row);
    throw error;
  }
  await dropIndex(context, before);
}

/** The index of a link, also if no item of it can be read. */
function openToChange(context: LinkContext, opaqueId: string) {
  return openIndex(context, opaqueId, undefined, decodeUnreadIndex);
}

/**
 * Items of an index that cannot be read and stay: `isKept` decides by what looks
 * like a content address in them, and for each that is known the assets that
 * have the blob.
 */
function unreadOf(
  context: LinkContext,
  shown: ShareIndex,
  isKept: (
    named: ReadonlySet<string>,
    rows: readonly (readonly Row[])[],
  ) => boolean,
): readonly UnreadItem[] {
  return namedIn(context, shown).flatMap(({ one, named, rows }) =>
    isKept(named, rows) ? [one] : []
  );
}

/** Items that cannot be read, with the live assets of each blob they name. */
function namedIn(context: LinkContext, { unread = [] }: ShareIndex) {
  if (unread.length === 0) return [];
  const byBlob = liveByBlob(context);
  return unread.map((one) => {
    const named = hashesIn(one);
    const rows = [...named].flatMap((hash) => {
      const some = byBlob.get(hash);
      return some === undefined ? [] : [some];
    });
    return { one, named, rows };
  });
}

/** The live assets of items. */
function assetsOf(
  context: LinkContext,
  items: readonly ShareItem[],
): ReadonlySet<string> {
  const byBlob = liveByBlob(context);
  const rows = items.flatMap(({ hash }) => byBlob.get(hash) ?? []);
  return new Set(rows.map(({ id }) => id));
}

function liveByBlob(
  { index }: LinkContext,
): ReadonlyMap<string, readonly Row[]> {
  const rows = new Map<string, Row[]>();
  for (const row of index.rows()) {
    if (row.state !== "live") continue;
    for (const { hash } of row.blobs) {
      const some = rows.get(hash);
      if (some === undefined) rows.set(hash, [row]);
      else some.push(row);
    }
  }
  return rows;
}

function saidIn({ adds, items }: ShareIndex): Said {
  const remarks = items.flatMap(({ hash, remarks }) =>
    remarks === undefined ? [] : [[hash, remarks] as const]
  );
  return { reacts: adds?.reacts === true, remarks: new Map(remarks) };
}

function withRemarks(
  { remarks: _, ...item }: ShareItem,
  said: Said,
): ShareItem {
  const remarks = said.remarks.get(item.hash);
  return remarks === undefined ? item : { ...item, remarks };
}

/**
 * Removes from items that cannot be read what guests say no more, at any depth:
 * an item of a newer program may be a group of others.
 */
function onlySaid(
  unread: readonly UnreadItem[],
  { reacts, remarks }: Said,
): readonly UnreadItem[] {
  const said = [...remarks.values()].flat().map(({ id }) => id);
  const ids = new Set<unknown>(reacts ? said : []);
  const isSaid = (one: unknown) =>
    typeof one === "object" && one !== null && "id" in one && ids.has(one.id);
  // Words that were deleted may be in what has another shape.
  const silent = (name: string, value: unknown) => {
    if (name !== "remarks") return value;
    return Array.isArray(value) ? value.filter(isSaid) : undefined;
  };
  return unread.map(({ at, item }) => ({
    at,
    item: JSON.parse(JSON.stringify(item), silent),
  }));
}

function withReacts(
  { reacts: _, ...adds }: ShareAdds,
  { reacts }: Pick<Said, "reacts">,
): ShareAdds {
  return reacts ? { ...adds, reacts } : adds;
}

/** The items of a link that are still wanted, made again in their order. */
function among(
  shown: readonly ShareItem[],
  wanted: readonly ShareItem[],
): readonly ShareItem[] {
  const byHash = new Map(wanted.map((item) => [item.hash, item]));
  return shown.flatMap(({ hash }) => byHash.get(hash) ?? []);
}

/** The account's links, each with its URL to hand out again. */
export async function ownShares(
  { vault, index, origins }: LinkContext,
): Promise<readonly OwnShare[]> {
  const { account } = vault.session;
  const origin = origins.links;
  const indexes = new Map<string, Row>();
  for (const row of index.rows()) {
    const hash = row.album === undefined && row.key !== undefined
      ? blobOf(row, "original")?.hash
      : undefined;
    if (hash !== undefined) indexes.set(hash, row);
  }
  return (await account.shares()).map((entry) => {
    const opaqueId = entry.opaque_id;
    const found = indexes.get(entry.metadata_hash);
    const row = found !== undefined && isIndexOf(found, opaqueId)
      ? found
      : undefined;
    const name = row?.metadata?.name;
    const title = name === UNTITLED ? undefined : name;
    const secret = row?.metadata?.fragment ?? row?.key;
    if (row === undefined || secret === undefined) {
      return { ...entry, url: undefined, title };
    }
    return {
      ...entry,
      // As this account made it: the server may say anything.
      passphrase_protected: row.metadata?.fragment !== undefined,
      url: buildShareLink({ origin, opaqueId, secret }),
      title,
    };
  });
}

/** Revokes a link and deletes its indexes. */
export async function revokeShare(
  context: LinkContext,
  opaqueId: string,
): Promise<void> {
  const { account } = context.vault.session;
  await account.revokeShare(opaqueId);
  await dropStale(context, opaqueId, true);
}
