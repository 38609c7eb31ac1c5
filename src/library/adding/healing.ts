/**
 * Giving back what the server lost or damaged of an own asset, from the file
 * itself.
 *
 * @module
 */
import { type Bytes, concatBytes, equalBytes } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { StoredBlob } from "../../wire/answers/assets.ts";
import { ApiProblem, UnexpectedAnswer } from "../../client/api/api.ts";
import { piecesOf } from "../../client/stream/chunks.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import type { Derivative } from "../../client/documents/metadata.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { persist } from "../../client/api/send.ts";
import {
  type BlobKey,
  ciphertextSize,
  HEAD_BYTES,
  SALT_BYTES,
  saltOf,
  StreamError,
  streamKey,
} from "../../client/stream/stream.ts";
import { DEFAULT_CHUNK_SIZE } from "../../client/documents/suite.ts";
import { wrapFileKey } from "../../client/documents/file_key.ts";
import { uploadBlob } from "../../client/api/upload.ts";
import { amendAsset } from "./amend.ts";
import { copyInto } from "./copies.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import { saidOf, sealDerivatives } from "./derivatives.ts";
import type {
  Kept,
  NewDerivative,
  NewFile,
  UploadContext,
  UploadOptions,
} from "./upload_types.ts";
import { MOST_HEADS } from "../rows/opening.ts";
import { primitivesOf, sealerOn } from "../base/platform.ts";
import {
  DamagedBlob,
  DERIVATIVE_MAX_BYTES,
  fileKeyOf,
  readableOf,
  readWhole,
} from "../rows/pull.ts";
import { blobOf, isBroken, ownBlobs, type Row } from "../rows/rows.ts";
import { sealPart } from "./sealed_part.ts";
import type { StoreChange } from "../base/store.ts";
import { envelopeOf, storeAsset } from "./store_asset.ts";

/** An own asset with these bytes of which the server lost or damaged a blob. */
export function brokenOf(
  { index, vault }: UploadContext,
  sha256: string,
  albumId: string,
): Row | undefined {
  return index.allByPlaintext(sha256).find((row) =>
    row.state === "live" && row.album === albumId && isBroken(row) &&
    row.owner === vault.session.userId && row.shown === undefined
  );
}

/**
 * Gives the server back what it lost of an asset: the very blobs where they can
 * be made again, so that links and other people's copies have them again, too.
 * For the rest the asset gets a new manifest.
 */
export async function heal(
  context: UploadContext,
  row: Row,
  file: NewFile,
  options: UploadOptions,
): Promise<Kept> {
  const { index, vault: { session: { platform } } } = context;
  const { metadata } = row;
  if (metadata === undefined) throw new TypeError("the row is not open");
  const { signal } = options;
  const lost = await lostBlobs(context, row);
  const original = blobOf(row, "original");
  const back: StoreChange[] = [];
  const give = async (made: Made): Promise<boolean> => {
    const receipts = await givenBack(context, row, made, options);
    if (receipts === undefined) return false;
    lost.delete(made.blob.hash);
    back.push(...receipts);
    return true;
  };
  if (original !== undefined && lost.has(original.hash)) {
    const key = {
      fileKey: await fileKeyOf(context, row),
      chunkSize: row.chunk_size,
    };
    const { source } = file;
    const { sha256 } = metadata;
    const isBack = await give({ blob: original, source, sha256, key });
    if (!isBack) return await storeAgain(context, row, file, options);
  }
  for (const one of metadata.derivatives) {
    const blob = row.blobs.find(({ hash }) => hash === one.hash);
    const made = file.derivatives?.find(({ kind }) => kind === one.kind);
    if (!blob || !made || !lost.has(blob.hash)) continue;
    const sha256 = sha256Hex(made.bytes);
    const key = { fileKey: one.key };
    await give({ blob, source: plainOf(made.bytes), sha256, key });
  }
  options.onSent?.();
  // Of a video that cannot be read the loss stays known.
  const kinds = metadata.derivatives.flatMap(({ hash, kind }) =>
    lost.has(hash) ? [kind] : []
  );
  const made = (file.derivatives ?? []).filter((one) =>
    kinds.includes(one.kind)
  );
  const without = kinds.filter((kind) => kind !== "motion");
  const isLeft = made.length > 0 || without.length > 0 ||
    row.blobs.some(({ role, hash }) =>
      lost.has(hash) && (role === "metadata" || role === "provenance")
    );
  const healed: Row = lost.size > 0 ? row : {
    ...row,
    custody: "receipted",
    custody_at: toRfc3339(platform.now()),
  };
  await index.append(healed, back);
  if (!isLeft) {
    return { outcome: lost.size > 0 ? "known" : "kept", row: healed };
  }
  const amended = await amendAsset(context, row, {
    derivatives: made,
    without,
    // The server has nothing of them to keep for links.
    releases: true,
    ...(signal === undefined ? {} : { signal }),
  });
  return { outcome: "kept", row: amended };
}

