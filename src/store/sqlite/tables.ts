/**
 * The tables of the database: schema 1, which the first release has.
 *
 * Until that release a table is added or changed here, and nothing else is
 * needed. From then on this text never changes: a change is an entry at the end of `migrations.ts`
 * (how-to-add/table.md).
 *
 * Instants are milliseconds since the Unix epoch, hashes lowercase hex. The
 * types of the columns are in `schema.ts`.
 *
 * @module
 */

/** The server itself: one row. */
const SERVER = `
create table server (
  singleton              integer primary key check (singleton = 1),
  -- Changes when a backup is restored: feed positions start anew.
  feed_epoch             text not null,
  -- Federated reports ever taken, those about accounts that are not here
  -- included: taking one costs the same.
  reports_accepted       integer not null default 0,
  -- Grows when a key ring was rotated or put in place: a server that runs
  -- reads its key files again.
  key_generation         integer not null default 0,
  -- Receipts get numbers above this one: a restored server leaves a gap, so
  -- that no receipt of its own has the number of one that was lost.
  receipt_seq_floor      integer not null default 0,
  -- Ids of the first key of either ring, which stays in its file for good:
  -- another server's file is known by them.
  access_key_id          text,
  attestation_key_id     text,
  -- What the server goes by when it deletes: commands follow that, whatever
  -- their own environment says.
  trash_ms               integer,
  upload_ttl_ms          integer,
  session_inactivity_ms  integer,
  reserved_disk_bytes    integer,
  -- The last instant at which the server ran and believed its clock; and while
  -- it does not, the instant last seen and for how long it has run so.
  clock_known_at         integer,
  clock_doubted_at       integer,
  clock_doubted_ms       integer,
  -- The bucket that blobs may lie in; null: the directory has all.
  blob_bucket            text,
  -- Where the server that was started last places them: directory or s3.
  blob_place             text,
  -- The first key of the logs' ring; null until there is one.
  log_key_id             text,
  -- Of the web app that the keys log named last: SHA-256 of its manifest.
  log_app_hash           text
) strict;

-- The names (server_id) that this server had, in their order. One under which
-- no receipt was given makes room for the next.
create table server_name (
  name_seq   integer primary key autoincrement,
  server_id  text not null,
  began_at   integer not null,
  ended_at   integer
) strict;

-- Announced cutoffs, in the order of their announcement.
create table deprecation (
  announcement_seq      integer primary key autoincrement,
  min_protocol_version  text not null unique,
  announced_at          integer not null,
  cutoff                integer not null,
  detail_url            text
) strict;
`;

