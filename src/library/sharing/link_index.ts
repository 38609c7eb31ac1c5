/**
 * The indexes of share links. Each is an asset without an album; its file key
 * is the link's secret, wrapped under the library key.
 *
 * @module
 */
import { type Bytes, concatBytes } from "../../core/bytes.ts";
import { MINUTE_MS, readTime } from "../../core/time.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { wrapFileKey } from "../../client/documents/file_key.ts";
import { SHARE_INDEX_KIND } from "../../client/documents/metadata.ts";
import {
  decodeShareIndex,
  encodeShareIndex,
  hashesIn,
  type ShareIndex,
  shareIndexHashes,
} from "../../client/documents/share.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import type { Deletions } from "../trust/deletions.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import type { Origins } from "../trust/origins.ts";
import { newId, primitivesOf, sealerOn } from "../base/platform.ts";
import { type PullContext, readableOf, readWhole } from "../rows/pull.ts";
import { blobOf, type Row } from "../rows/rows.ts";
import { sealPart } from "../adding/sealed_part.ts";
import type { Storing } from "../trust/asset_receipts.ts";
import { storeAsset } from "../adding/store_asset.ts";

/** What making links works with. */
export interface LinkContext extends PullContext, Storing {
  readonly index: AssetIndex;
  readonly deletions: Deletions;
  readonly origins: Origins;
}

/** Most bytes of an index. */
const INDEX_MAX_BYTES = 16 * 1024 * 1024;

/** The name of the index of a link without a title. */
export const UNTITLED = "share-index.json";

/** Makes an index; undefined texts are left out. */
export function indexOf(
  { n, title, message, from, adds, unreadAdds, items, unread = [] }: Omit<
    ShareIndex,
    "v"
  >,
): ShareIndex {
  return {
    v: 1,
    n,
    ...(title === undefined ? {} : { title }),
    ...(message === undefined ? {} : { message }),
    ...(from === undefined ? {} : { from }),
    ...(adds === undefined ? {} : { adds }),
    ...(unreadAdds === undefined ? {} : { unreadAdds }),
    items,
    ...(unread.length === 0 ? {} : { unread }),
  };
}

/**
 * The hashes of everything that a link may serve, the index included. Of what
 * could not be read, those are blobs of the library.
 */
export function servedBy(
  { index }: Pick<LinkContext, "index">,
  hash: string,
  shown: ShareIndex,
): readonly string[] {
  const hashes = new Set([hash, ...shareIndexHashes(shown)]);
  const { unread = [] } = shown;
  if (unread.length > 0) {
    const named = new Set(unread.flatMap((one) => [...hashesIn(one)]));
    for (const { blobs } of index.rows()) {
      for (const { hash: one } of blobs) if (named.has(one)) hashes.add(one);
    }
  }
  return [...hashes];
}

/** A link, and the secret under which its indexes are. */
interface LinkSecret {
  readonly opaqueId: string;
  readonly secret: Bytes;
  /** Of a link with a passphrase: what its fragment carries. */
  readonly fragment?: Uint8Array | undefined;
}

/** The secret of the link whose index a row is. */
export function secretOf(row: Row, opaqueId: string): LinkSecret {
  const { key, metadata } = row;
  if (key === undefined) throw new DocumentError("the index has no key here");
  const secret = new Uint8Array(key);
  return { opaqueId, secret, fragment: metadata?.fragment };
}

/** Stores an index under a link's secret, as a new asset each time. */
export function storeIndex(
  context: LinkContext,
  shown: ShareIndex,
  link: LinkSecret,
): Promise<{ readonly row: Row; readonly hash: string }> {
  const name = shown.title ?? UNTITLED;
  return storeEncoded(context, encodeShareIndex(shown), name, link);
}

/** The same for an index that is encoded. */
export async function storeEncoded(
  context: Storing & Pick<LinkContext, "index">,
  plaintext: Bytes,
  name: string,
  { opaqueId, secret, fragment }: LinkSecret,
): Promise<{ readonly row: Row; readonly hash: string }> {
  const { vault, index } = context;
  const { platform } = vault.session;
  const primitives = primitivesOf(platform);
  const sha256 = sha256Hex(plaintext);
  const original = await sealPart(
    plainOf(plaintext),
    { fileKey: secret, sealer: sealerOn(platform) },
    sha256,
  );
  const assetId = newId(platform);
  const { row, receipts } = await storeAsset(context, {
    assetId,
    epoch: 0,
    amk: vault.libraryKey,
    fileKey: secret,
    sealedKey: wrapFileKey(
      vault.libraryKey,
      assetId,
      secret,
      platform.random,
      primitives,
    ),
    original,
    derivatives: [],
    metadata: {
      kind: SHARE_INDEX_KIND,
      name,
      mime: "application/json",
      size: plaintext.length,
      sha256,
      link: opaqueId,
      ...(fragment === undefined ? {} : { fragment }),
      derivatives: [],
    },
  });
  index.put(row);
  await index.commit(receipts);
  return { row, hash: original.hash };
}

