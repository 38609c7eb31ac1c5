/**
 * Calls about albums, their rosters, capabilities and upgrades
 * (protocol/albums.md, protocol/federation.md).
 *
 * @module
 */
import { type Bytes, toBase64 } from "../../core/bytes.ts";
import {
  type AlbumEntry,
  type AlbumResponse,
  AlbumsResponse,
  type MintedCapability,
  MintedCapabilityResponse,
  ProvisionAlbumResponse,
  RosterResponse,
  UpgradeCommitResponse,
  type UpgradePhase,
  UpgradePhaseResponse,
} from "../../wire/answers/albums.ts";
import type { AssetReceipt } from "../../wire/answers/receipts.ts";
import { OpResponse } from "../../wire/answers/uploads.ts";
import type {
  MintCapabilityRequest,
  ProvisionAlbumRequest,
  RenewalRequest,
  RosterRequest,
} from "../../wire/bodies/albums.ts";
import type { OpRequest as OpBody } from "../../wire/bodies/uploads.ts";
import { open, type Sent } from "../../wire/open.ts";
import { askingOver, queryOf } from "./asking.ts";
import type { ManifestEnvelope } from "../documents/manifest.ts";
import type { Call, Transport } from "./transport.ts";

/** Most bytes of a signed roster. */
const ROSTER_MAX_BYTES = 12 * 1024 * 1024;

/** A manifest to apply, with its metadata blob. */
export interface OpRequest {
  readonly envelope: ManifestEnvelope;
  /** The signed manifest. */
  readonly manifest: Uint8Array;
  readonly metadata?: Uint8Array;
  /** Blobs that the server has, and that become the asset's with it. */
  readonly blobs?: readonly OpBlob[];
  /** Derivatives that the asset lets go of with it. */
  readonly releases?: readonly string[];
}

/** A blob that a lifecycle write takes from where it is. */
export interface OpBlob {
  readonly role: "original" | "derivative";
  readonly hash: string;
  readonly size: number;
  /** Upload id of a guest's contribution, or else an asset that has it. */
  readonly adopts?: string;
  readonly copies?: string;
}

/** A capability to mint: for whom it is, and for how long. */
export interface CapabilityRequest {
  readonly peer: string;
  readonly member: string;
  readonly scope: "read" | "read-derivative-only";
  readonly ttlSeconds?: number;
  /** RFC 3339. */
  readonly renewableUntil?: string;
}

/** The calls about albums. */
export interface AlbumCalls {
  provisionAlbum(albumId: string): Promise<AlbumResponse>;
  albums(): Promise<readonly AlbumEntry[]>;
  /** The signed roster, verbatim. */
  roster(albumId: string): Promise<Bytes>;
  publishRoster(
    albumId: string,
    roster: Uint8Array,
  ): Promise<{ readonly roster_version: number; readonly replayed: boolean }>;
  /** Leaves someone else's album. */
  leaveAlbum(albumId: string): Promise<void>;
  /** Ends one's own empty album for ever. */
  endAlbum(albumId: string): Promise<void>;
  /** Applies a manifest, its metadata inline. */
  applyOp(
    albumId: string,
    op: OpRequest,
  ): Promise<{
    readonly sync_seq: number;
    readonly replayed: boolean;
    /** Those that the manifest was given with. */
    readonly receipts: readonly AssetReceipt[];
  }>;
  mintCapability(
    albumId: string,
    request: CapabilityRequest,
  ): Promise<MintedCapability>;
  /** Sets the hash (SHA-256 in hex) of the secret that renews a grant. */
  setRenewal(albumId: string, jti: string, verifier: string): Promise<void>;
  revokeCapability(albumId: string, jti: string): Promise<void>;
  upgradePhase(albumId: string): Promise<UpgradePhase>;
  beginUpgrade(albumId: string, intent: Bytes): Promise<UpgradePhase>;
  abortUpgrade(albumId: string, intentId: string): Promise<UpgradePhase>;
  commitUpgrade(
    albumId: string,
    intentId: string,
  ): Promise<{ readonly successor_album_id: string }>;
}