/** Who has an account, and what is shown of them. */
const ACCOUNTS = `
create table account (
  user_id            text primary key,
  address            text unique,
  display_name       text,
  created_at         integer not null,
  password_hash      text,
  suspended_at       integer,
  -- The first identity key ever presented; it is never replaced.
  identity_key       blob,
  directory_version  integer,
  -- The operator is deleting it since then: nobody signs in to it any more.
  deleting_at        integer,
  -- Its owner deleted it then: the server goes on with that by itself.
  departed_at        integer,
  -- The operator set the password: it has to be changed before other writes.
  password_must_change  integer not null default 0
    check (password_must_change in (0, 1)),
  -- Until when a password of the operator's signs in; null: it did already, or
  -- the password is its owner's.
  sign_in_until      integer,
  -- Since when it has the operator's page; null: it has not.
  operator_since     integer
) strict, without rowid;
create index account_departed on account (departed_at)
  where departed_at is not null;

-- What an account stores; kept by the transactions that change it.
create table usage (
  user_id         text primary key references account on delete cascade,
  used_bytes      integer not null default 0 check (used_bytes >= 0),
  reserved_bytes  integer not null default 0 check (reserved_bytes >= 0),
  trash_bytes     integer not null default 0 check (trash_bytes >= 0),
  open_uploads    integer not null default 0 check (open_uploads >= 0),
  -- Assets that are not in the trash.
  live_assets     integer not null default 0 check (live_assets >= 0),
  -- Blobs in their roles: rows of holding.
  held_blobs      integer not null default 0 check (held_blobs >= 0),
  -- Those of them that are not applied. Triggers keep it.
  pending_blobs   integer not null default 0 check (pending_blobs >= 0),
  -- Null: the configured quota.
  quota_bytes     integer
) strict, without rowid;

-- Accounts of an identity provider; never linked by address.
create table oidc_identity (
  issuer   text not null,
  subject  text not null,
  user_id  text not null references account on delete cascade,
  primary key (issuer, subject)
) strict, without rowid;
create index oidc_identity_by_account on oidc_identity (user_id);

-- What an account chose to show to anybody.
create table public_record (
  user_id  text primary key references account on delete cascade,
  handle   text not null unique
) strict, without rowid;

-- The signed bytes as received.
create table directory (
  user_id       text primary key references account on delete cascade,
  version       integer not null,
  body          blob not null,
  body_hash     text not null,
  published_at  integer not null
) strict;

-- The wrapped master key, as received.
create table escrow (
  user_id    text primary key references account on delete cascade,
  body       blob not null,
  sha256     text not null,
  stored_at  integer not null
) strict;

-- What an account's programs keep for themselves: opaque, a few of them.
create table state_slot (
  user_id    text not null references account on delete cascade,
  slot       text not null,
  -- SHA-256 of the body, and its entity tag.
  body_hash  text not null,
  size       integer not null check (size >= 0),
  body       blob not null,
  primary key (user_id, slot)
) strict;

-- Each lets one person register; one that was used has no row.
create table invitation (
  invitation_id  text primary key,
  -- SHA-256 of the code.
  code_hash      text not null unique,
  created_at     integer not null,
  expires_at     integer not null,
  -- Of the account that comes of it; null: the configured one.
  quota_bytes    integer
) strict, without rowid;

create table moderation_event (
  event_seq  integer primary key autoincrement,
  user_id    text not null references account on delete cascade,
  action     text not null check (action in (
    'suspended', 'reinstated', 'taken_down', 'legal_hold', 'hold_lifted')),
  asset_id   text,
  at         integer not null,
  reason     text
) strict;
create index moderation_event_by_account
  on moderation_event (user_id, event_seq);
`;

