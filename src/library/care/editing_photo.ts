/**
 * Editing a photo of one's own by a recipe, or taking that back
 * (protocol/client-cryptography.md#edited-photos).
 *
 * @module
 */
import * as z from "zod/mini";
import { hash, uuid } from "../../client/documents/fields.ts";
import type { Metadata, PhotoEdit } from "../../client/documents/metadata.ts";
import {
  BEGUN_EDIT,
  changedAt,
  type LibraryState,
} from "../../client/documents/state.ts";
import { isOfEverything } from "../base/faults.ts";
import type { Amendment } from "../adding/amend.ts";
import { canonicalText } from "../../client/documents/json.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import type {
  OwnShare,
  ShareChanges,
  ShareContents,
} from "../sharing/links.ts";
import { isFollowing } from "../sharing/link_notes.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Vault } from "../vault/vault.ts";
import type { Row } from "../rows/rows.ts";
import type { NewDerivative } from "../adding/upload.ts";
import type { StillShown, StillShownLinks } from "./still_shown.ts";

/** The small pictures that were made by the recipe. */
interface MadeByEdit extends
  Required<
    Pick<Metadata, "width" | "height" | "thumbhash">
  > {
  readonly smaller: readonly NewDerivative[];
}

/** What of a library changes links; see `library_links.ts`. */
interface LinksOf {
  readonly state: SharedState;
  shares(): Promise<readonly OwnShare[]>;
  shareContents(
    opaqueId: string,
    metadataHash?: string,
  ): Promise<ShareContents>;
  changeShare(opaqueId: string, changes: ShareChanges): Promise<unknown>;
}

/** The same, and what changes photos. */
interface Editing extends LinksOf {
  readonly vault: Vault;
  readonly index: AssetIndex;
  /** Gets the links that may still show a photo as it was. */
  readonly stillShown: StillShownLinks;
  amend(assetId: string, amendment: Amendment): Promise<Row>;
}

/** A link, and the blobs in question that it shows; none if it cannot be read. */
interface Showing extends StillShown {
  /** Whether its index is in this library. */
  readonly isHere: boolean;
  readonly shown: readonly string[];
  /** Those that items name which this program cannot read. */
  readonly unread: readonly string[];
}

const SMALL = ["preview", "thumbnail"];

const begunSchema = z.object({
  /** The device that began it. */
  by: z.string(),
  /** The recipe as JSON with sorted keys; absent if an edit is taken back. */
  edit: z.optional(z.string()),
  /** The assets that it changes, by the blobs that they had before. */
  assets: z.record(hash, uuid),
});
type Begun = z.infer<typeof begunSchema>;

/** Edits of this program that go on; nothing else finishes them meanwhile. */
const underWay = new Set<string>();

/**
 * Edits a photo and its copies in albums, and changes the links that show it, so
 * that none goes on handing out what was cut away. Where that takes more than
 * one change, the account's state notes it first, and {@link finishEdits} does
 * the rest on any device. `stillShown` gets the links that may still show it as
 * it was, because this program cannot read them, or items of them. A link whose
 * index is not here yet, because another device changed it a moment ago, is left
 * to the next sync, as ending it would then be for nothing. Throws what changing
 * an asset or a link throws.
 */
export async function editPhoto(
  library: Editing,
  id: string,
  edit: PhotoEdit | undefined,
  { smaller, ...about }: MadeByEdit,
): Promise<void> {
  const { index, state, stillShown, vault } = library;
  const row = index.get(id);
  const copies = index.allByPlaintext(row?.metadata?.sha256 ?? "")
    .filter(({ owner, state }) => owner === row?.owner && state === "live");
  // By what they had before: the small pictures are others afterwards.
  const assets = {
    ...begunIn(state.held).get(`${BEGUN_EDIT}${id}`)?.begun.assets,
    ...Object.fromEntries(
      copies.flatMap((copy) => copy.blobs.map(({ hash }) => [hash, copy.id])),
    ),
  };
  const links = await linksWith(library, assets);
  // A link keeps the old ones until it shows the new ones.
  const releases = !links.some((link) => isReached(link) || !isHere(link));
  const amend = async () => {
    for (const copy of copies) {
      await library.amend(copy.id, {
        about: { ...about, edit },
        derivatives: smaller,
        without: SMALL,
        releases,
      });
    }
  };
  if (copies.length < 2 && links.length === 0) return await amend();
  const name = `${BEGUN_EDIT}${id}`;
  const begun = {
    by: vault.session.device.device_id,
    ...(edit === undefined ? {} : { edit: canonicalText(edit) }),
    assets,
  };
  underWay.add(name);
  try {
    await note(library, name, begun);
    await amend();
    const unreached = await changeLinks(library, assets);
    await stillShown.keep(unreached.filter(isHere));
    // Noted again, it is newer than a sync that has read the feed already.
    await note(library, name, unreached.every(isHere) ? null : begun);
  } finally {
    underWay.delete(name);
  }
}

/** Another device may still be at it for so long (ms). */
const PATIENCE_MS = 60_000;

/**
 * Finishes edits that were interrupted, on this device or on another: copies
 * get the small pictures of the one that was edited first, and links change. Of
 * another device's it takes up those that are a minute old, and, with `isFirst`,
 * all of them: then this program has just begun. `stillShown` gets the links that
 * may still show a photo as it was. `before` is the state before the feed was
 * read: an edit that is newer waits for the links whose indexes are not here.
 */
