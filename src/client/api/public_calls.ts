/**
 * Calls that need no account: discovery, the relay of an enrollment, the global
 * sign-out, and calls between servers (protocol/discovery.md,
 * protocol/devices.md, protocol/federation.md).
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, toBase64 } from "../../core/bytes.ts";
import {
  OidcAuthorizationResponse,
  PublicRecordResponse,
} from "../../wire/answers/accounts.ts";
import {
  type RefreshedCapability,
  RefreshedCapabilityResponse,
  type RevokedCapabilities,
  RevokedJtiResponse,
} from "../../wire/answers/albums.ts";
import {
  type Channel,
  ChannelResponse,
  DrainResponse,
} from "../../wire/answers/devices.ts";
import {
  AppConfigResponse,
  type Deprecations,
  DeprecationsResponse,
  FederatedReportResponse,
  HealthResponse,
  type ServerInfo,
  ServerInfoResponse,
  VersionResponse,
} from "../../wire/answers/discovery.ts";
import { RevokeAllResponse } from "../../wire/answers/sessions.ts";
import type {
  OidcAuthorizeRequest,
  ProofRequest,
} from "../../wire/bodies/accounts.ts";
import type { RenewCapabilityRequest } from "../../wire/bodies/albums.ts";
import type { RedeemRequest, RelayRequest } from "../../wire/bodies/devices.ts";
import type { FederatedReportRequest } from "../../wire/bodies/federation.ts";
import { text } from "../../wire/fields.ts";
import { open, type Sent } from "../../wire/open.ts";
import { askingOver, queryOf } from "./asking.ts";
import type { Transport } from "./transport.ts";

/** A checkpoint has some kilobytes a signature. */
const CHECKPOINT_BYTES = 1024 * 1024;
/** 256 entries of 65,535 bytes, each behind its length. */
const BUNDLE_BYTES = 256 * 65_537;

/** A newer server may have more words for how it is. */
const health = open(z.extend(HealthResponse, { status: text }));

/** A newer server may have more words for who may join. */
const appConfig = open(z.extend(AppConfigResponse, { registration: text }));
/** The facts that an app needs before anybody has signed in. */
export type AppConfig = z.output<typeof appConfig>;

/** The mailbox of a relay channel, named by its reader. */
export type Direction = "to_initiator" | "to_enrollee";

/** A report to a server, signed by the reporting server. */
export interface FederatedReport {
  readonly reporting_server: string;
  readonly reported_user: string;
  readonly asset_hash: string;
  readonly album_id: string;
  readonly reason?: string;
  readonly reported_at: string;
  /** Base64. */
  readonly signature: string;
}

/** Operations that need no account. */
export interface PublicCalls {
  health(): Promise<void>;
  version(): Promise<{ readonly name: string; readonly version: string }>;
  serverInfo(): Promise<ServerInfo>;
  deprecations(): Promise<Deprecations>;
  /** The facts that an app needs before anybody has signed in. */
  appConfig(): Promise<AppConfig>;
  /** The server's contract in OpenAPI. */
  contract(): Promise<unknown>;
  /** The server's limits for tus uploads. */
  uploadOptions(): Promise<{ readonly maxSize: number | undefined }>;
  record(
    handle: string,
  ): Promise<
    {
      readonly handle: string;
      readonly display_name?: string | null | undefined;
    }
  >;
  revokedCapabilities(): Promise<RevokedCapabilities>;
  /** The newest checkpoint of a public log, as its signed note. */
  logCheckpoint(log: "custody" | "keys"): Promise<Bytes>;
  /**
   * A tile of a public log, or a bundle of its entries, by its path such as
   * `tile/0/x001/234.p/5`. With the last part of the log's origin a cache
   * keeps it apart from the same tile of the log before a restore.
   */
  logTile(
    log: "custody" | "keys",
    path: string,
    gen?: string,
  ): Promise<Bytes>;
  /** Exchanges a renewable capability for its successor. */
  refreshCapability(token: string): Promise<RefreshedCapability>;
  /** A live token of a grant for its secret (32 bytes). */
  renewCapability(
    jti: string,
    secret: Uint8Array,
  ): Promise<RefreshedCapability>;
  report(report: FederatedReport): Promise<{ readonly report_id: string }>;
  /**
   * Ends every session of an account, on a proof by its identity key; returns
   * their number.
   */
  revokeAll(challengeId: string, proof: Uint8Array): Promise<number>;
  redeemEnrollmentCode(code: string): Promise<Channel>;
  /**
   * Takes the payloads that wait in a mailbox, oldest first, each in base64.
   */
  drainMailbox(
    channelId: string,
    direction: Direction,
  ): Promise<readonly string[]>;
  appendPayload(
    channelId: string,
    direction: Direction,
    payload: Uint8Array,
  ): Promise<void>;
  oidcAuthorize(
    redirectUri: string,
  ): Promise<{ readonly authorization_url: string; readonly state: string }>;
}

