/**
 * The specification as a table, written down from interface.md and
 * completions.md and not from the code, and what the tests need to walk it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { PROTOCOL, type SendOptions, type TestApp } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  directoryBytes,
  hashOf,
  PASSWORD,
  type Person,
  registerWriter,
  uploadRequest,
  uuidOf,
} from "./people.ts";
import { issueShare, shareRequest } from "./stories.ts";

export interface SpecOperation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  readonly path: string;
  readonly credential: "none" | "bearer";
  /** Whether the handshake headers belong to it. */
  readonly handshake: boolean;
  /** The body's media type. */
  readonly body: string | undefined;
  readonly success: readonly number[];
  /** The complete list beside 413 and 500. */
  readonly others: readonly number[];
  /** "Every operation except the discovery and version operations." */
  readonly may500: boolean;
}

const JSON_TYPE = "application/json";
/** 415 and 422 of an operation with a JSON body. */
const JSON_FAULTS = [415, 422];
/** What every authenticated read may answer. */
const READ = [400, 401, 403];
/** What every authenticated write may answer. */
const WRITE = [400, 401, 403, 426];

/** Every operation of the specification that exists now. */
export const SPEC: readonly SpecOperation[] = [
  discovery("/v1/version"),
  discovery("/.well-known/service/server-info"),
  discovery("/.well-known/service/deprecation"),
  discovery("/.well-known/service/revoked-jti", [503]),
  discovery("/.well-known/service/attestation-keys"),
  { ...discovery("/openapi.json"), may500: true },
  { ...discovery("/healthz"), may500: true },
  open("/v1/auth/register", [200], [403, 409]),
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
  bearer(
    "POST",
    "/v1/albums",
    [200, 201],
    [...WRITE, ...JSON_FAULTS],
    JSON_TYPE,
  ),
  bearer("GET", "/v1/albums", [200], READ),
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
  bearer("GET", "/v1/upload/{upload_id}", [200], [...READ, 404]),
  bearer(
    "PATCH",
    "/v1/upload/{upload_id}",
    [204],
    [...WRITE, 404, 409, 415, 460, 507],
    "application/offset+octet-stream",
  ),
  bearer(
    "PUT",
    "/v1/upload/{upload_id}",
    [200],
    [...WRITE, ...JSON_FAULTS, 404, 409, 507],
    "application/octet-stream",
  ),
  bearer("DELETE", "/v1/upload/{upload_id}", [204], [...WRITE, 404, 409]),
  bearer(
    "POST",
    "/v1/upload/{upload_id}/finalize",
    [200],
    [...WRITE, 404, 409, 422],
  ),
  bearer("GET", "/v1/assets/{asset_id}", [200], [...READ, 404]),
  bearer(
    "GET",
    "/v1/assets/{asset_id}/blobs/{hash}",
    [200, 206, 304],
    [...READ, 404],
  ),
  bearer("GET", "/v1/assets/{asset_id}/receipts", [200], [...READ, 404]),
  bearer("POST", "/v1/shares", [201], [...WRITE, ...JSON_FAULTS], JSON_TYPE),
  bearer("DELETE", "/v1/shares/{opaque_id}", [204], WRITE),
  viewer("/s/{opaque_id}", [200]),
  viewer("/s/{opaque_id}/blob/{hash}", [200, 206, 304]),
  viewer("/s/{opaque_id}/wrapped-secret", [200]),
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

/** Values for the groups of a path; none of them names a thing that exists. */
export const UNKNOWN: Readonly<Record<string, string>> = {
  user_id: uuidOf("no user"),
  session_id: uuidOf("no session"),
  handle: "nobody",
  upload_id: uuidOf("no upload"),
  asset_id: uuidOf("no asset"),
  hash: hashOf("no blob"),
  opaque_id: hashOf("no link").slice(0, 32),
};

/** A path with its groups filled. */
export function fillPath(
  path: string,
  values: Readonly<Record<string, string>> = UNKNOWN,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? name);
}

/** Options of a request to which the pipeline has nothing to object. */
export async function validOptions(
  op: SpecOperation,
  person: Person,
): Promise<SendOptions> {
  const body = await sampleBody(op, person);
  return {
    ...(op.credential === "bearer" ? { token: person.token } : {}),
    ...(op.handshake ? {} : { protocol: null }),
    headers: {
      ...(op.body === undefined ? {} : { "Content-Type": op.body }),
      ...(op.method === "PATCH" ? { "Upload-Offset": "0" } : {}),
      ...(nameOf(op) === "PUT /v1/auth/devices/directory"
        ? { "X-Service-Identity-Key": "null" }
        : {}),
    },
    ...(body === undefined ? {} : { body }),
  };
}

