/**
 * Vectors of shares and custody receipts.
 *
 * @module
 */
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { hybridSignerFromSeeds } from "../../src/crypto/hybrid.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import { receiptHash, signReceipt } from "../../src/crypto/receipt.ts";
import {
  buildShareLink,
  encodeShareIndex,
  protectShare,
} from "../../src/client/documents/share.ts";
import { encryptBytes } from "../../src/client/stream/stream.ts";
import {
  FILE_ID,
  LINK_COST,
  OPAQUE_ID,
  randomOf,
  secretOf,
  SERVER_ID,
} from "./seeds.ts";

/** Share index, and the secret of a link with a passphrase. */
export async function shareVectors() {
  const secret = secretOf("share secret");
  const passphrase = "correct horse battery staple";
  const index = encodeShareIndex({
    v: 1,
    n: 3,
    title: "Summer",
    message: "Look at the third one.",
    from: "Ada",
    adds: {
      opaque_id: OPAQUE_ID,
      fingerprint: secretOf("recipient's fingerprint"),
      gate: secretOf("gate"),
      reacts: true,
    },
    items: [{
      name: "Größe 📷.jpg",
      mime: "image/jpeg",
      size: 200_000,
      hash: toHex(secretOf("original")),
      key: secretOf("file key"),
      chunk_size: 65_536,
      taken_at: "2026-09-30T16:03:11.000Z",
      duration_ms: 2_900,
      caption: "Am Hafen",
      thumbnail: {
        hash: toHex(secretOf("thumbnail")),
        key: secretOf("thumbnail key"),
        mime: "image/jpeg",
        width: 512,
        height: 384,
      },
      preview: {
        hash: toHex(secretOf("preview")),
        key: secretOf("preview key"),
        mime: "image/jpeg",
        width: 2_048,
        height: 1_536,
      },
      remarks: [
        {
          id: "0b".repeat(16),
          from: "Grandma",
          at: "2026-10-02T08:00:00.000Z",
          text: "Schön!",
        },
        {
          id: "0c".repeat(16),
          from: "Onkel Bo",
          at: "2026-10-02T08:01:00.000Z",
        },
      ],
    }],
  });
  const fragment = secretOf("share fragment");
  const { secret: guarded, wrappedSecret } = await protectShare(
    passphrase,
    { opaqueId: OPAQUE_ID, fragment },
    randomOf("wrap"),
    { cost: LINK_COST },
  );
  const link = {
    origin: "https://strongroom.example",
    opaqueId: OPAQUE_ID,
    secret,
  };
  return {
    secret: toHex(secret),
    link: buildShareLink(link),
    index_json: toBase64(index),
    index_blob: toBase64(
      await encryptBytes({ fileKey: secret }, randomOf("index")(16), index),
    ),
    guarded: {
      opaque_id: OPAQUE_ID,
      link: buildShareLink({ ...link, secret: fragment }),
      passphrase,
      wrapped_secret: toBase64(wrappedSecret),
      secret: toHex(guarded),
    },
  };
}

/** A custody chain over a restore and a key rotation. */
export async function receiptVectors() {
  const signerOf = (name: string) =>
    hybridSignerFromSeeds({
      ed25519: secretOf(`${name} ed25519`),
      mlDsa65: secretOf(`${name} ml-dsa`),
    }, portableBackend);
  const old = await signerOf("old attestation key");
  const current = await signerOf("current attestation key");
  const rows = [
    { signer: old, seq: 1, role: "original", at: "2026-10-01T00:00:00.000Z" },
    { signer: old, seq: 2, role: "metadata", at: "2026-10-01T00:00:01.000Z" },
    { signer: old, seq: 3, role: "provenance", at: "2026-10-02T00:00:00.000Z" },
    // The gap and the other key are what a restore leaves.
    {
      signer: current,
      seq: 1_000_004,
      role: "original",
      at: "2026-10-03T00:00:00.000Z",
    },
  ] as const;
  const receipts = [];
  let prior: Uint8Array | null = null;
  for (const { signer, seq, role, at } of rows) {
    const receipt: Uint8Array = await signReceipt(signer, {
      receipt_seq: seq,
      server_id: SERVER_ID,
      prior_receipt_hash: prior,
      upload_id: "01930b6e-7a30-7c3a-8a8e-3f2d9c4b5a61",
      asset_id: seq > 3 ? null : FILE_ID,
      blob_role: role,
      ciphertext_hash: secretOf(role),
      size: 1_000 + seq,
      envelope_hash: role === "provenance" ? secretOf("manifest") : null,
      received_at: at,
    });
    prior = receiptHash(receipt);
    receipts.push({ cbor: toBase64(receipt), sha256: toHex(prior) });
  }
  const published = (signer: typeof old) => ({
    key_id: signer.keyId,
    public: toBase64(signer.publicKey),
    algorithm: "Ed25519+ML-DSA-65",
  });
  return {
    attestation_keys: {
      server_id: SERVER_ID,
      keys: [
        {
          ...published(old),
          active_from: "2026-09-01T00:00:00.000Z",
          active_to: "2026-10-02T12:00:00.000Z",
        },
        { ...published(current), active_from: "2026-10-02T12:00:00.000Z" },
      ],
    },
    receipts,
  };
}