/** Signing in, and what stands against guessing. */
const SIGNING_IN = `
-- A closed session has no row.
create table session (
  session_id      text primary key,
  user_id         text not null references account on delete cascade,
  token_hash      text not null unique,
  cohort_hash     text,
  device_id       text,
  created_at      integer not null,
  -- The last successful issuance of an access token.
  issued_at       integer not null,
  last_used_at    integer not null,
  expires_at      integer not null,
  -- Access tokens with a jti below this one are refused: they were issued
  -- before the password changed.
  oldest_jti      text not null default '',
  -- The last time a credential beyond the session was presented.
  presented_at    integer not null,
  -- Above every access token of the session that was issued, whatever the
  -- clock said: a password change sets oldest_jti above it.
  newest_jti      text not null,
  -- When it presented a code of the second factor last; null: never.
  factor_at       integer
) strict, without rowid;
create index session_by_account on session (user_id);

create table cohort (
  user_id      text not null references account on delete cascade,
  cohort_hash  text not null,
  first_seen   integer not null,
  last_seen    integer not null,
  primary key (user_id, cohort_hash)
) strict, without rowid;

-- A client is a keyed hash of its address (protocol/personal-data.md).
create table password_failure (
  user_id    text not null references account on delete cascade,
  client     text not null,
  failed_at  integer not null
) strict;
create index password_failure_by_account
  on password_failure (user_id, failed_at);

create table password_lock (
  user_id       text not null references account on delete cascade,
  -- The empty text locks the account for every client.
  client        text not null,
  locked_until  integer not null,
  primary key (user_id, client)
) strict, without rowid;

-- Wrong passwords for addresses that no account has: nothing may tell them
-- from those that one has.
create table unknown_failure (
  failure_seq  integer primary key,
  -- A keyed hash of the address.
  subject      text not null,
  client       text not null,
  failed_at    integer not null
) strict;
create index unknown_failure_by_subject
  on unknown_failure (subject, failed_at);

create table unknown_lock (
  subject       text not null,
  -- The empty text locks for every client.
  client        text not null,
  locked_until  integer not null,
  primary key (subject, client)
) strict, without rowid;

create table totp (
  user_id        text primary key references account on delete cascade,
  -- Sealed under a key that lies outside the database.
  sealed_secret  blob not null,
  confirmed_at   integer,
  -- The highest time step whose code was accepted.
  highest_step   integer not null default 0
) strict;

create table totp_failure (
  user_id    text not null references account on delete cascade,
  failed_at  integer not null
) strict;
create index totp_failure_by_account on totp_failure (user_id, failed_at);

create table second_factor_challenge (
  challenge_id  text primary key,
  user_id       text not null references account on delete cascade,
  attempts      integer not null default 0,
  expires_at    integer not null,
  -- What came first: a lock of the password ends only its own challenges.
  door          text not null check (door in ('password', 'oidc')),
  -- From where that came: a lock for this client ends the challenge.
  client        text not null
) strict, without rowid;
create index second_factor_challenge_by_account
  on second_factor_challenge (user_id);

create table revoke_challenge (
  challenge_id  text primary key,
  user_id       text not null references account on delete cascade,
  challenge     blob not null,
  expires_at    integer not null
) strict;
create index revoke_challenge_by_account
  on revoke_challenge (user_id, challenge_id);
`;

/** Bringing a new device in (protocol/devices.md). */
const ENROLLMENT = `
create table enrollment_code (
  user_id     text primary key references account on delete cascade,
  -- SHA-256 of the code in its canonical form.
  code_hash   text not null unique,
  expires_at  integer not null
) strict, without rowid;

-- A closed channel has no row.
create table enrollment_channel (
  channel_id  text primary key,
  -- Who issued the code: the channel's initiator.
  user_id     text not null references account on delete cascade,
  opened_at   integer not null,
  expires_at  integer not null
) strict, without rowid;
create index enrollment_channel_by_account
  on enrollment_channel (user_id, opened_at);

create table relay_payload (
  relay_seq   integer primary key autoincrement,
  channel_id  text not null references enrollment_channel on delete cascade,
  direction   text not null
    check (direction in ('to_initiator', 'to_enrollee')),
  payload     blob not null
) strict;
create index relay_payload_by_mailbox
  on relay_payload (channel_id, direction, relay_seq);
`;

