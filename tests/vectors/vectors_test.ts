import assert from "node:assert/strict";
import { concatBytes, toBase64, toHex, utf8 } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import {
  openEnvelope,
  signEnvelope,
  verifyEnvelope,
} from "../../src/crypto/envelope.ts";
import {
  HYBRID_PUBLIC_KEY_BYTES,
  HYBRID_SIGNATURE_BYTES,
  hybridBackend,
  hybridSignerFromSeeds,
  keyId,
  verifyHybrid,
} from "../../src/crypto/hybrid.ts";
import {
  albumSealKey,
  derivedFileKey,
  metadataKey,
  unwrapFileKey,
  wrapFileKey,
} from "../../src/client/documents/file_key.ts";
import {
  deriveAlbumId,
  deriveIdentitySeeds,
  deriveStateKey,
  deriveUploadLinkKeys,
  openIdentity,
} from "../../src/client/documents/identity.ts";
import {
  buildUploadLink,
  isRecipient,
  parseUploadLink,
} from "../../src/client/documents/upload_link.ts";
import { buildVectors } from "../../scripts/vectors.ts";
import {
  backends,
  base64,
  flipped,
  hex,
  PRIMITIVES,
} from "../support/vectors.ts";
import abroad from "./abroad.json" with { type: "json" };
import albums from "./albums.json" with { type: "json" };
import documents from "./documents.json" with { type: "json" };
import enrollment from "./enrollment.json" with { type: "json" };
import fileKeys from "./file_keys.json" with { type: "json" };
import succession from "./succession.json" with { type: "json" };
import hybrid from "./hybrid.json" with { type: "json" };
import identity from "./identity.json" with { type: "json" };
import logs from "./logs.json" with { type: "json" };
import receipts from "./receipts.json" with { type: "json" };
import recovery from "./recovery.json" with { type: "json" };
import refusals from "./refusals.json" with { type: "json" };
import remembered from "./remembered.json" with { type: "json" };
import shares from "./shares.json" with { type: "json" };
import state from "./state.json" with { type: "json" };
import safetyNumbers from "./safety_numbers.json" with { type: "json" };
import story from "./story.json" with { type: "json" };
import stream from "./stream.json" with { type: "json" };

const PUBLIC_KEY = base64(hybrid.public_key);
const SIGNATURE = base64(hybrid.signature);
const PAYLOAD = hex(hybrid.payload);
const ENVELOPE = base64(hybrid.envelope.cbor);
const SEEDS = {
  ed25519: hex(hybrid.ed25519_seed),
  mlDsa65: hex(hybrid.ml_dsa_65_seed),
};

Deno.test("the committed vectors are what their generator writes", async () => {
  assert.deepEqual(JSON.parse(JSON.stringify(await buildVectors())), {
    hybrid,
    identity,
    stream,
    file_keys: fileKeys,
    albums,
    documents,
    enrollment,
    recovery,
    shares,
    state,
    safety_numbers: safetyNumbers,
    succession,
    receipts,
    refusals,
    remembered,
    story,
    logs,
    abroad,
  });
});

Deno.test("a hybrid key has its sizes and its fingerprint, in every backend", async () => {
  assert.equal(PUBLIC_KEY.length, HYBRID_PUBLIC_KEY_BYTES);
  assert.equal(SIGNATURE.length, HYBRID_SIGNATURE_BYTES);
  assert.equal(keyId(PUBLIC_KEY), hybrid.key_id);
  for (const backend of await backends()) {
    const signer = await hybridSignerFromSeeds(SEEDS, backend);
    assert.deepEqual(signer.publicKey, PUBLIC_KEY);
    assert.equal(signer.keyId, hybrid.key_id);
  }
});

Deno.test("hybrid signatures of each backend verify in the other", async () => {
  for (const signing of await backends()) {
    const signer = await hybridSignerFromSeeds(SEEDS, signing);
    const signature = await signer.sign(hybrid.domain, PAYLOAD);
    for (const verifying of await backends()) {
      for (const one of [signature, SIGNATURE]) {
        assert(
          await verifyHybrid(
            PUBLIC_KEY,
            hybrid.domain,
            PAYLOAD,
            one,
            verifying,
          ),
        );
      }
    }
  }
});