async function sampleBody(
  op: SpecOperation,
  person: Person,
): Promise<string | Uint8Array<ArrayBuffer> | undefined> {
  if (op.body === JSON_TYPE) return JSON.stringify(sampleJson(op, person));
  if (op.body === "application/cbor") return await directoryBytes(person, 7);
  if (op.body !== undefined) return ciphertext("sample", 10);
  return undefined;
}

/** A JSON body of the right shape. */
export function sampleJson(op: SpecOperation, person: Person): Json {
  const credentials = {
    address: "somebody@example.org",
    password: "not the password at all",
  };
  switch (op.path) {
    case "/v1/auth/register":
    case "/v1/auth/login":
      return credentials;
    case "/v1/auth/login/verify-totp":
      return { challenge_id: uuidOf("no challenge"), code: "000000" };
    case "/v1/auth/logout/all":
      return { challenge_id: uuidOf("no challenge"), proof: "AAAA" };
    case "/v1/auth/oidc/authorize":
      return { redirect_uri: "https://client.example.org/callback" };
    case "/v1/auth/oidc/callback":
      return { state: "A".repeat(43), code: "a code" };
    case "/v1/auth/totp/verify-enrollment":
    case "/v1/auth/totp/disable":
      return { code: "000000" };
    case "/v1/auth/reauthenticate":
      return { password: credentials.password };
    case "/v1/auth/password":
      return {
        current_password: credentials.password,
        new_password: "another password altogether",
      };
    case "/v1/auth/profile":
      return { display_name: "Sample" };
    case "/v1/auth/profile/public-record":
      return { handle: "sample" };
    case "/v1/auth/refresh":
      return { session_token: "AAAAAAAAAAAAAAAAAAAAAA" };
    case "/v1/albums":
      return { album_id: uuidOf("a sample album") };
    case "/v1/upload":
      return uploadRequest(person, ciphertext("sample", 10));
    case "/v1/shares":
      return shareRequest("sample", [hashOf("sample")]);
    default:
      throw new Error(`no sample for ${nameOf(op)}`);
  }
}

/** Sends a valid request of an operation, changed by `over`. */
export async function sendOperation(
  app: TestApp,
  op: SpecOperation,
  person: Person,
  over: SendOptions & {
    readonly values?: Readonly<Record<string, string>>;
    readonly method?: string;
    /** Leaves the credential out. */
    readonly anonymous?: true;
  } = {},
): Promise<Response> {
  const { values, method, anonymous, ...sent } = over;
  const { token, ...valid } = await validOptions(op, person);
  return await app.send(method ?? op.method, fillPath(op.path, values), {
    ...(anonymous || token === undefined ? {} : { token }),
    ...valid,
    ...sent,
    headers: { ...valid.headers, ...sent.headers },
  });
}

/** A world in which every GET operation has something to answer with. */
export async function openWorld(app: TestApp): Promise<{
  person: Person;
  values: Readonly<Record<string, string>>;
}> {
  const person = await registerWriter(app, "world");
  const asset = await createAsset(app, person, "world");
  const upload = await createUpload(app, person, ciphertext("open", 10));
  const other = await expectJson(
    await app.send("POST", "/v1/auth/login", {
      json: { address: person.address, password: PASSWORD },
    }),
    200,
  );
  const hash = hashOf(asset.original);
  const opaque = await issueShare(app, person, "world", [
    hashOf(asset.metadata),
    hash,
  ], { wrapped_secret: "AAAA" });
  return {
    person,
    values: {
      user_id: person.userId,
      session_id: other.session_id,
      handle: "world",
      upload_id: upload.upload_id,
      asset_id: asset.assetId,
      hash,
      opaque_id: opaque,
    },
  };
}

/** Expects the three headers that every response carries. */
export function expectCommonHeaders(response: Response, what: string): void {
  const { headers } = response;
  assert.match(headers.get("x-service-min-client-build") ?? "", /^\d+$/, what);
  assert.equal(headers.get("x-service-protocol-min"), "2026-06-01", what);
  assert.equal(headers.get("x-service-protocol-max"), PROTOCOL, what);
  if (response.status === 401) {
    assert.match(headers.get("www-authenticate") ?? "", /^Bearer\b/, what);
  }
}
