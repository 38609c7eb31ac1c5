/**
 * The HTTP half of the client library: one method an operation, every answer
 * read by a strict schema. Nothing here encrypts: it carries what the rest of
 * `client/` made.
 *
 * @module
 */
import * as z from "zod";
import { type Bytes, toBase64 } from "../core/bytes.ts";
import type { BlobRole } from "../crypto/receipt.ts";
import { ReceiptError } from "../crypto/receipt.ts";
import { followSuccession } from "../crypto/succession.ts";
import {
  parsePublishedKeys,
  type PublishedKeys,
} from "../crypto/receipt_chain.ts";
import { type ManifestEnvelope, mirrorFor } from "./manifest.ts";
import {
  type AlbumResponse,
  type AssetReceipt,
  assetReceiptsResponse,
  type AssetResponse,
  assetResponse,
  type DirectoryResponse,
  issueShareResponse,
  provisionAlbumResponse,
  publishDirectoryResponse,
  refreshResponse,
  type SecondFactorChallenge,
  secondFactorChallenge,
  tokenResponse,
  type Tokens,
  type UploadResponse,
  uploadResponse,
} from "./answers.ts";
import {
  ApiProblem,
  type BlobBody,
  type Call,
  type ClientOptions,
  ConnectionError,
  getBlob,
  jsonOf,
  openTransport,
  type Range,
  type Transport,
  UnexpectedAnswer,
} from "./transport.ts";
import { type ShareCalls, shareCalls } from "./links.ts";
import type { UploadTarget } from "./send.ts";
import { uploadCalls } from "./upload_calls.ts";

export { ApiProblem, type ClientOptions, ConnectionError, UnexpectedAnswer };

/** What signing in leads to. */
export type LoginOutcome =
  | { readonly kind: "signed_in"; readonly account: Account }
  | {
    readonly kind: "second_factor";
    readonly challenge: SecondFactorChallenge;
  };

/** One blob of an asset on its way to the server. */
export interface UploadRequest {
  readonly role: BlobRole;
  /** Content address of the blob, which the mirror takes as its own. */
  readonly hash: string;
  /** Bytes of the blob. */
  readonly size: number;
  /** The manifest's fields, as far as they are known by now. */
  readonly envelope: ManifestEnvelope;
}

/** A link to issue; see `share.ts`. */
export interface ShareRequest {
  readonly opaqueId: string;
  /** Content address of the encrypted index. */
  readonly metadataHash: string;
  /** Everything the link may serve, the index included. */
  readonly serves: readonly string[];
  readonly wrappedSecret?: Uint8Array;
  /** RFC 3339; without it the link does not expire. */
  readonly expiresAt?: string;
}

/** Operations that need no account. */
export interface Client extends ShareCalls {
  /** Makes an account and signs in. */
  register(address: string, password: string): Promise<Account>;
  login(address: string, password: string): Promise<LoginOutcome>;
  /** An account by the tokens of a session that was saved. */
  resume(tokens: Tokens): Account;
  /**
   * The keys that receipts verify against. With the id of one that is pinned,
   * that one and those alone which it vouches for, one after the other; where
   * it is not published, a `ReceiptError`.
   */
  attestationKeys(pinned?: string): Promise<PublishedKeys>;
}

/** Operations of a session. An access token that ran out is renewed. */
export interface Account extends UploadTarget {
  readonly userId: string;
  /** The tokens as they stand now, to be saved. */
  tokens(): Tokens;
  /** Renews the access token. */
  refresh(): Promise<void>;
  logout(): Promise<void>;
  /**
   * Presents the password again: some operations want that of the last five
   * minutes, and answer `error.auth.reauthentication_required` without.
   */
  reauthenticate(password: string): Promise<void>;
  /** `identityKey`: 1,984 bytes, or null to leave the anchor alone. */
  publishDirectory(
    directory: Bytes,
    identityKey: Uint8Array | null,
  ): Promise<DirectoryResponse>;
  provisionAlbum(
    albumId: string,
  ): Promise<AlbumResponse>;
  createUpload(request: UploadRequest): Promise<UploadResponse>;
  asset(assetId: string): Promise<AssetResponse>;
  blob(assetId: string, hash: string, range?: Range): Promise<BlobBody>;
  receipts(assetId: string): Promise<readonly AssetReceipt[]>;
  issueShare(request: ShareRequest): Promise<void>;
  revokeShare(opaqueId: string): Promise<void>;
}

