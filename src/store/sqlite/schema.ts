/**
 * The tables as Kysely sees them; the columns are explained where they are
 * made, in `migrations.ts`. Instants are milliseconds since the Unix epoch.
 *
 * @module
 */
import type { ColumnType, Generated } from "kysely";
import type { CapabilityScope } from "../../core/caller.ts";
import type {
  AlbumId,
  AssetId,
  BlobHash,
  CapabilityId,
  ChallengeId,
  ChannelId,
  GrantId,
  IntentId,
  InvitationId,
  OpaqueId,
  ReportId,
  SessionId,
  StateSlot,
  UploadId,
  UserId,
} from "../../core/ids.ts";
import type { ProtocolDate } from "../../core/protocol.ts";

export type BlobRole = "original" | "derivative" | "metadata" | "provenance";

/** Where a relayed payload goes. */
export type RelayDirection = "to_initiator" | "to_enrollee";

/** What the operator did, as protocol/moderation.md#the-record tells it. */
export type ModerationAction =
  | "suspended"
  | "reinstated"
  | "taken_down"
  | "legal_hold"
  | "hold_lifted";

/** What stands in the feed (protocol/feed.md). */
export type FeedAction =
  | "create"
  | "replace"
  | "delete"
  | "restore"
  | "roster"
  | "album"
  | "tombstone"
  | "contribution"
  | "withheld"
  | "reinstated"
  | "state"
  | "purge"
  | "damaged";

/** The two public logs. */
export type LogName = "custody" | "keys";

/** What opens a sign-in that a second factor completes. */
export type SignInDoor = "password" | "oidc";

/** What a roster lets a member do. */
export type MemberRole = "viewer" | "contributor";