/** Albums, who may read them, and their upgrades. */
const ALBUMS = `
create table album (
  album_id          text primary key,
  owner_id          text not null references account,
  protocol_version  text not null,
  roster_version    integer not null default 0,
  amk_epoch         integer not null default 0,
  tombstoned_at     integer,
  successor_id      text,
  created_at        integer not null
) strict, without rowid;
create index album_by_owner on album (owner_id);

-- The signed bytes as received; version and epoch stand with the album.
create table roster (
  album_id      text primary key references album,
  body          blob not null,
  body_hash     text not null,
  member_count  integer not null,
  published_at  integer not null
) strict;

-- The roster's reading; the owner is not in it.
create table roster_member (
  album_id  text not null references album,
  -- A user id of this server, or <user_id>@<server_id> of a peer.
  member    text not null,
  role      text not null check (role in ('viewer', 'contributor')),
  -- The album's owner, who may name an account in so many albums only.
  owner_id  text,
  primary key (album_id, member)
) strict, without rowid;
create index roster_member_by_member on roster_member (member, album_id);
create index roster_member_by_owner on roster_member (owner_id, member);

create table capability_grant (
  grant_id     text primary key,
  album_id     text not null references album,
  peer         text not null,
  member       text not null,
  scope        text not null
    check (scope in ('read', 'read-derivative-only')),
  ttl_seconds  integer not null,
  not_after    integer not null,
  renewable    integer not null check (renewable in (0, 1)),
  created_at   integer not null,
  revoked_at   integer,
  -- SHA-256 of the secret that gets a token when all have expired, in hex.
  renewal      text
) strict, without rowid;
create index capability_grant_by_album on capability_grant (album_id);
create index capability_grant_by_end on capability_grant (not_after);
create index capability_grant_revoked on capability_grant (revoked_at)
  where revoked_at is not null;

-- A token's claims, from which it can be signed again; never the token.
create table capability (
  jti              text primary key,
  grant_id         text not null
    references capability_grant on delete cascade,
  issued_at        integer not null,
  expires_at       integer not null,
  -- The token whose refresh issued this one: one successor each.
  predecessor_jti  text unique
) strict, without rowid;
create index capability_by_grant on capability (grant_id, expires_at);

-- Every intent an album ever saw: none begins twice.
create table upgrade (
  album_id             text not null references album,
  intent_id            text not null,
  -- SHA-256 of what was signed: a signature differs each time.
  body_hash            text not null,
  to_protocol_version  text not null,
  successor_id         text not null,
  -- A live one past its expiry has ended as well.
  state                text not null
    check (state in ('live', 'ended', 'committed')),
  begun_at             integer not null,
  expires_at           integer not null,
  committed_at         integer,
  primary key (album_id, intent_id)
) strict, without rowid;
create unique index upgrade_live on upgrade (album_id) where state = 'live';

-- The files that were in flight or pending when an album's ceremony began.
create table upgrade_file (
  album_id  text not null references album,
  owner_id  text not null,
  asset_id  text not null,
  primary key (album_id, owner_id, asset_id)
) strict, without rowid;
`;

