/**
 * Share links of one's own: the encrypted index is an asset without an album
 * whose file key is the link's secret, wrapped under the library key, so that
 * every device of the account can show the link again
 * (protocol/client-cryptography.md#share).
 *
 * @module
 */
import type { ShareEntry } from "../asset_answers.ts";
import { DocumentError } from "../fields.ts";
import { buildShareLink, newShare, wrapShareSecret } from "../share.ts";
import {
  dropIndex,
  indexOf,
  indexRow,
  type LinkContext,
  openIndex,
  servedBy,
  storeIndex,
  UNTITLED,
} from "./link_index.ts";
import { itemsOf, type Places } from "./link_items.ts";
import { passphraseOptions } from "./platform.ts";
import { blobOf, type Row } from "./rows.ts";

/** What a link is to be. */
export interface NewShare {
  readonly assetIds: readonly string[];
  readonly title?: string;
  /** What is said to those who look. */
  readonly message?: string;
  /** Who shares, in their own words. */
  readonly from?: string;
  /** Default: `kept`, the files go along as they are. */
  readonly places?: Places;
  /** RFC 3339; without it the link does not expire. */
  readonly expiresAt?: string;
  /** Then the secret is not in the link, but wrapped by it. */
  readonly passphrase?: string;
}

/** A link that was made. */
export interface MadeShare {
  readonly opaqueId: string;
  /** What to hand out. Secret, but for the link of a passphrase. */
  readonly url: string;
  /** The index's own row. */
  readonly row: Row;
  /** Assets that stay away, because they tell where they were taken. */
  readonly leftOut: readonly string[];
}

/** What changes of a link; null takes a text or the end away. */
export interface ShareChanges {
  readonly title?: string | null;
  readonly message?: string | null;
  readonly from?: string | null;
  readonly expiresAt?: string | null;
  /** Assets that come to it. */
  readonly add?: readonly string[];
  /** Content addresses of items that leave it. */
  readonly remove?: readonly string[];
  /** Of what comes to it. */
  readonly places?: Places;
}

/** What a link shows. */
export interface ShareContents {
  readonly title: string | undefined;
  readonly message: string | undefined;
  readonly from: string | undefined;
  readonly items: readonly {
    /** Content address, which names the item in a change. */
    readonly hash: string;
    readonly name: string;
    readonly mime: string;
    /** The asset that it is of, where this library still has it. */
    readonly assetId: string | undefined;
  }[];
}

/** A link of the account's. */
export interface OwnShare extends ShareEntry {
  /** Absent where its index is not of this library. */
  readonly url: string | undefined;
  readonly title: string | undefined;
}

/** Issues a link to assets. Throws DocumentError for one that cannot be read. */
export async function shareAssets(
  context: LinkContext,
  share: NewShare,
): Promise<MadeShare> {
  const { session } = context.vault;
  const { platform, account } = session;
  const { opaqueId, secret } = newShare(platform.random);
  const { title, message, from, passphrase, expiresAt } = share;
  const { places = "kept" } = share;
  const { items, leftOut } = await itemsOf(context, share.assetIds, places);
  const shown = indexOf({ title, message, from, items });
  const { row, hash } = await storeIndex(context, shown, secret);
  await account.issueShare({
    opaqueId,
    metadataHash: hash,
    serves: servedBy(hash, shown),
    ...(passphrase === undefined ? {} : {
      wrappedSecret: await wrapShareSecret(
        passphrase,
        secret,
        platform.random,
        passphraseOptions(platform),
      ),
    }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  const url = buildShareLink({
    origin: session.server,
    opaqueId,
    ...(passphrase === undefined ? { secret } : {}),
  });
  return { opaqueId, url, row, leftOut };
}

/**
 * What a link of the account's shows, whoever of its devices made it;
 * `metadataHash` of the listing spares asking for it.
 */
export async function shareContents(
  context: LinkContext,
  opaqueId: string,
  metadataHash?: string,
): Promise<ShareContents> {
  const { shown } = await openIndex(context, opaqueId, metadataHash);
  const assets = new Map<string, string>();
  for (const row of context.index.rows()) {
    if (row.state !== "live" || row.metadata === undefined) continue;
    for (const { hash } of row.blobs) assets.set(hash, row.id);
  }
  return {
    title: shown.title,
    message: shown.message,
    from: shown.from,
    items: shown.items.map(({ hash, name, mime }) => ({
      hash,
      name,
      mime,
      assetId: assets.get(hash),
    })),
  };
}

/**
 * Changes a link that people have already; its address stays. Another passphrase
 * needs another link. Throws DocumentError where its index is not of this
 * library, or nothing would be left to see.
 */
export async function changeShare(
  context: LinkContext,
  opaqueId: string,
  changes: ShareChanges,
): Promise<{ readonly leftOut: readonly string[] }> {
  const { account } = context.vault.session;
  const { expiresAt } = changes;
  const { title, message, from, add = [], remove = [] } = changes;
  const texts = [title, message, from].some((text) => text !== undefined);
  if (!texts && add.length === 0 && remove.length === 0) {
    if (expiresAt !== undefined) {
      await account.changeShare(opaqueId, { expiresAt });
    }
    return { leftOut: [] };
  }
  const { row: before, shown } = await openIndex(context, opaqueId);
  const added = await itemsOf(context, add, changes.places ?? "kept");
  const gone = new Set(remove);
  const had = new Set(shown.items.map(({ hash }) => hash));
  const items = [
    ...shown.items.filter(({ hash }) => !gone.has(hash)),
    ...added.items.filter(({ hash }) => !had.has(hash)),
  ];
  if (items.length === 0) throw new DocumentError("the link would be empty");
  const next = indexOf({
    title: title === undefined ? shown.title : title ?? undefined,
    message: message === undefined ? shown.message : message ?? undefined,
    from: from === undefined ? shown.from : from ?? undefined,
    items,
  });
  const secret = new Uint8Array(before.key ?? []);
  const { hash } = await storeIndex(context, next, secret);
  await account.changeShare(opaqueId, {
    metadataHash: hash,
    serves: servedBy(hash, next),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  await dropIndex(context, before);
  return { leftOut: added.leftOut };
}

/** The account's links, each with the address to hand out again. */
export async function ownShares(
  { vault, index }: LinkContext,
): Promise<readonly OwnShare[]> {
  const { account, server: origin } = vault.session;
  const indexes = new Map<string, Row>();
  for (const row of index.rows()) {
    const hash = row.album === undefined && row.key !== undefined
      ? blobOf(row, "original")?.hash
      : undefined;
    if (hash !== undefined) indexes.set(hash, row);
  }
  return (await account.shares()).map((entry) => {
    const row = indexes.get(entry.metadata_hash);
    const secret = row?.key;
    const opaqueId = entry.opaque_id;
    const url = entry.passphrase_protected
      ? buildShareLink({ origin, opaqueId })
      : secret === undefined
      ? undefined
      : buildShareLink({ origin, opaqueId, secret });
    const name = row?.metadata?.name;
    return { ...entry, url, title: name === UNTITLED ? undefined : name };
  });
}

/** Revokes a link; its index goes with it. */
export async function revokeShare(
  context: LinkContext,
  opaqueId: string,
): Promise<void> {
  const { account } = context.vault.session;
  const entry = (await account.shares())
    .find((one) => one.opaque_id === opaqueId);
  await account.revokeShare(opaqueId);
  const row = entry === undefined
    ? undefined
    : indexRow(context, entry.metadata_hash);
  if (row !== undefined) await dropIndex(context, row);
}
