/**
 * Share links of one's own: the encrypted index is an asset without an album
 * whose file key is the link's secret, wrapped under the library key, so that
 * every device of the account can show the link again
 * (protocol/client-cryptography.md#share).
 *
 * @module
 */
import { sha256Hex } from "../../crypto/sha256.ts";
import type { ShareEntry } from "../asset_answers.ts";
import { DocumentError } from "../fields.ts";
import { wrapFileKey } from "../file_key.ts";
import { SHARE_INDEX_KIND } from "../metadata.ts";
import {
  buildShareLink,
  encodeShareIndex,
  newShare,
  type ShareIndex,
  shareIndexHashes,
  type ShareItem,
  type SharePicture,
  wrapShareSecret,
} from "../share.ts";
import { SALT_BYTES } from "../stream.ts";
import type { AssetIndex } from "./asset_index.ts";
import { plainOf } from "./intake.ts";
import { newId, passphraseOptions, primitivesOf } from "./platform.ts";
import { type PullContext, readableOf } from "./pull.ts";
import { blobOf, type Row } from "./rows.ts";
import { sealPart } from "./sealed_part.ts";
import { storeAsset, type Storing } from "./store_asset.ts";

/** What links are made with. */
export interface LinkContext extends PullContext, Storing {
  readonly index: AssetIndex;
}

/** What a link is to be. */
export interface NewShare {
  readonly assetIds: readonly string[];
  readonly title?: string;
  /** RFC 3339; without it the link does not expire. */
  readonly expiresAt?: string;
  /** Then the secret is not in the link, but wrapped by it. */
  readonly passphrase?: string;
}

/** What the index of a link without a title is called. */
const UNTITLED = "share-index.json";

/** A link that was made. */
export interface MadeShare {
  readonly opaqueId: string;
  /** What to hand out. Secret, but for the link of a passphrase. */
  readonly url: string;
  /** The index's own row. */
  readonly row: Row;
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
  const { vault, index } = context;
  const { session } = vault;
  const { platform, account } = session;
  const primitives = primitivesOf(platform);
  const { opaqueId, secret } = newShare(platform.random);
  const items: ShareItem[] = [];
  for (const id of share.assetIds) {
    items.push(await itemOf(context, index.get(id), id));
  }
  const shown: ShareIndex = {
    v: 1,
    ...(share.title === undefined ? {} : { title: share.title }),
    items,
  };
  const plaintext = encodeShareIndex(shown);
  const sha256 = sha256Hex(plaintext);
  const salt = () => new Uint8Array(platform.random(SALT_BYTES));
  const original = await sealPart(
    plainOf(plaintext),
    { fileKey: secret, primitives },
    salt(),
    sha256,
  );
  const assetId = newId(platform);
  const row = await storeAsset(context, {
    assetId,
    epoch: 0,
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
      name: share.title ?? UNTITLED,
      mime: "application/json",
      size: plaintext.length,
      sha256,
      derivatives: [],
    },
    metadataSalt: salt(),
  });
  index.put(row);
  await index.commit();
  const { passphrase, expiresAt } = share;
  await account.issueShare({
    opaqueId,
    metadataHash: original.hash,
    serves: [...new Set([original.hash, ...shareIndexHashes(shown)])],
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
  return { opaqueId, url, row };
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

/** Revokes a link and moves its index to the trash. */
export async function revokeShare(
  { vault, index }: LinkContext,
  opaqueId: string,
): Promise<void> {
  const { account } = vault.session;
  const entry = (await account.shares())
    .find((one) => one.opaque_id === opaqueId);
  await account.revokeShare(opaqueId);
  if (entry === undefined) return;
  for (const row of [...index.rows()]) {
    if (row.album !== undefined || row.key === undefined) continue;
    if (blobOf(row, "original")?.hash !== entry.metadata_hash) continue;
    await account.deleteAsset(row.id);
    index.remove(row.id);
  }
  await index.commit();
}

async function itemOf(
  context: LinkContext,
  row: Row | undefined,
  id: string,
): Promise<ShareItem> {
  const metadata = row?.metadata;
  if (row === undefined || metadata === undefined) {
    throw new DocumentError(`asset ${id} cannot be read here`);
  }
  const original = await readableOf(context, row, "original");
  const thumbnail = await pictureOf(context, row, "thumbnail");
  const preview = await pictureOf(context, row, "preview");
  const { name, mime, size, taken_at, duration_ms, caption } = metadata;
  // Where it was taken is the owner's business.
  return {
    name,
    mime,
    size,
    hash: original.hash,
    key: original.key.fileKey,
    chunk_size: row.chunk_size,
    taken_at,
    duration_ms,
    caption,
    thumbnail,
    preview,
  };
}

async function pictureOf(
  context: LinkContext,
  row: Row,
  kind: "thumbnail" | "preview",
): Promise<SharePicture | undefined> {
  const found = row.metadata?.derivatives.find((one) => one.kind === kind);
  if (found?.width === undefined || found.height === undefined) {
    return undefined;
  }
  const { hash, key } = await readableOf(context, row, { derivative: kind });
  const { mime, width, height } = found;
  return { hash, key: key.fileKey, mime, width, height };
}
