/**
 * The specification as a table, written down from the pages of the protocol
 * (protocol/README.md) and not from the code.
 *
 * @module
 */
export interface SpecOperation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  readonly path: string;
  readonly credential: "none" | "bearer" | "capability";
  /** Whether the handshake headers belong to it. */
  readonly handshake: boolean;
  /** The body's media type. */
  readonly body: string | undefined;
  readonly success: readonly number[];
  /** The complete list, apart from 413 and 500. */
  readonly others: readonly number[];
  /** "Every operation except the discovery and version operations." */
  readonly may500: boolean;
}

export const JSON_TYPE = "application/json";
/** 415 and 422 of an operation with a JSON body. */
const JSON_FAULTS = [415, 422];
/** What every authenticated read may answer. */
const READ = [400, 401, 403];
/** What every authenticated write may answer. */
const WRITE = [400, 401, 403, 426];

const CHANNEL = "/v1/auth/devices/enroll/channel/{channel_id}";

const CONTRIBUTION = "/v1/upload-links/{opaque_id}/contributions/{upload_id}";
const GUEST_SESSION = "/u/{opaque_id}/uploads/{upload_id}";
const STATE = "/v1/state/{slot}";
const TUS_TYPE = "application/offset+octet-stream";
const OCTETS = "application/octet-stream";

