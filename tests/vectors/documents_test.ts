import assert from "node:assert/strict";
import { toBase64, toHex, utf8 } from "../../src/core/bytes.ts";
import { portableArgon2, wasmArgon2 } from "../../src/client/argon2.ts";
import { verifyDirectory } from "../../src/client/directory.ts";
import {
  escrowMasterKey,
  openWithPassphrase,
  recoverMasterKey,
} from "../../src/client/escrow.ts";
import { openGuestFile } from "../../src/client/guest.ts";
import {
  type ManifestEnvelope,
  mirrorFor,
  openManifest,
  signManifest,
  verifyManifest,
} from "../../src/client/manifest.ts";
import { decodeMetadata, encodeMetadata } from "../../src/client/metadata.ts";
import { openIdentity } from "../../src/client/identity.ts";
import { openAmk, verifyRoster } from "../../src/client/roster.ts";
import {
  buildShareLink,
  decodeShareIndex,
  encodeShareIndex,
  newShare,
  parseShareLink,
  shareIndexHashes,
  unwrapShareSecret,
} from "../../src/client/share.ts";
import { decryptBytes } from "../../src/client/stream.ts";
import { randomOf } from "../../scripts/vectors/seeds.ts";
import {
  backends,
  base64,
  flipped,
  hex,
  PRIMITIVES,
} from "../support/vectors.ts";
import identity from "./identity.json" with { type: "json" };
import documents from "./documents.json" with { type: "json" };
import shares from "./shares.json" with { type: "json" };

const IDENTITY_KEY = base64(documents.identity_key);
const SEALING_SECRET = hex(documents.sealing_secret);
const refused = { name: "DocumentError" };

/** A vector's envelope, its two closed words typed. */
function envelopeOf(index: number): ManifestEnvelope {
  const vector = documents.manifests[index];
  assert(vector);
  const { key_mode, action } = vector.envelope;
  assert(key_mode === "derived" || key_mode === "wrapped");
  assert(action === "create" || action === "replace");
  return { ...vector.envelope, key_mode, action };
}

Deno.test("manifests verify and read as they were written, in every backend", async () => {
  for (const backend of await backends()) {
    for (const [index, vector] of documents.manifests.entries()) {
      const bytes = base64(vector.cbor);
      const manifest = await verifyManifest(bytes, IDENTITY_KEY, backend);
      assert.deepEqual(manifest.envelope, envelopeOf(index));
      assert.deepEqual(
        manifest.sealedKey && toHex(manifest.sealedKey),
        vector.sealed_key,
      );
      const other = flipped(IDENTITY_KEY, 40);
      await assert.rejects(verifyManifest(bytes, other, backend), refused);
    }
  }
  const [first, second] = documents.manifests;
  assert(first && second);
  assert.equal(
    second.envelope.prior_provenance_hash,
    openManifest(base64(first.cbor)).hash,
  );
});

Deno.test("a manifest carries a sealed key exactly in mode wrapped", async () => {
  const { signer } = await openIdentity(hex(identity.master_key));
  const [create, replace] = [envelopeOf(0), envelopeOf(1)];
  const sealedKey = new Uint8Array(60);
  await assert.rejects(signManifest(signer, create, sealedKey), refused);
  await assert.rejects(signManifest(signer, replace), refused);
  const lies = [
    { ...create, ciphertext_hash: "AB" },
    { ...create, protocol_version: "2026-02-30" },
    { ...create, chunk_size: 0 },
    { ...create, timestamp: "now" },
    { ...create, surplus: 1 },
  ];
  for (const lie of lies) {
    await assert.rejects(signManifest(signer, lie), refused);
  }
});

Deno.test("an upload's mirror differs from its manifest in the blob's hash alone", () => {
  const create = envelopeOf(0);
  const mirror = mirrorFor(create, "0".repeat(64));
  assert.deepEqual({ ...mirror, ciphertext_hash: "" }, {
    ...create,
    ciphertext_hash: "",
  });
  assert.equal(mirror.ciphertext_hash, "0".repeat(64));
  assert.throws(() => mirrorFor(create, "zz"), refused);
});