/** Makes the calls over a function that sends. */
export function publicCalls(send: Transport["send"]): PublicCalls {
  const { get, post, call, done, bytes } = askingOver(send);
  const channel = (id: string) => `/v1/auth/devices/enroll/channel/${id}`;
  const known = (name: string) => `/.well-known/service/${name}`;
  return {
    async health() {
      await get("/healthz", health);
    },
    version: () => get("/v1/version", open(VersionResponse)),
    serverInfo: () => get(known("server-info"), open(ServerInfoResponse)),
    deprecations: () => get(known("deprecation"), open(DeprecationsResponse)),
    appConfig: () => get("/app/config.json", appConfig),
    contract: () => get("/openapi.json", open(z.unknown())),
    async uploadOptions() {
      const path = "/v1/upload";
      const { headers } = await send({ method: "OPTIONS", path });
      const size = headers.get("Tus-Max-Size") ?? "";
      return { maxSize: /^\d{1,15}$/.test(size) ? Number(size) : undefined };
    },
    record: (handle) =>
      get(
        known(`users/${encodeURIComponent(handle)}`),
        open(PublicRecordResponse),
      ),
    revokedCapabilities: () =>
      get(known("revoked-jti"), open(RevokedJtiResponse)),
    logCheckpoint: (log) => bytes(`/log/${log}/checkpoint`, CHECKPOINT_BYTES),
    logTile: (log, path, gen) =>
      bytes(`/log/${log}/${path}${queryOf({ gen })}`, BUNDLE_BYTES),
    renewCapability: (jti, secret) =>
      post(
        "/v1/federation/capabilities/renew",
        { jti, secret: toBase64(secret) } satisfies Sent<
          typeof RenewCapabilityRequest
        >,
        open(RefreshedCapabilityResponse),
      ),
    refreshCapability: (token) =>
      call({
        method: "POST",
        path: "/v1/federation/capabilities/refresh",
        token,
      }, open(RefreshedCapabilityResponse)),
    report: (report) =>
      post(
        "/v1/federation/reports",
        report satisfies Sent<typeof FederatedReportRequest>,
        open(FederatedReportResponse),
      ),
    async revokeAll(challengeId, proof) {
      const body = {
        challenge_id: challengeId,
        proof: toBase64(proof),
      } satisfies Sent<typeof ProofRequest>;
      const path = "/v1/auth/logout/all";
      return (await post(path, body, open(RevokeAllResponse))).revoked_sessions;
    },
    redeemEnrollmentCode: (code) =>
      post(
        "/v1/auth/devices/enroll/redeem",
        { code } satisfies Sent<typeof RedeemRequest>,
        open(ChannelResponse),
      ),
    async drainMailbox(id, direction) {
      const path = `${channel(id)}?direction=${direction}`;
      return (await get(path, open(DrainResponse))).payloads;
    },
    appendPayload: (id, direction, payload) =>
      done({
        method: "POST",
        path: channel(id),
        json: { direction, payload: toBase64(payload) } satisfies Sent<
          typeof RelayRequest
        >,
      }),
    oidcAuthorize: (redirectUri) =>
      post(
        "/v1/auth/oidc/authorize",
        {
          redirect_uri: redirectUri,
        } satisfies Sent<typeof OidcAuthorizeRequest>,
        open(OidcAuthorizationResponse),
      ),
  };
}
