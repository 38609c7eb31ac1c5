/**
 * Vectors of the public logs: notes, tiles, a restore, a fork, a witness, the
 * proof of a photo, and evidence.
 *
 * @module
 */
import { toBase64, toHex, utf8 } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import type { AlbumId, UserId } from "../../src/core/ids.ts";
import { hybridSignerFromSeeds } from "../../src/crypto/hybrid.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import {
  formatLogEvidence,
  type LogEvidence,
} from "../../src/crypto/logs/log_evidence.ts";
import { endorsedLogKeyFor, logKeyId } from "../../src/crypto/logs/log_key.ts";
import { formatLogPolicy } from "../../src/crypto/logs/log_policy.ts";
import {
  consistencyNodes,
  encodeBundle,
  inclusionNodes,
  leafHash,
  makeProof,
  nodeHash,
  rootOf,
  type TreeNode,
} from "../../src/crypto/logs/merkle.ts";
import { portablePrimitives } from "../../src/crypto/primitives.ts";
import { receiptHash, signReceipt } from "../../src/crypto/receipt.ts";
import { parsePublishedKeys } from "../../src/crypto/receipt_chain.ts";
import { formatReceiptProof } from "../../src/crypto/receipt_proof.ts";
import { sha256, sha256Hex } from "../../src/crypto/sha256.ts";
import {
  cosign,
  formatCheckpoint,
  formatNote,
  noteKey,
  noteSigner,
  signNote,
  signNoteHybrid,
  verifierKey,
} from "../../src/crypto/logs/signed_note.ts";
import { encryptBytes } from "../../src/client/stream/stream.ts";
import {
  appEntry,
  directoryEntry,
  forkEntry,
  rosterEntry,
} from "../../src/features/log/entries.ts";
import { FILE_ID, patternOf, secretOf, SERVER_ID, USER_ID } from "./seeds.ts";

const HOST = "strongroom.example";
const BEFORE = `${HOST}/keys/01930b6e7a30`;
const NOW = `${HOST}/keys/01930b6e7a31`;
const CUSTODY = `${HOST}/custody/01930b6e7a31`;
const WITNESS = "friend.example/witness/01930b6e7a00";
const ALBUM_ID = "01930b6e-7a30-8c3a-8a8e-000000000001";
const PHOTO_BYTES = 10_000;
const CHUNK_BYTES = 4_096;
const RECEIPTS = 300;
const RECEIPT_AT = 258;
const SECONDS = 1_790_000_000;

/** The tree of some entries. */
function treeOf(entries: readonly Uint8Array[]) {
  const leaves = entries.map((entry) => leafHash(entry));
  const read = ({ level, index }: TreeNode): Uint8Array =>
    level === 0 ? leaves[index] ?? new Uint8Array() : nodeHash(
      read({ level: level - 1, index: index * 2 }),
      read({ level: level - 1, index: index * 2 + 1 }),
    );
  return {
    leaves,
    root: (size: number) => rootOf(size, read),
    follows: (old: number, size: number) =>
      makeProof(consistencyNodes(old, size), read),
    includes: (index: number, size: number) =>
      makeProof(inclusionNodes(index, size), read),
  };
}