Deno.test("metadata has one text for each value, and what is unknown in it is passed over", () => {
  const bytes = base64(documents.metadata.json);
  const metadata = decodeMetadata(bytes);
  assert.deepEqual(metadata, documents.metadata.value);
  assert.deepEqual(encodeMetadata(metadata), bytes);
  const shuffled = Object.fromEntries(Object.entries(metadata).toReversed());
  assert.deepEqual(
    encodeMetadata({ ...metadata, ...shuffled }),
    bytes,
  );
  const written = documents.metadata.value;
  const withNull = utf8(JSON.stringify({ ...written, duration_ms: null }));
  assert.deepEqual(decodeMetadata(withNull), metadata);
  const lies = [
    { ...written, size: -1 },
    { ...written, sha256: "00" },
    { ...written, derivatives: [{ ...written.derivatives[0], kind: "x" }] },
    { ...written, derivatives: null },
    [],
  ];
  for (const lie of lies) {
    assert.throws(() => decodeMetadata(utf8(JSON.stringify(lie))), refused);
  }
  const polluting = `{"__proto__":{},${JSON.stringify(written).slice(1)}`;
  assert.deepEqual(decodeMetadata(utf8(polluting)), metadata);
  const newer = {
    ...written,
    extra: 1,
    derivatives: written.derivatives.map((one: object) => ({
      ...one,
      extra: 1,
    })),
  };
  assert.deepEqual(decodeMetadata(utf8(JSON.stringify(newer))), metadata);
  assert.throws(() => decodeMetadata(hex("ff")), refused);
  assert.throws(() => decodeMetadata(utf8("{")), refused);
});

Deno.test("a roster verifies, and gives its member the album's key", async () => {
  const { wrapped_amk: vector, roster } = documents;
  const bytes = base64(roster);
  for (const backend of await backends()) {
    const read = await verifyRoster(bytes, IDENTITY_KEY, backend);
    assert.equal(read.album_id, vector.album_id);
    assert.equal(
      toBase64(read.members[0]?.wrapped_amk ?? hex("")),
      vector.sealed,
    );
  }
  const changed = flipped(bytes, -1);
  await assert.rejects(verifyRoster(changed, IDENTITY_KEY), refused);
  const sealed = base64(vector.sealed);
  const context = {
    albumId: vector.album_id,
    amkEpoch: vector.amk_epoch,
    member: vector.member,
  };
  const others = [
    { ...context, amkEpoch: 2 },
    { ...context, member: "someone" },
    { ...context, albumId: "another" },
  ];
  for (const primitives of PRIMITIVES) {
    const amk = openAmk(sealed, SEALING_SECRET, context, primitives);
    assert.equal(amk && toHex(amk), vector.amk);
    for (const other of others) {
      const opened = openAmk(sealed, SEALING_SECRET, other, primitives);
      assert.equal(opened, undefined);
    }
  }
  // A bit in ML-KEM's part, in X25519's, in the box; and the box cut off.
  for (const at of [0, 1_087, 1_088, 1_119, 1_120, -1]) {
    const opened = openAmk(flipped(sealed, at), SEALING_SECRET, context);
    assert.equal(opened, undefined, String(at));
  }
  const cut = sealed.subarray(0, 1_130);
  assert.equal(openAmk(cut, SEALING_SECRET, context), undefined);
  const otherSecret = flipped(SEALING_SECRET, 0);
  assert.equal(openAmk(sealed, otherSecret, context), undefined);
});

Deno.test("a device directory verifies, and names the key to seal to", async () => {
  const bytes = base64(documents.directory.cbor);
  for (const backend of await backends()) {
    const directory = await verifyDirectory(bytes, IDENTITY_KEY, backend);
    assert.equal(directory.directory_version, 1);
    assert.deepEqual(directory.devices, documents.directory.devices);
    assert.equal(toBase64(directory.sealing_key), identity.sealing_key);
  }
  const roster = base64(documents.roster);
  await assert.rejects(verifyDirectory(roster, IDENTITY_KEY), refused);
});

Deno.test("what a guest sealed opens for the link it was sealed for", () => {
  const { guest } = documents;
  const sealed = base64(guest.sealed);
  for (const primitives of PRIMITIVES) {
    const open = (bytes: Uint8Array, opaqueId: string) =>
      openGuestFile(bytes, SEALING_SECRET, opaqueId, primitives);
    const file = open(sealed, guest.opaque_id);
    assert(file !== undefined);
    assert.deepEqual([file.name, file.mime], [guest.name, guest.mime]);
    assert.equal(toHex(file.key), guest.key);
    assert.equal(open(sealed, "f".repeat(32)), undefined);
    assert.equal(open(flipped(sealed, -1), guest.opaque_id), undefined);
  }
});