/** Opens the index of a link; `decode` is {@link decodeUnreadIndex} to change it. */
export async function openIndex(
  context: LinkContext,
  opaqueId: string,
  metadataHash?: string,
  decode: (bytes: Uint8Array) => ShareIndex = decodeShareIndex,
): Promise<{ readonly row: Row; readonly shown: ShareIndex }> {
  const { account } = context.vault.session;
  const hash = metadataHash ??
    (await account.shares()).find((one) => one.opaque_id === opaqueId)
      ?.metadata_hash;
  const row = hash === undefined
    ? undefined
    : indexRow(context, hash, opaqueId);
  if (row === undefined) {
    throw new DocumentError(`link ${opaqueId} is not of this library`);
  }
  const readable = await readableOf(context, row, "original");
  if (readable.size > INDEX_MAX_BYTES) {
    throw new DocumentError(`the index of link ${opaqueId} is too large`);
  }
  const pieces = await Array.fromAsync(readWhole(context, row.id, readable));
  return { row, shown: decode(concatBytes(...pieces)) };
}

/**
 * The row of a link's index with this content address. Which index a link has is
 * the server's word: one of another link is not taken for it, because what is
 * stored next would be under the secret of the other one.
 */
export function indexRow(
  { index }: LinkContext,
  hash: string,
  opaqueId: string,
): Row | undefined {
  for (const row of index.rows()) {
    if (blobOf(row, "original")?.hash === hash && isIndexOf(row, opaqueId)) {
      return row;
    }
  }
  return undefined;
}

/** Whether a row is the index of a link. */
export function isIndexOf(row: Row, opaqueId: string): boolean {
  const { album, key, metadata } = row;
  return album === undefined && key !== undefined &&
    metadata?.link === opaqueId;
}

/**
 * Deletes an index that no link shows any more for ever, because it contains
 * keys.
 */
export async function dropIndex(
  { vault, index, deletions }: LinkContext,
  row: Row,
): Promise<void> {
  const { account } = vault.session;
  // Not by its bytes: it is no photo.
  const { metadata: _, ...bare } = row;
  await deletions.record([bare]);
  // Another device may have been first.
  const isThere = await account.deleteAsset(row.id).then(
    () => true,
    (error) => {
      if (error instanceof ApiProblem && error.status === 404) return false;
      throw error;
    },
  );
  let isGone = true;
  try {
    if (isThere) await account.purgeAsset(row.id);
  } catch (error) {
    // The operator holds it: it leaves with the trash.
    if (!(error instanceof ApiProblem)) throw error;
    isGone = false;
  }
  index.remove(row.id);
  await index.commit();
  // Otherwise a frame's many indexes would fill the record of deletions.
  if (isGone) await deletions.seenGone([row.id]);
}

/** Younger indexes may be those that a device is about to give the link (ms). */
const SETTLED_MS = 10 * MINUTE_MS;

/**
 * Deletes the indexes that a link had, or never got: of two devices that change
 * it at once, one stores an index that the other's takes the place of. With
 * `isOver`, the link is gone, and so are all of its indexes.
 */
export async function dropStale(
  context: LinkContext,
  opaqueId: string,
  isOver = false,
): Promise<void> {
  const { account, platform, userId } = context.vault.session;
  const last = platform.now() - (isOver ? -Infinity : SETTLED_MS);
  const old = [...context.index.rows()].filter((row) =>
    row.state === "live" && row.owner === userId && isIndexOf(row, opaqueId) &&
    (readTime(row.at) ?? 0) <= last
  );
  if (old.length === 0) return;
  const shown = isOver ? undefined : (await account.shares())
    .find(({ opaque_id }) => opaque_id === opaqueId)?.metadata_hash;
  // Only next to one that is the link's: the server may say anything.
  const isKnown = shown !== undefined &&
    indexRow(context, shown, opaqueId) !== undefined;
  if (!isOver && !isKnown) return;
  for (const row of old) {
    if (blobOf(row, "original")?.hash !== shown) await dropIndex(context, row);
  }
}
