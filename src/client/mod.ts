/**
 * The portable core of the client: the formats, and a client of a server's
 * operations. It runs wherever the web's APIs exist. Apps start from
 * `../library/mod.ts` instead.
 *
 * @module
 */
export * from "./documents/documents.ts";
export type { ProblemCode } from "../core/problem_codes.ts";
export {
  type Account,
  ApiProblem,
  type Client,
  type ClientOptions,
  ClientTooOld,
  ConnectionError,
  createClient,
  type LoginOutcome,
  type SecondFactorChallenge,
  type ShareRequest,
  type SigningDevice,
  UnexpectedAnswer,
  type UploadRequest,
} from "./api/api.ts";
export {
  createGuest,
  createViewer,
  type Guest,
  type GuestUploadRequest,
  type ShareCalls,
} from "./api/links.ts";
export {
  type BlobSource,
  PIECE_BYTES,
  type SendOptions,
  sourceOf,
  uploadBlob,
} from "./api/upload.ts";
export type { BlobBody, Range } from "./api/blob_body.ts";
export type { Fetch, ProblemRecord, Transport } from "./api/transport.ts";
export type { UploadTarget } from "./api/send.ts";
export type {
  AccountCalls,
  FetchedDirectory,
  ModerationRecord,
  Sought,
} from "./api/account_calls.ts";
export type {
  AlbumCalls,
  CapabilityRequest,
  OpRequest,
} from "./api/album_calls.ts";
export type {
  AssetCalls,
  FeedEntry,
  FeedPage,
  FeedQuery,
  ReadingCalls,
  SlotValue,
} from "./api/asset_calls.ts";
export type {
  LinkCalls,
  ShareChange,
  UploadLinkRequest,
} from "./api/link_calls.ts";
export type {
  AppConfig,
  Direction,
  FederatedReport,
  PublicCalls,
} from "./api/public_calls.ts";
export type { OpenUpload, UploadCalls } from "./api/upload_calls.ts";
export type { ManyBlobs, WantedBlob } from "./api/many_blobs.ts";
export type { Profile, User } from "../wire/answers/accounts.ts";
export type {
  AlbumEntry,
  AlbumResponse,
  RevokedCapabilities,
  UpgradePhase,
} from "../wire/answers/albums.ts";
export type {
  Asset as AssetResponse,
  FullAsset,
  StoredBlob,
  TrashPage,
  Usage,
  Verdict,
} from "../wire/answers/assets.ts";
export type {
  Channel,
  DirectoryResponse,
  EnrollmentState,
} from "../wire/answers/devices.ts";
export type {
  Deprecation,
  Deprecations,
  ServerInfo,
} from "../wire/answers/discovery.ts";
export type { GuestLink, SharedMetadata } from "../wire/answers/links.ts";
export type {
  Contribution,
  ShareEntry,
  UploadLinkEntry,
} from "../wire/answers/own_links.ts";
export type { AssetReceipt, ReceiptsPage } from "../wire/answers/receipts.ts";
export type { Challenge, Sessions, Tokens } from "../wire/answers/sessions.ts";
export type {
  Finalized as FinalizeResponse,
  Upload as UploadResponse,
} from "../wire/answers/uploads.ts";