Deno.test("a share's secret opens its index, and the index names every blob", async () => {
  const secret = hex(shares.secret);
  const blob = base64(shares.index_blob);
  for (const primitives of PRIMITIVES) {
    const key = { fileKey: secret, primitives };
    const bytes = await decryptBytes(key, blob);
    assert.equal(toBase64(bytes), shares.index_json);
    const index = decodeShareIndex(bytes);
    assert.deepEqual(encodeShareIndex(index), bytes);
    assert.equal(index.items[0]?.key.length, 32);
    assert.equal(shareIndexHashes(index).length, 2);
  }
  const json: unknown = JSON.parse(
    new TextDecoder().decode(base64(shares.index_json)),
  );
  assert(typeof json === "object");
  const lies = [
    { ...json, v: 2 },
    { ...json, items: [{}] },
  ];
  const newer = utf8(JSON.stringify({ ...json, extra: 1 }));
  assert.equal(
    toBase64(encodeShareIndex(decodeShareIndex(newer))),
    shares.index_json,
  );
  for (const lie of lies) {
    assert.throws(() => decodeShareIndex(utf8(JSON.stringify(lie))), refused);
  }
});

Deno.test("a share link survives being read and built, and damage is seen", () => {
  const link = parseShareLink(shares.link);
  assert(link?.secret);
  assert.equal(toHex(link.secret), shares.secret);
  assert.equal(buildShareLink(link), shares.link);
  const [bare] = shares.link.split("#");
  assert(bare !== undefined);
  const wrapped = parseShareLink(bare);
  assert(wrapped);
  assert.equal(wrapped.secret, undefined);
  assert.equal(buildShareLink(wrapped), bare);
  const damaged = [
    shares.link.slice(0, -1),
    `${shares.link}A`,
    `${shares.link}=`,
    bare.slice(0, -1),
    bare.toUpperCase(),
    bare.replace("/s/", "/u/"),
    `${bare}/blob`,
    "not a link",
    "",
  ];
  for (const text of damaged) {
    assert.equal(parseShareLink(text), undefined, text);
  }
  const fresh = newShare(randomOf("a new share"));
  assert.match(fresh.opaqueId, /^[0-9a-f]{32}$/);
  assert.equal(fresh.secret.length, 32);
});

Deno.test("the escrow box opens under its phrase, however it is typed", async () => {
  const { escrow } = shares;
  const box = base64(escrow.small_cost);
  for (const primitives of PRIMITIVES) {
    for (const engine of [wasmArgon2, portableArgon2]) {
      const recover = (phrase: string, bytes: Uint8Array) =>
        recoverMasterKey(phrase, bytes, { primitives, engine });
      const key = await recover("Abandon ability\table", box);
      assert.equal(toHex(key), escrow.master_key);
      const wrong = { name: "EscrowError", fault: "passphrase_wrong" };
      await assert.rejects(recover("abandon ability able", box), wrong);
      await assert.rejects(recover("", box), wrong);
      await assert.rejects(recover(escrow.recovery_phrase, flipped(box, -40)));
      const again = await escrowMasterKey(
        escrow.recovery_phrase,
        key,
        randomOf("escrow"),
        { primitives, engine, cost: { memoryKib: 64, passes: 2, lanes: 1 } },
      );
      assert.deepEqual(again, box);
    }
  }
});

Deno.test("the suite's own cost recovers a master key", async () => {
  const box = base64(shares.escrow.suite_cost);
  const key = await recoverMasterKey(shares.escrow.recovery_phrase, box);
  assert.equal(toHex(key), shares.escrow.master_key);
});

Deno.test("a share's wrapped secret is no escrow box, and the other way round", async () => {
  const wrapped = base64(shares.wrapped_secret);
  const secret = await unwrapShareSecret(shares.passphrase, wrapped);
  assert.equal(toHex(secret), shares.secret);
  const wrong = { name: "EscrowError", fault: "passphrase_wrong" };
  await assert.rejects(recoverMasterKey(shares.passphrase, wrapped), wrong);
  const unreadable = { name: "EscrowError", fault: "unreadable" };
  const label = "service-share/v1";
  for (const bytes of [wrapped.subarray(1), hex("a0"), hex("")]) {
    await assert.rejects(openWithPassphrase("x", bytes, label), unreadable);
  }
  await assert.rejects(
    escrowMasterKey(" \n", new Uint8Array(32), randomOf("x")),
    RangeError,
  );
});
