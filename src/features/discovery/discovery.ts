/**
 * Discovery: what anybody may know of this server (protocol/discovery.md).
 *
 * @module
 */
import { toBase64 } from "../../core/bytes.ts";
import { windowAt } from "../../core/protocol.ts";
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import { HYBRID_ALGORITHM } from "../../crypto/hybrid.ts";
import { verifierKey } from "../../crypto/logs/signed_note.ts";
import { LOG_KEY_ALGORITHM } from "../../crypto/logs/log_key.ts";
import type { App } from "../app.ts";

/** A key rotation or an announcement is seen after this at the latest. */
export const DISCOVERY_CACHED = "public, max-age=300";

/** Announced cutoffs, in the order of their announcement. */
export function deprecations(app: App) {
  return app.server.announcements().map((one) => ({
    min_protocol_version: one.minProtocolVersion,
    announced_at: toRfc3339(one.announcedAt),
    cutoff: toRfc3339(one.cutoff),
    detail_url: one.detailUrl,
  }));
}

/** The record of the server; it holds no user-shaped field. */
export function serverInfo(app: App) {
  return {
    server_id: app.server.serverId,
    api_base_url: app.server.serverId,
    auth: {
      login: "/v1/auth/login",
      refresh: "/v1/auth/refresh",
      logout: "/v1/auth/logout",
      oidc: app.oidc === undefined ? null : {
        authorize: "/v1/auth/oidc/authorize",
        callback: "/v1/auth/oidc/callback",
      },
    },
    ...(app.server.federates
      ? { federation_url: `${app.server.serverId}/v1/federation` }
      : {}),
    protocol_version: {
      ...windowAt(app.server.announcements(), app.platform.now()),
    },
    signing_key: toBase64(app.secrets.serverKeys.active.publicKey),
    signing_algorithm: "EdDSA",
    deprecations: deprecations(app),
  };
}

/**
 * The keys that receipts verify against, oldest first, the active one last, and
 * the names that stand in receipts in the same order.
 */
export function attestationKeys(app: App) {
  return {
    server_id: app.server.serverId,
    server_ids: app.server.names.map(({ serverId, from, to }) => ({
      server_id: serverId,
      from: toRfc3339(from),
      ...(to === undefined ? {} : { to: toRfc3339(to) }),
    })),
    keys: app.secrets.attestationKeys.map(({ signer, activeFrom, ...key }) => ({
      key_id: signer.keyId,
      public: toBase64(signer.publicKey),
      algorithm: HYBRID_ALGORITHM,
      active_from: toRfc3339(activeFrom),
      ...(key.activeTo === undefined
        ? {}
        : { active_to: toRfc3339(key.activeTo) }),
      ...(key.succession === undefined
        ? {}
        : { succession: toBase64(key.succession) }),
    })),
    log_keys: app.secrets.logKeys.map(({ signer, keyId, ...key }) => ({
      key_id: keyId,
      public: toBase64(signer.publicKey),
      algorithm: LOG_KEY_ALGORITHM,
      active_from: toRfc3339(key.activeFrom),
      ...(key.activeTo === undefined
        ? {}
        : { active_to: toRfc3339(key.activeTo) }),
      ...(key.succession === undefined
        ? {}
        : { succession: toBase64(key.succession) }),
    })),
  };
}

/** What a page of this server's has to know before anybody signs in. */
export async function pageConfig({ oidc, limits, ...app }: App) {
  const cosigner = await app.witness?.cosigner();
  return {
    ...(cosigner === undefined
      ? {}
      : { witness_key: verifierKey(cosigner.key) }),
    registration: app.server.registration.kind,
    oidc: oidc !== undefined,
    max_blob_bytes: limits.maxBlobBytes,
    trash_days: limits.trashMs / DAY_MS,
    version: app.server.version,
    // Under the public origin, even if a proxy ends the TLS.
    tls: app.server.serverId.startsWith("https:"),
  };
}