Deno.test("the native backend is chosen where there is one, and once", async () => {
  const backend = await hybridBackend();
  assert.equal(backend.name, "native");
  assert.equal(await hybridBackend(), backend);
});

Deno.test("a hybrid signature with either half broken is refused", async () => {
  const other = await hybridSignerFromSeeds({
    ed25519: SEEDS.mlDsa65,
    mlDsa65: SEEDS.ed25519,
  });
  const foreign = await other.sign(hybrid.domain, PAYLOAD);
  const [own, alien] = [SIGNATURE, foreign].map((whole) => ({
    ed25519: whole.subarray(0, 64),
    mlDsa65: whole.subarray(64),
  }));
  assert(own && alien);
  const signatures = {
    "Ed25519 changed": flipped(SIGNATURE, 5),
    "ML-DSA changed": flipped(SIGNATURE, 1_000),
    "ML-DSA changed at its end": flipped(SIGNATURE, -1),
    "Ed25519 of another key": concatBytes(alien.ed25519, own.mlDsa65),
    "ML-DSA of another key": concatBytes(own.ed25519, alien.mlDsa65),
    "Ed25519 alone": own.ed25519,
    "ML-DSA alone": own.mlDsa65,
    "a byte more": concatBytes(SIGNATURE, new Uint8Array(1)),
    "zeros": new Uint8Array(HYBRID_SIGNATURE_BYTES),
    "ones": new Uint8Array(HYBRID_SIGNATURE_BYTES).fill(255),
    "nothing": new Uint8Array(),
  };
  const keys = {
    "another key": other.publicKey,
    "Ed25519 off the curve": concatBytes(
      new Uint8Array(32).fill(2),
      PUBLIC_KEY.subarray(32),
    ),
    "Ed25519 of small order": concatBytes(
      new Uint8Array(32).fill(1, 0, 1),
      PUBLIC_KEY.subarray(32),
    ),
    "zeros": new Uint8Array(HYBRID_PUBLIC_KEY_BYTES),
    "a byte less": PUBLIC_KEY.subarray(1),
    "nothing": new Uint8Array(),
  };
  const { domain } = hybrid;
  for (const backend of await backends()) {
    const verifies = (
      key: Uint8Array,
      inDomain: string,
      payload: Uint8Array,
      signature: Uint8Array,
    ) => verifyHybrid(key, inDomain, payload, signature, backend);
    for (const [what, signature] of Object.entries(signatures)) {
      const label = `${what} (${backend.name})`;
      assert(!await verifies(PUBLIC_KEY, domain, PAYLOAD, signature), label);
    }
    for (const [what, key] of Object.entries(keys)) {
      const label = `${what} (${backend.name})`;
      assert(!await verifies(key, domain, PAYLOAD, SIGNATURE), label);
    }
    assert(!await verifies(PUBLIC_KEY, "service-test/v2", PAYLOAD, SIGNATURE));
    assert(!await verifies(PUBLIC_KEY, "", PAYLOAD, SIGNATURE));
    assert(!await verifies(PUBLIC_KEY, "grün", PAYLOAD, SIGNATURE));
    const changed = flipped(PAYLOAD, 0);
    assert(!await verifies(PUBLIC_KEY, domain, changed, SIGNATURE));
  }
});

Deno.test("a domain cannot run over into the payload", async () => {
  const signer = await hybridSignerFromSeeds(SEEDS);
  const signature = await signer.sign("ab", utf8("c"));
  assert(!await verifyHybrid(PUBLIC_KEY, "a", utf8("bc"), signature));
  await assert.rejects(signer.sign("a\0b", PAYLOAD), RangeError);
  await assert.rejects(signer.sign("", PAYLOAD), RangeError);
  await assert.rejects(
    hybridSignerFromSeeds({ ...SEEDS, ed25519: new Uint8Array(31) }),
    RangeError,
  );
});