/** The blobs of an asset that the server does not have as they were. */
async function lostBlobs(
  { vault: { session: { account } } }: UploadContext,
  row: Row,
): Promise<Set<string>> {
  const blob_hashes = ownBlobs(row).map(({ hash }) => hash);
  const asked = [{ asset_id: row.id, blob_hashes }];
  const [verdict] = await persist(
    account,
    () => account.verifyStorage(asked, true),
    {},
  );
  // Where the budget for reading is spent, what was found before counts.
  const isSuspect = row.custody === "damaged";
  const whole = new Set(
    verdict?.blobs.flatMap(({ hash, retrievable, deep }) =>
      retrievable && (deep === "intact" || (!isSuspect && deep !== "corrupt"))
        ? [hash]
        : []
    ),
  );
  return new Set(blob_hashes.filter((hash) => !whole.has(hash)));
}

/** A blob that was lost, and what to make it of. */
interface Made {
  readonly blob: StoredBlob;
  readonly source: PlainSource;
  /** Of the plaintext. */
  readonly sha256: string;
  readonly key: Pick<BlobKey, "fileKey" | "chunkSize">;
}

/**
 * Makes a lost blob again and gives it back (protocol/uploads.md#heal); its
 * receipt. Undefined if the same bytes cannot be made, because it is another
 * file or the salt is lost with the blob, or the server takes no more for now.
 */
async function givenBack(
  context: UploadContext,
  row: Row,
  { blob, source, sha256, key }: Made,
  { signal, onProgress }: UploadOptions,
): Promise<readonly StoreChange[] | undefined> {
  const { vault, custody } = context;
  const { account, platform } = vault.session;
  if (ciphertextSize(source.size, key.chunkSize) !== blob.size) return;
  const sealer = sealerOn(platform);
  const salts = [
    () => saltOf(key, sha256),
    () => saltInHead(context, row, blob.hash, key),
  ];
  for (const draw of salts) {
    const salt = await draw();
    if (salt === undefined) continue;
    const part = await sealPart(source, { ...key, sealer }, sha256, {
      signal,
      salt,
      onProgress: (bytes) => onProgress?.("sealing", bytes),
    });
    try {
      const { hash, size, plaintextSize } = part;
      if (hash !== blob.hash) continue;
      const { role } = blob;
      const envelope = envelopeOf(vault, {
        assetId: row.id,
        ...(row.album === undefined ? {} : { albumId: row.album }),
        epoch: row.epoch,
        chunkSize: key.chunkSize ?? DEFAULT_CHUNK_SIZE,
        original: { hash, plaintextSize },
      });
      const { upload_id: uploadId, receipt: { receipt_cbor } } =
        await uploadBlob(
          account,
          { role, hash, size, envelope, heals: row.id },
          part,
          { signal, onProgress: (held) => onProgress?.("sending", held) },
        );
      const sent = { assetId: row.id, role, hash, size, uploadId };
      return [(await custody.verify(sent, receipt_cbor)).change];
    } catch (error) {
      const code = error instanceof ApiProblem ? error.code : undefined;
      // Another device was faster.
      if (code === "error.upload.not_needed") return [];
      if (code === "error.account.rate_limited") return undefined;
      throw error;
    } finally {
      part.release();
    }
  }
  return undefined;
}

/** The salt in what the server still has of a blob, if the key made it. */
async function saltInHead(
  { vault: { session: { account } } }: UploadContext,
  { id }: Row,
  hash: string,
  key: Made["key"],
): Promise<Uint8Array | undefined> {
  try {
    const part = { first: 0, last: HEAD_BYTES - 1 };
    const { stream } = await account.blob(id, hash, part);
    const head = await startOf(stream, HEAD_BYTES);
    const salt = head.subarray(0, SALT_BYTES);
    if (salt.length < SALT_BYTES) return undefined;
    return equalBytes(streamKey(key, salt).head, head) ? salt : undefined;
  } catch (error) {
    // There is nothing left of it.
    const isLost = error instanceof ApiProblem ||
      error instanceof UnexpectedAnswer;
    if (!isLost) throw error;
    return undefined;
  }
}