const pathOf = (albumId: string) => `/v1/albums/${albumId}`;

/** The call that applies a manifest, its metadata inline. */
export function opCall(
  albumId: string,
  { envelope, manifest, metadata, blobs, releases }: OpRequest,
): Call {
  const json = {
    manifest_envelope: envelope,
    manifest_cbor: toBase64(manifest),
    ...(metadata === undefined ? {} : { metadata_blob: toBase64(metadata) }),
    ...(blobs === undefined ? {} : {
      blobs: blobs.map(({ role, hash, size, adopts, copies }) => ({
        blob_role: role,
        ciphertext_hash: hash,
        size,
        ...(adopts === undefined ? {} : { adopts }),
        ...(copies === undefined ? {} : { copies }),
      })),
    }),
    ...(releases === undefined ? {} : { releases: [...releases] }),
  } satisfies Sent<typeof OpBody>;
  return { method: "POST", path: `${pathOf(albumId)}/ops`, json };
}

/** Makes the calls, which `send` sends with the account's token. */
export function albumCalls(send: Transport["send"]): AlbumCalls {
  const { get, post, call, done, bytes } = askingOver(send);
  return {
    provisionAlbum: (albumId) =>
      post(
        "/v1/albums",
        { album_id: albumId } satisfies Sent<typeof ProvisionAlbumRequest>,
        open(ProvisionAlbumResponse),
      ),
    albums: async () => (await get("/v1/albums", open(AlbumsResponse))).albums,
    roster: (albumId) => bytes(`${pathOf(albumId)}/roster`, ROSTER_MAX_BYTES),
    publishRoster: (albumId, roster) =>
      call({
        method: "PUT",
        path: `${pathOf(albumId)}/roster`,
        json: { roster_cbor: toBase64(roster) } satisfies Sent<
          typeof RosterRequest
        >,
      }, open(RosterResponse)),
    leaveAlbum: (albumId) =>
      done({ method: "DELETE", path: `${pathOf(albumId)}/membership` }),
    endAlbum: (albumId) => done({ method: "DELETE", path: pathOf(albumId) }),
    applyOp: (albumId, op) => call(opCall(albumId, op), open(OpResponse)),
    mintCapability: (albumId, request) =>
      post(
        `${pathOf(albumId)}/capabilities`,
        {
          peer: request.peer,
          member: request.member,
          scope: request.scope,
          ttl_seconds: request.ttlSeconds,
          renewable_until: request.renewableUntil,
        } satisfies Sent<typeof MintCapabilityRequest>,
        open(MintedCapabilityResponse),
      ),
    setRenewal: (albumId, jti, verifier) =>
      done({
        method: "PUT",
        path: `${pathOf(albumId)}/capabilities/${
          encodeURIComponent(jti)
        }/renewal`,
        json: { verifier } satisfies Sent<typeof RenewalRequest>,
      }),
    revokeCapability: (albumId, jti) =>
      done({
        method: "DELETE",
        path: `${pathOf(albumId)}/capabilities/${encodeURIComponent(jti)}`,
      }),
    upgradePhase: (albumId) =>
      get(`${pathOf(albumId)}/upgrade`, open(UpgradePhaseResponse)),
    beginUpgrade: (albumId, intent) =>
      call({
        method: "POST",
        path: `${pathOf(albumId)}/upgrade`,
        bytes: { mediaType: "application/cbor", body: intent },
      }, open(UpgradePhaseResponse)),
    abortUpgrade: (albumId, intentId) =>
      call({
        method: "DELETE",
        path: `${pathOf(albumId)}/upgrade${queryOf({ intent_id: intentId })}`,
      }, open(UpgradePhaseResponse)),
    commitUpgrade: (albumId, intentId) =>
      post(
        `${pathOf(albumId)}/upgrade/commit${queryOf({ intent_id: intentId })}`,
        undefined,
        open(UpgradeCommitResponse),
      ),
  };
}
