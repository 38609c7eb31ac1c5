/**
 * The asset manifest (protocol/client-cryptography.md#manifest): a signed
 * envelope of type `service-manifest/v1` whose payload mirrors ManifestEnvelope
 * (protocol/manifests.md#envelope) field for field, hashes as bytes, absent
 * fields left out. In mode `wrapped` it also carries `sealed_key` (see
 * `file_key.ts`), and always `revision`, which rises with each replacement.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromHex, toHex } from "../../core/bytes.ts";
import type { CborMap } from "../../core/cbor.ts";
import { isCalendarDate } from "../../core/time.ts";
import { type OpenedEnvelope, signEnvelope } from "../../crypto/envelope.ts";
import type { HybridBackend, HybridSigner } from "../../crypto/hybrid.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import {
  assertUtc,
  checked,
  chunkSize,
  count,
  DocumentError,
  hash,
  instant,
  MADE_BY_NEWER,
  more,
  NewerDocumentError,
  uuid,
  withoutMore,
} from "./fields.ts";
import { CRYPTO_SUITE_ID } from "./suite.ts";
import { assertSigned, openDocument } from "./signed.ts";

/** The manifest's type and signing domain. */
export const MANIFEST_TYPE = "service-manifest/v1";

const envelopeSchema = z.strictObject({
  crypto_suite_id: count,
  protocol_version: z.string().check(z.refine(isCalendarDate, "not a date")),
  album_id: z.optional(uuid),
  file_id: uuid,
  amk_version: count,
  ciphertext_hash: hash,
  plaintext_size: count,
  chunk_size: chunkSize,
  key_mode: z.enum(["derived", "wrapped"]),
  metadata_blob_hash: z.optional(hash),
  original_blob_hash: z.optional(hash),
  created_by_user: z.string().check(z.minLength(1)),
  created_by_device: uuid,
  client_version: z.string().check(z.minLength(1)),
  timestamp: instant,
  action: z.enum(["create", "replace"]),
  prior_provenance_hash: z.optional(hash),
  retention_until: z.optional(instant),
});

const moreSchema = z.object({ more });

/** Hex in JSON, bytes in the signed payload. */
const HASH_FIELDS: ReadonlySet<string> = new Set([
  "ciphertext_hash",
  "metadata_blob_hash",
  "original_blob_hash",
  "prior_provenance_hash",
]);

/**
 * ManifestEnvelope in its JSON form. In the signed manifest `ciphertext_hash`
 * is that of the original; in an upload's mirror it is that of the session's
 * blob.
 */
export interface ManifestEnvelope {
  crypto_suite_id: number;
  /** The protocol date under which it was written, `YYYY-MM-DD`. */
  protocol_version: string;
  album_id?: string | undefined;
  /** The asset's id. */
  file_id: string;
  /** The epoch of the album key (`amk_epoch`) that opens it. */
  amk_version: number;
  ciphertext_hash: string;
  plaintext_size: number;
  chunk_size: number;
  key_mode: "derived" | "wrapped";
  metadata_blob_hash?: string | undefined;
  original_blob_hash?: string | undefined;
  /** A user id, or `<user_id>@<server_id>` of another server. */
  created_by_user: string;
  created_by_device: string;
  client_version: string;
  timestamp: string;
  action: "create" | "replace";
  /** The previous head of the chain; absent in the first manifest. */
  prior_provenance_hash?: string | undefined;
  retention_until?: string | undefined;
}

/** A manifest that was read. */
export interface Manifest {
  readonly envelope: ManifestEnvelope;
  /** Only in mode `wrapped`. */
  readonly sealedKey?: Uint8Array;
  /** 0 at create, one more at each replace. */
  readonly revision: number;
  /** SHA-256 of the signed manifest in hex, which becomes the chain head. */
  readonly hash: string;
}

/**
 * Signs a manifest and returns the provenance blob's bytes. `sealedKey` is
 * required in mode `wrapped` and refused in the other; `revision` is 0 at
 * create and one more at each replace. Throws a DocumentError for fields that
 * ManifestEnvelope does not allow.
 */