export async function finishEdits(
  library: Editing,
  isFirst: boolean,
  before: LibraryState,
): Promise<void> {
  const { device, platform } = library.vault.session;
  for (const [name, { begun, at }] of begunIn(library.state.held)) {
    const isFresh = !isFirst && begun.by !== device.device_id &&
      platform.now() - Date.parse(at) < PATIENCE_MS;
    if (isFresh || underWay.has(name)) continue;
    underWay.add(name);
    try {
      const unreached = await finish(library, begun);
      const isNewer = before.settings[name]?.at !== at;
      if (isNewer && !unreached.every(isHere)) continue;
      // First: once the note is gone, no one else finds them.
      await library.stillShown.keep(unreached);
      await note(library, name, null);
    } catch (error) {
      // The next pass tries it again.
      if (isOfEverything(error) || !(error instanceof Error)) throw error;
    } finally {
      underWay.delete(name);
    }
  }
}

/** Returns the links that may still show the photo as it was. */
async function finish(
  library: Editing,
  begun: Begun,
): Promise<readonly Showing[]> {
  const copies = [...new Set(Object.values(begun.assets))]
    .flatMap((id) => library.index.get(id) ?? [])
    .filter(({ state }) => state === "live");
  const isEdited = ({ metadata }: Row) =>
    (metadata?.edit && canonicalText(metadata.edit)) === begun.edit;
  const from = copies.find(isEdited);
  // It was interrupted before it changed anything.
  if (from?.metadata === undefined) return [];
  const { width, height, thumbhash, edit, derivatives } = from.metadata;
  const kinds = SMALL.filter((kind) =>
    derivatives.some((one) => one.kind === kind)
  );
  for (const copy of copies) {
    if (isEdited(copy)) continue;
    await library.amend(copy.id, {
      about: { width, height, thumbhash, edit },
      ...(kinds.length === 0 ? {} : { shared: { from, kinds } }),
      without: SMALL,
    });
  }
  return await changeLinks(library, begun.assets);
}

/**
 * Points the account's links to the copies that were stored again. `assets` has
 * the asset of each copy by the lost blob. Returns the titles or ids of links that
 * cannot be changed.
 */
export async function moveLinks(
  library: LinksOf,
  assets: Begun["assets"],
): Promise<readonly string[]> {
  const unreached: string[] = [];
  const fails = (link: string) => (error: unknown) => {
    if (isOfEverything(error) || !(error instanceof Error)) throw error;
    unreached.push(link);
  };
  for (const link of await linksWith(library, assets)) {
    // One that is not here need not show a lost copy.
    if (!link.isHere) continue;
    if (!isReached(link)) unreached.push(link.name);
    else await changeLink(library, assets, link).catch(fails(link.name));
  }
  return unreached;
}

/** Whether changing a link takes all of the blobs in question out of it. */
function isReached({ shown }: Showing): boolean {
  return shown.length > 0;
}

function isHere(link: Showing): boolean {
  return link.isHere;
}

/** Links that show blobs, or perhaps do, with the blobs of each. */
async function linksWith(
  library: LinksOf,
  assets: Begun["assets"],
): Promise<readonly Showing[]> {
  const found: Showing[] = [];
  const isOf = (hash: string) => Object.hasOwn(assets, hash);
  for (const link of await library.shares()) {
    const { opaque_id: opaqueId, metadata_hash } = link;
    const noted = library.state.held.links[opaqueId];
    const name = link.title ?? (noted?.title || opaqueId);
    const isHere = link.url !== undefined;
    const contents = isHere
      ? await library.shareContents(opaqueId, metadata_hash).catch((error) => {
        if (isOfEverything(error) || !(error instanceof Error)) throw error;
        return undefined;
      })
      : undefined;
    if (contents === undefined) {
      // Nor can its next round read it, if it follows a list.
      found.push({ opaqueId, isHere, name, shown: [], unread: [] });
      continue;
    }
    const isByItself = isFollowing(noted);
    // Its next round changes what can be read.
    const shown = isByItself
      ? []
      : contents.items.map(({ hash }) => hash).filter(isOf);
    const unread = contents.unread.flatMap(({ named }) =>
      [...named].filter(isOf)
    );
    if (shown.length + unread.length === 0) continue;
    found.push({ opaqueId, isHere, name, shown, unread });
  }
  return found;
}

/** Has links show photos as they are now, and returns those that cannot. */
async function changeLinks(
  library: LinksOf,
  assets: Begun["assets"],
): Promise<readonly Showing[]> {
  const unreached: Showing[] = [];
  for (const link of await linksWith(library, assets)) {
    if (isReached(link)) await changeLink(library, assets, link);
    else unreached.push(link);
  }
  return unreached;
}

async function changeLink(
  library: LinksOf,
  assets: Begun["assets"],
  { opaqueId, shown, unread }: Showing,
): Promise<void> {
  const gone = [...new Set([...shown, ...unread])];
  await library.changeShare(opaqueId, {
    remove: gone,
    add: [...new Set(gone.flatMap((hash) => assets[hash] ?? []))],
  });
}

function begunIn(
  { settings }: LibraryState,
): ReadonlyMap<string, { readonly begun: Begun; readonly at: string }> {
  return new Map(
    Object.entries(settings).flatMap(([name, { value, at }]) => {
      if (!name.startsWith(BEGUN_EDIT)) return [];
      const read = begunSchema.safeParse(value);
      return read.success ? [[name, { begun: read.data, at }]] : [];
    }),
  );
}

async function note(
  { state, vault }: Editing,
  name: string,
  value: Begun | null,
): Promise<void> {
  const { platform } = vault.session;
  await state.change((held) => {
    const at = changedAt(held.settings[name], platform.now());
    return { ...held, settings: { ...held.settings, [name]: { value, at } } };
  });
}
