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
export type { LibraryPlatform } from "./platform.ts";
export type { Addressed, Sealer, SealerOptions } from "../sealer.ts";
export type { StreamKey } from "../stream.ts";
export {
  type CredentialStore,
  type Device,
  memoryCredentialStore,
  type Profile,
} from "./profile.ts";
export {
  AnotherAccount,
  type Entrance,
  NotSignedIn,
  publicClient,
  resumeSession,
  type Session,
  type SessionOptions,
} from "./session.ts";
export {
  type AskedProvider,
  askProvider,
  type Provider,
  registerAccount,
  signIn,
  signInReturned,
  signInThrough,
} from "./sign_in.ts";
export {
  adoptMasterKey,
  beginKeys,
  escrowLabelsOf,
  openVault,
  recoverVault,
  type Vault,
  VaultError,
  type VaultFault,
} from "./vault.ts";
export type { Enrolling, Joined, Joining } from "./devices.ts";
export {
  adoptJoined,
  enrollDevice,
  joinAccount,
  openGuestBox,
} from "./lazy_functions.ts";
export { NAME_MAX_CHARS, renameDevice } from "./naming.ts";
export { type OwnDevice, ownDevices } from "./own_devices.ts";
export { EnrollmentError } from "../enrollment_fault.ts";
export {
  memoryStore,
  type Space,
  SPACES,
  type Store,
  type StoreChange,
  type StoreEntry,
  StoreError,
} from "./store.ts";
export { type KeptAccount, keptAccount, moveServer } from "./returning.ts";
export { bringHome, type BroughtHome, restoreOrCopy } from "./homecoming.ts";
export { type Library, openLibrary } from "./library.ts";
export type { LibraryReading, Sink, SmallPart } from "./reading.ts";
export type { PartCache, ReadManyOptions, ReadPart } from "./read_many.ts";
export type { Album, AlbumChanges, AlbumRole, Albums } from "./albums.ts";
export {
  type ChangedIdentity,
  type FoundPerson,
  IdentityChanged,
  type KnownPerson,
  type People,
} from "./people.ts";
export type { LibraryStatus } from "./state_copies.ts";
export type { Trust, TrustDamage } from "./trust.ts";
export type { TrustedServer, TrustRecord } from "./trust_record.ts";
export type { Discarded } from "./album_ending.ts";
export type { Collections, PrivateCollection } from "./collections.ts";
export type { AssetIndex } from "./asset_index.ts";
export { hasLinks, newestFirst, type Row, takenAt } from "./rows.ts";
export type { SyncOptions, SyncReport } from "./sync.ts";
export {
  type Kept,
  type NewDerivative,
  type NewFile,
  type UploadOptions,
  type UploadStep,
} from "./upload.ts";
export type { Amendment } from "./amend.ts";
export type { TakeAllOptions, TakenAll } from "./take_all.ts";
export { DamagedBlob, type Ranges, type Reading, type Wanted } from "./pull.ts";
export type { ReceiptsOptions, ReceiptsReport } from "./receipts.ts";
export type { ConfirmOptions, ConfirmReport } from "./confirm.ts";
export type { LossesReport } from "./loss_report.ts";
export type { LibraryTrash } from "./trash.ts";
export type { ProvingReport } from "./proving.ts";
export type { Custody, HeldReceipt, KeptReceipts } from "./custody.ts";
export {
  CustodyError,
  type CustodyFault,
  NoLongerWaits,
  UnconfirmedState,
} from "./faults.ts";
export type { MadeRequest, NewRequest, OwnRequest } from "./upload_links.ts";
export type { AcceptOptions, Waiting } from "./inbox.ts";
export type { GuestAbout, GuestBox, GuestSending } from "./guest_box.ts";
export { heldSource, plainOf, releaseHeld } from "./held.ts";
export { hashSource } from "./sealed_part.ts";
export type { GuestJournal } from "./guest_journal.ts";
export type { Flags, PhotoFlags } from "./flags.ts";
export { type OriginFault, OriginRefused, type Origins } from "./origins.ts";
export type { SharedState } from "./shared_state.ts";
export {
  changedAt,
  type LibraryState,
  present as presentEntries,
} from "../state.ts";
export type { Asked, OwnPasskey } from "./passkeys.ts";
export {
  deleteAccount,
  hasWayBack,
  NoWayBack,
  signOutEverywhere,
} from "./departure.ts";
export type {
  MadeShare,
  NewShare,
  OwnShare,
  ShareChanges,
  ShareContents,
} from "./links.ts";
export { canBePlaceless, type Places } from "./placeless.ts";
export type { Placeless } from "./placeless_counts.ts";
export type { AlbumInfo } from "../album_keys.ts";
export {
  ApiProblem,
  ClientTooOld,
  ConnectionError,
  UnexpectedAnswer,
} from "../api.ts";
export { EscrowError } from "../escrow.ts";
export {
  type EscrowEntry,
  PHRASE_LABEL,
  type PhraseFault,
  phraseFault,
  WORDS_LABEL,
} from "../recovery.ts";
export {
  newRecoveryWords,
  readRecoveryWords,
  wordsBeginningWith,
} from "./words.ts";
export type { ReadWords } from "../recovery_words.ts";
export { openWithPhrase, sealWithPhrase } from "./unlock_phrase.ts";
export { DocumentError } from "../fields.ts";
export { type PlainSource, SourceChanged } from "../sealed_source.ts";
