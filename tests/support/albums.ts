/**
 * Albums in tests: provisioning, rosters, capabilities, upgrades and lifecycle
 * writes, signed as a client would sign them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import type { CborMap } from "../../src/core/cbor.ts";
import {
  type EnvelopePayload,
  signEnvelope,
} from "../../src/crypto/envelope.ts";
import type { HybridSigner } from "../../src/crypto/hybrid.ts";
import {
  PROTOCOL,
  type Sender,
  type SendOptions,
  type TestApp,
  type TestSettings,
} from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import { hashOf, type Person, registerWriter, uuidOf } from "./people.ts";
import { expectBytes, withFaultlessApp } from "./api.ts";

const SIGNED_AT = "2026-11-21T12:00:00Z";
export const OLD_PROTOCOL = "2026-08-01";

/** Provisions an album; `protocol` is the date that it is pinned to. */
export async function provisionAlbum(
  app: Sender,
  owner: Person,
  name: string,
  protocol: string = PROTOCOL,
): Promise<string> {
  const albumId = uuidOf(`album ${name}`);
  await expectJson(
    await app.send("POST", "/v1/albums", {
      token: owner.token,
      protocol,
      json: { album_id: albumId },
    }),
    201,
  );
  return albumId;
}

export interface Member {
  readonly member: string;
  readonly role?: string;
  readonly wrapped_amk?: Uint8Array;
}

/** The signed bytes of a roster; `over` replaces fields of its payload. */
export function rosterBytes(
  owner: Person,
  albumId: string,
  version: number,
  members: readonly Member[],
  over: CborMap = {},
  signer: HybridSigner = owner.signer,
): Promise<Uint8Array<ArrayBuffer>> {
  const payload: CborMap = {
    type: "service-album-roster/v1",
    album_id: albumId,
    owner: owner.userId,
    roster_version: version,
    amk_epoch: 0,
    members: members.map(({ member, role, wrapped_amk }) => ({
      member,
      role: role ?? "viewer",
      wrapped_amk: wrapped_amk ?? new Uint8Array([1, 2, 3]),
    })),
    signed_at: SIGNED_AT,
    ...over,
  };
  // Tests send payloads that no client would sign, another type for one.
  return signEnvelope(signer, payload as EnvelopePayload);
}

/** PUTs a roster's bytes. */
export function putRoster(
  app: Sender,
  person: Person,
  albumId: string,
  bytes: Uint8Array,
  sent: SendOptions = {},
): Promise<Response> {
  return app.send("PUT", `/v1/albums/${albumId}/roster`, {
    token: person.token,
    json: { roster_cbor: toBase64(bytes) },
    ...sent,
  });
}

/** Fetches an album's roster. */
export function getRoster(
  app: Sender,
  person: Person,
  albumId: string,
  method = "GET",
): Promise<Response> {
  return app.send(method, `/v1/albums/${albumId}/roster`, {
    token: person.token,
  });
}

/** Expects that a person fetches exactly these bytes as the roster. */
export async function expectRoster(
  app: Sender,
  person: Person,
  albumId: string,
  bytes: Uint8Array,
): Promise<void> {
  const response = await getRoster(app, person, albumId);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/cbor");
  expectBytes(await response.arrayBuffer(), bytes);
}

/** The albums that a person sees, by their ids. */
export async function listAlbums(
  app: Sender,
  person: Person,
): Promise<Record<string, Json>> {
  const { albums } = await expectJson(
    await app.send("GET", "/v1/albums", { token: person.token }),
    200,
  );
  return Object.fromEntries(albums.map((one: Json) => [one.album_id, one]));
}

/**
 * Runs a test over an album of Ada's that Bob is not in yet. After it the log
 * has no error of the server's own.
 */
export async function withAlbum(
  test: (
    app: TestApp,
    ada: Person,
    bob: Person,
    albumId: string,
  ) => Promise<void>,
  options: TestSettings = {},
): Promise<void> {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await test(app, ada, bob, await provisionAlbum(app, ada, "holidays"));
  }, options);
}

/** Publishes a roster of these members; returns the answer. */
export async function publishRoster(
  app: Sender,
  owner: Person,
  albumId: string,
  version: number,
  members: readonly Member[],
  over: CborMap = {},
): Promise<Json> {
  const bytes = await rosterBytes(owner, albumId, version, members, over);
  return await expectJson(await putRoster(app, owner, albumId, bytes), 200);
}