type Flag = ColumnType<0 | 1, 0 | 1 | undefined, 0 | 1>;
/** A column that may be left out of an insert. */
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface Schema {
  server: {
    singleton: number;
    feed_epoch: string;
    reports_accepted: Generated<number>;
    key_generation: Generated<number>;
    receipt_seq_floor: Generated<number>;
    access_key_id: Optional<string>;
    attestation_key_id: Optional<string>;
    trash_ms: Optional<number>;
    upload_ttl_ms: Optional<number>;
    session_inactivity_ms: Optional<number>;
    reserved_disk_bytes: Optional<number>;
    clock_known_at: Optional<number>;
    clock_doubted_at: Optional<number>;
    clock_doubted_ms: Optional<number>;
    blob_bucket: Optional<string>;
    blob_place: Optional<string>;
    log_key_id: Optional<string>;
    log_app_hash: Optional<string>;
  };
  account: {
    user_id: UserId;
    address: string | null;
    display_name: Optional<string>;
    created_at: number;
    password_hash: string | null;
    suspended_at: Optional<number>;
    identity_key: Optional<Uint8Array>;
    directory_version: Optional<number>;
    deleting_at: Optional<number>;
    departed_at: Optional<number>;
    password_must_change: Flag;
    sign_in_until: Optional<number>;
    operator_since: Optional<number>;
  };
  operator_act: {
    act_seq: Generated<number>;
    at: number;
    operator_id: UserId;
    act: string;
    subject_id: Optional<string>;
    detail: Optional<string>;
  };
  notice: {
    event: string;
    since: number;
    ended_at: Optional<number>;
    told_at: Optional<number>;
    is_told: Flag;
    facts: string;
  };
  outgoing: {
    message_seq: Generated<number>;
    message_id: string;
    target: string;
    about: Optional<string>;
    user_id: Optional<UserId>;
    sealed: ColumnType<
      Uint8Array<ArrayBuffer> | null,
      Uint8Array,
      Uint8Array | null
    >;
    created_at: number;
    expires_at: number;
    next_try_at: number;
    attempts: Generated<number>;
    sent_at: Optional<number>;
  };
  notify_target: {
    target: string;
    sent_at: Optional<number>;
    failing_since: Optional<number>;
    fault: Optional<string>;
  };
  password_failure: {
    user_id: UserId;
    client: string;
    failed_at: number;
  };
  password_lock: {
    user_id: UserId;
    client: string;
    locked_until: number;
  };
  unknown_failure: {
    failure_seq: Generated<number>;
    subject: string;
    client: string;
    failed_at: number;
  };
  unknown_lock: {
    subject: string;
    client: string;
    locked_until: number;
  };
  invitation: {
    invitation_id: InvitationId;
    code_hash: string;
    created_at: number;
    expires_at: number;
    quota_bytes: number | null;
  };
  usage: {
    user_id: UserId;
    used_bytes: Generated<number>;
    reserved_bytes: Generated<number>;
    trash_bytes: Generated<number>;
    open_uploads: Generated<number>;
    live_assets: Generated<number>;
    held_blobs: Generated<number>;
    pending_blobs: Generated<number>;
    quota_bytes: Optional<number>;
  };
  session: {
    session_id: SessionId;
    user_id: UserId;
    token_hash: string;
    cohort_hash: string | null;
    device_id: string | null;
    created_at: number;
    issued_at: number;
    last_used_at: number;
    expires_at: number;
    oldest_jti: Generated<string>;
    newest_jti: string;
    presented_at: number;
    factor_at: Optional<number>;
  };
  totp: {
    user_id: UserId;
    sealed_secret: Uint8Array<ArrayBuffer>;
    confirmed_at: Optional<number>;
    highest_step: Generated<number>;
  };
  totp_failure: { user_id: UserId; failed_at: number };
  second_factor_challenge: {
    challenge_id: ChallengeId;
    user_id: UserId;
    attempts: Generated<number>;
    expires_at: number;
    door: SignInDoor;
    client: string;
  };
  revoke_challenge: {
    challenge_id: ChallengeId;
    user_id: UserId;
    challenge: Uint8Array<ArrayBuffer>;
    expires_at: number;
  };
  oidc_identity: { issuer: string; subject: string; user_id: UserId };
  public_record: { user_id: UserId; handle: string };
  cohort: {
    user_id: UserId;
    cohort_hash: string;
    first_seen: number;
    last_seen: number;
  };
  directory: {
    user_id: UserId;
    version: number;
    body: Uint8Array<ArrayBuffer>;
    body_hash: string;
    published_at: number;
  };
  album: {
    album_id: AlbumId;
    owner_id: UserId;
    protocol_version: ProtocolDate;
    roster_version: Generated<number>;
    amk_epoch: Generated<number>;
    tombstoned_at: Optional<number>;
    successor_id: Optional<AlbumId>;
    created_at: number;
  };
  upload: {
    upload_id: UploadId;
    user_id: UserId;
    asset_id: AssetId;
    album_id: AlbumId | null;
    blob_role: BlobRole;
    ciphertext_hash: BlobHash;
    size: number;
    crypto_suite_id: number;
    envelope: string;
    state: "open" | "finalized";
    created_at: number;
    expires_at: number;
    unverified_from: Optional<number>;
    sync_seq: Optional<number>;
    heals: Flag;
    releases: Optional<string>;
  };
  blob: { hash: BlobHash; size: number; stored_at: number };
  blob_month: { month: string; count: number; bytes: number };
  small_blob: {
    hash: BlobHash;
    bytes: ColumnType<Uint8Array<ArrayBuffer>, Uint8Array, Uint8Array>;
  };
  asset: {
    asset_id: AssetId;
    owner_id: UserId;
    album_id: AlbumId | null;
    state: "live" | "deleted";
    chain_head: BlobHash;
    sync_seq: number;
    created_at: number;
    updated_at: number;
    deleted_at: Optional<number>;
    deleted_by: Optional<UserId>;
    retention_until: Optional<number>;
    held_at: Optional<number>;
    withheld_at: Optional<number>;
  };
  gone_asset: { asset_id: AssetId; owner_id: UserId; gone_at: number };
  moderation_event: {
    event_seq: Generated<number>;
    user_id: UserId;
    action: ModerationAction;
    asset_id: AssetId | null;
    at: number;
    reason: string | null;
  };
  upload_link: {
    opaque_id: OpaqueId;
    owner_id: UserId;
    album_id: AlbumId | null;
    recipient_key: Uint8Array<ArrayBuffer>;
    wrapped_secret: Uint8Array<ArrayBuffer> | null;
    max_bytes: number;
    max_files: number;
    bytes_used: Generated<number>;
    files_used: Generated<number>;
    expires_at: number;
    created_at: number;
    last_received_at: Optional<number>;
    revoked_at: Optional<number>;
    request_hash: string;
  };
  guest_upload: {
    upload_id: UploadId;
    opaque_id: OpaqueId;
    owner_id: UserId;
    ciphertext_hash: BlobHash;
    size: number;
    sealed_metadata: Uint8Array<ArrayBuffer>;
    state: "open" | "finalized";
    created_at: number;
    expires_at: number;
    unverified_from: Optional<number>;
    received_at: Optional<number>;
  };
  pending_blob: { upload_id: UploadId; hash: BlobHash; noted_at: number };
  holding: {
    owner_id: UserId;
    asset_id: AssetId;
    role: BlobRole;
    hash: BlobHash;
    size: number;
    upload_id: UploadId;
    finalized_at: number;
    receipt_seq: number;
    applied: Flag;
    in_use: Flag;
  };
  manifest: {
    owner_id: UserId;
    asset_id: AssetId;
    manifest_hash: BlobHash;
    prior_hash: BlobHash | null;
    action: "create" | "replace";
    envelope: string;
    sync_seq: number;
    receipt_seq: number;
    applied_at: number;
  };
  receipt: {
    receipt_seq: number;
    owner_id: UserId;
    asset_id: AssetId | null;
    upload_id: UploadId;
    receipt_hash: string;
    body: Uint8Array<ArrayBuffer>;
  };
  feed: {
    sync_seq: Generated<number>;
    user_id: UserId;
    action: FeedAction;
    album_id: AlbumId | null;
    asset_id: AssetId | null;
    chain_head: BlobHash | null;
    at: number;
    album_owner_id: Optional<UserId>;
    personal: Flag;
    slot: Optional<StateSlot>;
  };
  state_slot: {
    user_id: UserId;
    slot: StateSlot;
    body_hash: string;
    size: number;
    body: Uint8Array<ArrayBuffer>;
  };
  share: {
    opaque_id: OpaqueId;
    issuer_id: UserId;
    metadata_hash: BlobHash;
    wrapped_secret: Uint8Array<ArrayBuffer> | null;
    expires_at: number | null;
    created_at: number;
    last_viewed_at: Optional<number>;
    revoked_at: Optional<number>;
    request_hash: string;
    serves_count: Generated<number>;
    views: Generated<number>;
  };
  share_blob: { opaque_id: OpaqueId; hash: BlobHash };
  escrow: {
    user_id: UserId;
    body: Uint8Array<ArrayBuffer>;
    sha256: string;
    stored_at: number;
  };
  enrollment_code: {
    user_id: UserId;
    code_hash: string;
    expires_at: number;
  };
  enrollment_channel: {
    channel_id: ChannelId;
    user_id: UserId;
    opened_at: number;
    expires_at: number;
  };
  relay_payload: {
    relay_seq: Generated<number>;
    channel_id: ChannelId;
    direction: RelayDirection;
    payload: Uint8Array<ArrayBuffer>;
  };
  roster: {
    album_id: AlbumId;
    body: Uint8Array<ArrayBuffer>;
    body_hash: string;
    member_count: number;
    published_at: number;
  };
  roster_member: {
    album_id: AlbumId;
    member: string;
    role: MemberRole;
    owner_id: UserId;
  };
  capability_grant: {
    grant_id: GrantId;
    album_id: AlbumId;
    peer: string;
    member: string;
    scope: CapabilityScope;
    ttl_seconds: number;
    not_after: number;
    renewable: Flag;
    created_at: number;
    revoked_at: Optional<number>;
    renewal: Optional<string>;
  };
  capability: {
    jti: CapabilityId;
    grant_id: GrantId;
    issued_at: number;
    expires_at: number;
    predecessor_jti: CapabilityId | null;
  };
  upgrade: {
    album_id: AlbumId;
    intent_id: IntentId;
    body_hash: string;
    to_protocol_version: ProtocolDate;
    successor_id: AlbumId;
    state: "live" | "ended" | "committed";
    begun_at: number;
    expires_at: number;
    committed_at: Optional<number>;
  };
  upgrade_file: { album_id: AlbumId; owner_id: UserId; asset_id: AssetId };
  server_name: {
    name_seq: Generated<number>;
    server_id: string;
    began_at: number;
    ended_at: Optional<number>;
  };
  lost_blob: {
    hash: BlobHash;
    noticed_at: number;
    is_damaged: Flag;
    looked_at: Optional<number>;
  };
  peer: {
    server_id: string;
    public_key: Uint8Array<ArrayBuffer>;
    pinned_at: number;
  };
  deprecation: {
    announcement_seq: Generated<number>;
    min_protocol_version: ProtocolDate;
    announced_at: number;
    cutoff: number;
    detail_url: string | null;
  };
  gone_link: {
    opaque_id: OpaqueId;
  };
  gone_album: { album_id: AlbumId };
  gone_capability: { jti: CapabilityId; expires_at: number };
  federated_report: {
    report_id: ReportId;
    reporting_server: string;
    reported_user: string;
    asset_hash: string;
    album_id: string;
    reason: string | null;
    reported_at: string;
    received_at: number;
    closed_at: Optional<number>;
  };
  doomed_blob: { hash: BlobHash; tried_at: number | null; is_gone: 0 | 1 };
  quarantined_blob: { hash: BlobHash; day: string };
  stayed_blob: { hash: BlobHash; size: number };
  bucket_claim: {
    name: string;
    directory: string;
    term: string | null;
    next_term: string | null;
    last_term: string | null;
  };
  log_entry: { entry_seq: Generated<number>; entry: Uint8Array<ArrayBuffer> };
  log_life: {
    life: Generated<number>;
    base: string;
    gen: string;
    feed_epoch: string;
    reason: Optional<string>;
    begun_at: Optional<number>;
  };
  log_checkpoint: {
    origin: string;
    life: number;
    log: LogName;
    size: number;
    root: Uint8Array<ArrayBuffer>;
    up_to: number;
    note: string;
    signed_at: number;
  };
  log_run: { first_seq: number; first_index: number };
  witnessed_log: {
    origin: string;
    added_at: number;
    removed_at: Optional<number>;
    size: Generated<number>;
    root: Optional<Uint8Array<ArrayBuffer>>;
    note: Optional<string>;
    cosignature: Optional<string>;
    cosigner: Optional<string>;
    cosigned_at: Optional<number>;
    forked_note: Optional<string>;
    contradiction: Optional<string>;
    contradicted_at: Optional<number>;
  };
  witnessed_log_key: { origin: string; verifier_key: string };
  log_witness: { verifier_key: string; url: string; added_at: number };
  log_cosignature: {
    origin: string;
    verifier_key: string;
    size: Generated<number>;
    cosignature: Optional<string>;
    cosigned_at: Optional<number>;
    fault: Optional<string>;
    fault_since: Optional<number>;
  };
}
