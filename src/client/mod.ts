/**
 * The portable core of the client: the formats, and a client of a server's
 * operations. It runs wherever the web's APIs exist. Apps start from
 * `./library/mod.ts` instead.
 *
 * @module
 */
export * from "./documents.ts";
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
  type ShareRequest,
  type SigningDevice,
  UnexpectedAnswer,
  type UploadRequest,
} from "./api.ts";
export {
  createGuest,
  createViewer,
  type Guest,
  type GuestUploadRequest,
  type ShareCalls,
} from "./links.ts";
export {
  type BlobSource,
  PIECE_BYTES,
  type SendOptions,
  sourceOf,
  uploadBlob,
} from "./upload.ts";
export type { BlobBody, Range } from "./blob_body.ts";
export type { Fetch, ProblemRecord, Transport } from "./transport.ts";
export type { UploadTarget } from "./send.ts";
export type {
  AccountCalls,
  FetchedDirectory,
  Sought,
} from "./account_calls.ts";
export type {
  AlbumCalls,
  CapabilityRequest,
  OpRequest,
} from "./album_calls.ts";
export type {
  AssetCalls,
  FeedQuery,
  ReadingCalls,
  SlotValue,
} from "./asset_calls.ts";
export type {
  LinkCalls,
  ShareChange,
  UploadLinkRequest,
} from "./link_calls.ts";
export type {
  Direction,
  FederatedReport,
  PublicCalls,
} from "./public_calls.ts";
export type { OpenUpload, UploadCalls } from "./upload_calls.ts";
export type { ManyBlobs, WantedBlob } from "./many_blobs.ts";
export type {
  AlbumEntry,
  Challenge,
  Channel,
  EnrollmentState,
  ModerationRecord,
  Profile,
  Sessions,
  UpgradePhase,
  User,
} from "./account_answers.ts";
export type {
  MadePasskey,
  Passkey,
  PasskeyCalls,
  PasskeyLoginOptions,
  PasskeyOptions,
  SignedByPasskey,
} from "./passkey_calls.ts";
export type {
  AlbumResponse,
  AssetReceipt,
  AssetResponse,
  DirectoryResponse,
  FinalizeResponse,
  GuestLink,
  SecondFactorChallenge,
  SharedMetadata,
  StoredBlob,
  Tokens,
  UploadResponse,
} from "./answers.ts";
export type {
  AppConfig,
  Contribution,
  Deprecation,
  Deprecations,
  FeedEntry,
  FeedPage,
  FullAsset,
  ReceiptsPage,
  RevokedCapabilities,
  ServerInfo,
  ShareEntry,
  TrashPage,
  UploadLinkEntry,
  Usage,
  Verdict,
} from "./asset_answers.ts";