/** Uploads, blobs, assets, and the receipts for them. */
const STORAGE = `
create table upload (
  upload_id         text primary key,
  user_id           text not null references account on delete cascade,
  asset_id          text not null,
  album_id          text references album,
  blob_role         text not null
    check (blob_role in ('original', 'derivative', 'metadata', 'provenance')),
  ciphertext_hash   text not null,
  size              integer not null check (size > 0),
  crypto_suite_id   integer not null,
  envelope          text not null,
  state             text not null check (state in ('open', 'finalized')),
  created_at        integer not null,
  expires_at        integer not null,
  -- While a checksummed request writes: bytes from here on do not count.
  unverified_from   integer,
  sync_seq          integer,
  -- 1: brings back a blob that the asset has; it takes no room of its own.
  heals             integer not null default 0 check (heals in (0, 1)),
  -- Derivatives that its manifest lets go of, a JSON array of hashes.
  releases          text
) strict, without rowid;
create unique index upload_by_purpose
  on upload (user_id, asset_id, blob_role, ciphertext_hash);
create index upload_by_expiry on upload (expires_at);
create index upload_by_album on upload (album_id, state)
  where album_id is not null;
create index upload_open on upload (user_id, upload_id) where state = 'open';
-- Collection leaves alone what an open session may be about to place, and what
-- a lifecycle write has noted in pending_blob before it placed it.
create index upload_by_hash on upload (ciphertext_hash) where state = 'open';

create table pending_blob (
  upload_id  text not null,
  hash       text not null,
  noted_at   integer not null,
  primary key (upload_id, hash)
) strict, without rowid;
create index pending_blob_by_hash on pending_blob (hash);

-- Bytes that lie in the blob directory or in the bucket.
create table blob (
  hash       text primary key,
  size       integer not null,
  stored_at  integer not null
) strict, without rowid;

-- How many blobs there are by the month in which they were stored, and their
-- bytes. Triggers keep it: wherever a blob comes from or goes to, it is counted.
create table blob_month (
  -- YYYY-MM, in UTC.
  month  text primary key,
  count  integer not null check (count >= 0),
  bytes  integer not null check (bytes >= 0)
) strict, without rowid;
create trigger blob_stored after insert on blob begin
  insert into blob_month (month, count, bytes) values (
    strftime('%Y-%m', new.stored_at / 1000, 'unixepoch'), 1, new.size)
    on conflict do update set count = count + 1, bytes = bytes + excluded.bytes;
end;
-- A count that is wrong is found by a check, and keeps nothing from going.
create trigger blob_dropped after delete on blob begin
  update blob_month
    set count = max(count - 1, 0), bytes = max(bytes - old.size, 0)
    where month = strftime('%Y-%m', old.stored_at / 1000, 'unixepoch');
end;

-- The bytes of small blobs. A blob without a row here has a file.
create table small_blob (
  hash   text primary key references blob on delete cascade,
  bytes  blob not null
) strict;

-- Blobs that were asked for and whose file was missing or of another size.
create table lost_blob (
  hash        text primary key,
  noticed_at  integer not null,
  -- 1: the bytes are there and are others; 0: there is no file of its size.
  is_damaged  integer not null default 0 check (is_damaged in (0, 1)),
  -- When it was last looked at again; null: not yet.
  looked_at   integer
) strict, without rowid;

create table asset (
  asset_id         text primary key,
  owner_id         text not null references account,
  album_id         text references album,
  state            text not null check (state in ('live', 'deleted')),
  chain_head       text not null,
  sync_seq         integer not null,
  created_at       integer not null,
  updated_at       integer not null,
  deleted_at       integer,
  -- Who deleted it: its owner, or the album's.
  deleted_by       text,
  -- The latest retention floor that a manifest carried.
  retention_until  integer,
  -- Under legal hold since.
  held_at          integer,
  -- Taken down since: withheld from everybody.
  withheld_at      integer
) strict, without rowid;
create index asset_by_album on asset (album_id);
create index asset_by_owner on asset (owner_id);
create index asset_held on asset (owner_id, asset_id) where held_at is not null;
create index asset_by_deletion on asset (deleted_at)
  where deleted_at is not null;
create index asset_in_trash on asset (owner_id, deleted_at, asset_id)
  where deleted_at is not null;

-- A blob in its role. Until a manifest is applied an asset is pending, and its
-- id is each owner's own.
create table holding (
  owner_id      text not null references account,
  asset_id      text not null,
  role          text not null,
  hash          text not null references blob,
  size          integer not null,
  upload_id     text not null,
  finalized_at  integer not null,
  receipt_seq   integer not null,
  -- 1 once a live manifest holds it.
  applied       integer not null default 0 check (applied in (0, 1)),
  primary key (owner_id, asset_id, role, hash)
) strict, without rowid;
create index holding_by_hash on holding (hash);
create index holding_unapplied on holding (owner_id, asset_id)
  where applied = 0;
create trigger holding_pending after insert on holding
when new.applied = 0 begin
  update usage set pending_blobs = pending_blobs + 1
    where user_id = new.owner_id;
end;
create trigger holding_applied after update of applied on holding
when new.applied <> old.applied begin
  update usage set
    pending_blobs = max(pending_blobs + old.applied - new.applied, 0)
    where user_id = new.owner_id;
end;
create trigger holding_dropped after delete on holding
when old.applied = 0 begin
  update usage set pending_blobs = max(pending_blobs - 1, 0)
    where user_id = old.owner_id;
end;

create table manifest (
  owner_id       text not null references account,
  asset_id       text not null,
  -- SHA-256 of the signed manifest, as it lies in the provenance blob.
  manifest_hash  text not null,
  prior_hash     text,
  action         text not null check (action in ('create', 'replace')),
  envelope       text not null,
  sync_seq       integer not null,
  -- The receipt of its provenance blob.
  receipt_seq    integer not null,
  applied_at     integer not null,
  primary key (asset_id, manifest_hash)
) strict, without rowid;
create index manifest_by_owner on manifest (owner_id);

-- The custody chain. Receipts outlive the blobs they are for. One lifecycle
-- write has a receipt for each of its inline blobs, all of them under the one
-- upload_id that was made for it.
create table receipt (
  receipt_seq   integer primary key,
  owner_id      text not null,
  asset_id      text,
  upload_id     text not null,
  receipt_hash  text not null,
  body          blob not null
) strict;
create index receipt_by_upload on receipt (upload_id);
create index receipt_by_asset on receipt (owner_id, asset_id, receipt_seq);
create index receipt_by_owner on receipt (owner_id, receipt_seq);

-- The sync feed. An entry stands in the feed of its account, in that of the
-- album's owner where that is someone else, and for all who may read the
-- album; a personal one is for its account alone.
create table feed (
  sync_seq        integer primary key autoincrement,
  user_id         text not null,
  action          text not null,
  album_id        text,
  asset_id        text,
  chain_head      text,
  at              integer not null,
  album_owner_id  text,
  personal        integer not null default 0 check (personal in (0, 1)),
  -- Which slot of state_slot it is about.
  slot            text
) strict;
create index feed_by_account on feed (user_id, sync_seq);
create index feed_by_album on feed (album_id, sync_seq);
create index feed_by_album_owner on feed (album_owner_id, sync_seq)
  where album_owner_id is not null;
create index feed_by_asset on feed (asset_id, sync_seq)
  where asset_id is not null;
create index feed_about_album on feed (album_id, sync_seq)
  where asset_id is null and action <> 'contribution';
create index feed_by_slot on feed (user_id, slot, sync_seq)
  where slot is not null;
`;

