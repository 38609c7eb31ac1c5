/**
 * What a second implementation makes of the vectors: Python, written from the
 * pages of the protocol alone (`scripts/vectors/reader.py`), with OpenSSL's
 * primitives.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { fromUtf8, toHex } from "../../src/core/bytes.ts";
import {
  derivedFileKey,
  metadataKey,
} from "../../src/client/documents/file_key.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { verifyManifest } from "../../src/client/documents/manifest.ts";
import { decodeMetadata } from "../../src/client/documents/metadata.ts";
import { openAmk } from "../../src/client/documents/roster.ts";
import { parseShareLink } from "../../src/client/documents/share.ts";
import { decryptBytes } from "../../src/client/stream/stream.ts";
import {
  patternOf,
  secretOf,
  SERVER_ID,
  USER_ID,
} from "../../scripts/vectors/seeds.ts";
import { backends, base64, hex, PRIMITIVES } from "../support/vectors.ts";
import { done, pythonWith } from "../support/debian.ts";
import abroad from "./abroad.json" with { type: "json" };
import albums from "./albums.json" with { type: "json" };
import cbor from "./cbor.json" with { type: "json" };
import documents from "./documents.json" with { type: "json" };
import enrollment from "./enrollment.json" with { type: "json" };
import fileKeys from "./file_keys.json" with { type: "json" };
import hybrid from "./hybrid.json" with { type: "json" };
import identity from "./identity.json" with { type: "json" };
import logs from "./logs.json" with { type: "json" };
import receipts from "./receipts.json" with { type: "json" };
import recovery from "./recovery.json" with { type: "json" };
import refusals from "./refusals.json" with { type: "json" };
import remembered from "./remembered.json" with { type: "json" };
import safetyNumbers from "./safety_numbers.json" with { type: "json" };
import shares from "./shares.json" with { type: "json" };
import state from "./state.json" with { type: "json" };
import story from "./story.json" with { type: "json" };
import stream from "./stream.json" with { type: "json" };
import succession from "./succession.json" with { type: "json" };

const READER = fileURLToPath(
  new URL("../../scripts/vectors/reader.py", import.meta.url),
);
const PYTHON = await pythonWith(
  "cryptography.hazmat.primitives.asymmetric.mlkem",
  "pip install cryptography",
);

const jsonOf = (text: string): unknown =>
  JSON.parse(fromUtf8(base64(text)) ?? "");

const hashOf = (name: string) => toHex(secretOf(name));

/** What the reader says; it runs once. */
let saying: Promise<string> | undefined;
async function said() {
  saying ??= done(PYTHON, ["-B", READER], wordlist.join("\n"));
  return JSON.parse(await saying);
}

