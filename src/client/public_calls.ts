/**
 * Calls that need no account: discovery, the relay of an enrollment, the global
 * sign-out, and calls between servers (protocol/discovery.md,
 * protocol/devices.md, protocol/federation.md).
 *
 * @module
 */
import { type Bytes, toBase64 } from "../core/bytes.ts";
import {
  type Channel,
  channelResponse,
  drainResponse,
  oidcResponse,
  recordResponse,
  renewedCapabilityResponse,
  reportResponse,
  revokeAllResponse,
} from "./account_answers.ts";
import { askingOver, queryOf } from "./asking.ts";
import {
  type AppConfig,
  appConfigResponse,
  type Deprecations,
  deprecationsResponse,
  healthResponse,
  type RevokedCapabilities,
  revokedResponse,
  type ServerInfo,
  serverInfoResponse,
  versionResponse,
} from "./asset_answers.ts";
import * as z from "zod/mini";
import type { Transport } from "./transport.ts";

/** A checkpoint has some kilobytes a signature. */
const CHECKPOINT_BYTES = 1024 * 1024;
/** 256 entries of 65,535 bytes, each behind its length. */
const BUNDLE_BYTES = 256 * 65_537;

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
  renewCapability(
    token: string,
  ): Promise<{ readonly token: string; readonly jti: string }>;
  report(report: FederatedReport): Promise<{ readonly report_id: string }>;
  /**
   * Ends every session of an account, on a proof by its identity key; returns
   * their number.
   */
  revokeAll(challengeId: string, proof: Uint8Array): Promise<number>;
  /**
   * Sets a new password with the code of an operator's link (`#/reset/<code>`).
   * Every session of the account ends; a password that is refused does not
   * spend the code.
   */
  resetPassword(code: string, newPassword: string): Promise<void>;
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
      await get("/healthz", healthResponse);
    },
    version: () => get("/v1/version", versionResponse),
    serverInfo: () => get(known("server-info"), serverInfoResponse),
    deprecations: () => get(known("deprecation"), deprecationsResponse),
    appConfig: () => get("/app/config.json", appConfigResponse),
    contract: () => get("/openapi.json", z.unknown()),
    async uploadOptions() {
      const path = "/v1/upload";
      const { headers } = await send({ method: "OPTIONS", path });
      const size = headers.get("Tus-Max-Size") ?? "";
      return { maxSize: /^\d{1,15}$/.test(size) ? Number(size) : undefined };
    },
    record: (handle) =>
      get(known(`users/${encodeURIComponent(handle)}`), recordResponse),
    revokedCapabilities: () => get(known("revoked-jti"), revokedResponse),
    logCheckpoint: (log) => bytes(`/log/${log}/checkpoint`, CHECKPOINT_BYTES),
    logTile: (log, path, gen) =>
      bytes(`/log/${log}/${path}${queryOf({ gen })}`, BUNDLE_BYTES),
    renewCapability: (token) =>
      call({
        method: "POST",
        path: "/v1/federation/capabilities/refresh",
        token,
      }, renewedCapabilityResponse),
    report: (report) => post("/v1/federation/reports", report, reportResponse),
    async revokeAll(challengeId, proof) {
      const body = { challenge_id: challengeId, proof: toBase64(proof) };
      const path = "/v1/auth/logout/all";
      return (await post(path, body, revokeAllResponse)).revoked_sessions;
    },
    resetPassword: (code, newPassword) =>
      done({
        method: "POST",
        path: "/v1/auth/password/reset",
        json: { code, new_password: newPassword },
      }),
    redeemEnrollmentCode: (code) =>
      post("/v1/auth/devices/enroll/redeem", { code }, channelResponse),
    async drainMailbox(id, direction) {
      const path = `${channel(id)}?direction=${direction}`;
      return (await get(path, drainResponse)).payloads;
    },
    appendPayload: (id, direction, payload) =>
      done({
        method: "POST",
        path: channel(id),
        json: { direction, payload: toBase64(payload) },
      }),
    oidcAuthorize: (redirectUri) =>
      post("/v1/auth/oidc/authorize", {
        redirect_uri: redirectUri,
      }, oidcResponse),
  };
}