/** Links that show files to anybody, and links by which guests bring some. */
const LINKS = `
-- A revoked link keeps its row, so that its id never lives again.
create table share (
  opaque_id       text primary key,
  issuer_id       text not null references account,
  metadata_hash   text not null,
  wrapped_secret  blob,
  expires_at      integer,
  created_at      integer not null,
  last_viewed_at  integer,
  revoked_at      integer,
  -- Tells a repeated issue from another use of the id.
  request_hash    text not null,
  -- As it was issued: counting ten thousand rows a link would take too long.
  serves_count    integer not null default 0,
  -- How often it was opened.
  views           integer not null default 0
) strict, without rowid;
create index share_by_issuer on share (issuer_id, revoked_at, serves_count);

create table share_blob (
  opaque_id  text not null references share on delete cascade,
  hash       text not null,
  primary key (opaque_id, hash)
) strict, without rowid;

-- A revoked link keeps its row, so that its id never lives again.
create table upload_link (
  opaque_id       text primary key,
  owner_id        text not null references account,
  album_id        text references album,
  recipient_key   blob not null,
  wrapped_secret  blob,
  max_bytes       integer not null,
  max_files       integer not null,
  -- Open sessions count as well.
  bytes_used      integer not null default 0 check (bytes_used >= 0),
  files_used      integer not null default 0 check (files_used >= 0),
  expires_at      integer not null,
  created_at      integer not null,
  last_received_at  integer,
  revoked_at      integer,
  -- Tells a repeated issue from another use of the id.
  request_hash    text not null
) strict, without rowid;
create index upload_link_by_owner on upload_link (owner_id, revoked_at);

-- What guests bring; a finalized one is a contribution until it is adopted,
-- deleted or too old.
create table guest_upload (
  upload_id        text primary key,
  opaque_id        text not null references upload_link,
  owner_id         text not null references account,
  ciphertext_hash  text not null,
  size             integer not null check (size > 0),
  sealed_metadata  blob not null,
  state            text not null check (state in ('open', 'finalized')),
  created_at       integer not null,
  expires_at       integer not null,
  unverified_from  integer,
  received_at      integer
) strict, without rowid;
create index guest_upload_by_link on guest_upload (opaque_id, received_at);
create index guest_upload_by_expiry on guest_upload (expires_at);
create index guest_upload_by_hash on guest_upload (ciphertext_hash);
create index guest_upload_by_owner on guest_upload (owner_id);
create index guest_upload_open on guest_upload (upload_id)
  where state = 'open';
create index guest_upload_in_order on guest_upload (opaque_id, upload_id)
  where state = 'finalized';
`;

