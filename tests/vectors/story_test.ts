/**
 * An account's photos, read out of its master key and of what the server has:
 * through epochs, a move, a copy, and a guest's file.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toHex } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { openAlbum } from "../../src/client/documents/album_keys.ts";
import {
  derivedFileKey,
  metadataKey,
  unwrapFileKey,
} from "../../src/client/documents/file_key.ts";
import {
  guestBinding,
  openGuestFile,
} from "../../src/client/documents/guest.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import {
  openManifest,
  verifyManifest,
} from "../../src/client/documents/manifest.ts";
import { decodeMetadata } from "../../src/client/documents/metadata.ts";
import { verifyRoster } from "../../src/client/documents/roster.ts";
import { decryptBytes } from "../../src/client/stream/stream.ts";
import { patternOf } from "../../scripts/vectors/seeds.ts";
import { backends, base64, hex, PRIMITIVES } from "../support/vectors.ts";
import vectors from "./story.json" with { type: "json" };

const [[ADA, ADAS] = assert.fail(), [BEN, BENS] = assert.fail()] = Object
  .entries(vectors.users);
const ANCHORS = new Map(
  [[ADA, ADAS], [BEN, BENS]].map(([id, user]) =>
    typeof id === "string" && typeof user === "object"
      ? [id, base64(user.identity_key)]
      : assert.fail()
  ),
);
const BLOBS = new Map(
  Object.entries(vectors.blobs).map(([hash, blob]) => [hash, base64(blob)]),
);

/** A blob of the story, under its own hash. */
function blobOf(hash: string | undefined): Uint8Array<ArrayBuffer> {
  const blob = BLOBS.get(hash ?? "");
  assert(blob && sha256Hex(blob) === hash);
  return blob;
}

Deno.test("an album is read through its epochs, its successor, copies and a guest's file, in every backend", async () => {
  for (const backend of await backends()) {
    for (const primitives of PRIMITIVES) {
      const ada = await openIdentity(
        hex(ADAS.master_key),
        undefined,
        backend,
      );
      const keysOf = async (roster: string, member: string, key: string) => {
        const read = await verifyRoster(
          base64(roster),
          base64(ADAS.identity_key),
          backend,
        );
        const { sealing } = await openIdentity(hex(key), undefined, backend);
        const opened = await openAlbum(read, member, sealing, primitives);
        return [read.album_id, opened?.keys] as const;
      };
      const [first = "", newest = "", successor = ""] = vectors.rosters;
      const keys = new Map([
        await keysOf(newest, ADA, ADAS.master_key),
        await keysOf(successor, ADA, ADAS.master_key),
      ]);
      assert.deepEqual([...keys.keys()], [ada.albumId(2), ada.albumId(3)]);
      const [, bens] = await keysOf(first, BEN, BENS.master_key);
      assert.deepEqual([...bens?.keys() ?? []], [0]);
      const [, none] = await keysOf(newest, BEN, BENS.master_key);
      assert.equal(none, undefined);

      const heads = new Map<string, { hash: string; revision: number }>();
      for (const asset of vectors.assets) {
        const bytes = base64(asset.manifest);
        const author = openManifest(bytes).envelope.created_by_user;
        const anchor = ANCHORS.get(author) ?? assert.fail();
        const { envelope, sealedKey, revision, hash } = await verifyManifest(
          bytes,
          anchor,
          backend,
        );
        const { file_id: fileId, album_id: albumId, chunk_size } = envelope;
        const before = heads.get(fileId);
        assert.equal(revision, before === undefined ? 0 : before.revision + 1);
        assert.equal(envelope.prior_provenance_hash, before?.hash);
        assert.equal(revision, asset.revision);
        heads.set(fileId, { hash, revision });
        const amk = albumId === undefined
          ? ada.libraryKey
          : keys.get(albumId)?.get(envelope.amk_version);
        assert(amk !== undefined, asset.what);
        const fileKey = sealedKey === undefined
          ? derivedFileKey(amk, fileId, primitives)
          : unwrapFileKey(amk, fileId, sealedKey, primitives);
        assert(fileKey !== undefined && toHex(fileKey) === asset.file_key);
        const open = (key: Uint8Array, blob: Uint8Array, chunkSize?: number) =>
          decryptBytes(
            {
              fileKey: key,
              primitives,
              ...(chunkSize === undefined ? {} : { chunkSize }),
            },
            blob,
          );
        assert.deepEqual(
          await open(
            fileKey,
            blobOf(envelope.original_blob_hash),
            chunk_size,
          ),
          patternOf(asset.metadata.size),
        );
        const sealed = blobOf(envelope.metadata_blob_hash);
        const metadata = await open(
          metadataKey(amk, fileId, primitives),
          sealed,
        );
        assert.deepEqual(decodeMetadata(metadata), asset.metadata);
        // A file key is handed out, and opens no metadata.
        await assert.rejects(open(fileKey, sealed), { name: "StreamError" });
        if (asset.sealed_metadata !== undefined) {
          const guest = openGuestFile(
            base64(asset.sealed_metadata),
            ada.uploadLinkKeys(vectors.opaque_id).secretKey,
            guestBinding(vectors.opaque_id),
            primitives,
          );
          assert.deepEqual(guest?.key, fileKey);
        }
      }
    }
  }
});
