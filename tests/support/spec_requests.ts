/**
 * Requests of the operations in the specification's table: valid ones, and
 * what the tests change about them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { PROTOCOL, type SendOptions, type TestApp } from "./app.ts";
import { expectEmpty, expectJson, type Json } from "./expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  directoryBytes,
  hashOf,
  PASSWORD,
  type Person,
  registerWriter,
  storeEscrow,
  uploadRequest,
  uuidOf,
} from "./people.ts";
import {
  beginUpgrade,
  intentBytes,
  OLD_PROTOCOL,
  opRequest,
  provisionAlbum,
  publishRoster,
} from "./albums.ts";
import { reportFields } from "./peers.ts";
import { openChannel } from "./enrollment.ts";
import {
  contribute,
  createGuestUpload,
  guestRequest,
  issueLink,
  linkRequest,
} from "./guests.ts";
import { issueShare, shareRequest } from "./api.ts";
import { putState } from "./state.ts";
import { JSON_TYPE, nameOf, type SpecOperation } from "./spec.ts";

/** Values for the groups of a path; none of them names a thing that exists. */
export const UNKNOWN: Readonly<Record<string, string>> = {
  user_id: uuidOf("no user"),
  session_id: uuidOf("no session"),
  handle: "nobody",
  upload_id: uuidOf("no upload"),
  asset_id: uuidOf("no asset"),
  hash: hashOf("no blob"),
  opaque_id: hashOf("no link").slice(0, 32),
  album_id: uuidOf("no album"),
  jti: uuidOf("no capability"),
  intent_id: uuidOf("no intent"),
  channel_id: hashOf("no channel").slice(0, 32),
  slot: "nothing",
  log: "custody",
  level: "0",
  tile: "999",
};

/** The query without which an operation is malformed. */
const QUERIES: Readonly<Record<string, string>> = {
  "DELETE /v1/albums/{album_id}/upgrade": "?intent_id={intent_id}",
  "POST /v1/albums/{album_id}/upgrade/commit": "?intent_id={intent_id}",
  "GET /v1/auth/devices/enroll/channel/{channel_id}": "?direction=to_enrollee",
};

/** A path with its groups filled; guests' uploads have values of their own. */
export function fillPath(
  path: string,
  values: Readonly<Record<string, string>> = UNKNOWN,
): string {
  const whose = path.startsWith("/u/")
    ? "guest "
    : path.startsWith("/v1/upload-links/")
    ? "contributed "
    : "";
  return path.replace(
    /\{(\w+)\}/g,
    (_, name) => values[whose + name] ?? values[name] ?? name,
  );
}