/** Notes of both logs, and what is made of them. */
export async function logVectors() {
  const attestation = await hybridSignerFromSeeds({
    ed25519: secretOf("attestation of the logs ed25519"),
    mlDsa65: secretOf("attestation of the logs ml-dsa"),
  }, portableBackend);
  const seeds = ["first log key", "second log key"].map(secretOf) as [
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>,
  ];
  const logKeys = await Promise.all(seeds.map(noteSigner));
  const activeFrom = ["2026-09-01T00:00:00.000Z", "2026-10-02T00:00:00.000Z"];
  const succession = await endorsedLogKeyFor(SERVER_ID)(seeds[0], {
    seed: seeds[1],
    activeFrom: Date.parse(activeFrom[1] ?? ""),
  });
  const witnessSeed = secretOf("witness's first log key");
  const witness = await noteSigner(portablePrimitives.hkdfSha256(
    witnessSeed,
    new Uint8Array(),
    utf8(`strongroom-witness-key/v1\0${WITNESS}`),
    32,
  ));
  const witnessKey = noteKey(WITNESS, "cosignature", witness.publicKey);
  const record = {
    server_id: SERVER_ID,
    server_ids: [{ server_id: SERVER_ID, from: activeFrom[0] }],
    keys: [{
      key_id: attestation.keyId,
      public: toBase64(attestation.publicKey),
      algorithm: "Ed25519+ML-DSA-65",
      active_from: activeFrom[0],
    }],
    log_keys: logKeys.map(({ publicKey }, place) => ({
      key_id: logKeyId(publicKey),
      public: toBase64(publicKey),
      algorithm: "Ed25519",
      active_from: activeFrom[place],
      ...(place === 0 ? {} : { succession: toBase64(succession) }),
    })),
  };

  const noteOf = async (
    origin: string,
    size: number,
    root: Uint8Array,
    { life, cosigned = false }: { life: 0 | 1; cosigned?: boolean },
  ) => {
    const text = formatCheckpoint({ origin, size, root });
    const logKey = logKeys[life];
    if (logKey === undefined) throw new Error("no key");
    return formatNote({
      text,
      signatures: [
        await signNote(logKey, origin, text),
        await signNoteHybrid(attestation, origin, text),
        ...(cosigned ? [await cosign(witness, WITNESS, text, SECONDS)] : []),
      ],
    });
  };

  const ownKey = toHex(secretOf("anchor of ada"));
  const hash = (name: string) => toHex(secretOf(name));
  const directory = (version: number, name: string) =>
    directoryEntry(USER_ID as UserId, version, hash(name), ownKey);
  const shared = [
    appEntry(hash("app manifest")),
    directory(1, "directory 1"),
    rosterEntry(ALBUM_ID as AlbumId, 1, hash("roster 1")),
    encodeCanonical([9, "of a newer program"]),
  ];
  const before = [
    ...shared,
    rosterEntry(ALBUM_ID as AlbumId, 2, hash("roster 2")),
    directory(2, "directory 2"),
  ];
  const forked = [
    ...shared,
    rosterEntry(ALBUM_ID as AlbumId, 2, hash("another roster 2")),
  ];
  const old = treeOf(before);
  const seen = await noteOf(BEFORE, 5, old.root(5), {
    life: 0,
    cosigned: true,
  });
  const later = await noteOf(BEFORE, 6, old.root(6), { life: 0 });
  const fork = await noteOf(BEFORE, 5, treeOf(forked).root(5), { life: 0 });
  // The backup was made at size 5: the sixth entry is lost.
  const after = [
    ...before.slice(0, 5),
    forkEntry(BEFORE, seen),
    directory(3, "directory 3"),
  ];
  const restored = treeOf(after);
  const now = await noteOf(NOW, after.length, restored.root(after.length), {
    life: 1,
  });

  const photo = patternOf(PHOTO_BYTES);
  const fileKey = secretOf("key of the proven photo");
  const salt = secretOf("salt of the proven photo").subarray(0, 16);
  const blob = await encryptBytes(
    { fileKey, chunkSize: CHUNK_BYTES },
    salt,
    photo,
  );
  const receipt = await signReceipt(attestation, {
    receipt_seq: 1_000_300,
    server_id: SERVER_ID,
    prior_receipt_hash: secretOf("the receipt before"),
    upload_id: "01930b6e-7a30-7c3a-8a8e-3f2d9c4b5a61",
    asset_id: FILE_ID,
    blob_role: "original",
    ciphertext_hash: sha256(blob),
    size: blob.length,
    envelope_hash: null,
    received_at: "2026-10-03T00:00:00.000Z",
  });
  const receipts = Array.from(
    { length: RECEIPTS },
    (_, at) =>
      at === RECEIPT_AT ? receiptHash(receipt) : secretOf(`receipt ${at}`),
  );
  const custody = treeOf(receipts);
  const custodyNote = await noteOf(CUSTODY, RECEIPTS, custody.root(RECEIPTS), {
    life: 1,
    cosigned: true,
  });
  const published = parsePublishedKeys(record);
  const policy = formatLogPolicy([{
    name: "friend",
    key: witnessKey,
    url: undefined,
  }], 1);
  const proof = formatReceiptProof({
    receipt,
    published,
    index: RECEIPT_AT,
    hashes: custody.includes(RECEIPT_AT, RECEIPTS),
    note: custodyNote,
    opening: {
      key: new Uint8Array(fileKey),
      salt: new Uint8Array(salt),
      chunkSize: CHUNK_BYTES,
    },
    policy,
  });
  const evidence: LogEvidence = {
    notes: [fork, later],
    other: { root: old.root(5), hashes: old.follows(5, 6) },
  };
  const leafTile = (leaves: readonly Uint8Array[]) =>
    Uint8Array.from(leaves.flatMap((leaf) => [...leaf]));
  const level1 = treeOf(receipts.slice(0, 256)).root(256);
  return {
    attestation_keys: record,
    witness: {
      first_log_key: toHex(witnessSeed),
      name: WITNESS,
      verifier_key: verifierKey(witnessKey),
      cosigned_at: SECONDS,
    },
    account: { user_id: USER_ID, key_id: ownKey, album_id: ALBUM_ID },
    keys: {
      seen,
      /** What it had beyond that, which the restore lost. */
      then: before.slice(5).map(toBase64),
      checkpoint: now,
      tiles: {
        "tile/0/000.p/7": toBase64(leafTile(restored.leaves)),
        "tile/entries/000.p/7": toBase64(encodeBundle(after)),
      },
      consistency: restored.follows(5, after.length).map(toBase64),
    },
    custody: {
      about: "receipt i is that of the proof at its index, else " +
        "SHA-256 of `strongroom test vectors: receipt <i>`; tiles by SHA-256",
      tiles: {
        "tile/0/000": sha256Hex(leafTile(custody.leaves.slice(0, 256))),
        "tile/0/001.p/44": sha256Hex(leafTile(custody.leaves.slice(256))),
        "tile/1/000.p/1": sha256Hex(level1),
      },
    },
    photo_bytes: PHOTO_BYTES,
    proof,
    evidence: formatLogEvidence(evidence, published),
  };
}
