/**
 * Blobs that come inside a lifecycle write.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type BlobHash, parseBlobHash } from "../../core/ids.ts";
import type { OpRequest } from "../../wire/bodies/uploads.ts";
import type { App } from "../app.ts";
import { deletePending, type PendingBlob } from "./pending.ts";

/** A blob that came inside the request. */
export interface InlineBlob {
  readonly role: "metadata" | "provenance";
  readonly hash: BlobHash;
  readonly bytes: Uint8Array;
}

/**
 * Stores bytes that came whole, by way of a file of their own in staging.
 */
export async function storeInline(
  { staging, blobs }: App,
  { uploadId, hash, bytes }: PendingBlob & Pick<InlineBlob, "bytes">,
): Promise<void> {
  try {
    const { synced } = await staging.fill(uploadId, bytes);
    await blobs.place(uploadId, hash, bytes.length, {
      mustTake: true,
      synced,
    });
  } finally {
    await staging.discard(uploadId);
  }
}

/** Leaves what a refused write placed to collection. */
export async function leaveToCollection(
  app: App,
  pending: readonly PendingBlob[],
): Promise<void> {
  try {
    await deletePending(app.db, pending);
  } catch (cause) {
    // The refusal is the answer. Collection deletes the notes by their age.
    app.platform.log.warn("pending blobs not dropped", { cause });
  }
}

/** The blobs inside a request; the manifest is the last. */
export function inlineBlobs(request: OpRequest): InlineBlob[] {
  const { metadata_blob: metadata, manifest_cbor: manifest } = request;
  const blob = (role: InlineBlob["role"], bytes: Uint8Array): InlineBlob => ({
    role,
    hash: hashOf(bytes),
    bytes,
  });
  return [
    ...(metadata === null || metadata === undefined
      ? []
      : [blob("metadata", metadata)]),
    blob("provenance", manifest),
  ];
}

function hashOf(bytes: Uint8Array): BlobHash {
  const hash = parseBlobHash(
    createHash("sha256").update(bytes).digest("hex"),
  );
  if (hash === undefined) throw new Error("SHA-256 is not 32 bytes");
  return hash;
}