/** Options of a request to which the pipeline has nothing to object. */
export async function validOptions(
  op: SpecOperation,
  person: Person,
): Promise<SendOptions> {
  const body = await sampleBody(op, person);
  return {
    ...(op.credential === "none" ? {} : { token: person.token }),
    ...(op.handshake ? {} : { protocol: null }),
    headers: {
      ...(op.body === undefined ? {} : { "Content-Type": op.body }),
      ...(op.method === "PATCH" ? { "Upload-Offset": "0" } : {}),
      ...(nameOf(op) === "PUT /v1/auth/devices/directory"
        ? { "X-Service-Identity-Key": "null" }
        : {}),
      ...(nameOf(op) === "PUT /v1/state/{slot}"
        ? { "If-None-Match": "*" }
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
    case "/v1/invitations/redeem":
      return { code: "A".repeat(22), ...credentials };
    case "/v1/auth/register":
    case "/v1/auth/login":
      return credentials;
    case "/v1/auth/login/verify-totp":
      return { challenge_id: uuidOf("no challenge"), code: "000000" };
    case "/v1/auth/logout/all":
    case "/v1/auth/account/delete":
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
    case "/v1/auth/devices/enroll/redeem":
      return { code: "00000-00000" };
    case "/v1/auth/devices/enroll/channel/{channel_id}":
      return { direction: "to_initiator", payload: "AAAA" };
    case "/v1/auth/refresh":
      return { session_token: "AAAAAAAAAAAAAAAAAAAAAA" };
    case "/v1/albums":
      return { album_id: uuidOf("a sample album") };
    case "/v1/albums/{album_id}/roster":
      return { roster_cbor: "AAAA" };
    case "/v1/albums/{album_id}/capabilities":
      return {
        peer: "https://peer.example.org",
        member: uuidOf("no user"),
        scope: "read",
      };
    case "/v1/albums/{album_id}/capabilities/{jti}/renewal":
      return { verifier: hashOf("a secret") };
    case "/v1/federation/capabilities/renew":
      return { jti: uuidOf("no capability"), secret: "A".repeat(43) + "=" };
    case "/v1/albums/{album_id}/ops": {
      const manifest = ciphertext("sample manifest", 10);
      return opRequest(person, uuidOf("no album"), uuidOf("a file"), manifest, {
        original: ciphertext("sample", 10),
      });
    }
    case "/v1/upload":
      return uploadRequest(person, ciphertext("sample", 10));
    case "/v1/shares":
      return shareRequest("sample", [hashOf("sample")]);
    case "/v1/shares/{opaque_id}":
      return { expires_at: null };
    case "/v1/storage/verify":
      return {
        assets: [{
          asset_id: uuidOf("a file"),
          blob_hashes: [hashOf("sample")],
        }],
      };
    case "/v1/assets/query":
      return { asset_ids: [uuidOf("a file")] };
    case "/v1/assets/blobs":
      return {
        blobs: [{ asset_id: uuidOf("a file"), hash: hashOf("sample") }],
      };
    case "/s/{opaque_id}/blobs":
      return { hashes: [hashOf("sample")] };
    case "/v1/upload-links":
      return linkRequest("sample");
    case "/u/{opaque_id}/uploads":
      return guestRequest(ciphertext("sample", 10));
    case "/v1/users/lookup":
      return { address: person.address };
    case "/v1/federation/reports":
      return { ...reportFields(person.userId), signature: "AAAA" };
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
  const path = fillPath(`${op.path}${QUERIES[nameOf(op)] ?? ""}`, values);
  return await app.send(method ?? op.method, path, {
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
  const albumId = await provisionAlbum(app, person, "world", OLD_PROTOCOL);
  await publishRoster(app, person, albumId, 1, []);
  const intent = await intentBytes(person, albumId, "world");
  await expectJson(await beginUpgrade(app, person, albumId, intent), 200);
  const other = await expectJson(
    await app.send("POST", "/v1/auth/login", {
      json: { address: person.address, password: PASSWORD },
    }),
    200,
  );
  await expectJson(await storeEscrow(app, person, ciphertext("key", 90)), 200);
  const channel = await openChannel(app, person);
  await expectEmpty(
    await putState(app, person, "world", ciphertext("state", 90)),
    204,
  );
  const hash = hashOf(asset.original);
  const opaque = await issueShare(app, person, "world", [
    hashOf(asset.metadata),
    hash,
  ], { wrapped_secret: "AAAA" });
  // Upload links have opaque ids of their own: this one is no other's.
  await issueLink(app, person, "world", { wrapped_secret: "AAAA" });
  const open = await createGuestUpload(app, opaque, ciphertext("guest", 10));
  const given = await contribute(app, opaque, ciphertext("given", 10));
  await app.advanceLogs();
  return {
    person,
    values: {
      log: "custody",
      level: "0",
      tile: "000.p/1",
      user_id: person.userId,
      session_id: other.session_id,
      handle: "world",
      upload_id: upload.upload_id,
      "guest upload_id": open.upload_id,
      "contributed upload_id": given.upload_id,
      asset_id: asset.assetId,
      hash,
      opaque_id: opaque,
      album_id: albumId,
      jti: uuidOf("no capability"),
      intent_id: uuidOf("intent world"),
      channel_id: channel,
      slot: "world",
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
