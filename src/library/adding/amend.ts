/**
 * Changing an asset's metadata, or adding small pictures that another device
 * could not make, by a new manifest over the same original.
 *
 * @module
 */
import { DocumentError } from "../../client/documents/fields.ts";
import { wrapFileKey } from "../../client/documents/file_key.ts";
import type { Derivative, Metadata } from "../../client/documents/metadata.ts";
import { isStaleRevival } from "./asset_state.ts";
import { sealDerivatives } from "./derivatives.ts";
import type {
  LargeDerivative,
  NewDerivative,
  UploadContext,
} from "./upload_types.ts";
import { MOST_HEADS, putFresh } from "../rows/opening.ts";
import { primitivesOf } from "../base/platform.ts";
import { fileKeyOf } from "../rows/pull.ts";
import { blobOf, type Row } from "../rows/rows.ts";
import { type ReadyPart, storeAsset } from "./store_asset.ts";

/** Derivatives that one manifest releases. */
const MOST_RELEASED = 16;

/** The changes to make. */
export interface Amendment {
  /** New values of metadata fields; undefined removes a field. */
  readonly about?: Partial<Omit<Metadata, "size" | "sha256" | "derivatives">>;
  /** A new one replaces the existing one of its kind. */
  readonly derivatives?: readonly (NewDerivative | LargeDerivative)[];
  /**
   * Of another asset with the same file: its derivatives of these kinds, which
   * the server has already.
   */
  readonly shared?: { readonly from: Row; readonly kinds: readonly string[] };
  /** Kinds of derivatives that go, where no new one replaces them. */
  readonly without?: readonly string[];
  /** The server lets go of the derivatives that go or are replaced. */
  readonly releases?: boolean;
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
  const { onSent, signal } = amendment;
  const added = amendment.derivatives ?? [];
  const shared = sharedBy(amendment);
  if (amendment.shared !== undefined && shared.length === 0) return row;
  const gone = new Set([
    ...added.map(({ kind }) => kind),
    ...shared.map(({ named }) => named.kind),
    ...amendment.without ?? [],
  ]);
  const kept = metadata.derivatives.filter(({ kind }) => !gone.has(kind));
  const sealed = [
    ...await sealDerivatives(context, added, signal),
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
    amk,
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
    ...(amendment.releases === true ? { releases: goneFrom(row, gone) } : {}),
    metadata: {
      ...metadata,
      ...amendment.about,
      derivatives: [...kept, ...sealed.map(({ named }) => named)],
    },
    ...(onSent === undefined ? {} : { onSent }),
    ...(signal === undefined ? {} : { signal }),
  });
  const heads = [...row.heads ?? [], row.head].slice(-MOST_HEADS);
  const made = { ...stored, heads };
  await index.append(made, receipts);
  return made;
}

/** Its derivatives of these kinds, as many as one manifest releases. */
function goneFrom(
  { blobs, metadata }: Row,
  kinds: ReadonlySet<string>,
): readonly string[] {
  const gone = (metadata?.derivatives ?? []).flatMap(({ kind, hash }) =>
    kinds.has(kind) ? [hash] : []
  );
  return blobs.flatMap(({ role, hash }) =>
    role === "derivative" && gone.includes(hash) ? [hash] : []
  ).slice(0, MOST_RELEASED);
}

/** What an asset takes from another one, with its keys. */
function sharedBy(
  { shared }: Amendment,
): readonly { readonly part: ReadyPart; readonly named: Derivative }[] {
  if (shared === undefined) return [];
  const { from, kinds } = shared;
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
