/**
 * What a client refuses of the answers to its calls, and what of them it takes:
 * a server that lies has no other way in.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Account,
  type Client,
  createClient,
  UnexpectedAnswer,
} from "../../src/client/api/api.ts";
import { createGuest, type Guest } from "../../src/client/api/links.ts";

type Value = string | number | boolean | null | Value[] | Members;
interface Members {
  [key: string]: Value;
}

const ID = "01900000-0000-7000-8000-000000000001";
const OPAQUE = "0f".repeat(16);
const HASH = "ab".repeat(32);
const AT = "2026-01-01T00:00:00Z";
const DATE = "2026-01-01";

const access = {
  access_token: "a",
  access_token_expires_at: AT,
  token_type: "Bearer" as const,
};
const tokens = {
  user_id: ID,
  session_id: ID,
  session_token: "s",
  session_expires_at: AT,
  ...access,
};
const receipt = {
  receipt_seq: 1,
  server_id: "https://example.org",
  server_key_id: HASH,
  prior_receipt_hash: HASH,
  upload_id: ID,
  blob_role: "original",
  ciphertext_hash: HASH,
  size: 1,
  envelope_hash: HASH,
  received_at: AT,
  receipt_cbor: "AAAA",
};
const upload = {
  upload_id: ID,
  state: "open",
  asset_id: ID,
  album_id: ID,
  blob_role: "original",
  ciphertext_hash: HASH,
  offset: 0,
  size: 1,
  expires_at: AT,
  receipt,
};
const finalized = {
  upload_id: ID,
  asset_id: ID,
  blob_role: "original",
  ciphertext_hash: HASH,
  size: 1,
  receipt,
  sync_seq: 1,
  replayed: false,
};
const { album_id: _, ...ofGuest } = { ...upload, asset_id: null };
const { sync_seq: __, ...finalizedOfGuest } = { ...finalized, asset_id: null };
const asset = {
  asset_id: ID,
  album_id: ID,
  owner: ID,
  state: "live",
  chain_head: HASH,
  sync_seq: 1,
  blobs: [{ hash: HASH, role: "original", size: 1 }],
  created_at: AT,
  updated_at: AT,
  deleted_at: AT,
};
const profile = {
  user_id: ID,
  address: "ada@example.org",
  display_name: "Ada",
  created_at: AT,
  second_factor: "none",
  has_password: true,
  recent_until: AT,
  is_operator: true,
  password_must_change: false,
};
const upgrade = {
  album_id: ID,
  intent_id: ID,
  to_protocol_version: DATE,
  expires_at: AT,
  in_flight: 0,
};
const share = {
  opaque_id: OPAQUE,
  metadata_hash: HASH,
  serves_count: 1,
  passphrase_protected: false,
  expires_at: AT,
  created_at: AT,
  views: 0,
  last_viewed_at: AT,
};
const contribution = {
  upload_id: ID,
  ciphertext_hash: HASH,
  size: 1,
  sealed_metadata: "AAAA",
  received_at: AT,
};
const announced = {
  min_protocol_version: DATE,
  announced_at: AT,
  cutoff: AT,
  detail_url: "https://example.org/why",
};
const refreshed = {
  token: "t",
  jti: ID,
  expires_at: AT,
  not_after: AT,
  replayed: false,
};
const config = {
  registration: "open",
  oidc: false,
  max_blob_bytes: 1,
  trash_days: 1,
  version: "1",
  tls: true,
  witness_key: "example.org+00000000+AAAA",
};

/** One who asks, and everything that the answers are for. */
interface Asker {
  readonly client: Client;
  readonly account: Account;
  readonly guest: Guest;
}

interface Sample {
  readonly ask: (asker: Asker) => Promise<unknown>;
  readonly answer: Members;
  readonly status?: number;
  /** What may be absent, and null. */
  readonly optional?: readonly string[];
  /** What may be absent, but not null. */
  readonly absent?: readonly string[];
  /** What may be null, but not absent. */
  readonly nullable?: readonly string[];
}

const bytes = new Uint8Array(1);
const RECEIPT = ["prior_receipt_hash", "envelope_hash"];
const UPLOAD = [
  "album_id",
  "receipt",
  ...RECEIPT.map((one) => `receipt.${one}`),
];
const FINALIZED = ["sync_seq", ...RECEIPT.map((one) => `receipt.${one}`)];
const ASSET = ["album_id", "deleted_at"];
const UPGRADE = ["intent_id", "to_protocol_version", "expires_at"];
const PROFILE = ["recent_until", "is_operator"];
const below = (path: string, names: readonly string[]) =>
  names.map((name) => `${path}.${name}`);