/** Ids that are gone and never live again. */
const GONE = `
-- Assets that left the trash.
create table gone_asset (
  asset_id  text primary key,
  owner_id  text not null,
  gone_at   integer not null
) strict, without rowid;

-- Deleted accounts' share and upload links.
create table gone_link (
  opaque_id  text primary key
) strict, without rowid;

-- Deleted accounts' albums: who has one would read their feeds.
create table gone_album (
  album_id  text primary key
) strict, without rowid;

-- Tokens of deleted accounts and for their albums: listed as revoked until
-- they expire.
create table gone_capability (
  jti         text primary key,
  expires_at  integer not null
) strict, without rowid;
`;

/** Servers of others (protocol/federation.md). */
const FEDERATION = `
-- Servers whose reports are taken, pinned by the operator.
create table peer (
  server_id   text primary key,
  -- Raw Ed25519, 32 bytes.
  public_key  blob not null,
  pinned_at   integer not null
) strict;

create table federated_report (
  report_id         text primary key,
  reporting_server  text not null,
  reported_user     text not null,
  asset_hash        text not null,
  album_id          text not null,
  reason            text,
  -- As the peer asserts it.
  reported_at       text not null,
  received_at       integer not null,
  closed_at         integer
) strict, without rowid;
create index federated_report_by_time on federated_report (received_at);
`;

/** Blobs in a bucket (object-store.md). */
const BUCKET = `
-- The places that this data directory has claimed, and the terms it wrote.
create table bucket_claim (
  name       text not null primary key,
  directory  text not null,
  -- What lies there, what is being written, what lay there before.
  term       text,
  next_term  text,
  last_term  text
) strict, without rowid;

-- Objects that are to go. As long as a blob is here nothing is placed there.
create table doomed_blob (
  hash      text not null primary key,
  -- When its removal was signed last; null: not yet.
  tried_at  integer,
  is_gone   integer not null check (is_gone in (0, 1))
) strict, without rowid;
create index doomed_blob_gone on doomed_blob (tried_at) where is_gone = 1;

-- Objects that the database did not know, left where they are for a week.
create table quarantined_blob (
  hash  text not null primary key,
  day   text not null
) strict, without rowid;

-- Blobs that were to be placed in the bucket, and wait in the directory.
create table stayed_blob (
  hash  text not null primary key,
  size  integer not null
) strict, without rowid;
`;

