/**
 * Calls that need no account: discovery, the relay of an enrollment, the global
 * sign-out, and calls between servers (protocol/discovery.md,
 * protocol/devices.md, protocol/federation.md).
 *
 * @module
 */
import { toBase64 } from "../core/bytes.ts";
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
import { askingOver } from "./asking.ts";
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
  const { get, post, call, done } = askingOver(send);
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
