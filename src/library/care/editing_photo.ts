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
import { ApiProblem } from "../../client/api/api.ts";
import { isFull, isTemporary } from "../../client/api/refusals.ts";
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
import { blobOf, type Row } from "../rows/rows.ts";
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
  /** A later pass may change it: its index is not here, or a change failed. */
  readonly isRetried: boolean;
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

/** What came of finishing an edit. */
interface Finished {
  /** The links that may still show the photo as it was. */
  readonly unreached: readonly Showing[];
  /** Whether another pass can do no more. */
  readonly isFinal: boolean;
}

/** Edits of this program that go on; nothing else finishes them meanwhile. */
const underWay = new Set<string>();

/**
 * Edits a photo and its copies in albums, and changes the links that show it, so
 * that none goes on handing out what was cut away. Where that takes more than
 * one change, the account's state notes it first, and {@link finishEdits} does
 * the rest on any device. `stillShown` gets the links that may still show it as
 * it was, because this program cannot read them, or items of them. If a link
 * cannot be changed yet, because another device changed it a moment ago or its
 * change is refused, all of them are left to the next sync: ending one would then
 * be for nothing. Throws what changing an asset throws, and of a link what is
 * about more than that link.
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
  const releases = !links.some((link) => isReached(link) || link.isRetried);
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
  underWay.add(name);
  try {
    const begun = await note(library, name, {
      by: vault.session.device.device_id,
      ...(edit === undefined ? {} : { edit: canonicalText(edit) }),
      assets,
    });
    await amend();
    const unreached = await changeLinks(library, begun);
    const isFinal = !unreached.some(isRetried);
    if (isFinal) await stillShown.keep(unreached);
    // Noted again, it is newer than a sync that has read the feed already.
    if (isFinal) await endNote(library, name);
    else await note(library, name, begun);
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
 * read: an edit that is newer, or less than a minute old and of another device,
 * waits for the copies and links that cannot be changed yet.
 */
export async function finishEdits(
  library: Editing,
  isFirst: boolean,
  before: LibraryState,
): Promise<void> {
  const { device, platform } = library.vault.session;
  for (const [name, { begun, at }] of begunIn(library.state.held)) {
    const isFresh = begun.by !== device.device_id &&
      platform.now() - Date.parse(at) < PATIENCE_MS;
    if (isFresh && !isFirst || underWay.has(name)) continue;
    underWay.add(name);
    try {
      const { unreached, isFinal } = await finish(library, begun);
      const isNewer = isFresh || before.settings[name]?.at !== at;
      if (isNewer && !isFinal) continue;
      // First: once the note is gone, no one else finds them.
      await library.stillShown.keep(unreached);
      await endNote(library, name);
    } catch (error) {
      // A later pass tries it again; the next edit would be refused as well.
      if (isForNow(error)) return;
      throwIfOfEverything(error);
    } finally {
      underWay.delete(name);
    }
  }
}

async function finish(library: Editing, begun: Begun): Promise<Finished> {
  const copies = [...new Set(Object.values(begun.assets))]
    .flatMap((id) => library.index.get(id) ?? [])
    .filter(({ state }) => state === "live");
  const from = copies.find((copy) => isEdited(copy, begun));
  // It changed nothing before it was interrupted, or is at it.
  if (from?.metadata === undefined) return { unreached: [], isFinal: false };
  const { width, height, thumbhash, edit, derivatives } = from.metadata;
  const kinds = SMALL.filter((kind) =>
    derivatives.some((one) => one.kind === kind)
  );
  let isFinal = true;
  for (const copy of copies) {
    if (isEdited(copy, begun)) continue;
    await library.amend(copy.id, {
      about: { width, height, thumbhash, edit },
      ...(kinds.length === 0 ? {} : { shared: { from, kinds } }),
      without: SMALL,
    }).catch((error) => {
      throwIfOfEverything(error);
      isFinal = false;
    });
  }
  const unreached = await changeLinks(library, begun);
  return { unreached, isFinal: isFinal && !unreached.some(isRetried) };
}

/** Whether a copy has the recipe, or none where an edit is taken back. */
function isEdited({ metadata }: Row, { edit }: Begun): boolean {
  return metadata !== undefined &&
    (metadata.edit && canonicalText(metadata.edit)) === edit;
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
  for (const link of await linksWith(library, assets)) {
    // One that is not here need not show a lost copy.
    if (link.isRetried) continue;
    const isChanged = isReached(link) &&
      await changeLink(library, assets, link);
    if (!isChanged) unreached.push(link.name);
  }
  return unreached;
}

