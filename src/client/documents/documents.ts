/**
 * The formats that clients of strongroom sign, seal and exchange, without the
 * network (protocol/client-cryptography.md). Nothing here fetches, and callers
 * pass the randomness in.
 *
 * @module
 */
export {
  type Bytes,
  fromBase64,
  fromBase64Url,
  fromHex,
  type RandomBytes,
  toBase64,
  toBase64Url,
  toHex,
} from "../../core/bytes.ts";
export {
  CborError,
  type CborLimits,
  type CborMap,
  type CborValue,
  decodeCanonical,
  encodeCanonical,
} from "../../core/cbor.ts";
export {
  EnvelopeError,
  type EnvelopePayload,
  type OpenedEnvelope,
  openEnvelope,
  signEnvelope,
  verifyEnvelope,
} from "../../crypto/envelope.ts";
export {
  ED25519_PUBLIC_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  HYBRID_ALGORITHM,
  HYBRID_PUBLIC_KEY_BYTES,
  HYBRID_SEED_BYTES,
  HYBRID_SIGNATURE_BYTES,
  type HybridBackend,
  hybridBackend,
  type HybridSeeds,
  type HybridSigner,
  hybridSignerFromSeeds,
  keyId,
  verifyHybrid,
} from "../../crypto/hybrid.ts";
export {
  KEY_BYTES,
  NONCE_BYTES,
  portablePrimitives,
  type Primitives,
  TAG_BYTES,
} from "../../crypto/primitives.ts";
export {
  portableSha256,
  type Sha256,
  sha256,
  type Sha256Factory,
  sha256Hex,
  sha256Stream,
} from "../../crypto/sha256.ts";
export {
  BLOB_ROLES,
  type BlobRole,
  openReceipt,
  readReceipt,
  RECEIPT_TYPE,
  ReceiptError,
  receiptHash,
  type ReceiptPayload,
} from "../../crypto/receipt.ts";
export {
  parsePublishedKeys,
  type PublishedKey,
  type PublishedKeys,
  type ReceiptChainOptions,
  type ReceiptChainVerdict,
  type ReceiptFault,
  type ReceiptVerdict,
  verifyReceipt,
  verifyReceiptChain,
} from "../../crypto/receipt_chain.ts";
export {
  type Followed,
  followSuccession,
  SUCCESSION_DOMAIN,
} from "../../crypto/succession.ts";
export {
  type AlbumEpoch,
  type AlbumInfo,
  type AlbumKeys,
  openAlbum,
  openAlbumInfo,
  type OpenedAlbum,
  openHistory,
  sealAlbumInfo,
  sealHistory,
} from "./album_keys.ts";
export {
  type AnchorVerdict,
  isSafetyNumber,
  judgeAnchor,
  safetyCode,
  safetyNumber,
} from "./anchors.ts";
export {
  argon2,
  type Argon2Cost,
  type Argon2Engine,
  plainPassphrase,
  portableArgon2,
  SUITE_ARGON2_COST,
  wasmArgon2,
} from "../keys/argon2.ts";
export {
  type DevicePlatform,
  type Directory,
  DIRECTORY_TYPE,
  type DirectoryDevice,
  PLATFORMS,
  signDirectory,
  verifyDirectory,
} from "./directory.ts";
export { cohortHash } from "./cohort.ts";
export {
  type Applicant,
  type EnrolledAccount,
  Enrollee,
  type EnrollmentMeeting,
  Initiator,
  type NewDevice,
  type Revealed,
} from "../enrollment/enrollment.ts";
export {
  EnrollmentError,
  type EnrollmentFault,
} from "../enrollment/enrollment_fault.ts";
export {
  buildEnrollmentLink,
  ENROLLMENT_SECRET_BYTES,
  type EnrollmentLink,
  parseEnrollmentLink,
} from "../enrollment/enrollment_link.ts";
export {
  EscrowError,
  type EscrowFault,
  openWithPassphrase,
  type PassphraseOptions,
  type SealPassphraseOptions,
  sealWithPassphrase,
} from "./escrow.ts";
export {
  derivedFileKey,
  metadataKey,
  newWrappedFileKey,
  unwrapFileKey,
  wrapFileKey,
  type WrappedFileKey,
} from "./file_key.ts";
export {
  GUEST_THUMBNAIL_MAX_BYTES,
  guestBinding,
  type GuestFile,
  openGuestFile,
  sealGuestFile,
} from "./guest.ts";
export {
  deriveAlbumId,
  deriveIdentitySeeds,
  deriveLibraryKey,
  deriveStateKey,
  deriveUploadLinkKeys,
  type Identity,
  type IdentitySeeds,
  type LazySealingKeys,
  MASTER_KEY_BYTES,
  openIdentity,
} from "./identity.ts";
export {
  type Manifest,
  MANIFEST_TYPE,
  type ManifestEnvelope,
  manifestHash,
  mirrorFor,
  openManifest,
  signManifest,
  verifyManifest,
} from "./manifest.ts";
export {
  amendMetadata,
  type Camera,
  decodeMetadata,
  type Derivative,
  encodeMetadata,
  FILE_KIND,
  isFile,
  type Metadata,
  type Place,
  SHARE_INDEX_KIND,
} from "./metadata.ts";
export { quickened, quickPrimitives } from "../keys/portable_primitives.ts";
export {
  type EscrowEntry,
  escrowLabels,
  openEscrow,
  PHRASE_LABEL,
  PHRASE_MIN_CHARACTERS,
  type PhraseFault,
  phraseFault,
  plainSentence,
  type RecoveredKey,
  sealEscrow,
  withEscrowBox,
  withoutEscrowBox,
  WORDS_LABEL,
} from "./recovery.ts";
export {
  amkCommitment,
  type AmkContext,
  openAmk,
  type Roster,
  ROSTER_TYPE,
  type RosterMember,
  sealAmk,
  SEALED_MAX_BYTES,
  sealMember,
  signRoster,
  verifyRoster,
} from "./roster.ts";
export {
  type PlainSource,
  type SealedSource,
  sealedSource,
  SourceChanged,
} from "../stream/sealed_source.ts";
export {
  openSealed,
  type SealingKeyPair,
  sealingKeyPairFromSeed,
  sealTo,
  X_WING_CIPHERTEXT_BYTES,
  X_WING_PUBLIC_KEY_BYTES,
} from "../keys/sealing.ts";
export {
  buildShareLink,
  decodeShareIndex,
  encodeShareIndex,
  newShare,
  parseShareLink,
  protectShare,
  type ShareIndex,
  shareIndexHashes,
  type ShareItem,
  type ShareLink,
  type SharePicture,
  unlockShare,
} from "./share.ts";
export {
  type AnchorPin,
  type AssetFlags,
  changedAt,
  type Collection,
  decodeState,
  emptyState,
  encodeState,
  type Entries,
  type KeptLink,
  LIBRARY_SLOT,
  type LibraryState,
  mergeStates,
  openState,
  present,
  sealState,
  type Setting,
  STATE_MAX_BYTES,
  type StateEntry,
} from "./state.ts";
export { piecesOf } from "../stream/chunks.ts";
export {
  type BlobKey,
  type ByteSource,
  chunkOpener,
  chunkSealer,
  ciphertextSize,
  decryptBlob,
  decryptBytes,
  encryptBlob,
  encryptBytes,
  HEAD_BYTES,
  plaintextSize,
  SALT_BYTES,
  StreamError,
  type StreamFault,
} from "../stream/stream.ts";
export {
  assertKey,
  CRYPTO_SUITE_ID,
  DEFAULT_CHUNK_SIZE,
  deriveKey,
  uuidBytes,
  uuidText,
} from "./suite.ts";
export {
  buildUploadLink,
  isRecipient,
  parseUploadLink,
  recipientFingerprint,
  unwrapGate,
  type UploadLink,
  wrapGate,
} from "./upload_link.ts";
export {
  newRecoveryWords,
  readRecoveryWords,
  type ReadWords,
  RECOVERY_WORDS,
  wordsBeginningWith,
} from "../keys/recovery_words.ts";
export { DocumentError, NewerDocumentError } from "./fields.ts";
