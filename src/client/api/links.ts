/**
 * The calls of a link's holder, who needs no account: viewing a share, and
 * sending files through an upload link. They are apart from `api.ts` so that
 * their pages load nothing else.
 *
 * @module
 */
import { type Bytes, toBase64 } from "../../core/bytes.ts";
import {
  type GuestLink,
  GuestLinkResponse,
  type SharedMetadata,
  SharedMetadataResponse,
} from "../../wire/answers/links.ts";
import {
  GuestFinalizeResponse,
  GuestUploadResponse,
  type Upload,
} from "../../wire/answers/uploads.ts";
import type {
  GuestUploadRequest as GuestUploadBody,
  SharedBlobsRequest,
} from "../../wire/bodies/links.ts";
import { open, type Sent } from "../../wire/open.ts";
import { type BlobBody, getBlob, type Range } from "./blob_body.ts";
import {
  bytesOf,
  type ClientOptions,
  jsonOf,
  openTransport,
  type Transport,
} from "./transport.ts";
import { type ManyBlobs, manyBlobs } from "./many_blobs.ts";
import type { UploadTarget } from "./send.ts";
import { uploadCalls } from "./upload_calls.ts";

/** The calls of viewers. */
export interface ShareCalls {
  viewShare(opaqueId: string): Promise<SharedMetadata>;
  sharedBlob(opaqueId: string, hash: string, range?: Range): Promise<BlobBody>;
  /**
   * Up to 100 small blobs that the link serves, in the order of the request.
   */
  sharedBlobs(opaqueId: string, hashes: readonly string[]): Promise<ManyBlobs>;
  /** The wrapped secret of a link with a passphrase. */
  sharedSecret(opaqueId: string): Promise<Bytes>;
}

/** Makes the calls of viewers over a function that sends. */
export function shareCalls(send: Transport["send"]): ShareCalls {
  return {
    async viewShare(opaqueId) {
      const path = `/s/${opaqueId}`;
      return await jsonOf(
        await getJson(send, path),
        open(SharedMetadataResponse),
      );
    },
    sharedBlob: (opaqueId, hash, range) =>
      getBlob(send, `/s/${opaqueId}/blob/${hash}`, range),
    sharedBlobs: (opaqueId, hashes) =>
      manyBlobs(
        send,
        `/s/${opaqueId}/blobs`,
        { hashes } satisfies Sent<typeof SharedBlobsRequest>,
        hashes.length,
      ),
    sharedSecret: (opaqueId) => getBytes(send, `/s/${opaqueId}/wrapped-secret`),
  };
}

/**
 * Makes a viewer of a server's shares. Throws a TypeError for a malformed URL.
 */
export function createViewer(options: ClientOptions): ShareCalls {
  return shareCalls(openTransport(options).send);
}

/** A file on its way through an upload link; see `guest.ts`. */
export interface GuestUploadRequest {
  /** Content address of the blob. */
  readonly hash: string;
  /** Bytes of the blob. */
  readonly size: number;
  readonly sealedMetadata: Uint8Array;
}

/** The calls of the guest of one upload link. */
export interface Guest extends UploadTarget {
  viewLink(): Promise<GuestLink>;
  /** The state of an upload session. */
  upload(uploadId: string): Promise<Upload>;
  /** The wrapped secret of a link with a passphrase. */
  linkSecret(): Promise<Bytes>;
  /** Opens a session; each call uses up one of the link's files. */
  createUpload(request: GuestUploadRequest): Promise<Upload>;
}

/**
 * Makes the guest of an upload link. Throws a TypeError for a malformed URL.
 */
export function createGuest(options: ClientOptions, opaqueId: string): Guest {
  const { send, pause } = openTransport(options);
  const path = `/u/${opaqueId}`;
  return {
    pause,
    ...uploadCalls(send, `${path}/uploads`, open(GuestFinalizeResponse)),
    async viewLink() {
      return await jsonOf(await getJson(send, path), open(GuestLinkResponse));
    },
    async upload(uploadId) {
      const response = await getJson(send, `${path}/uploads/${uploadId}`);
      return await jsonOf(response, open(GuestUploadResponse));
    },
    linkSecret: () => getBytes(send, `${path}/wrapped-secret`),
    async createUpload({ hash, size, sealedMetadata }) {
      const response = await send({
        method: "POST",
        path: `${path}/uploads`,
        json: {
          ciphertext_hash: hash,
          size,
          sealed_metadata: toBase64(sealedMetadata),
        } satisfies Sent<typeof GuestUploadBody>,
      });
      return await jsonOf(response, open(GuestUploadResponse));
    },
  };
}

/** The same path answers with a page to a client that prefers HTML. */
function getJson(send: Transport["send"], path: string): Promise<Response> {
  const headers = { Accept: "application/json" };
  return send({ method: "GET", path, headers });
}

/** Most bytes of a link's wrapped secret. */
const SECRET_MAX_BYTES = 64 * 1024;

async function getBytes(
  send: Transport["send"],
  path: string,
): Promise<Bytes> {
  return await bytesOf(await send({ method: "GET", path }), SECRET_MAX_BYTES);
}
