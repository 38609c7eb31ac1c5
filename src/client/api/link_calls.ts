/**
 * The calls of owners about their share and upload links (protocol/links.md).
 * The calls of the links' holders are in `links.ts`.
 *
 * @module
 */
import { toBase64 } from "../../core/bytes.ts";
import {
  type Contribution,
  ContributionResponse,
  ContributionsResponse,
  IssueShareResponse,
  ListSharesResponse,
  type ShareEntry,
  ShareResponse,
  type UploadLinkEntry,
  UploadLinkResponse,
  UploadLinksResponse,
} from "../../wire/answers/own_links.ts";
import type {
  ChangeShareRequest,
  IssueShareRequest,
  UploadLinkRequest as UploadLinkBody,
} from "../../wire/bodies/links.ts";
import { open, type Sent } from "../../wire/open.ts";
import { askingOver, queryOf } from "./asking.ts";
import { type BlobBody, getBlob, type Range } from "./blob_body.ts";
import { type Transport, UnexpectedAnswer } from "./transport.ts";

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

/** Changes to a link. A null `expiresAt` removes the expiry. */
export interface ShareChange {
  readonly expiresAt?: string | null;
  readonly metadataHash?: string;
  readonly serves?: readonly string[];
}

/** An upload link to issue; see `upload_link.ts`. */
export interface UploadLinkRequest {
  readonly opaqueId: string;
  readonly albumId?: string;
  /** X-Wing public key. */
  readonly recipientKey: Uint8Array;
  readonly wrappedSecret?: Uint8Array;
  /** RFC 3339. */
  readonly expiresAt: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** The calls of owners. */
export interface LinkCalls {
  issueShare(request: ShareRequest): Promise<void>;
  shares(): Promise<readonly ShareEntry[]>;
  changeShare(opaqueId: string, change: ShareChange): Promise<ShareEntry>;
  revokeShare(opaqueId: string): Promise<void>;
  issueUploadLink(request: UploadLinkRequest): Promise<void>;
  uploadLinks(): Promise<readonly UploadLinkEntry[]>;
  revokeUploadLink(opaqueId: string): Promise<void>;
  /** Contributions of a link, a page of them, those begun first. */
  contributions(
    opaqueId: string,
    after?: string,
    limit?: number,
  ): Promise<{
    readonly contributions: readonly Contribution[];
    readonly next_after?: string | null | undefined;
  }>;
  contribution(opaqueId: string, uploadId: string): Promise<Contribution>;
  contributionBlob(
    opaqueId: string,
    uploadId: string,
    range?: Range,
  ): Promise<BlobBody>;
  deleteContribution(opaqueId: string, uploadId: string): Promise<void>;
}

/** Makes the calls, which `send` sends with the account's token. */
export function linkCalls(send: Transport["send"]): LinkCalls {
  const { get, post, call, done } = askingOver(send);
  const sharePath = (id: string) => `/v1/shares/${id}`;
  const linkPath = (id: string) => `/v1/upload-links/${id}`;
  const contribution = (id: string, uploadId: string) =>
    `${linkPath(id)}/contributions/${uploadId}`;
  const expectId = (given: string, asked: string) => {
    if (given === asked) return;
    throw new UnexpectedAnswer(201, "another opaque_id");
  };
  return {
    async issueShare(request) {
      const answer = open(IssueShareResponse);
      const issued = await post("/v1/shares", shareBody(request), answer);
      expectId(issued.opaque_id, request.opaqueId);
    },
    shares: async () =>
      (await get("/v1/shares", open(ListSharesResponse))).shares,
    changeShare: (opaqueId, { expiresAt, metadataHash, serves }) =>
      call({
        method: "PATCH",
        path: sharePath(opaqueId),
        json: {
          ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
          ...(metadataHash === undefined
            ? {}
            : { metadata_hash: metadataHash }),
          ...(serves === undefined ? {} : { serves }),
        } satisfies Sent<typeof ChangeShareRequest>,
      }, open(ShareResponse)),
    revokeShare: (id) => done({ method: "DELETE", path: sharePath(id) }),
    async issueUploadLink(request) {
      const body = uploadLinkBody(request);
      const answer = open(UploadLinkResponse);
      const issued = await post("/v1/upload-links", body, answer);
      expectId(issued.opaque_id, request.opaqueId);
    },
    uploadLinks: async () =>
      (await get("/v1/upload-links", open(UploadLinksResponse))).upload_links,
    revokeUploadLink: (id) => done({ method: "DELETE", path: linkPath(id) }),
    contributions: (id, after, limit) =>
      get(
        `${linkPath(id)}/contributions${queryOf({ after, limit })}`,
        open(ContributionsResponse),
      ),
    contribution: (id, uploadId) =>
      get(contribution(id, uploadId), open(ContributionResponse)),
    contributionBlob: (id, uploadId, range) =>
      getBlob(send, `${contribution(id, uploadId)}/blob`, range),
    deleteContribution: (id, uploadId) =>
      done({ method: "DELETE", path: contribution(id, uploadId) }),
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
  } satisfies Sent<typeof IssueShareRequest>;
}

function uploadLinkBody(request: UploadLinkRequest) {
  const { albumId, wrappedSecret } = request;
  return {
    opaque_id: request.opaqueId,
    ...(albumId === undefined ? {} : { album_id: albumId }),
    recipient_key: toBase64(request.recipientKey),
    ...(wrappedSecret === undefined
      ? {}
      : { wrapped_secret: toBase64(wrappedSecret) }),
    expires_at: request.expiresAt,
    max_bytes: request.maxBytes,
    max_files: request.maxFiles,
  } satisfies Sent<typeof UploadLinkBody>;
}