/** What each file holds of that which the reader works out by itself. */
function expected(): Record<string, unknown> {
  const { ed25519_seed, ml_dsa_65_seed, x_wing_seed, key_id } = identity;
  const { sealing_key, library_key, upload_link: link } = identity;
  const { draft, implicit_rejection } = refusals.x_wing;
  const account = { v: 1, ...enrollment.account };
  const { typed } = enrollment;
  const masterKey = recovery.master_key;
  const own = [
    [1, 1, "directory 1"],
    [2, 1, "roster 1"],
    [2, 2, "roster 2"],
    [1, 3, "directory 3"],
  ] as const;
  return {
    cbor: cbor.valid.length,
    hybrid: hybrid.envelope.payload,
    refusals: {
      draft: draft.map((one) => [one.public_key_sha256, one.shared_secret]),
      implicit_rejection: implicit_rejection.shared_secret,
    },
    identity: {
      ed25519_seed,
      ml_dsa_65_seed,
      x_wing_seed,
      key_id,
      sealing_key,
      library_key,
      album_ids: identity.album_ids.map(({ album_id }) => album_id),
      state_keys: identity.state_keys.map(({ key }) => key),
      upload_link: {
        seed: link.seed,
        gate: link.gate,
        recipient_key: link.recipient_key,
        fingerprint: link.fingerprint,
        both_ways: link.fingerprint + link.gate,
      },
    },
    stream: stream.cases.map(({ ciphertext_sha256: hash }) => hash),
    file_keys: {
      derived: fileKeys.derived,
      wrapped: fileKeys.wrapped.file_key,
      metadata: fileKeys.metadata,
      seal: fileKeys.seal,
    },
    recovery: {
      words: recovery.words.map(({ words }) => words),
      passphrases: recovery.passphrases.map(({ counts }) => counts),
      sentences: recovery.sentences.map(({ counts }) => counts),
      version_2: { words: masterKey, phrase: masterKey },
    },
    shares: {
      guarded: shares.guarded.secret,
      fragment: toHex(parseShareLink(shares.link)?.secret ?? hex("")),
      index: jsonOf(shares.index_json),
    },
    documents: {
      manifests: documents.manifests.map(({ envelope, revision }) => [
        envelope.ciphertext_hash,
        revision,
      ]),
      amk: documents.wrapped_amk.amk,
      directory: {
        user_id: documents.wrapped_amk.member,
        server_id: "https://strongroom.example",
        devices: documents.directory.devices,
      },
      guest: documents.guest.json,
      gate: documents.guest.gated.gate,
      gated_guest: documents.guest.json,
      said: documents.guest.said.json,
      taken_back: documents.guest.taken_back.json,
      metadata: documents.metadata.value,
      comment: documents.comment.value.remark.text,
      guest_comment: documents.guest_comment.value.remark.text,
      album_remark: {
        type: "service-album-remark/v1",
        ...documents.album_remark.value,
      },
    },
    albums: {
      keys: [
        ...albums.before,
        { epoch: albums.amk_epoch, key: albums.amk },
      ],
      info: albums.info,
    },
    story: story.assets.map((
      { what, file_id, revision, file_key, metadata },
    ) => ({
      file_id,
      revision,
      file_key,
      metadata,
      ben_has_its_key: what === "created in the album at epoch 0" ||
        what === "created by a contributor who was removed later",
    })),
    state: { laptop: state.laptop, merged: state.merged },
    remembered: {
      trust: remembered.trust.merged,
      says: remembered.trust.says,
      handed: remembered.handed.map(({ trust }) => trust),
      deletions: remembered.deletions.merged,
      published: remembered.published.merged,
    },
    safety_numbers: safetyNumbers.pairs.map(({ number }) => number),
    enrollment: {
      scanned: { proves_scanning: true, account },
      typed: { proves_scanning: false, account, words: typed.words },
    },
    succession: succession.payloads.map(() => true),
    receipts: receipts.receipts.length,
    abroad: {
      member: abroad.member,
      card_id: hashOf("card").slice(0, 32),
      grants: ["live", "ended", "moved"].map((state, at) => [
        at + 1,
        state,
        abroad.member,
      ]),
      knock: `${USER_ID}@${SERVER_ID}`,
      reply: [3, "ask", "May I see them again?"],
    },
    logs: {
      succession: true,
      log_keys: 1,
      keys: {
        own: own.map(([kind, version, name]) => [kind, version, hashOf(name)]),
        lost: [[1, 2, hashOf("directory 2")]],
        witnessed_at: logs.witness.cosigned_at,
      },
      proof: {
        index: 258,
        size: 300,
        tiles: logs.custody.tiles,
        witnessed: true,
      },
      evidence: [[5, 6], [5, 5]],
    },
  };
}

Deno.test({
  name:
    "a second implementation reads every vector, refuses what has to be refused, and comes to the same",
  ignore: PYTHON === undefined,
  async fn() {
    const { written: _written, ...theirs } = await said();
    // No words are compared after a scan.
    delete theirs.enrollment.scanned.words;
    assert.deepEqual(theirs, expected());
  },
});

Deno.test({
  name:
    "a photo that a second implementation wrote opens here, and its documents of tomorrow are read or refused, in every backend",
  ignore: PYTHON === undefined,
  async fn() {
    const { written } = await said();
    const [[user, { master_key, identity_key }] = assert.fail()] = Object
      .entries(story.users);
    const anchor = base64(identity_key);
    for (const backend of await backends()) {
      const verify = (text: string) =>
        verifyManifest(base64(text), anchor, backend);
      const { envelope } = await verify(written.manifest);
      assert.deepEqual((await verify(written.grown)).envelope, envelope);
      const newer = { name: "NewerDocumentError" };
      const names = [newer, newer, { name: "DocumentError" }];
      for (const [at, text] of written.refused.entries()) {
        await assert.rejects(verify(text), names[at] ?? newer);
      }
      const { sealing, libraryKey } = await openIdentity(
        hex(master_key),
        undefined,
        backend,
      );
      for (const primitives of PRIMITIVES) {
        const { file_id: fileId, chunk_size: chunkSize } = envelope;
        const open = (fileKey: Uint8Array, blob: string, chunkSize = 65_536) =>
          decryptBytes({ fileKey, chunkSize, primitives }, base64(blob));
        assert.deepEqual(
          await open(
            derivedFileKey(libraryKey, fileId, primitives),
            written.original_blob,
            chunkSize,
          ),
          patternOf(envelope.plaintext_size),
        );
        const metadata = await open(
          metadataKey(libraryKey, fileId, primitives),
          written.metadata_blob,
        );
        assert.deepEqual(decodeMetadata(metadata), written.metadata);
        const amk = await openAmk(
          base64(written.wrapped_amk),
          sealing.secretKey,
          { albumId: story.album_id, amkEpoch: 0, member: user },
          primitives,
        );
        assert.equal(amk && toHex(amk), written.amk);
      }
    }
  },
});