const SAMPLES: Readonly<Record<string, Sample>> = {
  register: { ask: ({ client }) => client.register("a", "b"), answer: tokens },
  "sign-in": { ask: ({ client }) => client.login("a", "b"), answer: tokens },
  "sign-in with a second factor": {
    ask: ({ client }) => client.login("a", "b"),
    status: 202,
    answer: { challenge_id: ID, methods: ["totp"], expires_at: AT },
  },
  refresh: { ask: ({ account }) => account.refresh(), answer: access },
  "change of the password": {
    ask: ({ account }) => account.changePassword("a", "b"),
    answer: tokens,
  },
  health: { ask: ({ client }) => client.health(), answer: { status: "ok" } },
  version: {
    ask: ({ client }) => client.version(),
    answer: { name: "strongroom", version: "1" },
  },
  "server info": {
    ask: ({ client }) => client.serverInfo(),
    answer: {
      server_id: "https://example.org",
      api_base_url: "https://example.org",
      auth: {
        login: "/l",
        refresh: "/r",
        logout: "/o",
        oidc: { authorize: "/a", callback: "/c" },
      },
      federation_url: "https://example.org/f",
      protocol_version: { min: DATE, max: DATE },
      signing_key: "AAAA",
      signing_algorithm: "x",
      deprecations: [announced],
    },
    optional: ["federation_url"],
    nullable: ["auth.oidc", "deprecations.0.detail_url"],
  },
  deprecations: {
    ask: ({ client }) => client.deprecations(),
    answer: { announcements: [announced] },
    nullable: ["announcements.0.detail_url"],
  },
  "configuration of the app": {
    ask: ({ client }) => client.appConfig(),
    answer: config,
    absent: ["witness_key"],
  },
  record: {
    ask: ({ client }) => client.record("ada"),
    answer: { handle: "ada", display_name: "Ada" },
    optional: ["display_name"],
  },
  "revoked capabilities": {
    ask: ({ client }) => client.revokedCapabilities(),
    answer: {
      generated_at: AT,
      max_staleness_seconds: 1,
      revoked: [{ jti: ID, expires_at: AT }],
    },
  },
  "refreshed capability": {
    ask: ({ client }) => client.refreshCapability("t"),
    answer: refreshed,
  },
  "renewed capability": {
    ask: ({ client }) => client.renewCapability(ID, bytes),
    answer: refreshed,
  },
  report: {
    ask: ({ client }) =>
      client.report({
        reporting_server: "a",
        reported_user: ID,
        asset_hash: HASH,
        album_id: ID,
        reported_at: AT,
        signature: "AAAA",
      }),
    answer: { report_id: ID, received_at: AT },
  },
  "global sign-out": {
    ask: ({ client }) => client.revokeAll(ID, bytes),
    answer: { revoked_sessions: 1 },
  },
  channel: {
    ask: ({ client }) => client.redeemEnrollmentCode("c"),
    answer: { channel_id: OPAQUE, expires_at: AT },
  },
  mailbox: {
    ask: ({ client }) => client.drainMailbox(OPAQUE, "to_enrollee"),
    answer: { direction: "to_enrollee", payloads: ["AAAA"] },
  },
  "identity provider": {
    ask: ({ client }) => client.oidcAuthorize("https://example.org"),
    answer: {
      authorization_url: "https://example.com",
      state: "s",
      expires_at: AT,
    },
  },
  profile: {
    ask: ({ account }) => account.profile(),
    answer: profile,
    optional: PROFILE,
    nullable: ["address", "display_name"],
  },
  name: {
    ask: ({ account }) => account.rename("Ada"),
    answer: profile,
    optional: PROFILE,
    nullable: ["address", "display_name"],
  },
  handle: {
    ask: ({ account }) => account.publishRecord("ada"),
    answer: { handle: "ada", display_name: "Ada" },
    optional: ["display_name"],
  },
  sessions: {
    ask: ({ account }) => account.sessions(),
    answer: {
      sessions: [{
        session_id: ID,
        cohort_hash: HASH,
        device_id: "d",
        created_at: AT,
        last_used_at: AT,
        expires_at: AT,
        current: true,
      }],
      cohorts: [{ cohort_hash: HASH, first_seen: AT, last_seen: AT }],
    },
    optional: below("sessions.0", ["cohort_hash", "device_id"]),
  },
  challenge: {
    ask: ({ account }) => account.challengeProof(),
    answer: { challenge_id: ID, challenge: "AAAA", expires_at: AT },
  },
  presentation: {
    ask: ({ account }) => account.reauthenticate("p"),
    answer: { reauthenticated_at: AT, valid_until: AT },
  },
  "second factor": {
    ask: ({ account }) => account.enrollTotp(),
    answer: { secret: "s", otpauth_uri: "otpauth:" },
  },
  moderation: {
    ask: ({ account }) => account.moderationRecord(),
    answer: {
      standing: "active",
      suspended_since: AT,
      events: [{ action: "suspended", asset_id: ID, at: AT, reason: "r" }],
    },
    optional: [
      "suspended_since",
      ...below("events.0", ["asset_id", "reason"]),
    ],
  },
  lookup: {
    ask: ({ account }) => account.lookUp({ handle: "ada" }),
    answer: {
      user_id: ID,
      display_name: "Ada",
      handle: "ada",
      directory_version: 1,
      identity_key: "AAAA",
    },
    optional: ["display_name", "handle", "directory_version", "identity_key"],
  },
  directory: {
    ask: ({ account }) => account.publishDirectory(bytes, null),
    answer: { user_id: ID, directory_version: 1, published_at: AT },
  },
  "enrollment code": {
    ask: ({ account }) => account.issueEnrollmentCode(),
    answer: { code: "ABCDE-FGHIJ", expires_at: AT },
  },
  enrollment: {
    ask: ({ account }) => account.enrollment(),
    answer: { state: "redeemed", channel_id: OPAQUE, expires_at: AT },
    optional: ["channel_id", "expires_at"],
  },
  escrow: {
    ask: ({ account }) => account.storeEscrow(bytes),
    answer: { size: 1, sha256: HASH, stored_at: AT, replaced: false },
  },
  "new album": {
    ask: ({ account }) => account.provisionAlbum(ID),
    answer: { album_id: ID, protocol_version: DATE, created: true },
  },
  albums: {
    ask: ({ account }) => account.albums(),
    answer: {
      albums: [{
        album_id: ID,
        role: "owner",
        protocol_version: DATE,
        roster_version: 0,
        amk_epoch: 0,
        tombstoned: false,
        successor_album_id: ID,
        created_at: AT,
      }],
    },
    optional: ["albums.0.successor_album_id"],
  },
  roster: {
    ask: ({ account }) => account.publishRoster(ID, bytes),
    answer: {
      album_id: ID,
      roster_version: 1,
      amk_epoch: 0,
      member_count: 0,
      replayed: false,
    },
  },
  capability: {
    ask: ({ account }) =>
      account.mintCapability(ID, { peer: "p", member: "m", scope: "read" }),
    answer: {
      token: "t",
      jti: ID,
      album_id: ID,
      peer: "p",
      member: "m",
      scope: "read",
      issued_at: AT,
      expires_at: AT,
      not_after: AT,
      renewable: false,
      min_protocol_version: DATE,
    },
  },
  upgrade: {
    ask: ({ account }) => account.upgradePhase(ID),
    answer: upgrade,
    optional: UPGRADE,
  },
  "begun upgrade": {
    ask: ({ account }) => account.beginUpgrade(ID, bytes),
    answer: upgrade,
    optional: UPGRADE,
  },
  "ended upgrade": {
    ask: ({ account }) => account.abortUpgrade(ID, ID),
    answer: upgrade,
    optional: UPGRADE,
  },
  "made upgrade": {
    ask: ({ account }) => account.commitUpgrade(ID, ID),
    answer: {
      album_id: ID,
      successor_album_id: ID,
      protocol_version: DATE,
      committed_at: AT,
    },
  },
  feed: {
    ask: ({ account }) => account.feed({}),
    answer: {
      feed_epoch: "e",
      entries: [{
        sync_seq: 1,
        action: "create",
        album_id: ID,
        asset_id: ID,
        chain_head: HASH,
        slot: "s",
        at: AT,
      }],
      next_after: 1,
      more: false,
    },
    optional: below("entries.0", [
      "album_id",
      "asset_id",
      "chain_head",
      "slot",
    ]),
  },
  asset: {
    ask: ({ account }) => account.asset(ID),
    answer: asset,
    optional: ASSET,
  },
  "deleted asset": {
    ask: ({ account }) => account.deleteAsset(ID),
    answer: asset,
    optional: ASSET,
  },
  "restored asset": {
    ask: ({ account }) => account.restoreAsset(ID),
    answer: asset,
    optional: ASSET,
  },
  trash: {
    ask: ({ account }) => account.trash(),
    answer: { assets: [{ ...asset, expires_at: AT }], next_after: "n" },
    optional: ["next_after", ...below("assets.0", ASSET)],
  },
  "emptied trash": {
    ask: ({ account }) => account.emptyTrash(),
    answer: { assets: 1, bytes: 1 },
  },
  "receipts of an asset": {
    ask: ({ account }) => account.receipts(ID),
    answer: { asset_id: ID, receipts: [receipt] },
    optional: below("receipts.0", RECEIPT),
  },
  receipts: {
    ask: ({ account }) => account.receiptsAfter(0),
    answer: {
      receipts: [{
        receipt_seq: 1,
        sha256: HASH,
        receipt_cbor: "AAAA",
        log_index: 0,
      }],
      next_after: 1,
      more: false,
    },
    optional: below("receipts.0", ["receipt_cbor", "log_index"]),
  },
  verification: {
    ask: ({ account }) => account.verifyStorage([]),
    answer: {
      verdicts: [{
        asset_id: ID,
        durable: true,
        blobs: [{
          hash: HASH,
          role: "original",
          stored: true,
          indexed: true,
          retrievable: true,
          deep: "intact",
        }],
        checked_at: AT,
      }],
    },
    optional: ["verdicts.0.blobs.0.deep"],
  },
  usage: {
    ask: ({ account }) => account.usage(),
    answer: {
      used_bytes: 1,
      reserved_bytes: 1,
      trash_bytes: 1,
      quota_bytes: 1,
      assets: 1,
      blobs: 1,
    },
    optional: ["quota_bytes"],
  },
  "applied manifest": {
    ask: ({ account }) =>
      account.applyOp(ID, { envelope: {} as never, manifest: bytes }),
    answer: {
      asset_id: ID,
      sync_seq: 1,
      action: "create",
      replayed: false,
      receipts: [receipt],
    },
    optional: below("receipts.0", RECEIPT),
  },
  uploads: {
    ask: ({ account }) => account.openUploads(),
    answer: { uploads: [upload], next_after: ID },
    optional: ["next_after", ...below("uploads.0", UPLOAD)],
  },
  upload: {
    ask: ({ account }) => account.upload(ID),
    answer: upload,
    optional: UPLOAD,
  },
  "finished upload": {
    ask: ({ account }) => account.finalize(ID),
    answer: finalized,
    optional: FINALIZED,
  },
  "uploaded blob": {
    ask: ({ account }) => account.putUpload(ID, bytes),
    answer: finalized,
    optional: FINALIZED,
  },
  "guest's upload": {
    ask: ({ guest }) => guest.upload(ID),
    answer: ofGuest,
    optional: UPLOAD.filter((one) => one !== "album_id"),
    nullable: ["asset_id"],
  },
  "guest's new upload": {
    ask: ({ guest }) =>
      guest.createUpload({ hash: HASH, size: 1, sealedMetadata: bytes }),
    answer: ofGuest,
    optional: UPLOAD.filter((one) => one !== "album_id"),
    nullable: ["asset_id"],
  },
  "guest's finished upload": {
    ask: ({ guest }) => guest.finalize(ID),
    answer: finalizedOfGuest,
    optional: FINALIZED.filter((one) => one !== "sync_seq"),
    nullable: ["asset_id"],
  },
  "link as its guest sees it": {
    ask: ({ guest }) => guest.viewLink(),
    answer: {
      recipient_key: "AAAA",
      passphrase_protected: false,
      max_bytes_left: 1,
      files_left: 1,
      expires_at: AT,
    },
  },
  "share as its viewer sees it": {
    ask: ({ client }) => client.viewShare(OPAQUE),
    answer: { metadata_hash: HASH, passphrase_protected: false },
  },
  "new share": {
    ask: ({ account }) =>
      account.issueShare({
        opaqueId: OPAQUE,
        metadataHash: HASH,
        serves: [HASH],
      }),
    answer: { opaque_id: OPAQUE },
  },
  "new upload link": {
    ask: ({ account }) =>
      account.issueUploadLink({
        opaqueId: OPAQUE,
        recipientKey: bytes,
        expiresAt: AT,
        maxBytes: 1,
        maxFiles: 1,
      }),
    answer: { opaque_id: OPAQUE },
  },
  shares: {
    ask: ({ account }) => account.shares(),
    answer: { shares: [share] },
    optional: below("shares.0", ["expires_at", "last_viewed_at"]),
  },
  "changed share": {
    ask: ({ account }) => account.changeShare(OPAQUE, {}),
    answer: share,
    optional: ["expires_at", "last_viewed_at"],
  },
  "upload links": {
    ask: ({ account }) => account.uploadLinks(),
    answer: {
      upload_links: [{
        opaque_id: OPAQUE,
        album_id: ID,
        max_bytes: 1,
        max_files: 1,
        bytes_used: 0,
        files_used: 0,
        expires_at: AT,
        created_at: AT,
        last_received_at: AT,
      }],
    },
    optional: below("upload_links.0", ["album_id", "last_received_at"]),
  },
  contributions: {
    ask: ({ account }) => account.contributions(OPAQUE),
    answer: { contributions: [contribution], next_after: ID },
    optional: ["next_after"],
  },
  contribution: {
    ask: ({ account }) => account.contribution(OPAQUE, ID),
    answer: contribution,
  },
};