/** Every operation of the specification that exists now. */
export const SPEC: readonly SpecOperation[] = [
  discovery("/v1/version"),
  discovery("/.well-known/service/server-info"),
  discovery("/.well-known/service/deprecation"),
  discovery("/.well-known/service/revoked-jti", [503]),
  discovery("/.well-known/service/attestation-keys"),
  { ...discovery("/openapi.json"), success: [200, 304], may500: true },
  discovery("/app/config.json"),
  { ...discovery("/log/{log}/checkpoint", [400, 404]), may500: true },
  { ...discovery("/log/{log}/tile/{level}/{tile}", [400, 404]), may500: true },
  {
    method: "POST",
    path: "/witness/add-checkpoint",
    credential: "none",
    handshake: false,
    // Of any type, or of none.
    body: undefined,
    success: [200, 409],
    others: [400, 403, 404, 422, 429],
    may500: true,
  },
  { ...discovery("/healthz"), may500: true },
  open("/v1/auth/register", [200], [403, 409]),
  open("/v1/invitations/redeem", [200], [404, 409, 429]),
  open("/v1/auth/login", [200, 202], [401, 423]),
  open("/v1/auth/login/verify-totp", [200], [401, 429]),
  open("/v1/auth/refresh", [200], [401]),
  open("/v1/auth/logout/all", [200], [401]),
  bearer("POST", "/v1/auth/logout/all/challenge", [200], WRITE),
  open("/v1/auth/oidc/authorize", [200], [404, 429, 503]),
  open("/v1/auth/oidc/callback", [200, 202], [401, 409]),
  bearer("POST", "/v1/auth/totp/enroll", [200], [...WRITE, 409]),
  ...["verify-enrollment", "disable"].map((step) =>
    bearer(
      "POST",
      `/v1/auth/totp/${step}`,
      [204],
      [...WRITE, ...JSON_FAULTS, 409, 429],
      JSON_TYPE,
    )
  ),
  ...["reauthenticate", "password"].map((step) =>
    bearer(
      "POST",
      `/v1/auth/${step}`,
      [200],
      [...WRITE, ...JSON_FAULTS, 423],
      JSON_TYPE,
    )
  ),
  bearer("GET", "/v1/auth/sessions", [200], READ),
  bearer("DELETE", "/v1/auth/sessions/{session_id}", [204], [...WRITE, 404]),
  bearer("POST", "/v1/auth/logout", [204], WRITE),
  bearer(
    "POST",
    "/v1/auth/account/delete",
    [204],
    [...WRITE, ...JSON_FAULTS, 409],
    JSON_TYPE,
  ),
  bearer("GET", "/v1/auth/profile", [200], READ),
  bearer(
    "PATCH",
    "/v1/auth/profile",
    [200],
    [...WRITE, ...JSON_FAULTS],
    JSON_TYPE,
  ),
  bearer(
    "PUT",
    "/v1/auth/profile/public-record",
    [200],
    [...WRITE, ...JSON_FAULTS, 409],
    JSON_TYPE,
  ),
  bearer("DELETE", "/v1/auth/profile/public-record", [204], WRITE),
  {
    ...discovery("/.well-known/service/users/{handle}", [400, 404]),
    may500: true,
  },
  bearer(
    "PUT",
    "/v1/auth/devices/directory",
    [200],
    [...WRITE, 409, 415],
    "application/cbor",
  ),
  bearer("GET", "/v1/users/{user_id}/directory", [200], [...READ, 404]),
  bearer("POST", "/v1/auth/devices/enroll/code", [200], WRITE),
  bearer("GET", "/v1/auth/devices/enroll/code", [200], READ),
  open("/v1/auth/devices/enroll/redeem", [200], [404, 429]),
  {
    ...bearer("GET", CHANNEL, [200], [400, 404]),
    credential: "none",
  },
  {
    ...bearer(
      "POST",
      CHANNEL,
      [204],
      [400, 404, 426, ...JSON_FAULTS],
      JSON_TYPE,
    ),
    credential: "none",
  },
  bearer("DELETE", CHANNEL, [204], [...WRITE, 404]),
  bearer("GET", "/v1/auth/escrow", [200], [...READ, 404]),
  bearer(
    "PUT",
    "/v1/auth/escrow",
    [200],
    [...WRITE, 415],
    "application/octet-stream",
  ),
  bearer(
    "POST",
    "/v1/albums",
    [200, 201],
    [...WRITE, ...JSON_FAULTS],
    JSON_TYPE,
  ),
  bearer("GET", "/v1/albums", [200], READ),
  bearer(
    "DELETE",
    "/v1/albums/{album_id}/membership",
    [204],
    [...WRITE, 404],
  ),
  bearer("DELETE", "/v1/albums/{album_id}", [204], [...WRITE, 404, 409]),
  bearer(
    "PUT",
    "/v1/albums/{album_id}/roster",
    [200],
    [...WRITE, ...JSON_FAULTS, 404, 409],
    JSON_TYPE,
  ),
  bearer("GET", "/v1/albums/{album_id}/roster", [200, 304], [...READ, 404]),
  bearer(
    "POST",
    "/v1/albums/{album_id}/capabilities",
    [201],
    [...WRITE, ...JSON_FAULTS, 404, 409],
    JSON_TYPE,
  ),
  bearer(
    "DELETE",
    "/v1/albums/{album_id}/capabilities/{jti}",
    [204],
    [...WRITE, 404],
  ),
  {
    ...bearer(
      "POST",
      "/v1/federation/capabilities/refresh",
      [200],
      [...WRITE, 409, 429],
    ),
    credential: "capability",
  },
  bearer(
    "PUT",
    "/v1/albums/{album_id}/capabilities/{jti}/renewal",
    [204],
    [...WRITE, ...JSON_FAULTS, 404],
    JSON_TYPE,
  ),
  open("/v1/federation/capabilities/renew", [200], [401, 409, 429]),
  bearer(
    "POST",
    "/v1/albums/{album_id}/ops",
    [200],
    [...WRITE, ...JSON_FAULTS, 409],
    JSON_TYPE,
  ),
  bearer("GET", "/v1/albums/{album_id}/upgrade", [200], [...READ, 404]),
  bearer(
    "POST",
    "/v1/albums/{album_id}/upgrade",
    [200],
    [...WRITE, 404, 409, 415],
    "application/cbor",
  ),
  ...["DELETE", "POST"].map((method) =>
    bearer(
      method === "POST" ? "POST" : "DELETE",
      `/v1/albums/{album_id}/upgrade${method === "POST" ? "/commit" : ""}`,
      [200],
      [...WRITE, 404, 409],
    )
  ),
  bearer("GET", "/v1/sync", [200], [...READ, 404, 410, 429]),
  bearer("GET", STATE, [200, 304], [...READ, 404]),
  bearer("PUT", STATE, [204], [...WRITE, 409, 415, 422, 428, 507], OCTETS),
  bearer("DELETE", STATE, [204], WRITE),
  {
    ...discovery("/v1/upload"),
    method: "OPTIONS",
    success: [204],
    may500: true,
  },
  bearer(
    "POST",
    "/v1/upload",
    [200, 201],
    [...WRITE, ...JSON_FAULTS, 404, 409, 429, 507],
    JSON_TYPE,
  ),
  bearer("GET", "/v1/upload", [200], READ),
  bearer("GET", "/v1/upload/{upload_id}", [200], [...READ, 404, 412]),
  bearer(
    "PATCH",
    "/v1/upload/{upload_id}",
    [204],
    [...WRITE, 404, 409, 412, 415, 460],
    "application/offset+octet-stream",
  ),
  bearer(
    "PUT",
    "/v1/upload/{upload_id}",
    [200],
    [...WRITE, ...JSON_FAULTS, 404, 409, 412],
    "application/octet-stream",
  ),
  bearer("DELETE", "/v1/upload/{upload_id}", [204], [...WRITE, 404, 409, 412]),
  bearer(
    "POST",
    "/v1/upload/{upload_id}/finalize",
    [200],
    [...WRITE, 404, 409, 422],
  ),
  bearer("GET", "/v1/assets/{asset_id}", [200], [...READ, 404]),
  bearer("DELETE", "/v1/assets/{asset_id}", [200, 204], [...WRITE, 404, 409]),
  bearer("GET", "/v1/trash", [200], READ),
  bearer("GET", "/v1/receipts", [200], READ),
  bearer("POST", "/v1/assets/{asset_id}/restore", [200], [...WRITE, 404]),
  bearer(
    "GET",
    "/v1/assets/{asset_id}/blobs/{hash}",
    [200, 206, 304],
    [...READ, 404],
  ),
  bearer("GET", "/v1/assets/{asset_id}/receipts", [200], [...READ, 404]),
  ...["query", "blobs"].map((what) =>
    bearer(
      "POST",
      `/v1/assets/${what}`,
      [200],
      [400, 401, ...JSON_FAULTS, 426, 429],
      JSON_TYPE,
    )
  ),
  bearer(
    "POST",
    "/v1/storage/verify",
    [200],
    [...WRITE, ...JSON_FAULTS],
    JSON_TYPE,
  ),
  bearer("GET", "/v1/storage/usage", [200], READ),
  // Behind what reads the asset that is deleted above.
  bearer("DELETE", "/v1/trash", [200], WRITE),
  bearer(
    "POST",
    "/v1/shares",
    [201],
    [...WRITE, ...JSON_FAULTS],
    JSON_TYPE,
  ),
  bearer("GET", "/v1/shares", [200], READ),
  bearer(
    "PATCH",
    "/v1/shares/{opaque_id}",
    [200],
    [...WRITE, ...JSON_FAULTS, 404],
    JSON_TYPE,
  ),
  bearer("DELETE", "/v1/shares/{opaque_id}", [204], WRITE),
  bearer(
    "POST",
    "/v1/upload-links",
    [201],
    [...WRITE, ...JSON_FAULTS, 404],
    JSON_TYPE,
  ),
  bearer("GET", "/v1/upload-links", [200], READ),
  bearer("DELETE", "/v1/upload-links/{opaque_id}", [204], WRITE),
  bearer(
    "GET",
    "/v1/upload-links/{opaque_id}/contributions",
    [200],
    [...READ, 404, 429],
  ),
  bearer("GET", CONTRIBUTION, [200], [...READ, 404, 429]),
  bearer("GET", `${CONTRIBUTION}/blob`, [200, 206, 304], [...READ, 404]),
  bearer("DELETE", CONTRIBUTION, [204], [...WRITE, 404]),
  bearer(
    "POST",
    "/v1/users/lookup",
    [200],
    [400, 401, ...JSON_FAULTS, 404, 426, 429],
    JSON_TYPE,
  ),
  bearer("GET", "/v1/moderation/record", [200], READ),
  open("/v1/federation/reports", [202], [401, 403, 429]),
  viewer("/s/{opaque_id}", [200]),
  viewer("/s/{opaque_id}/blob/{hash}", [200, 206, 304]),
  guest("POST", "/s/{opaque_id}/blobs", 200, [422], JSON_TYPE),
  viewer("/s/{opaque_id}/wrapped-secret", [200]),
  viewer("/u/{opaque_id}", [200]),
  viewer("/u/{opaque_id}/wrapped-secret", [200]),
  guest("POST", "/u/{opaque_id}/uploads", 201, [422, 507], JSON_TYPE),
  guest("GET", GUEST_SESSION, 200, [412]),
  guest("PATCH", GUEST_SESSION, 204, [409, 412, 460], TUS_TYPE),
  guest("PUT", GUEST_SESSION, 200, [409, 412, 422], OCTETS),
  guest("DELETE", GUEST_SESSION, 204, [409, 412]),
  guest("POST", `${GUEST_SESSION}/finalize`, 200, [409, 422]),
];

