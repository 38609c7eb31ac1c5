/**
 * Changing an asset's metadata, or adding small pictures that another device
 * could not make, by a new manifest over the same original.
 *
 * @module
 */
import { equalBytes } from "../../core/bytes.ts";
import { DocumentError } from "../fields.ts";
import { wrapFileKey } from "../file_key.ts";
import type { Derivative, Metadata } from "../metadata.ts";
import { SALT_BYTES } from "../stream.ts";
import { isStaleRevival } from "./asset_state.ts";
import { sealDerivatives } from "./derivatives.ts";
import type {
  LargeDerivative,
  NewDerivative,
  UploadContext,
} from "./upload.ts";
import { MOST_HEADS, putFresh } from "./opening.ts";
import { primitivesOf } from "./platform.ts";
import { fileKeyOf } from "./pull.ts";
import { blobOf, type Row } from "./rows.ts";
import { type ReadyPart, storeAsset } from "./store_asset.ts";

/** The changes to make. */
export interface Amendment {
  /** New values of metadata fields; undefined removes a field. */
  readonly about?: Partial<Omit<Metadata, "size" | "sha256" | "derivatives">>;
  /** A new one replaces the existing one of its kind. */
  readonly derivatives?: readonly (NewDerivative | LargeDerivative)[];
  /**
   * Of another asset with the same file: its derivatives of these kinds, which
   * the server has already. Those under another file key stay away.
   */
  readonly shared?: { readonly from: Row; readonly kinds: readonly string[] };
  /** Kinds of derivatives that go, where no new one replaces them. */
  readonly without?: readonly string[];
  /** Gets the number of bytes that were sent. */
  readonly onSent?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Replaces the metadata of an own asset. Throws ApiProblem
 * `error.asset.stale_revival` if another device changed it first: the row is
 * then as the other device left it, and another attempt may succeed.
 */
export async function amendAsset(
  context: UploadContext,
  row: Row,
  amendment: Amendment,
): Promise<Row> {
  try {
    return await amended(context, row, amendment);
  } catch (error) {
    if (isStaleRevival(error)) {
      // This device may not have been told: the next attempt has it right.
      const { opener, index } = context;
      const { account } = context.vault.session;
      await putFresh(opener, index, await account.asset(row.id));
      await index.commit();
    }
    throw error;
  }
}

async function amended(
  context: UploadContext,
  row: Row,
  amendment: Amendment,
): Promise<Row> {
  const { vault, keys, index } = context;
  const { platform, userId } = vault.session;
  const primitives = primitivesOf(platform);
  const { metadata } = row;
  const original = blobOf(row, "original");
  if (
    metadata === undefined || original === undefined || row.owner !== userId
  ) {
    throw new DocumentError(`asset ${row.id} is not one's own to change`);
  }
  const fileKey = await fileKeyOf(context, row);
  const { epoch, amk } = await keys.newestOf(row.album);
  const random16 = () => new Uint8Array(platform.random(SALT_BYTES));
  const { onSent, signal } = amendment;
  const added = amendment.derivatives ?? [];
  const shared = await sharedBy(context, fileKey, amendment);
  if (amendment.shared !== undefined && shared.length === 0) return row;
  const gone = new Set([
    ...added.map(({ kind }) => kind),
    ...shared.map(({ named }) => named.kind),
    ...amendment.without ?? [],
  ]);
  const kept = metadata.derivatives.filter(({ kind }) => !gone.has(kind));
  const next = 1 +
    Math.max(-1, ...metadata.derivatives.map(({ part }) => part));
  const sealed = [
    ...await sealDerivatives(context, fileKey, added, next, signal),
    ...shared,
  ];
  // The file key must stay, because the original stays. If it was derived from
  // an older album key, it is wrapped under the newest one.
  const isDerived = row.key === undefined && row.epoch === epoch;
  // A server that shows an older version takes the newest one after that.
  const head = row.shown ?? row.head;
  const { row: stored, receipts } = await storeAsset(context, {
    assetId: row.id,
    ...(row.album === undefined ? {} : { albumId: row.album }),
    epoch,
    fileKey,
    ...(isDerived ? {} : {
      sealedKey: wrapFileKey(amk, row.id, fileKey, platform.random, primitives),
    }),
    chunkSize: row.chunk_size,
    original: {
      ...original,
      plaintextSize: metadata.size,
      read: () => Promise.reject(new DocumentError("it is stored already")),
    },
    derivatives: sealed.map(({ part }) => part),
    replaces: { ...row, head },
    metadata: {
      ...metadata,
      ...amendment.about,
      derivatives: [...kept, ...sealed.map(({ named }) => named)],
    },
    metadataSalt: random16(),
    ...(onSent === undefined ? {} : { onSent }),
    ...(signal === undefined ? {} : { signal }),
  });
  const heads = [...row.heads ?? [], row.head].slice(-MOST_HEADS);
  const made = { ...stored, heads };
  await index.append(made, receipts);
  return made;
}

/**
 * What an asset takes from another one. A blob keeps the number of its part,
 * because its key comes from that; the number may stand twice in metadata.
 */
async function sharedBy(
  context: UploadContext,
  fileKey: Uint8Array,
  { shared }: Amendment,
): Promise<
  readonly { readonly part: ReadyPart; readonly named: Derivative }[]
> {
  if (shared === undefined) return [];
  const { from, kinds } = shared;
  if (!equalBytes(await fileKeyOf(context, from), fileKey)) return [];
  return (from.metadata?.derivatives ?? []).flatMap((named) => {
    const blob = from.blobs.find(({ hash }) => hash === named.hash);
    if (blob === undefined || !kinds.includes(named.kind)) return [];
    const part: ReadyPart = {
      hash: blob.hash,
      size: blob.size,
      plaintextSize: named.size ?? 0,
      origin: { copies: from.id },
      read: () => Promise.reject(new DocumentError("the server wants it sent")),
    };
    return [{ part, named }];
  });
}
