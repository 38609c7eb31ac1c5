/**
 * People who use the service in a test, and the things that they send.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { toBase64 } from "../../src/core/bytes.ts";
import { signEnvelope } from "../../src/crypto/envelope.ts";
import {
  type HybridSigner,
  hybridSignerFromSeeds,
} from "../../src/crypto/hybrid.ts";
import { PROTOCOL, seededRandom, type Sender } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";

export const PASSWORD = "correct horse battery staple";

export interface Person {
  readonly address: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly sessionToken: string;
  readonly token: string;
  readonly signer: HybridSigner;
}

/** Registers an account; it has no device directory yet. */
export async function registerPerson(
  app: Sender,
  name: string,
): Promise<Person> {
  const address = `${name}@example.org`;
  const tokens = await expectJson(
    await app.send("POST", "/v1/auth/register", {
      json: { address, password: PASSWORD },
    }),
    200,
  );
  const random = seededRandom(`identity of ${name}`);
  return {
    address,
    userId: tokens.user_id,
    sessionId: tokens.session_id,
    sessionToken: tokens.session_token,
    token: tokens.access_token,
    signer: await hybridSignerFromSeeds({
      ed25519: random(32),
      mlDsa65: random(32),
    }),
  };
}

/** Registers an account that may write: its directory is published. */
export async function registerWriter(
  app: Sender,
  name: string,
): Promise<Person> {
  const person = await registerPerson(app, name);
  await expectJson(await publishDirectory(app, person, 1), 200);
  return person;
}

/** The signed bytes of a person's device directory. */
export function directoryBytes(
  person: Person,
  version: number,
): Promise<Uint8Array<ArrayBuffer>> {
  return signEnvelope(person.signer, {
    type: "service-device-directory/v1",
    directory_version: version,
    devices: [],
  });
}

/** Publishes a person's directory under the person's own identity key. */
export async function publishDirectory(
  app: Sender,
  person: Person,
  version: number,
): Promise<Response> {
  return app.send("PUT", "/v1/auth/devices/directory", {
    token: person.token,
    headers: {
      "Content-Type": "application/cbor",
      "X-Service-Identity-Key": toBase64(person.signer.publicKey),
    },
    body: await directoryBytes(person, version),
  });
}

/** Stores a person's wrapped master key. */
export function storeEscrow(
  app: Sender,
  person: Person,
  body: BodyInit,
): Promise<Response> {
  return app.send("PUT", "/v1/auth/escrow", {
    token: person.token,
    headers: { "Content-Type": "application/octet-stream" },
    body,
  });
}

/** SHA-256 in lowercase hex. */
export function hashOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Bytes that stand for ciphertext. */
export function ciphertext(seed: string, length: number) {
  return seededRandom(`ciphertext ${seed}`)(length);
}

/** A UUID that is the same in every run, from a word. */
export function uuidOf(word: string): string {
  const hex = hashOf(word);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** A create-upload request that agrees with itself; `over` changes it. */
export function uploadRequest(
  person: Person,
  bytes: Uint8Array,
  over: {
    readonly role?: string;
    readonly fileId?: string;
    readonly albumId?: string | null;
    readonly request?: Json;
    readonly envelope?: Json;
  } = {},
): Json {
  const role = over.role ?? "original";
  const hash = hashOf(bytes);
  const album = typeof over.albumId === "string"
    ? { album_id: over.albumId }
    : {};
  return {
    ...album,
    crypto_suite_id: 1,
    blob_role: role,
    ciphertext_hash: hash,
    size: bytes.length,
    manifest_envelope: {
      crypto_suite_id: 1,
      protocol_version: PROTOCOL,
      ...album,
      file_id: over.fileId ?? uuidOf("a file"),
      amk_version: 0,
      ciphertext_hash: hash,
      plaintext_size: 1_000,
      chunk_size: 65_536,
      key_mode: "derived",
      ...(role === "metadata" ? { metadata_blob_hash: hash } : {}),
      created_by_user: person.userId,
      created_by_device: uuidOf("a device"),
      client_version: "test/1",
      timestamp: "2026-11-21T12:00:00Z",
      action: "create",
      ...over.envelope,
    },
    ...over.request,
  };
}

/** Opens an upload session; returns its wire form. */
export async function createUpload(
  app: Sender,
  person: Person,
  bytes: Uint8Array,
  over: Parameters<typeof uploadRequest>[2] = {},
): Promise<Json> {
  return await expectJson(
    await app.send("POST", "/v1/upload", {
      token: person.token,
      json: uploadRequest(person, bytes, over),
    }),
    201,
  );
}

/** Uploads a blob in one request and finalizes it; returns the answer. */
export async function uploadBlob(
  app: Sender,
  person: Person,
  bytes: Uint8Array<ArrayBuffer>,
  over: Parameters<typeof uploadRequest>[2] = {},
): Promise<Json> {
  const { upload_id } = await createUpload(app, person, bytes, over);
  return await expectJson(
    await putBytes(app, person, upload_id, bytes),
    200,
  );
}

/** PUTs bytes to an upload session. */
export function putBytes(
  app: Sender,
  person: Person,
  uploadId: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  return app.send("PUT", `/v1/upload/${uploadId}`, {
    token: person.token,
    headers: { "Content-Type": "application/octet-stream" },
    body: bytes,
  });
}

/** PATCHes bytes to an upload session at an offset (tus). */
export function patchBytes(
  app: Sender,
  person: Person,
  uploadId: string,
  offset: number,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.send("PATCH", `/v1/upload/${uploadId}`, {
    token: person.token,
    headers: {
      "Content-Type": "application/offset+octet-stream",
      "Upload-Offset": String(offset),
      ...headers,
    },
    body,
  });
}

export interface LiveAsset {
  readonly assetId: string;
  readonly original: Uint8Array<ArrayBuffer>;
  readonly metadata: Uint8Array<ArrayBuffer>;
  readonly manifest: Uint8Array<ArrayBuffer>;
  /** The answer that applied the manifest. */
  readonly applied: Json;
}

/** Brings an asset to life: original, metadata, then its signed manifest. */
export async function createAsset(
  app: Sender,
  person: Person,
  name: string,
  over: { readonly albumId?: string; readonly length?: number } = {},
): Promise<LiveAsset> {
  const assetId = uuidOf(`asset ${name}`);
  const common = {
    fileId: assetId,
    ...(over.albumId === undefined ? {} : { albumId: over.albumId }),
  };
  const original = ciphertext(`original ${name}`, over.length ?? 5_000);
  const metadata = ciphertext(`metadata ${name}`, 300);
  const manifest = ciphertext(`manifest ${name}`, 900);
  await uploadBlob(app, person, original, common);
  await uploadBlob(app, person, metadata, { ...common, role: "metadata" });
  const applied = await uploadBlob(app, person, manifest, {
    ...common,
    role: "provenance",
    envelope: {
      original_blob_hash: hashOf(original),
      metadata_blob_hash: hashOf(metadata),
    },
  });
  return { assetId, original, metadata, manifest, applied };
}