export async function signManifest(
  signer: HybridSigner,
  envelope: ManifestEnvelope,
  sealedKey?: Uint8Array,
  revision = 0,
): Promise<Bytes> {
  const fields = checked(envelopeSchema, envelope, "manifest");
  assertKeyMode(fields, sealedKey);
  assertRevision(fields, revision);
  assertUtc(
    "manifest",
    fields.timestamp,
    ...(fields.retention_until === undefined ? [] : [fields.retention_until]),
  );
  const payload: CborMap = { revision };
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const digest = HASH_FIELDS.has(name) ? fromHex(String(value)) : undefined;
    payload[name] = digest ?? value;
  }
  if (sealedKey !== undefined) payload["sealed_key"] = sealedKey;
  return await signEnvelope(signer, { ...payload, type: MANIFEST_TYPE });
}

/** Reads a manifest without judging its signature. Throws a DocumentError. */
export function openManifest(bytes: Uint8Array): Manifest {
  return readOpened(bytes, openDocument(bytes, "manifest"));
}

/**
 * Reads a manifest and verifies that this identity key (1,984 bytes) signed it.
 * Throws a DocumentError if it is unreadable or not signed by that key.
 */
export async function verifyManifest(
  bytes: Uint8Array,
  identityKey: Uint8Array,
  backend?: HybridBackend,
): Promise<Manifest> {
  const opened = openDocument(bytes, "manifest");
  await assertSigned(opened, "manifest", MANIFEST_TYPE, identityKey, backend);
  return readOpened(bytes, opened);
}

/**
 * The mirror that an upload session declares: the manifest's fields with the
 * content address (hex) of the session's own blob.
 */
export function mirrorFor(
  envelope: ManifestEnvelope,
  ciphertextHash: string,
): ManifestEnvelope {
  return checked(envelopeSchema, {
    ...envelope,
    ciphertext_hash: ciphertextHash,
  }, "manifest");
}

/** SHA-256 of a signed manifest in hex: the asset's chain head. */
export function manifestHash(bytes: Uint8Array): string {
  return sha256Hex(bytes);
}

function readOpened(bytes: Uint8Array, opened: OpenedEnvelope): Manifest {
  const {
    type,
    sealed_key: sealedKey,
    revision,
    more: entries,
    ...fields
  } = opened.payload;
  if (type !== MANIFEST_TYPE) throw new DocumentError("not a manifest");
  if (entries !== undefined) {
    withoutMore(checked(moreSchema, { more: entries }, "manifest"), "manifest");
  }
  const { crypto_suite_id: suite } = fields;
  if (typeof suite === "number" && suite !== CRYPTO_SUITE_ID) {
    throw new NewerDocumentError(`manifest ${MADE_BY_NEWER}`);
  }
  for (const name of HASH_FIELDS) {
    const value = fields[name];
    if (value === undefined) continue;
    if (!(value instanceof Uint8Array)) {
      throw new DocumentError(`manifest /${name}: not bytes`);
    }
    fields[name] = toHex(value);
  }
  if (sealedKey !== undefined && !(sealedKey instanceof Uint8Array)) {
    throw new DocumentError("manifest /sealed_key: not bytes");
  }
  const envelope = checked(envelopeSchema, fields, "manifest");
  assertKeyMode(envelope, sealedKey);
  assertRevision(envelope, revision);
  return {
    envelope,
    revision,
    ...(sealedKey === undefined ? {} : { sealedKey }),
    hash: manifestHash(bytes),
  };
}

function assertRevision(
  { action }: ManifestEnvelope,
  revision: unknown,
): asserts revision is number {
  const { success, data } = count.safeParse(revision);
  if (!success || (action === "create") !== (data === 0)) {
    throw new DocumentError("manifest /revision: 0 at create, then higher");
  }
}

function assertKeyMode(
  envelope: ManifestEnvelope,
  sealedKey: Uint8Array | undefined,
): void {
  const wrapped = envelope.key_mode === "wrapped";
  if (wrapped !== (sealedKey !== undefined)) {
    throw new DocumentError("sealed_key goes with key_mode wrapped alone");
  }
}