async function startOf(
  stream: ReadableStream<Uint8Array>,
  length: number,
): Promise<Bytes> {
  let start: Bytes = new Uint8Array();
  for await (const piece of piecesOf(stream)) {
    start = concatBytes(start, piece);
    if (start.length >= length) break;
  }
  return start.slice(0, length);
}

/**
 * Stores a file again as the asset that it is already, under a blob of another
 * address. It keeps its id, and with it its caption, its marks and its lists.
 */
async function storeAgain(
  context: UploadContext,
  row: Row,
  file: NewFile,
  options: UploadOptions,
): Promise<Kept> {
  const { vault, keys, index } = context;
  const { metadata } = row;
  if (metadata === undefined) throw new TypeError("the row is not open");
  const { platform } = vault.session;
  const primitives = primitivesOf(platform);
  const { signal } = options;
  const fileKey = await fileKeyOf(context, row);
  const { epoch, amk } = await keys.newestOf(row.album);
  const original = await sealPart(
    file.source,
    { fileKey, sealer: sealerOn(platform) },
    metadata.sha256,
    {
      signal,
      salt: new Uint8Array(platform.random(SALT_BYTES)),
      onProgress: (bytes) => options.onProgress?.("sealing", bytes),
    },
  );
  try {
    const others = metadata.derivatives.filter(({ kind }) =>
      file.derivatives?.every((one) => one.kind !== kind) ?? true
    );
    // With its original an asset loses the derivatives that it had
    // (protocol/manifests.md): they are sent once more.
    const held = await readAll(context, row, others);
    const given = [...file.derivatives ?? [], ...held];
    // Of a video that cannot be read the loss stays known.
    const kept = others.filter(({ kind }) =>
      kind === "motion" && held.every((one) => one.kind !== kind)
    );
    const sealed = await sealDerivatives(context, given);
    const isDerived = row.key === undefined && row.epoch === epoch;
    const { row: stored, receipts } = await storeAsset(context, {
      assetId: row.id,
      ...(row.album === undefined ? {} : { albumId: row.album }),
      epoch,
      amk,
      fileKey,
      ...(isDerived ? {} : {
        sealedKey: wrapFileKey(
          amk,
          row.id,
          fileKey,
          platform.random,
          primitives,
        ),
      }),
      chunkSize: DEFAULT_CHUNK_SIZE,
      original,
      derivatives: sealed.map(({ part }) => part),
      replaces: row,
      sendsOriginal: true,
      metadata: {
        ...metadata,
        derivatives: [...kept, ...sealed.map(({ named }) => named)],
      },
      onSent: (bytes) => options.onProgress?.("sending", bytes),
      ...(signal === undefined ? {} : { signal }),
    });
    options.onSent?.();
    const heads = [...row.heads ?? [], row.head].slice(-MOST_HEADS);
    const healed: Row = { ...stored, heads };
    await index.append(healed, receipts);
    return { outcome: "kept", row: healed };
  } finally {
    original.release();
  }
}

/** The derivatives of an asset that can be read. */
async function readAll(
  context: UploadContext,
  row: Row,
  derivatives: readonly Derivative[],
): Promise<NewDerivative[]> {
  const read: NewDerivative[] = [];
  for (const one of derivatives) {
    const { kind, size = 0 } = one;
    // A long film's copy can be made again.
    if (size > DERIVATIVE_MAX_BYTES) continue;
    try {
      const blob = await readableOf(context, row, { derivative: kind });
      const pieces = await Array.fromAsync(
        readWhole(context, row.id, blob, {}),
      );
      read.push({ ...saidOf(one), bytes: concatBytes(...pieces) });
    } catch (error) {
      const isLost = error instanceof ApiProblem ||
        error instanceof DamagedBlob || error instanceof DocumentError ||
        error instanceof StreamError;
      if (!isLost) throw error;
    }
  }
  return read;
}

/**
 * Puts lost copies of a photo back into their albums, once the photo itself is
 * stored; returns the number of those that are back. One that its album does
 * not take stays lost, and is told of as before.
 */
export async function healCopies(
  context: UploadContext,
  lost: readonly Row[],
  photo: Row,
  file: NewFile,
  options: UploadOptions,
): Promise<number> {
  const { signal } = options;
  let back = 0;
  for (const copy of lost) {
    if (copy.album === undefined || copy.album === photo.album) continue;
    try {
      if (copy.state === "missing") {
        await copyInto(context, photo, copy.album);
      } else {
        await heal(context, copy, file, signal === undefined ? {} : { signal });
      }
      back += 1;
    } catch (error) {
      const isRefused = error instanceof ApiProblem ||
        error instanceof DocumentError;
      if (!isRefused) throw error;
    }
  }
  return back;
}