/** Whether changing a link takes all of the blobs in question out of it. */
function isReached({ shown }: Showing): boolean {
  return shown.length > 0;
}

function isRetried(link: Showing): boolean {
  return link.isRetried;
}

/** Whether the server refuses changes for now, but still answers. */
function isForNow(error: unknown): boolean {
  return error instanceof ApiProblem && (isFull(error) || isTemporary(error));
}

/** Throws an error that is about more than one link or copy. */
function throwIfOfEverything(error: unknown): void {
  if (isOfEverything(error) || !(error instanceof Error)) throw error;
}

/**
 * Links that show blobs, or perhaps do, with the blobs of each. Those whose index
 * is not in this library are to be retried.
 */
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
        throwIfOfEverything(error);
        return undefined;
      })
      : undefined;
    if (contents === undefined) {
      // Nor can its next round read it, if it follows a list.
      const isRetried = !isHere;
      found.push({ opaqueId, isRetried, name, shown: [], unread: [] });
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
    found.push({ opaqueId, isRetried: false, name, shown, unread });
  }
  return found;
}

/** Has links show edited copies, and returns those that may show others. */
async function changeLinks(
  library: Editing,
  begun: Begun,
): Promise<readonly Showing[]> {
  const edited = editedOf(library, begun);
  const isReady = (hash: string) => Object.hasOwn(edited, hash);
  const unreached: Showing[] = [];
  for (const link of await linksWith(library, replacedBy(library, begun))) {
    const { shown, unread } = link;
    const ready = {
      ...link,
      shown: shown.filter(isReady),
      unread: unread.filter(isReady),
    };
    const isChanged = isReached(ready) &&
      await changeLink(library, edited, ready);
    if (isChanged && [...shown, ...unread].every(isReady)) continue;
    unreached.push(isReached(link) ? { ...link, isRetried: true } : link);
  }
  return unreached;
}

/**
 * The copies by the blobs that links are to show no more: not an original where
 * an edit is taken back, or each attempt would change the same links again.
 */
function replacedBy(
  { index }: Editing,
  { edit, assets }: Begun,
): Begun["assets"] {
  if (edit !== undefined) return assets;
  return Object.fromEntries(
    Object.entries(assets).filter(([hash, id]) => {
      const row = index.get(id);
      return row === undefined || blobOf(row, "original")?.hash !== hash;
    }),
  );
}

/**
 * By the blobs that copies had, the edited ones to show: each copy itself, or one
 * that has the same blob. Any other could say in a link what that did not say.
 */
function editedOf({ index }: Editing, begun: Begun): Begun["assets"] {
  const { assets } = begun;
  const copies = [...new Set(Object.values(assets))]
    .flatMap((id) => index.get(id) ?? [])
    .filter((copy) => isEdited(copy, begun));
  return Object.fromEntries(
    Object.entries(assets).flatMap(([hash, id]) => {
      const copy = copies.find((one) => one.id === id) ??
        copies.find(({ blobs }) => blobs.some((blob) => blob.hash === hash));
      return copy === undefined ? [] : [[hash, copy.id]];
    }),
  );
}

/** Returns whether a link could be changed. */
async function changeLink(
  library: LinksOf,
  assets: Begun["assets"],
  { opaqueId, shown, unread }: Showing,
): Promise<boolean> {
  const gone = [...new Set([...shown, ...unread])];
  try {
    await library.changeShare(opaqueId, {
      remove: gone,
      add: [...new Set(gone.flatMap((hash) => assets[hash] ?? []))],
    });
    return true;
  } catch (error) {
    throwIfOfEverything(error);
    return false;
  }
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

/**
 * Notes an edit with the assets of the one that it follows, of which another
 * device may have told the account alone; returns what is noted.
 */
async function note(
  library: Editing,
  name: string,
  begun: Begun,
): Promise<Begun> {
  let noted = begun;
  await setNote(library, name, (held) => {
    const earlier = begunIn(held).get(name)?.begun.assets;
    noted = { ...begun, assets: { ...earlier, ...begun.assets } };
    return noted;
  });
  return noted;
}

async function endNote(library: Editing, name: string): Promise<void> {
  await setNote(library, name, () => null);
}

async function setNote(
  { state, vault }: Editing,
  name: string,
  valueIn: (held: LibraryState) => Begun | null,
): Promise<void> {
  const { platform } = vault.session;
  await state.change((held) => {
    const at = changedAt(held.settings[name], platform.now());
    const entry = { value: valueIn(held), at };
    return { ...held, settings: { ...held.settings, [name]: entry } };
  });
}
