/**
 * What OpenSSL, Python's cbor2, the reference implementations of Argon2 and of
 * BIP-39 make of the vectors' inputs (`second_opinion.py` and `post_quantum.py`
 * of `scripts/vectors`), held against what the client library made of them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fromUtf8, toBase64, toHex } from "../../src/core/bytes.ts";
import { parseShareLink } from "../../src/client/share.ts";
import { base64, hex } from "../support/vectors.ts";
import albums from "./albums.json" with { type: "json" };
import documents from "./documents.json" with { type: "json" };
import enrollment from "./enrollment.json" with { type: "json" };
import fileKeys from "./file_keys.json" with { type: "json" };
import identity from "./identity.json" with { type: "json" };
import postQuantum from "./post_quantum.json" with { type: "json" };
import recovery from "./recovery.json" with { type: "json" };
import safetyNumbers from "./safety_numbers.json" with { type: "json" };
import theirs from "./second_opinion.json" with { type: "json" };
import shares from "./shares.json" with { type: "json" };
import state from "./state.json" with { type: "json" };
import succession from "./succession.json" with { type: "json" };

const jsonOf = (text: string): unknown =>
  JSON.parse(fromUtf8(base64(text)) ?? "");

Deno.test("others derive the same keys of a master key", () => {
  assert.deepEqual(theirs.identity, {
    ed25519_seed: identity.ed25519_seed,
    ml_dsa_65_seed: identity.ml_dsa_65_seed,
    x_wing_seed: identity.x_wing_seed,
    album_ids: identity.album_ids.map(({ album_id }) => album_id),
    library_key: identity.library_key,
    state_keys: identity.state_keys.map(({ key }) => key),
    upload_link_seed: identity.upload_link.seed,
    upload_link_fingerprint: identity.upload_link.fingerprint,
  });
});

Deno.test("others derive and open the same keys of files", () => {
  assert.deepEqual(theirs.file_keys, {
    derived: fileKeys.derived,
    wrapped: fileKeys.wrapped.file_key,
    parts: fileKeys.parts.map(({ key }) => key),
  });
});

Deno.test("others make the same recovery words, and open the same boxes with them", () => {
  const masterKey = recovery.master_key;
  assert.deepEqual(theirs.recovery, {
    words: recovery.words.map(({ words }) => words),
    passphrases: recovery.passphrases.map(({ counts }) => counts),
    version_2: { words: masterKey, phrase: masterKey },
    version_1: [masterKey, masterKey],
  });
});

Deno.test("others open a share by its link and by its passphrase", () => {
  const secret = toHex(parseShareLink(shares.link)?.secret ?? hex(""));
  assert.deepEqual(theirs.shares, {
    wrapped_secret: secret,
    fragment: secret,
    index: jsonOf(shares.index_json),
  });
});

Deno.test("others read the signed documents, and open what is sealed to a person", () => {
  assert.deepEqual(theirs.documents, {
    manifests: documents.manifests.map(({ envelope }) =>
      envelope.ciphertext_hash
    ),
    roster: "contributor",
    directory: documents.directory.devices,
    amk: documents.wrapped_amk.amk,
    guest: documents.guest.json,
    metadata: documents.metadata.value,
  });
});

Deno.test("others open an album's history and title with the key of its epoch", () => {
  assert.deepEqual(theirs.albums, {
    before: albums.before,
    info: albums.info,
  });
});

Deno.test("others open a state slot, and merge two states to the same", () => {
  assert.deepEqual(theirs.state, {
    laptop: state.laptop,
    merged: state.merged,
  });
});

Deno.test("others compare the same safety numbers", () => {
  assert.deepEqual(
    theirs.safety_numbers,
    safetyNumbers.pairs.map(({ number }) => number),
  );
});

Deno.test("others follow an enrollment to the same words and the same account", () => {
  const { account } = enrollment;
  assert.deepEqual(theirs.enrollment.typed, {
    proves_scanning: false,
    account: { v: 1, ...account },
    words: enrollment.typed.words,
  });
  const { proves_scanning, account: scanned } = theirs.enrollment.scanned;
  assert(proves_scanning);
  assert.deepEqual(scanned, { v: 1, ...account });
});

Deno.test("others sign and verify the same bytes of a succession", () => {
  assert.deepEqual(
    theirs.succession,
    succession.payloads.map(({ payload }) => payload),
  );
});

Deno.test("OpenSSL's ML-KEM opens what is sealed to a person, and its ML-DSA verifies what is signed", () => {
  const { wrapped_amk: amk, guest } = documents;
  assert.deepEqual(postQuantum, {
    sealing_key: identity.sealing_key,
    recipient_key: identity.upload_link.recipient_key,
    identity_key: toBase64(base64(documents.identity_key).subarray(32)),
    amk: amk.shared_secret,
    guest: guest.shared_secret,
    enrollment: {
      scanned: enrollment.scanned.shared_secret,
      typed: enrollment.typed.shared_secret,
    },
    hybrid: true,
    successions: [true, true],
  });
});
