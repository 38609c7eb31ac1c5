/**
 * The public logs in vectors: notes, tiles, a restore, a proof and evidence
 * (protocol/logs.md). `tests/api/logs_test.ts` has those of a server.
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes, toBase64, toHex, utf8 } from "../../src/core/bytes.ts";
import {
  readLogEvidence,
  signedCheckpoint,
  verifyLogEvidence,
} from "../../src/crypto/logs/log_evidence.ts";
import {
  decodeBundle,
  hashOfTile,
  leafHash,
  nodeInTile,
  rootOf,
  tileOfNode,
  tilePath,
  verifyConsistency,
} from "../../src/crypto/logs/merkle.ts";
import { receiptHash } from "../../src/crypto/receipt.ts";
import { parsePublishedKeys } from "../../src/crypto/receipt_chain.ts";
import { isLogOf } from "../../src/crypto/receipt_proof.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import {
  noteKey,
  parseNote,
  readVerifierKey,
  verifyNote,
} from "../../src/crypto/logs/signed_note.ts";
import {
  albumSubject,
  readEntry,
  userSubject,
} from "../../src/library/logs/log_entries.ts";
import {
  readPhotoProof,
  verifyPhotoProof,
} from "../../src/client/documents/photo_proof.ts";
import { patternOf, secretOf } from "../../scripts/vectors/seeds.ts";
import { followLogKeys } from "../support/log_reader.ts";
import { base64, flipped } from "../support/vectors.ts";
import vectors from "./logs.json" with { type: "json" };

const PUBLISHED = parsePublishedKeys(vectors.attestation_keys);
const LOG_KEYS = vectors.attestation_keys.log_keys.map((key) => ({
  keyId: key.key_id,
  publicKey: base64(key.public),
  activeFrom: Date.parse(key.active_from ?? ""),
  succession: key.succession === undefined ? undefined : base64(key.succession),
}));
const { keys } = vectors;

Deno.test("the key of the logs follows the one before, whose note has the hybrid key's and a witness's lines", async () => {
  const [first] = LOG_KEYS;
  const ids = [vectors.attestation_keys.server_id];
  const followed = await followLogKeys(LOG_KEYS, first?.keyId ?? "", ids);
  assert.equal(followed.length, 2);
  const other = ["https://other.example"];
  const alone = await followLogKeys(LOG_KEYS, first?.keyId ?? "", other);
  assert.equal(alone.length, 1);
  const note = parseNote(keys.seen);
  const head = await signedCheckpoint(keys.seen, PUBLISHED);
  const witness = readVerifierKey(vectors.witness.verifier_key);
  assert(note && head && witness && first);
  assert(isLogOf(head.origin, "keys", PUBLISHED));
  const signed = await verifyNote(note, [
    noteKey(head.origin, "ed25519", first.publicKey),
    noteKey(
      head.origin,
      "hybrid",
      PUBLISHED.keys[0]?.publicKey ?? new Uint8Array(),
    ),
    witness,
  ]);
  assert.deepEqual(
    signed?.map(({ key, timestamp }) => [key.type, timestamp]),
    [
      ["ed25519", undefined],
      ["hybrid", undefined],
      ["cosignature", vectors.witness.cosigned_at],
    ],
  );
});

Deno.test("tiles and entries make the root after a restore, which goes on from the checkpoint before", async () => {
  const before = await signedCheckpoint(keys.seen, PUBLISHED);
  const now = await signedCheckpoint(keys.checkpoint, PUBLISHED);
  assert(before && now);
  const tile = base64(keys.tiles["tile/0/000.p/7"]);
  const entries = decodeBundle(base64(keys.tiles["tile/entries/000.p/7"])) ??
    [];
  assert.deepEqual(
    concatBytes(...entries.map((entry) => leafHash(entry))),
    tile,
  );
  const root = rootOf(now.size, (node) => nodeInTile(node, tile));
  assert.deepEqual(root, now.root);
  const proof = keys.consistency.map(base64);
  assert(verifyConsistency(proof, before, now));
  assert(!verifyConsistency(proof.slice(1), before, now));
  const read = entries.map(readEntry);
  const follows = read.find((one) => one?.kind === "follows");
  assert.deepEqual(follows, {
    kind: "follows",
    origin: before.origin,
    note: keys.seen,
  });
  // An entry of a newer program says nothing, and is passed over.
  assert.equal(read[3], undefined);
  const { user_id, album_id, key_id } = vectors.account;
  const hash = (name: string) => toHex(secretOf(name));
  const directory = (version: number) => ({
    kind: "directory",
    subject: userSubject(user_id),
    version,
    sha256: hash(`directory ${version}`),
    keyId: key_id,
  });
  assert.deepEqual(read[1], directory(1));
  assert.deepEqual(read[4], {
    kind: "roster",
    subject: albumSubject(album_id),
    version: 2,
    sha256: hash("roster 2"),
  });
  assert.deepEqual(keys.then.map((one) => readEntry(base64(one))), [
    directory(2),
  ]);
});

Deno.test("a photo is proven by its file alone, in a log of two levels of tiles", async () => {
  const proof = readPhotoProof(utf8(vectors.proof));
  assert(proof !== undefined);
  const photo = patternOf(vectors.photo_bytes);
  const source = (bytes: Uint8Array) => ({
    size: bytes.length,
    read: (offset: number, length: number) =>
      Promise.resolve(new Uint8Array(bytes).slice(offset, offset + length)),
  });
  const verdict = await verifyPhotoProof(proof, source(photo), {
    trusted: PUBLISHED,
  });
  assert(verdict.ok);
  assert.deepEqual([verdict.index, verdict.checkpoint.size], [258, 300]);
  assert(verdict.witnessed.isMet);
  const other = await verifyPhotoProof(
    proof,
    source(flipped(photo, 7)),
    { trusted: PUBLISHED },
  );
  assert(!other.ok && other.fault === "other_photo");

  const leaves = Array.from(
    { length: 300 },
    (_, at) =>
      leafHash(
        at === verdict.index
          ? receiptHash(proof.receipt)
          : secretOf(`receipt ${at}`),
      ),
  );
  const first = concatBytes(...leaves.slice(0, 256));
  const tiles = {
    [tilePath(tileOfNode({ level: 0, index: 0 }, 300))]: first,
    [tilePath(tileOfNode({ level: 0, index: 299 }, 300))]: concatBytes(
      ...leaves.slice(256),
    ),
    [tilePath(tileOfNode({ level: 8, index: 0 }, 300))]: hashOfTile(first),
  };
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(tiles).map(([path, tile]) => [path, sha256Hex(tile)]),
    ),
    vectors.custody.tiles,
  );
});

Deno.test("evidence holds for two sizes and for one, and not for a log that goes on", async () => {
  const read = readLogEvidence(vectors.evidence);
  assert(read !== undefined);
  const { evidence } = read;
  const [fork, later] = evidence.notes;
  const verify = async (notes: readonly [string, string], other = true) =>
    (await verifyLogEvidence(
      { notes, other: other ? evidence.other : undefined },
      PUBLISHED,
    )).ok;
  assert(await verify([fork, later]));
  assert(await verify([keys.seen, fork], false));
  assert(!await verify([keys.seen, later]));
  assert(!await verify([keys.seen, keys.seen]));
  assert(!await verify([fork, later], false));
  assert.equal(toBase64(evidence.other?.root ?? new Uint8Array()).length, 44);
});