/** Whether the client accepts an answer. Throws any error but its refusal. */
async function isTaken(
  { ask, status = 200 }: Sample,
  answer: unknown,
): Promise<boolean> {
  const options = {
    baseUrl: "https://example.org",
    fetch: () => Promise.resolve(Response.json(answer, { status })),
  };
  const client = createClient(options);
  const guest = createGuest(options, OPAQUE);
  try {
    await ask({ client, account: client.resume(tokens), guest });
    return true;
  } catch (error) {
    if (error instanceof UnexpectedAnswer) return false;
    throw error;
  }
}

/** Every member and every element, each with its holder in a copy of its own. */
function* placesOf(answer: Members): Generator<{
  readonly path: string;
  readonly value: Value;
  readonly without: Members;
  readonly with: (value: Value) => Members;
}> {
  const places: { readonly path: string[]; readonly value: Value }[] = [];
  const walk = (value: Value, path: string[]) => {
    if (path.length > 0) places.push({ path, value });
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      walk(inner, [...path, key]);
    }
  };
  walk(answer, []);
  for (const { path, value } of places) {
    const changed = (change: (holder: Members, key: string) => void) => {
      const copy = structuredClone(answer);
      let holder = copy;
      for (const key of path.slice(0, -1)) holder = holder[key] as Members;
      change(holder, path.at(-1) ?? "");
      return copy;
    };
    yield {
      path: path.join("."),
      value,
      without: changed((holder, key) => delete holder[key]),
      with: (value) => changed((holder, key) => holder[key] = value),
    };
  }
}