function discovery(
  path: string,
  others: readonly number[] = [],
): SpecOperation {
  return {
    method: "GET",
    path,
    credential: "none",
    handshake: false,
    body: undefined,
    success: [200],
    others,
    may500: false,
  };
}

function open(
  path: string,
  success: readonly number[],
  own: readonly number[],
): SpecOperation {
  return {
    method: "POST",
    path,
    credential: "none",
    handshake: true,
    body: JSON_TYPE,
    success,
    others: [400, 426, ...JSON_FAULTS, ...own],
    may500: true,
  };
}

function bearer(
  method: SpecOperation["method"],
  path: string,
  success: readonly number[],
  others: readonly number[],
  body?: string,
): SpecOperation {
  return {
    method,
    path,
    credential: "bearer",
    handshake: true,
    body,
    success,
    others,
    may500: true,
  };
}

function viewer(path: string, success: readonly number[]): SpecOperation {
  return {
    ...discovery(path, [400, 404, 429]),
    success,
    may500: true,
  };
}

/** What a guest does; 415 goes with a body. */
function guest(
  method: SpecOperation["method"],
  path: string,
  success: number,
  others: readonly number[],
  body?: string,
): SpecOperation {
  return {
    ...viewer(path, [success]),
    method,
    body,
    others: [
      ...[400, 404, 429],
      ...others,
      ...body === undefined ? [] : [415],
    ],
  };
}

/** Operations that read whatever their method is. */
const READING_POSTS: ReadonlySet<string> = new Set([
  "/v1/storage/verify",
  "/v1/assets/query",
  "/v1/assets/blobs",
  "/v1/users/lookup",
  "/v1/auth/oidc/authorize",
  "/s/{opaque_id}/blobs",
]);

/** Whether an operation writes, so that a disk may be too full for it. */
export function mayBeFull({ method, path }: SpecOperation): boolean {
  // Draining a mailbox empties it.
  if (method === "GET") return path === CHANNEL;
  return method !== "OPTIONS" && !READING_POSTS.has(path);
}

/** `POST /v1/upload`: how a test's message names an operation. */
export function nameOf(op: SpecOperation): string {
  return `${op.method} ${op.path}`;
}

/** The operation of that name. */
export function operation(name: string): SpecOperation {
  const found = SPEC.find((op) => nameOf(op) === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
}