/** The public logs and their witnesses (protocol/logs.md). */
const LOGS = `
-- Entries of the keys log, in the order of their commits; none ever goes.
create table log_entry (
  entry_seq  integer primary key,
  entry      blob not null
) strict;

-- Both logs go on under another origin after a restore or under another name of
-- the server: the last life is the one that is served.
create table log_life (
  life           integer primary key,
  -- <host[:port][/path]> of the origins, and their last part.
  base           text not null,
  gen            text not null,
  -- The feed's epoch in which it began.
  feed_epoch     text not null,
  -- Why the logs began anew without a restore; null where nothing was wrong.
  reason         text,
  begun_at       integer,
  unique (base, gen)
) strict;

-- The newest checkpoint of each log, which is here before it is anywhere else.
create table log_checkpoint (
  origin     text not null primary key,
  life       integer not null,
  log        text not null check (log in ('custody', 'keys')),
  size       integer not null check (size > 0),
  root       blob not null,
  -- The last receipt_seq or entry_seq that it covers.
  up_to      integer not null,
  -- The note with the server's own signatures.
  note       text not null,
  signed_at  integer not null
) strict, without rowid;

-- Where the numbers of receipts leap: the first number after each leap, and
-- its place in the custody log.
create table log_run (
  first_seq    integer primary key,
  first_index  integer not null
) strict;

-- Logs of others whose checkpoints this server cosigns. What it saw of one
-- stays here when the operator takes it away: nothing else may follow it.
create table witnessed_log (
  origin           text not null primary key,
  added_at         integer not null,
  -- Null while it is cosigned.
  removed_at       integer,
  -- The newest checkpoint that was cosigned; 0 before the first.
  size             integer not null default 0,
  root             blob,
  -- The same as its log signed it, and as the witness cosigned it.
  note             text,
  cosignature      text,
  -- The name of the witness that cosigned it.
  cosigner         text,
  cosigned_at      integer,
  -- Two checkpoints of one size that the log signed, with different trees: the
  -- one that had been cosigned, and the other.
  forked_note      text,
  contradiction    text,
  contradicted_at  integer
) strict, without rowid;

create table witnessed_log_key (
  origin        text not null references witnessed_log on delete cascade,
  verifier_key  text not null,
  primary key (origin, verifier_key)
) strict, without rowid;

-- Witnesses that are asked to cosign this server's own logs.
create table log_witness (
  verifier_key  text not null primary key,
  url           text not null,
  added_at      integer not null
) strict, without rowid;

-- What each of them said of each log last.
create table log_cosignature (
  origin        text not null,
  verifier_key  text not null references log_witness on delete cascade,
  -- The tree that it cosigned; 0 before it did.
  size          integer not null default 0,
  -- Its cosignature of that tree, and when it made it.
  cosignature   text,
  cosigned_at   integer,
  -- Why it did not cosign when it was asked last, and since when it does not;
  -- null where it did.
  fault         text,
  fault_since   integer,
  primary key (origin, verifier_key)
) strict, without rowid;
`;

const NOTICES = `
-- Trouble that the operator is told of, each once a day until it ends.
create table notice (
  event        text not null primary key,
  -- When it began this time, and when it ended; null while it lasts.
  since        integer not null,
  ended_at     integer,
  -- When a message of it was written last; null: none yet.
  told_at      integer,
  -- Whether one was of this time.
  is_told      integer not null default 0 check (is_told in (0, 1)),
  -- Counts, as JSON.
  facts        text not null
) strict, without rowid;
-- Messages that wait for their target, and for a day those that were sent.
create table outgoing (
  -- In the order in which they were written.
  message_seq  integer primary key,
  message_id   text not null unique,
  -- SHA-256 of the target's setting.
  target       text not null,
  -- Of two that wait and are about the same, one is enough; null: of none.
  about        text,
  -- The account of the person it goes to; null: the operator, or someone
  -- without an account.
  user_id      text references account on delete cascade,
  -- The message, under a sealing key: it may hold a link. Null once sent.
  sealed       blob,
  created_at   integer not null,
  expires_at   integer not null,
  next_try_at  integer not null,
  attempts     integer not null default 0,
  sent_at      integer
) strict;
create index outgoing_by_try on outgoing (next_try_at) where sent_at is null;
create unique index outgoing_waiting on outgoing (target, about)
  where sent_at is null;
create index outgoing_by_account on outgoing (user_id);
-- How each target did.
create table notify_target (
  target         text not null primary key,
  sent_at        integer,
  -- Since when nothing came through, and why; null where it does.
  failing_since  integer,
  fault          text
) strict, without rowid;
-- What operators did in a browser. Ids alone: it outlives the accounts.
create table operator_act (
  act_seq      integer primary key,
  at           integer not null,
  operator_id  text not null,
  act          text not null,
  -- An account or an invitation; null where the act is about none.
  subject_id   text,
  detail       text
) strict;
`;

/** All of them, as SQL. */
export const TABLES = [
  SERVER,
  ACCOUNTS,
  SIGNING_IN,
  ENROLLMENT,
  ALBUMS,
  STORAGE,
  LINKS,
  GONE,
  FEDERATION,
  BUCKET,
  LOGS,
  NOTICES,
].join("");
