/**
 * Photographs to back up. Random bytes stand for ciphertext, which is all that
 * a server sees of it; manifests are signed, and hashes computed, before any
 * clock runs.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { UploadRequest } from "../../src/client/api/api.ts";
import { signManifest } from "../../src/client/documents/manifest.ts";
import {
  type BlobSource,
  sourceOf,
  uploadBlob,
} from "../../src/client/api/upload.ts";
import { uuidV4 } from "../../src/core/ids.ts";
import type { BlobRole } from "../../src/crypto/receipt.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { openCustody } from "../demo/custody.ts";
import type { Owner } from "../demo/owner.ts";
import { randomBytes } from "../demo/staging.ts";
import { originalOf, repeated } from "./support.ts";

/** Of an original. */
export const PHOTO_BYTES = 3_000_000;
const THUMBNAIL_BYTES = 15_000;
const METADATA_BYTES = 1_000;
/** Begins every original; the rest of it is alike in all. */
const UNIQUE_BYTES = 16;

/** A blob that is ready to be sent. */
interface Part {
  readonly request: UploadRequest;
  readonly source: BlobSource;
}

/** The blobs of a photograph, in the order in which they are sent. */
type Photo = readonly Part[];

const { piece: photoBytes } = repeated(1, PHOTO_BYTES);

/** An original: its own beginning, and a rest that all have. */
function newOriginal(size: number) {
  const beginning = randomBytes(UNIQUE_BYTES);
  const hash = createHash("sha256").update(beginning)
    .update(photoBytes.subarray(UNIQUE_BYTES, size)).digest("hex");
  const source: BlobSource = {
    read(offset, length) {
      const bytes = photoBytes.slice(0, size);
      bytes.set(beginning);
      return Promise.resolve(bytes.subarray(offset, offset + length));
    },
  };
  return { size, hash, source };
}

async function newPhoto(owner: Owner, size = PHOTO_BYTES): Promise<Photo> {
  const original = newOriginal(size);
  const metadata = randomBytes(METADATA_BYTES);
  const { envelope: begun } = originalOf(
    owner.account,
    original,
    uuidV4(randomBytes),
  );
  const envelope = {
    ...begun,
    album_id: owner.albumId,
    metadata_blob_hash: sha256Hex(metadata),
  };
  const partOf = (role: BlobRole, bytes: Uint8Array<ArrayBuffer>): Part => ({
    request: { role, hash: sha256Hex(bytes), size: bytes.length, envelope },
    source: sourceOf(bytes),
  });
  return [
    {
      request: { role: "original", hash: original.hash, size, envelope },
      source: original.source,
    },
    partOf("derivative", randomBytes(THUMBNAIL_BYTES)),
    partOf("metadata", metadata),
    partOf("provenance", await signManifest(owner.identity.signer, envelope)),
  ];
}

/** So many photos of a person, with originals of a size. */
export async function newPhotos(
  owner: Owner,
  count: number,
  size?: number,
): Promise<readonly Photo[]> {
  const photos: Photo[] = [];
  for (let i = 0; i < count; i++) photos.push(await newPhoto(owner, size));
  return photos;
}

/** Sends photographs one after the other, and looks at every receipt. */
export async function backUp(
  { account }: Owner,
  photos: Iterable<Photo>,
): Promise<void> {
  const custody = openCustody();
  for (const photo of photos) {
    for (const { request, source } of photo) {
      const finalized = await uploadBlob(account, request, source);
      custody.add(request.envelope.file_id, request, finalized);
    }
  }
}
