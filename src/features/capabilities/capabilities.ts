/**
 * Federation capabilities: mint, refresh, revoke, and the caller behind a
 * presented one (protocol/federation.md). The server keeps the grant and each
 * token's claims, never a token.
 *
 * @module
 */
import type { CapabilityCaller, CapabilityScope } from "../../core/caller.ts";
import type { FieldError } from "../../core/catalogue.ts";
import type { AlbumId, CapabilityId, GrantId } from "../../core/ids.ts";
import { DAY_MS, HOUR_MS, SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { transaction } from "../../store/sqlite/database.ts";
import {
  assertLives,
  requireAlbum,
  requireOwnAlbum,
} from "../albums/access.ts";
import { serverOf } from "../albums/members.ts";
import type { App } from "../app.ts";
import type { Call, CallBy } from "../call.ts";
import type { Spent } from "../budgets.ts";
import { charge } from "../charge.ts";
import { assertWithin } from "../row_limits.ts";
import {
  type CapabilityRow,
  countGrants,
  findCarriedGrant,
  findLiveGrant,
  findNewest,
  findRenewable,
  findSuccessor,
  type GrantRow,
  insertGrant,
  insertSuccessor,
  isOnRoster,
  listRevoked,
  revokeGrant,
  setVerifier,
} from "./store.ts";

const TTL_DEFAULT_SECONDS = 6 * HOUR_MS / SECOND_MS;
const TTL_MIN_SECONDS = 60;
const TTL_MAX_SECONDS = DAY_MS / SECOND_MS;
/** A renewable grant ends at most this far ahead (ms). */
const GRANT_MAX_MS = 90 * DAY_MS;

interface MintRequest {
  readonly peer: string;
  readonly member: string;
  readonly scope: CapabilityScope;
  readonly ttl_seconds?: number | null | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly renewable_until?: number | null | undefined;
}

/** Mints a capability for one peer and one member of the caller's album. */
export async function mintCapability(
  call: CallBy<
    "session",
    | "error.federation.disabled"
    | "error.album.not_found"
    | "error.album.role_forbidden"
    | "error.album.tombstoned"
    | "error.album.member_not_on_roster"
    | "error.request.invalid"
    | "error.account.limit_reached"
  >,
  albumId: AlbumId,
  request: MintRequest,
) {
  const { app, caller: { userId }, now, raise } = call;
  if (!app.server.federates) throw raise("error.federation.disabled");
  const album = await requireOwnAlbum(call, app.db, albumId);
  assertLives(call, album);
  const errors = brokenRules(request, now);
  if (errors.length > 0) {
    throw raise("error.request.invalid", { extra: { errors } });
  }
  const grant = newGrant(app, albumId, request, now);
  const first = newCapability(app, grant, null, now);
  await transaction(app.db, async (tx) => {
    if (!await isOnRoster(tx, albumId, request.member)) {
      throw raise("error.album.member_not_on_roster");
    }
    assertWithin(call, "grants", await countGrants(tx, userId) + 1);
    await insertGrant(tx, grant, first);
  });
  return {
    token: await signCapability(app, grant, first),
    jti: first.jti,
    album_id: albumId,
    peer: grant.peer,
    member: grant.member,
    scope: grant.scope,
    issued_at: toRfc3339(first.issued_at),
    expires_at: toRfc3339(first.expires_at),
    not_after: toRfc3339(grant.not_after),
    renewable: grant.renewable === 1,
    min_protocol_version: album.protocolVersion,
  };
}

/** What the shape alone does not show. */
function brokenRules(request: MintRequest, now: number): FieldError[] {
  const errors: FieldError[] = [];
  const server = serverOf(request.member);
  if (server !== undefined && server !== request.peer) {
    errors.push({ path: "/peer", message: "must be the member's server" });
  }
  const { renewable_until: until } = request;
  if (
    typeof until === "number" && (until <= now || until > now + GRANT_MAX_MS)
  ) {
    errors.push({
      path: "/renewable_until",
      message: "must lie in the future, at most ninety days",
    });
  }
  return errors;
}

function newGrant(
  app: App,
  albumId: AlbumId,
  request: MintRequest,
  now: number,
): GrantRow {
  const asked = request.ttl_seconds ?? TTL_DEFAULT_SECONDS;
  const ttl = Math.min(Math.max(asked, TTL_MIN_SECONDS), TTL_MAX_SECONDS);
  const until = request.renewable_until ?? null;
  return {
    grant_id: app.newId<GrantId>(),
    album_id: albumId,
    peer: request.peer,
    member: request.member,
    scope: request.scope,
    ttl_seconds: ttl,
    not_after: until ?? wholeSecond(now + ttl * SECOND_MS),
    renewable: until === null ? 0 : 1,
    created_at: now,
    revoked_at: null,
    renewal: null,
  };
}

/** A token's claims: whole seconds, and never beyond the end of its grant. */
function newCapability(
  app: App,
  grant: GrantRow,
  predecessor: CapabilityId | null,
  now: number,
): CapabilityRow {
  const expiresAt = Math.min(
    now + grant.ttl_seconds * SECOND_MS,
    grant.not_after,
  );
  return {
    jti: app.newId<CapabilityId>(),
    grant_id: grant.grant_id,
    issued_at: wholeSecond(now),
    expires_at: wholeSecond(expiresAt),
    predecessor_jti: predecessor,
  };
}

function wholeSecond(instant: number): number {
  return Math.floor(instant / SECOND_MS) * SECOND_MS;
}

function signCapability(
  app: App,
  grant: GrantRow,
  capability: CapabilityRow,
): Promise<string> {
  return app.secrets.capabilityTokens.sign({
    jti: capability.jti,
    grantId: grant.grant_id,
    albumId: grant.album_id,
    peer: grant.peer,
    member: grant.member,
    scope: grant.scope,
    issuedAt: capability.issued_at,
    expiresAt: capability.expires_at,
  });
}

type InvalidProblem = "error.federation.capability_invalid";

/**
 * The bearer of a capability of a live grant; the roster does not matter here.
 */
export async function authenticateCapability(
  call: Call<InvalidProblem>,
  token: string,
): Promise<CapabilityCaller> {
  return await present(call, token, findLiveGrant);
}

/** The same, refused at once when the member has left the roster. */
export async function authenticateReader(
  call: Call<InvalidProblem>,
  token: string,
): Promise<CapabilityCaller> {
  return await present(call, token, findCarriedGrant);
}

/** Refuses a capability that was good when its request began. */
export async function assertStillCarried(
  { app, caller, now, raise }: CallBy<"capability", InvalidProblem>,
): Promise<void> {
  if (await findCarriedGrant(app.db, caller.jti, now) === undefined) {
    throw raise("error.federation.capability_invalid");
  }
}

async function present(
  { app, now, raise }: Call<InvalidProblem>,
  token: string,
  findGrant: typeof findLiveGrant,
): Promise<CapabilityCaller> {
  try {
    if (!app.server.federates) throw new Error("federation is off");
    const { jti } = await app.secrets.capabilityTokens.verify(token, now);
    const grant = await findGrant(app.db, jti, now);
    if (grant === undefined) throw new Error("unknown, or its grant has ended");
    return {
      kind: "capability",
      jti,
      grantId: grant.grant_id,
      albumId: grant.album_id,
      scope: grant.scope,
      peer: grant.peer,
      member: grant.member,
    };
  } catch (cause) {
    throw raise("error.federation.capability_invalid", { cause });
  }
}

/**
 * The successor of the presented capability. Asked again, or twice at once,
 * the same successor is signed again.
 */
export async function refreshCapability(
  call: CallBy<
    "capability",
    | "error.federation.capability_invalid"
    | "error.federation.capability_not_renewable"
    | "error.federation.rate_limited"
    | "error.album.member_not_on_roster"
  >,
) {
  const { app, caller, now, raise } = call;
  const spent = charge(call, "capability_refresh", [caller.grantId]);
  if (spent !== undefined) throw raise("error.federation.rate_limited", spent);
  const { grant, successor, issued } = await transaction(
    app.db,
    async (tx) => {
      const grant = await findLiveGrant(tx, caller.jti, now);
      if (grant === undefined) {
        throw raise("error.federation.capability_invalid");
      }
      if (grant.renewable === 0) {
        throw raise("error.federation.capability_not_renewable");
      }
      if (!await isOnRoster(tx, grant.album_id, grant.member)) {
        throw raise("error.album.member_not_on_roster");
      }
      const issued = await insertSuccessor(
        tx,
        newCapability(app, grant, caller.jti, now),
      );
      return { grant, successor: await findSuccessor(tx, caller.jti), issued };
    },
  );
  return await tokenOf(app, grant, successor, !issued);
}

async function tokenOf(
  app: App,
  grant: GrantRow,
  capability: CapabilityRow,
  replayed: boolean,
) {
  return {
    token: await signCapability(app, grant, capability),
    jti: capability.jti,
    expires_at: toRfc3339(capability.expires_at),
    not_after: toRfc3339(grant.not_after),
    replayed,
  };
}

/** Sets the hash (SHA-256 in hex) of the secret that renews a grant. */
export async function setRenewal(
  call: CallBy<
    "session",
    "error.album.not_found" | "error.federation.capability_not_renewable"
  >,
  albumId: AlbumId,
  jti: CapabilityId,
  verifier: string,
): Promise<void> {
  const { app, caller: { userId }, now, raise } = call;
  const album = await requireAlbum(call, app.db, userId, albumId);
  if (album.role !== "owner") throw raise("error.album.not_found");
  if (await setVerifier(app.db, { albumId, jti, verifier, now })) return;
  throw raise("error.federation.capability_not_renewable");
}

/**
 * A live token of a grant for a holder of its secret, even when all of its
 * tokens have expired: the newest one, or else a new one.
 */
export async function renewCapability(
  call: Call<
    | InvalidProblem
    | "error.federation.rate_limited"
    | "error.album.member_not_on_roster"
  >,
  { jti, secret }: {
    readonly jti: CapabilityId;
    readonly secret: Uint8Array;
  },
  clientAddress: string,
) {
  const { app, now, raise } = call;
  const allow = (spent: Spent | undefined) => {
    if (spent !== undefined) {
      throw raise("error.federation.rate_limited", spent);
    }
  };
  // Before anything is read: a guess at a secret costs a place.
  allow(charge(call, "capability_renew", [clientAddress]));
  const sought = { jti, verifier: sha256Hex(secret), now };
  const grant = app.server.federates
    ? await findRenewable(app.db, sought)
    : undefined;
  if (grant === undefined) throw raise("error.federation.capability_invalid");
  allow(charge(call, "capability_refresh", [grant.grant_id]));
  const { capability, replayed } = await transaction(app.db, async (tx) => {
    // It may have been revoked meanwhile.
    if (await findRenewable(tx, sought) === undefined) {
      throw raise("error.federation.capability_invalid");
    }
    if (!await isOnRoster(tx, grant.album_id, grant.member)) {
      throw raise("error.album.member_not_on_roster");
    }
    const newest = await findNewest(tx, grant.grant_id);
    if (newest.expires_at > now) return { capability: newest, replayed: true };
    const capability = newCapability(app, grant, newest.jti, now);
    await insertSuccessor(tx, capability);
    return { capability, replayed: false };
  });
  return await tokenOf(app, grant, capability, replayed);
}

/** Ends the whole grant of a token; nothing to end looks the same. */
export async function revokeCapability(
  call: CallBy<"session", "error.album.not_found">,
  albumId: AlbumId,
  jti: CapabilityId,
): Promise<void> {
  const { app, caller: { userId }, now, raise } = call;
  const album = await requireAlbum(call, app.db, userId, albumId);
  if (album.role !== "owner") throw raise("error.album.not_found");
  await revokeGrant(app.db, albumId, jti, now);
}

/** Every unexpired token of the revoked grants, soonest expiry first. */
export async function revokedTokens(
  { app, now, raise }: Call<"error.federation.revocations_unavailable">,
) {
  try {
    return { now, revoked: await listRevoked(app.db, now) };
  } catch (cause) {
    // Never an empty list: a peer would take it for nothing revoked.
    throw raise("error.federation.revocations_unavailable", { cause });
  }
}
