import { takesGzip } from "../../http/accept.ts";
import { holdsAlready } from "../../http/range.ts";
import {
  AppConfigResponse,
  AttestationKeysResponse,
  DeprecationsResponse,
  HealthResponse,
  ServerInfoResponse,
  VersionResponse,
} from "../../wire/answers/discovery.ts";
import { route } from "../app.ts";
import {
  attestationKeys,
  deprecations,
  DISCOVERY_CACHED,
  pageConfig,
  serverInfo,
} from "./discovery.ts";

const discovery = {
  method: "GET",
  credential: "none",
  anyOrigin: true,
  cannotFail: true,
  cacheControl: DISCOVERY_CACHED,
  problems: [],
} as const;

export const discoveryRoutes = [
  route({
    ...discovery,
    operation: "version",
    path: "/v1/version",
    summary: "Reachability probe",
    handshake: false,
    cacheControl: "no-store",
    success: { 200: { kind: "json", schema: VersionResponse } },
  }).by(({ app }) => ({
    status: 200,
    json: { name: app.server.name, version: app.server.version },
  })),

  route({
    ...discovery,
    operation: "serverInfo",
    path: "/.well-known/service/server-info",
    summary: "What this server is and speaks",
    success: { 200: { kind: "json", schema: ServerInfoResponse } },
  }).by(({ app }) => ({ status: 200, json: serverInfo(app) })),

  route({
    ...discovery,
    operation: "deprecations",
    path: "/.well-known/service/deprecation",
    summary: "Announced protocol cutoffs",
    success: { 200: { kind: "json", schema: DeprecationsResponse } },
  }).by(({ app }) => ({
    status: 200,
    json: { announcements: deprecations(app) },
  })),

  route({
    ...discovery,
    operation: "attestationKeys",
    path: "/.well-known/service/attestation-keys",
    summary: "The keys that custody receipts verify against",
    success: { 200: { kind: "json", schema: AttestationKeysResponse } },
  }).by(({ app }) => ({ status: 200, json: attestationKeys(app) })),

  route({
    ...discovery,
    operation: "openApi",
    path: "/openapi.json",
    summary: "This contract",
    cacheControl: "no-cache",
    success: {
      200: {
        kind: "bytes",
        mediaType: "application/json",
        headers: ["ETag", "Content-Encoding", "Vary"],
      },
      304: { kind: "empty", headers: ["ETag", "Vary"] },
    },
  }).by(async ({ app, request }) => {
    const { plain, gzip } = await app.documents.openApi();
    const isGzip = takesGzip(request.header("accept-encoding"));
    const { bytes, etag } = isGzip ? gzip : plain;
    const headers = { ETag: etag, Vary: "Accept-Encoding" };
    if (holdsAlready(request.header, etag)) return { status: 304, headers };
    return {
      status: 200,
      bytes: request.isHead ? null : bytes,
      length: bytes.length,
      headers: isGzip ? { ...headers, "Content-Encoding": "gzip" } : headers,
    };
  }),

  route({
    ...discovery,
    operation: "pageConfig",
    path: "/app/config.json",
    summary: "What a page has to know before anybody signs in",
    cacheControl: "no-store",
    success: { 200: { kind: "json", schema: AppConfigResponse } },
  }).by(async ({ app }) => ({ status: 200, json: await pageConfig(app) })),

  route({
    ...discovery,
    operation: "health",
    path: "/healthz",
    summary: "Liveness probe",
    cacheControl: "no-store",
    success: {
      200: {
        kind: "json",
        schema: HealthResponse,
      },
    },
  }).by(() => ({ status: 200, json: { status: "ok" } })),
];