/** The answer with something unknown in each of its objects. */
function withNews(value: Value): Value {
  if (Array.isArray(value)) return value.map(withNews);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, one]) =>
    [key, withNews(one)] as const
  );
  return { ...Object.fromEntries(members), newer: { is: [1] } };
}

/** Texts of a form: ids, a hash, times and base64. */
const FORMS: readonly Value[] = [ID, OPAQUE, HASH, AT, DATE, "AAAA"];

for (const [name, sample] of Object.entries(SAMPLES)) {
  const { answer, optional = [], absent = [], nullable = [] } = sample;

  Deno.test(`${name}: an answer is taken, also with members that are not known yet`, async () => {
    assert(await isTaken(sample, answer));
    assert(await isTaken(sample, withNews(answer)));
    for (const { path, ...place } of placesOf(answer)) {
      const mayBeAbsent = optional.includes(path) || absent.includes(path);
      const mayBeNull = optional.includes(path) || nullable.includes(path);
      if (mayBeAbsent) assert(await isTaken(sample, place.without), path);
      if (mayBeNull) assert(await isTaken(sample, place.with(null)), path);
    }
  });

  Deno.test(`${name}: no value of another form is taken, and none is missing that has to be there`, async () => {
    assert(!await isTaken(sample, null));
    for (const { path, value, ...place } of placesOf(answer)) {
      assert(!await isTaken(sample, place.with({ is: 1 })), `${path}: {}`);
      assert(!await isTaken(sample, place.with(-1.5)), `${path}: -1.5`);
      if (FORMS.includes(value)) {
        assert(!await isTaken(sample, place.with("?")), `${path}: ?`);
      }
      if (optional.includes(path)) continue;
      if (!nullable.includes(path)) {
        assert(!await isTaken(sample, place.with(null)), `${path}: null`);
      }
      // An element of a list is no member that could be missing.
      if (absent.includes(path) || /\.\d+$/.test(path)) continue;
      assert(!await isTaken(sample, place.without), path);
    }
  });
}