Deno.test("the envelope of the vectors opens and verifies in every backend", async () => {
  const opened = openEnvelope(ENVELOPE);
  assert.equal(opened.type, hybrid.domain);
  assert.deepEqual({ ...opened.payload }, hybrid.envelope.payload);
  const others = [
    [flipped(PUBLIC_KEY, 0), hybrid.domain],
    [PUBLIC_KEY, "service-other/v1"],
  ] as const;
  for (const backend of await backends()) {
    assert(await verifyEnvelope(opened, PUBLIC_KEY, hybrid.domain, backend));
    for (const [key, type] of others) {
      assert(!await verifyEnvelope(opened, key, type, backend));
    }
    const signer = await hybridSignerFromSeeds(SEEDS, backend);
    const own = await signEnvelope(signer, hybrid.envelope.payload);
    assert.deepEqual(openEnvelope(own).payloadBytes, opened.payloadBytes);
    assert(await verifyEnvelope(openEnvelope(own), PUBLIC_KEY, hybrid.domain));
    if (backend.name === "portable") assert.deepEqual(own, ENVELOPE);
  }
});

Deno.test("what is not exactly an envelope does not open", () => {
  const payload = encodeCanonical({ type: "service-test/v1" });
  const signature = new Uint8Array(3);
  const variants = {
    "not CBOR": utf8("{}"),
    "not a map": encodeCanonical([payload, signature]),
    "no signature": encodeCanonical({ payload }),
    "a third key": encodeCanonical({ payload, signature, v: 1 }),
    "a payload that is text": encodeCanonical({ payload: "x", signature }),
    "a payload that is no CBOR": encodeCanonical({
      payload: signature,
      signature,
    }),
    "a payload that is no map": encodeCanonical({
      payload: encodeCanonical(["type"]),
      signature,
    }),
    "a payload without type": encodeCanonical({
      payload: encodeCanonical({ kind: "x" }),
      signature,
    }),
    "a type that is no text": encodeCanonical({
      payload: encodeCanonical({ type: 1 }),
      signature,
    }),
    "a payload that inherits its type": encodeCanonical({
      payload: hex("a1695f5f70726f746f5f5fa1647479706561" + "78"),
      signature,
    }),
    "bytes after the end": concatBytes(ENVELOPE, signature),
  };
  for (const [what, bytes] of Object.entries(variants)) {
    assert.throws(() => openEnvelope(bytes), { name: "EnvelopeError" }, what);
  }
  assert.doesNotThrow(() =>
    openEnvelope(encodeCanonical({ payload, signature }))
  );
});

Deno.test("a master key gives one identity, in native and in portable code", async () => {
  const masterKey = hex(identity.master_key);
  for (const primitives of PRIMITIVES) {
    const seeds = deriveIdentitySeeds(masterKey, primitives);
    assert.equal(toHex(seeds.ed25519), identity.ed25519_seed);
    assert.equal(toHex(seeds.mlDsa65), identity.ml_dsa_65_seed);
    assert.equal(toHex(seeds.xWing), identity.x_wing_seed);
    for (const backend of await backends()) {
      const opened = await openIdentity(masterKey, primitives, backend);
      assert.equal(opened.signer.keyId, identity.key_id);
      assert.equal(
        toBase64(await opened.sealing.publicKey()),
        identity.sealing_key,
      );
      for (const { index, album_id } of identity.album_ids) {
        assert.equal(opened.albumId(index), album_id);
      }
      assert.equal(toHex(opened.libraryKey), identity.library_key);
      for (const { slot, key } of identity.state_keys) {
        assert.equal(toHex(opened.stateKey(slot)), key);
      }
      const { upload_link: link } = identity;
      const recipient = opened.uploadLinkKeys(link.opaque_id);
      assert.equal(toHex(recipient.secretKey), link.seed);
      assert.equal(toBase64(await recipient.publicKey()), link.recipient_key);
    }
  }
  for (const { album_id } of identity.album_ids) {
    assert.match(album_id, /^.{8}-.{4}-8.{3}-[89ab].{3}-.{12}$/);
  }
  assert.throws(() => deriveAlbumId(masterKey, -1), RangeError);
  assert.throws(() => deriveIdentitySeeds(masterKey.subarray(1)), RangeError);
  for (const slot of ["", "Library", "a/b", "a".repeat(33)]) {
    assert.throws(() => deriveStateKey(masterKey, slot), RangeError);
  }
  assert.throws(() => deriveUploadLinkKeys(masterKey, "00"), RangeError);
});