/** POSTs a mint request; the member is a local viewer if not said. */
export function mint(
  app: Sender,
  owner: Person,
  albumId: string,
  request: Json,
): Promise<Response> {
  return app.send("POST", `/v1/albums/${albumId}/capabilities`, {
    token: owner.token,
    json: { scope: "read", ...request },
  });
}

/** Refreshes a capability. */
export function refreshCapability(
  app: Sender,
  token: string,
): Promise<Response> {
  return app.send("POST", "/v1/federation/capabilities/refresh", { token });
}

/** Sets the hash of the secret that renews a grant. */
export function setRenewal(
  app: Sender,
  owner: Person,
  { albumId, jti }: { readonly albumId: string; readonly jti: string },
  verifier: string,
): Promise<Response> {
  const path = `/v1/albums/${albumId}/capabilities/${jti}/renewal`;
  return app.send("PUT", path, { token: owner.token, json: { verifier } });
}

/** Asks for a live token of a grant. */
export function renewCapability(
  app: Sender,
  jti: string,
  secret: Uint8Array,
): Promise<Response> {
  return app.send("POST", "/v1/federation/capabilities/renew", {
    json: { jti, secret: toBase64(secret) },
  });
}

/** The signed bytes of an upgrade intent; `over` replaces payload fields. */
export function intentBytes(
  owner: Person,
  albumId: string,
  name: string,
  over: CborMap = {},
  signer: HybridSigner = owner.signer,
): Promise<Uint8Array<ArrayBuffer>> {
  const payload: CborMap = {
    type: "service-upgrade-intent/v1",
    album_id: albumId,
    intent_id: uuidOf(`intent ${name}`),
    to_protocol_version: PROTOCOL,
    successor_album_id: uuidOf(`successor ${name}`),
    window_seconds: 3_600,
    signed_at: SIGNED_AT,
    ...over,
  };
  return signEnvelope(signer, payload as EnvelopePayload);
}

/** POSTs an upgrade intent. */
export function beginUpgrade(
  app: Sender,
  person: Person,
  albumId: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  return app.send("POST", `/v1/albums/${albumId}/upgrade`, {
    token: person.token,
    headers: { "Content-Type": "application/cbor" },
    body,
  });
}

/** Aborts or commits the ceremony of an intent by name. */
export function endUpgrade(
  app: Sender,
  person: Person,
  albumId: string,
  how: "abort" | "commit",
  name: string,
): Promise<Response> {
  const id = `intent_id=${uuidOf(`intent ${name}`)}`;
  const path = `/v1/albums/${albumId}/upgrade`;
  return how === "abort"
    ? app.send("DELETE", `${path}?${id}`, { token: person.token })
    : app.send("POST", `${path}/commit?${id}`, { token: person.token });
}

/** What a lifecycle write says; hashes are taken from the bytes. */
export interface OpOver {
  readonly action?: "create" | "replace";
  readonly original: Uint8Array;
  readonly metadata?: Uint8Array;
  readonly prior?: string;
  readonly envelope?: Json;
  readonly request?: Json;
}

/** The body of a lifecycle write that agrees with itself. */
export function opRequest(
  person: Person,
  albumId: string,
  assetId: string,
  manifest: Uint8Array,
  over: OpOver,
): Json {
  const { action = "create", original, metadata, prior } = over;
  return {
    manifest_envelope: {
      crypto_suite_id: 1,
      protocol_version: PROTOCOL,
      album_id: albumId,
      file_id: assetId,
      amk_version: 0,
      ciphertext_hash: hashOf(original),
      plaintext_size: 1_000,
      chunk_size: 65_536,
      key_mode: "derived",
      original_blob_hash: hashOf(original),
      ...(metadata === undefined
        ? {}
        : { metadata_blob_hash: hashOf(metadata) }),
      created_by_user: person.userId,
      created_by_device: uuidOf("a device"),
      client_version: "test/1",
      timestamp: SIGNED_AT,
      action,
      ...(prior === undefined ? {} : { prior_provenance_hash: prior }),
      ...over.envelope,
    },
    manifest_cbor: toBase64(manifest),
    ...(metadata === undefined ? {} : { metadata_blob: toBase64(metadata) }),
    ...over.request,
  };
}

/** POSTs a lifecycle write. */
export function sendOp(
  app: Sender,
  person: Person,
  albumId: string,
  json: Json,
): Promise<Response> {
  return app.send("POST", `/v1/albums/${albumId}/ops`, {
    token: person.token,
    json,
  });
}

/** A page of the feed. */
export async function readFeed(
  app: Sender,
  token: string,
  query = "",
): Promise<Json> {
  return await expectJson(
    await app.send("GET", `/v1/sync${query}`, { token }),
    200,
  );
}