/** The sample with another value in one of its members. */
async function takes(name: string, path: string, value: Value) {
  const sample = SAMPLES[name];
  assert(sample !== undefined);
  const place = placesOf(sample.answer).find((one) => one.path === path);
  assert(place !== undefined, path);
  return await isTaken(sample, place.with(value));
}

Deno.test("words that a newer server may have are taken", async () => {
  for (
    const [name, path] of [
      ["configuration of the app", "registration"],
      ["health", "status"],
      ["sign-in with a second factor", "methods.0"],
      ["moderation", "standing"],
      ["moderation", "events.0.action"],
      ["feed", "entries.0.action"],
    ] as const
  ) assert(await takes(name, path, "newer"), `${name} ${path}`);
});

Deno.test("words that what a client does depends on are not taken from a newer server", async () => {
  for (
    const [name, path] of [
      ["sign-in", "token_type"],
      ["profile", "second_factor"],
      ["enrollment", "state"],
      ["mailbox", "direction"],
      ["albums", "albums.0.role"],
      ["asset", "state"],
      ["asset", "blobs.0.role"],
      ["upload", "state"],
      ["upload", "blob_role"],
      ["upload", "receipt.blob_role"],
      ["applied manifest", "action"],
      ["verification", "verdicts.0.blobs.0.role"],
      ["verification", "verdicts.0.blobs.0.deep"],
    ] as const
  ) assert(!await takes(name, path, "newer"), `${name} ${path}`);
});