Deno.test("an upload link carries the fingerprint of its own key, and another key is not its", async () => {
  const { upload_link: vector } = identity;
  const link = parseUploadLink(vector.link);
  assert(link?.fingerprint);
  assert.equal(toHex(link.fingerprint), vector.fingerprint);
  assert.equal(link.opaqueId, vector.opaque_id);
  assert.equal(buildUploadLink(link), vector.link);
  assert(isRecipient(base64(vector.recipient_key), link.fingerprint));
  // The account's own key would do, had a link not one of its own.
  assert(!isRecipient(base64(identity.sealing_key), link.fingerprint));
  const other = deriveUploadLinkKeys(
    hex(identity.master_key),
    vector.opaque_id.replace("0", "f"),
  );
  assert(!isRecipient(await other.publicKey(), link.fingerprint));
});

Deno.test("the half of a link both ways carries its gate after the fingerprint, and half of a gate is no link", () => {
  const { upload_link: vector } = identity;
  const link = parseUploadLink(vector.both_ways);
  assert(link?.fingerprint && link.gate);
  assert.equal(toHex(link.fingerprint), vector.fingerprint);
  assert.equal(toHex(link.gate), vector.gate);
  assert.equal(buildUploadLink(link), vector.both_ways);
  assert.equal(parseUploadLink(vector.link)?.gate, undefined);
  for (const cut of [1, 22, 42]) {
    assert.equal(parseUploadLink(vector.both_ways.slice(0, -cut)), undefined);
  }
});

Deno.test("the keys that come of an album key come out of native and of portable code", () => {
  const amk = hex(fileKeys.amk);
  const fileId = fileKeys.file_id;
  const sealedKey = hex(fileKeys.wrapped.sealed_key);
  for (const primitives of PRIMITIVES) {
    const derived = derivedFileKey(amk, fileId, primitives);
    assert.equal(toHex(derived), fileKeys.derived);
    const metadata = metadataKey(amk, fileId, primitives);
    assert.equal(toHex(metadata), fileKeys.metadata);
    assert.equal(toHex(albumSealKey(amk, primitives)), fileKeys.seal);
    const fileKey = unwrapFileKey(amk, fileId, sealedKey, primitives);
    assert(fileKey !== undefined);
    assert.equal(toHex(fileKey), fileKeys.wrapped.file_key);
    const nonce = () => sealedKey.slice(0, 12);
    const again = wrapFileKey(amk, fileId, fileKey, nonce, primitives);
    assert.deepEqual(again, sealedKey);
  }
});

Deno.test("a wrapped file key belongs to one album key and one file", () => {
  const amk = hex(fileKeys.amk);
  const fileId = fileKeys.file_id;
  const sealedKey = hex(fileKeys.wrapped.sealed_key);
  const otherFile = fileId.replace("0f", "1f");
  for (const primitives of PRIMITIVES) {
    const unwrap = (key: Uint8Array, id: string, sealed: Uint8Array) =>
      unwrapFileKey(key, id, sealed, primitives);
    assert.equal(unwrap(flipped(amk, 0), fileId, sealedKey), undefined);
    assert.equal(unwrap(amk, otherFile, sealedKey), undefined);
    for (let at = 0; at < sealedKey.length; at++) {
      assert.equal(unwrap(amk, fileId, flipped(sealedKey, at)), undefined);
      assert.equal(unwrap(amk, fileId, sealedKey.subarray(0, at)), undefined);
    }
  }
  assert.throws(() => derivedFileKey(amk, "not-a-uuid"), RangeError);
  assert.throws(() => derivedFileKey(amk, fileId.toUpperCase()), RangeError);
});
