/**
 * Giving back what the server lost or damaged of an own asset, from the file
 * itself. The blob's salt is nowhere but in the blob, so the file is sealed
 * anew and the asset gets a new manifest: it keeps its id, and with it its
 * caption, its marks and its lists.
 *
 * @module
 */
import { concatBytes } from "../../core/bytes.ts";
import { ApiProblem } from "../api.ts";
import { DocumentError } from "../fields.ts";
import type { Derivative } from "../metadata.ts";
import { SALT_BYTES, StreamError } from "../stream.ts";
import { DEFAULT_CHUNK_SIZE } from "../suite.ts";
import { wrapFileKey } from "../file_key.ts";
import { copyInto } from "./copies.ts";
import { sealDerivatives } from "./derivatives.ts";
import type {
  Kept,
  NewDerivative,
  NewFile,
  UploadContext,
  UploadOptions,
} from "./upload_types.ts";
import { MOST_HEADS } from "./opening.ts";
import { primitivesOf, sealerOn } from "./platform.ts";
import {
  DamagedBlob,
  DERIVATIVE_MAX_BYTES,
  fileKeyOf,
  readableOf,
  readWhole,
} from "./pull.ts";
import { isBroken, type Row } from "./rows.ts";
import { sealPart } from "./sealed_part.ts";
import { storeAsset } from "./store_asset.ts";

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

/** Stores a file again as the asset that it is already. */
export async function heal(
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
  const newSalt = () => new Uint8Array(platform.random(SALT_BYTES));
  const fileKey = await fileKeyOf(context, row);
  const { epoch, amk } = await keys.newestOf(row.album);
  const original = await sealPart(
    file.source,
    { fileKey, sealer: sealerOn(platform) },
    newSalt(),
    metadata.sha256,
    {
      signal,
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
    const next = 1 +
      Math.max(-1, ...metadata.derivatives.map(({ part }) => part));
    const sealed = await sealDerivatives(context, fileKey, given, next);
    const isDerived = row.key === undefined && row.epoch === epoch;
    const { row: stored, receipts } = await storeAsset(context, {
      assetId: row.id,
      ...(row.album === undefined ? {} : { albumId: row.album }),
      epoch,
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
      metadataSalt: newSalt(),
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
  for (const { kind, mime, width, height, size = 0 } of derivatives) {
    // A long film's copy can be made again.
    if (size > DERIVATIVE_MAX_BYTES) continue;
    try {
      const blob = await readableOf(context, row, { derivative: kind });
      const pieces = await Array.fromAsync(
        readWhole(context, row.id, blob, {}),
      );
      read.push({ kind, mime, width, height, bytes: concatBytes(...pieces) });
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