Deno.test("a guest's upload is of no asset, and a witness key is a text or absent", async () => {
  for (const asset_id of ["", "?", HASH]) {
    assert(!await takes("guest's upload", "asset_id", asset_id));
    assert(!await takes("guest's new upload", "asset_id", asset_id));
    assert(!await takes("guest's finished upload", "asset_id", asset_id));
  }
  assert(!await takes("configuration of the app", "witness_key", null));
});

Deno.test("an enrollment code is nothing that a link would be read from otherwise", async () => {
  for (const code of ["", "ABCDE", "ABCDE.FGHIJ", "ABCDE-FGHIJ#/join/"]) {
    assert(!await takes("enrollment code", "code", code), code);
  }
});

Deno.test("lists have as many items as a server gives at once, and no more", async () => {
  const many = <T extends Value>(value: T, length: number): T[] =>
    Array.from({ length }, () => value);
  const { feed, mailbox } = SAMPLES;
  const entries = feed?.answer.entries;
  assert(Array.isArray(entries) && entries[0] !== undefined);
  assert(await takes("feed", "entries", many(entries[0], 1_000)));
  assert(!await takes("feed", "entries", many(entries[0], 1_001)));
  assert(mailbox !== undefined);
  assert(await takes("mailbox", "payloads", many("AAAA", 64)));
  assert(!await takes("mailbox", "payloads", many("AAAA", 65)));
  assert(await takes("applied manifest", "receipts", many(receipt, 64)));
  assert(!await takes("applied manifest", "receipts", many(receipt, 65)));
});

Deno.test("of many assets those that cannot be read are left out, and no more than 500 are taken", async () => {
  const asked = async (assets: Value) => {
    let found: readonly unknown[] = [];
    const ask = async ({ account }: Asker) => {
      found = await account.queryAssets([ID]);
    };
    const taken = await isTaken({ ask, answer: {} }, { assets });
    return taken ? found : undefined;
  };
  const full = { ...asset, metadata: "AAAA", provenance: null };
  assert.deepEqual(
    await asked([full, { ...full, chain_head: "?" }, null, 5, {
      ...full,
      newer: 1,
    }]),
    [full, full],
  );
  for (const name of ["metadata", "provenance"]) {
    assert.deepEqual(await asked([{ ...full, [name]: "?" }]), []);
  }
  assert.equal(await asked(null), undefined);
  assert.equal(
    (await asked(Array.from({ length: 500 }, () => full)))?.length,
    500,
  );
  assert.equal(await asked(Array.from({ length: 501 }, () => full)), undefined);
});