/** Makes a client of one server. Throws a TypeError for a malformed URL. */
export function createClient(options: ClientOptions): Client {
  const transport = openTransport(options);
  const get = (path: string) => transport.send({ method: "GET", path });
  const enter = (path: string, address: string, password: string) =>
    transport.send({ method: "POST", path, json: { address, password } });
  return {
    async register(address, password) {
      const response = await enter("/v1/auth/register", address, password);
      return openAccount(transport, await jsonOf(response, tokenResponse));
    },
    async login(address, password) {
      const response = await enter("/v1/auth/login", address, password);
      if (response.status === 202) {
        const challenge = await jsonOf(response, secondFactorChallenge);
        return { kind: "second_factor", challenge };
      }
      const tokens = await jsonOf(response, tokenResponse);
      return { kind: "signed_in", account: openAccount(transport, tokens) };
    },
    resume: (tokens) => openAccount(transport, tokens),
    async attestationKeys(pinned) {
      const response = await get("/.well-known/service/attestation-keys");
      const all = parsePublishedKeys(await jsonOf(response, z.unknown()));
      if (pinned === undefined) return all;
      const followed = await followSuccession(all, pinned);
      if (followed !== undefined) return followed.published;
      throw new ReceiptError(`the pinned key ${pinned} is not published`);
    },
    ...shareCalls(transport.send),
  };
}

function openAccount(transport: Transport, given: Tokens): Account {
  let tokens = given;
  let renewing: Promise<void> | undefined;
  const renew = async () => {
    const response = await transport.send({
      method: "POST",
      path: "/v1/auth/refresh",
      json: { session_token: tokens.session_token },
    });
    tokens = { ...tokens, ...await jsonOf(response, refreshResponse) };
  };
  // Calls that run at the same time share one renewal.
  const refresh = () =>
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
  const send = async (call: Call): Promise<Response> => {
    const token = tokens.access_token;
    try {
      return await transport.send({ ...call, token });
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
    }
    if (tokens.access_token === token) await refresh();
    return await transport.send({ ...call, token: tokens.access_token });
  };
  const post = (path: string, json?: unknown) =>
    send({ method: "POST", path, ...(json === undefined ? {} : { json }) });
  return {
    userId: given.user_id,
    tokens: () => tokens,
    refresh,
    pause: transport.pause,
    async logout() {
      await post("/v1/auth/logout");
    },
    async reauthenticate(password) {
      await post("/v1/auth/reauthenticate", { password });
    },
    async publishDirectory(directory, identityKey) {
      const response = await send({
        method: "PUT",
        path: "/v1/auth/devices/directory",
        headers: {
          "X-Service-Identity-Key": identityKey === null
            ? "null"
            : toBase64(identityKey),
        },
        bytes: { mediaType: "application/cbor", body: directory },
      });
      return await jsonOf(response, publishDirectoryResponse);
    },
    async provisionAlbum(albumId) {
      const response = await post("/v1/albums", { album_id: albumId });
      return await jsonOf(response, provisionAlbumResponse);
    },
    async createUpload(request) {
      const response = await post("/v1/upload", uploadBody(request));
      return await jsonOf(response, uploadResponse);
    },
    ...uploadCalls(send, "/v1/upload"),
    async asset(assetId) {
      const path = `/v1/assets/${assetId}`;
      return await jsonOf(await send({ method: "GET", path }), assetResponse);
    },
    blob: (assetId, hash, range) =>
      getBlob(send, `/v1/assets/${assetId}/blobs/${hash}`, range),
    async receipts(assetId) {
      const path = `/v1/assets/${assetId}/receipts`;
      const response = await send({ method: "GET", path });
      return (await jsonOf(response, assetReceiptsResponse)).receipts;
    },
    async issueShare(request) {
      const response = await post("/v1/shares", shareBody(request));
      const { opaque_id } = await jsonOf(response, issueShareResponse);
      if (opaque_id !== request.opaqueId) {
        throw new UnexpectedAnswer(response.status, "another opaque_id");
      }
    },
    async revokeShare(opaqueId) {
      await send({ method: "DELETE", path: `/v1/shares/${opaqueId}` });
    },
  };
}

/** Whether a fresh access token could change the answer. */
function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiProblem &&
    error.code === "error.auth.token_invalid";
}

function uploadBody({ role, hash, size, envelope }: UploadRequest) {
  return {
    ...(envelope.album_id === undefined ? {} : { album_id: envelope.album_id }),
    crypto_suite_id: envelope.crypto_suite_id,
    blob_role: role,
    ciphertext_hash: hash,
    size,
    manifest_envelope: mirrorFor(envelope, hash),
  };
}

function shareBody(request: ShareRequest) {
  const { wrappedSecret, expiresAt } = request;
  return {
    opaque_id: request.opaqueId,
    metadata_hash: request.metadataHash,
    serves: request.serves,
    ...(wrappedSecret === undefined
      ? {}
      : { wrapped_secret: toBase64(wrappedSecret) }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
}
