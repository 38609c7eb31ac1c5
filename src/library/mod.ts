/**
 * The library on which the command line and the web app are built. It runs
 * wherever the web's APIs exist; network, clock, randomness and storage are
 * passed in.
 *
 * A first session:
 *
 * ```ts
 * const session = await registerAccount(platform, {
 *   server: "https://photos.example",
 *   address: "ada@example.org",
 *   password,
 *   device: { name: "laptop", platform: "linux" },
 *   keep,
 * });
 * const vault = await openVault(session);
 * const library = await openLibrary(vault, store);
 * const { row } = await library.take({
 *   source: plainOf(bytes),
 *   about: { name: "walk.jpg", mime: "image/jpeg" },
 * });
 * const { url } = await library.share({ assetIds: [row.id] });
 * ```
 *
 * @module
 */
export type { LibraryPlatform } from "./base/platform.ts";
export type {
  Addressed,
  Sealer,
  SealerOptions,
} from "../client/stream/sealer.ts";
export type { StreamKey } from "../client/stream/stream.ts";
export {
  type CredentialStore,
  type Device,
  memoryCredentialStore,
  type Profile,
} from "./vault/profile.ts";
export {
  AnotherAccount,
  type Entrance,
  NotSignedIn,
  publicClient,
  resumeSession,
  type Session,
  type SessionOptions,
} from "./vault/session.ts";
export {
  type AskedProvider,
  askProvider,
  type Provider,
  registerAccount,
  signIn,
  signInReturned,
  signInThrough,
} from "./account/sign_in.ts";
export {
  adoptMasterKey,
  beginKeys,
  escrowLabelsOf,
  keepWords,
  opensAccount,
  openVault,
  recoverVault,
  type Vault,
  VaultError,
  type VaultFault,
} from "./vault/vault.ts";
export type { Enrolling, Joined, Joining } from "./account/devices.ts";
export {
  adoptJoined,
  enrollDevice,
  joinAccount,
  openGuestBox,
} from "./lazy_functions.ts";
export { NAME_MAX_CHARS, renameDevice } from "./vault/naming.ts";
export { type OwnDevice, ownDevices } from "./account/own_devices.ts";
export { EnrollmentError } from "../client/enrollment/enrollment_fault.ts";
export {
  memoryStore,
  type Space,
  SPACES,
  type Store,
  type StoreChange,
  type StoreEntry,
  StoreError,
} from "./base/store.ts";
export {
  type KeptAccount,
  keptAccount,
  moveServer,
} from "./account/sign_in_again.ts";
export {
  bringHome,
  type BroughtHome,
  restoreOrCopy,
} from "./albums/orphan_recovery.ts";
export { type Library, openLibrary } from "./library.ts";
export type { LibraryReading, Sink, SmallPart } from "./rows/reading.ts";
export type { PartCache, ReadManyOptions, ReadPart } from "./rows/read_many.ts";
export type {
  Album,
  AlbumChanges,
  AlbumRole,
  Albums,
} from "./albums/albums.ts";
export {
  type ChangedIdentity,
  type FoundPerson,
  IdentityChanged,
  type KnownPerson,
  NoCard,
  type People,
  Unsealable,
} from "./trust/people.ts";
export type { LibraryStatus } from "./vault/state_copies.ts";
export type { Trust, TrustDamage } from "./trust/trust.ts";
export type { TrustedServer, TrustRecord } from "./trust/trust_record.ts";
export type { Discarded } from "./albums/album_ending.ts";
export type { Collections, PrivateCollection } from "./albums/collections.ts";
export type { AssetIndex } from "./rows/asset_index.ts";
export {
  compareNewest,
  hasLinks,
  newestFirst,
  type Row,
  takenAt,
} from "./rows/rows.ts";
export type { SyncOptions, SyncReport } from "./rows/sync.ts";
export {
  type Kept,
  type NewDerivative,
  type NewFile,
  type UploadOptions,
  type UploadStep,
} from "./adding/upload.ts";
export type { Amendment } from "./adding/amend.ts";
export type { TakeAllOptions, TakenAll } from "./adding/take_all.ts";
export {
  DamagedBlob,
  type Ranges,
  type Reading,
  type Wanted,
} from "./rows/pull.ts";
export type { ReceiptsOptions, ReceiptsReport } from "./care/receipts.ts";
export type { ConfirmOptions, ConfirmReport } from "./care/confirm.ts";
export type { LossesReport } from "./care/loss_report.ts";
export type { LibraryTrash } from "./care/trash.ts";
export type { ProvingReport } from "./adding/proving.ts";
export type { Custody, HeldReceipt, KeptReceipts } from "./trust/custody.ts";
export {
  CustodyError,
  type CustodyFault,
  NoLongerWaits,
  UnconfirmedState,
} from "./base/faults.ts";
export type {
  MadeRequest,
  NewRequest,
  OwnRequest,
} from "./sharing/upload_links.ts";
export type { AcceptOptions, Waiting } from "./sharing/inbox.ts";
export type {
  GuestAbout,
  GuestBox,
  GuestSending,
} from "./sharing/guest_box.ts";
export { heldSource, plainOf, releaseHeld } from "./rows/plaintext_cache.ts";
export { hashSource } from "./adding/sealed_part.ts";
export type { GuestJournal } from "./sharing/guest_journal.ts";
export type { Flags, PhotoFlags } from "./showing/flags.ts";
export {
  type OriginFault,
  OriginRefused,
  type Origins,
} from "./trust/origins.ts";
export type { SharedState } from "./vault/shared_state.ts";
export {
  changedAt,
  type LibraryState,
  present as presentEntries,
} from "../client/documents/state.ts";
export {
  boxesOfProfile,
  deleteAccount,
  dropKeys,
  keptBoxes,
  NoWayBack,
  requireWayBack,
  signOutEverywhere,
  type WaysBack,
  waysBack,
} from "./account/departure.ts";
export type {
  MadeShare,
  NewShare,
  OwnShare,
  ShareChanges,
  ShareContents,
} from "./sharing/links.ts";
export { canBePlaceless, type Places } from "./sharing/placeless.ts";
export type { Placeless } from "./sharing/placeless_counts.ts";
export type { AlbumInfo } from "../client/documents/album_keys.ts";
export {
  ApiProblem,
  ClientTooOld,
  ConnectionError,
  UnexpectedAnswer,
} from "../client/api/api.ts";
export { EscrowError } from "../client/documents/escrow.ts";
export {
  type EscrowEntry,
  PHRASE_LABEL,
  type PhraseFault,
  phraseFault,
  WORDS_LABEL,
} from "../client/documents/recovery.ts";
export {
  newRecoveryWords,
  readRecoveryWords,
  wordsBeginningWith,
} from "./vault/recovery_words.ts";
export type { ReadWords } from "../client/keys/recovery_words.ts";
export { openWithPhrase, sealWithPhrase } from "./account/unlock_phrase.ts";
export { DocumentError } from "../client/documents/fields.ts";
export {
  type PlainSource,
  SourceChanged,
} from "../client/stream/sealed_source.ts";
