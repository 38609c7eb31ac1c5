import assert from "node:assert/strict";
import {
  fromBase64Url,
  toBase64,
  toBase64Url,
  toHex,
  utf8,
} from "../../src/core/bytes.ts";
import {
  type CborMap,
  type CborValue,
  isCborMap,
} from "../../src/core/cbor.ts";
import {
  openAlbumRemark,
  signAlbumRemark,
} from "../../src/client/documents/album_remark.ts";
import { SIGNED_REMARK_MAX_BYTES } from "../../src/client/documents/fields.ts";
import {
  signDirectory,
  verifyDirectory,
} from "../../src/client/documents/directory.ts";
import {
  guestBinding,
  openGuestFile,
  remarkId,
} from "../../src/client/documents/guest.ts";
import {
  type ManifestEnvelope,
  mirrorFor,
  openManifest,
  signManifest,
  verifyManifest,
} from "../../src/client/documents/manifest.ts";
import {
  amendMetadata,
  decodeMetadata,
  encodeMetadata,
  isFile,
  SHARE_INDEX_KIND,
} from "../../src/client/documents/metadata.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { openEnvelope, signEnvelope } from "../../src/crypto/envelope.ts";
import {
  openAmk,
  signRoster,
  verifyRoster,
} from "../../src/client/documents/roster.ts";
import { decodeShareIndex } from "../../src/client/documents/share.ts";
import {
  sealingKeyPairFromSeed,
  sealTo,
} from "../../src/client/keys/sealing.ts";
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
      assert.equal(manifest.revision, vector.revision);
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
  await assert.rejects(
    signManifest(signer, replace, undefined, 1),
    refused,
  );
  const lies = [
    { ...create, ciphertext_hash: "AB" },
    { ...create, protocol_version: "2026-02-30" },
    ...[0, 1, 2_048, 65_537, 2 ** 25]
      .map((chunk_size) => ({ ...create, chunk_size })),
    { ...create, timestamp: "now" },
    { ...create, surplus: 1 },
  ];
  for (const lie of lies) {
    await assert.rejects(signManifest(signer, lie), refused);
  }
});

Deno.test("what is signed without a field that binds it, or with one more, is refused", async () => {
  const { signer } = await openIdentity(hex(identity.master_key));
  const directory = openEnvelope(base64(documents.directory.cbor)).payload;
  const roster = openEnvelope(base64(documents.roster)).payload;
  const manifest = openEnvelope(base64(documents.manifests[0]?.cbor ?? ""));
  const [member] = Array.isArray(roster["members"]) ? roster["members"] : [];
  assert(isCborMap(member));
  const { sealed_to: _, ...unbound } = member;
  const userId = documents.wrapped_amk.member;
  const verify = {
    "service-device-directory/v1": (bytes: Uint8Array) =>
      verifyDirectory(bytes, signer.publicKey, userId),
    "service-album-roster/v1": (bytes: Uint8Array) =>
      verifyRoster(bytes, signer.publicKey),
    "service-manifest/v1": (bytes: Uint8Array) =>
      verifyManifest(bytes, signer.publicKey),
  };
  const rows: readonly (readonly [
    keyof typeof verify,
    CborMap,
    string,
    CborValue | undefined,
  ])[] = [
    ["service-device-directory/v1", directory, "user_id", undefined],
    ["service-device-directory/v1", directory, "user_id", ""],
    ["service-device-directory/v1", directory, "server_id", undefined],
    ["service-device-directory/v1", directory, "server_id", 1],
    ["service-device-directory/v1", directory, "likes", true],
    ["service-album-roster/v1", roster, "members", [unbound]],
    ["service-album-roster/v1", roster, "members", [{
      ...member,
      sealed_to: new Uint8Array(31),
    }]],
    ["service-album-roster/v1", roster, "likes", true],
    ["service-manifest/v1", manifest.payload, "likes", true],
    ["service-manifest/v1", manifest.payload, "chunk_size", undefined],
    ...[1, 2_048, 65_537, 2 ** 25].map((size) =>
      ["service-manifest/v1", manifest.payload, "chunk_size", size] as const
    ),
  ];
  for (const [type, payload, name, value] of rows) {
    const { [name]: before, ...rest } = payload;
    const sign = (given: CborMap) => signEnvelope(signer, { ...given, type });
    if (before !== undefined) {
      await verify[type](await sign({ ...rest, [name]: before }));
    }
    const forged = await sign(
      value === undefined ? rest : { ...rest, [name]: value },
    );
    await assert.rejects(verify[type](forged), refused, name);
  }
});

Deno.test("a manifest has revision 0 at create, and a higher one at replace", async () => {
  const { signer } = await openIdentity(hex(identity.master_key));
  const [create, replace] = [envelopeOf(0), envelopeOf(1)];
  const sealedKey = new Uint8Array(60);
  for (const revision of [1, -1, 0.5]) {
    const signing = signManifest(signer, create, undefined, revision);
    await assert.rejects(signing, refused);
  }
  for (const revision of [0, -1, 1.5, 2 ** 53]) {
    const signing = signManifest(signer, replace, sealedKey, revision);
    await assert.rejects(signing, refused);
  }
  const bytes = await signManifest(signer, replace, sealedKey, 7);
  assert.equal(openManifest(bytes).revision, 7);
  const { payload } = openEnvelope(bytes);
  for (const revision of [0, -1, "1", undefined]) {
    const { revision: _, ...rest } = payload;
    const forged = await signEnvelope(signer, {
      ...rest,
      ...(revision === undefined ? {} : { revision }),
      type: "service-manifest/v1",
    });
    assert.throws(() => openManifest(forged), refused);
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
  const written = documents.metadata.value;
  assert.deepEqual(metadata, {
    ...written,
    thumbhash: base64(written.thumbhash),
    derivatives: written.derivatives.map((one) => ({
      ...one,
      key: fromBase64Url(one.key),
    })),
  });
  assert.deepEqual(encodeMetadata(metadata), bytes);
  const shuffled = Object.fromEntries(Object.entries(metadata).toReversed());
  assert.deepEqual(
    encodeMetadata({ ...metadata, ...shuffled }),
    bytes,
  );
  const read = (value: unknown) => decodeMetadata(utf8(JSON.stringify(value)));
  const { duration_ms: _ms, ...still } = metadata;
  assert.deepEqual(read({ ...written, duration_ms: null }), still);
  // A wrong date costs the date and not the photo.
  const { taken_at: _at, ...undated } = metadata;
  assert.deepEqual(
    { ...read({ ...written, taken_at: "yesterday" }), taken_at: undefined },
    { ...undated, taken_at: undefined },
  );
  const lies = [
    { ...written, size: -1 },
    { ...written, sha256: "00" },
    { ...written, place: { latitude: 91, longitude: 0 } },
    { ...written, place: { latitude: 9 } },
    { ...written, thumbhash: "*" },
    { ...written, thumbhash: "AAAA====" },
    { ...written, edited_of: "another" },
    { ...written, derivatives: [{ ...written.derivatives[0], key: "AA" }] },
    {
      ...written,
      derivatives: [{ ...written.derivatives[0], key: undefined, part: 0 }],
    },
    { ...written, derivatives: null },
    { ...written, v: 0 },
    [],
  ];
  for (const lie of lies) {
    assert.throws(() => read(lie), refused, JSON.stringify(lie));
  }
  const polluting = `{"__proto__":{},${JSON.stringify(written).slice(1)}`;
  assert.deepEqual(decodeMetadata(utf8(polluting)), metadata);
  const newer = {
    ...written,
    extra: 1,
    place: { ...written.place, extra: 1 },
    camera: { ...written.camera, extra: 1 },
    derivatives: written.derivatives.map((one: object) => ({
      ...one,
      extra: 1,
    })),
  };
  assert.deepEqual(read(newer), metadata);
  assert.throws(() => decodeMetadata(hex("ff")), refused);
  assert.throws(() => decodeMetadata(utf8("{")), refused);
});

Deno.test("metadata that is changed keeps what a newer program wrote, at every depth", () => {
  const { value } = documents.metadata;
  const newer = {
    ...value,
    stars: 5,
    camera: { ...value.camera, serial: "7" },
    derivatives: value.derivatives.map((one) => ({ ...one, codec: "x" })),
  };
  const bytes = amendMetadata(utf8(JSON.stringify(newer)), {
    caption: "Anders",
    favourite: undefined,
  });
  const { favourite: _favourite, ...rest } = newer;
  const written: unknown = JSON.parse(new TextDecoder().decode(bytes));
  assert.deepEqual(written, { ...rest, caption: "Anders" });
  assert.equal(decodeMetadata(bytes).caption, "Anders");
  const plain = base64(documents.metadata.json);
  assert.deepEqual(amendMetadata(plain, {}), plain);
  assert.throws(() => amendMetadata(plain, { size: -1 }), refused);
  const later = utf8(JSON.stringify({ ...newer, v: 2 }));
  const newerError = { name: "NewerDocumentError" };
  assert.throws(() => amendMetadata(later, {}), newerError);
});

Deno.test("a name of 1,024 characters is one, whatever they are, and a longer one is not", () => {
  const { value } = documents.metadata;
  const read = (name: string) =>
    decodeMetadata(utf8(JSON.stringify({ ...value, name })));
  for (const character of ["a", "é", "📷"]) {
    assert.equal([...read(character.repeat(1_024)).name].length, 1_024);
    assert.throws(() => read(character.repeat(1_025)), refused);
  }
  assert.throws(() => read(""), refused);
});

Deno.test("no document is signed with a time that is not in UTC", async () => {
  const { signer, sealing } = await openIdentity(hex(identity.master_key));
  const at = "2026-10-01T14:00:00+02:00";
  const utc = "2026-10-01T12:00:00Z";
  const create = envelopeOf(0);
  const roster = {
    album_id: documents.wrapped_amk.album_id,
    owner: documents.wrapped_amk.member,
    roster_version: 1,
    amk_epoch: 0,
    amk_commitment: new Uint8Array(32),
    members: [],
    signed_at: at,
  };
  const directory = {
    user_id: create.created_by_user,
    server_id: "https://strongroom.example",
    directory_version: 1,
    sealing_key: await sealing.publicKey(),
    devices: [{
      device_id: create.created_by_device,
      name: "Laptop",
      platform: "linux" as const,
      added_at: at,
    }],
    signed_at: utc,
  };
  const signings = [
    signManifest(signer, { ...create, timestamp: at }),
    signManifest(signer, { ...create, retention_until: at }),
    signRoster(signer, roster),
    signDirectory(signer, directory),
    signDirectory(signer, { ...directory, devices: [], signed_at: at }),
  ];
  for (const signing of signings) await assert.rejects(signing, refused);
  await signRoster(signer, { ...roster, signed_at: utc });
});

Deno.test("metadata is written with its instants in UTC alone", () => {
  const now = decodeMetadata(base64(documents.metadata.json));
  const offset = { ...now, taken_at: "2026-09-30T18:03:11+02:00" };
  assert.throws(() => encodeMetadata(offset), refused);
  assert.equal(now.taken_at, documents.metadata.value.taken_at);
});

Deno.test("a comment reads as it was written, and is no file", () => {
  const { comment, guest_comment: ofGuest } = documents;
  assert.equal(ofGuest.value.remark.guest.name, "Grandma");
  for (const { json, value } of [comment, ofGuest]) {
    const read = decodeMetadata(base64(json));
    assert.deepEqual(read.remark, value.remark);
    assert.equal(toBase64(encodeMetadata(read)), json);
    assert(!isFile(read));
  }
});

Deno.test("what a viewer says of a photo, or takes back, verifies under their identity alone, and is whole", async () => {
  const { signer } = await openIdentity(hex(identity.master_key));
  const { cbor, value } = documents.album_remark;
  const bytes = base64(cbor);
  for (const backend of await backends()) {
    const opened = openAlbumRemark(bytes);
    assert.deepEqual(opened.said, value);
    assert.deepEqual(await opened.verified(IDENTITY_KEY, backend), value);
    const other = flipped(IDENTITY_KEY, 40);
    await assert.rejects(opened.verified(other, backend), refused);
    const changed = openAlbumRemark(flipped(bytes, -1));
    await assert.rejects(changed.verified(IDENTITY_KEY, backend), refused);
  }
  const { on, of, text, ...back } = value;
  const takenBack = openAlbumRemark(await signAlbumRemark(signer, back));
  assert.deepEqual(await takenBack.verified(IDENTITY_KEY), back);
  const longest = { ...value, text: "🎉".repeat(1_000) };
  const { length } = await signAlbumRemark(signer, longest);
  assert(length <= SIGNED_REMARK_MAX_BYTES);
  const lies: readonly CborMap[] = [
    { ...back, on },
    { ...back, of },
    { ...back, text },
    { ...value, text: "" },
    { ...value, text: "Scho\u0308n" },
    { ...value, text: "x".repeat(1_001) },
    { ...value, id: "1" },
    { ...value, at: "2026-10-01T14:00:00+02:00" },
    { ...value, likes: true },
  ];
  for (const lie of lies) {
    const forged = await signEnvelope(signer, {
      ...lie,
      type: "service-album-remark/v1",
    });
    assert.throws(() => openAlbumRemark(forged), refused);
  }
  assert.throws(() => openAlbumRemark(new Uint8Array(8_193)), refused);
});

Deno.test("an asset or derivative of a kind that is not known opens, and no gallery shows it", () => {
  const { value } = documents.metadata;
  const read = (over: object) =>
    decodeMetadata(utf8(JSON.stringify({ ...value, ...over })));
  assert(isFile(read({})));
  assert(isFile(read({ kind: null })));
  assert(!isFile(read({ kind: SHARE_INDEX_KIND })));
  assert(!isFile(read({ kind: "hologram" })));
  const [derivative] = value.derivatives;
  const depth = { ...derivative, kind: "depth-map" };
  const { derivatives } = read({ derivatives: [derivative, depth] });
  assert.deepEqual(derivatives.map(({ kind }) => kind), [
    "thumbnail",
    "depth-map",
  ]);
});

Deno.test("what a newer program made is told as that, and not as damage", () => {
  const newer = { name: "NewerDocumentError", message: /newer program/ };
  const read = (over: object) =>
    decodeMetadata(
      utf8(JSON.stringify({ ...documents.metadata.value, ...over })),
    );
  assert.throws(() => read({ v: 2 }), newer);
  assert.throws(() => read({ v: 2, derivatives: "another shape" }), newer);
  const index = new TextDecoder().decode(base64(shares.index_json));
  const later = utf8(index.replace('"v":1', '"v":7'));
  assert.throws(() => decodeShareIndex(later), newer);
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
    const amk = await openAmk(sealed, SEALING_SECRET, context, primitives);
    assert.equal(amk && toHex(amk), vector.amk);
    for (const other of others) {
      const opened = await openAmk(sealed, SEALING_SECRET, other, primitives);
      assert.equal(opened, undefined);
    }
  }
  // A bit in ML-KEM's part, in X25519's, in the box; and the box cut off.
  for (const at of [0, 1_087, 1_088, 1_119, 1_120, -1]) {
    const opened = await openAmk(flipped(sealed, at), SEALING_SECRET, context);
    assert.equal(opened, undefined, String(at));
  }
  const cut = sealed.subarray(0, 1_130);
  assert.equal(await openAmk(cut, SEALING_SECRET, context), undefined);
  const otherSecret = flipped(SEALING_SECRET, 0);
  assert.equal(await openAmk(sealed, otherSecret, context), undefined);
});

Deno.test("a device directory verifies, and names the key to seal to", async () => {
  const bytes = base64(documents.directory.cbor);
  const { member } = documents.wrapped_amk;
  for (const backend of await backends()) {
    const directory = await verifyDirectory(
      bytes,
      IDENTITY_KEY,
      member,
      backend,
    );
    assert.equal(directory.directory_version, 1);
    assert.deepEqual(directory.devices, documents.directory.devices);
    assert.equal(toBase64(directory.sealing_key), identity.sealing_key);
  }
  const roster = base64(documents.roster);
  await assert.rejects(verifyDirectory(roster, IDENTITY_KEY, member), refused);
  const other = member.replace(/.$/, "f");
  await assert.rejects(verifyDirectory(bytes, IDENTITY_KEY, other), refused);
});

Deno.test("what a guest sealed opens for the link it was sealed for", () => {
  const { guest } = documents;
  const sealed = base64(guest.sealed);
  for (const primitives of PRIMITIVES) {
    const open = (bytes: Uint8Array, opaqueId: string, gate?: Uint8Array) => {
      const binding = guestBinding(opaqueId, gate);
      return openGuestFile(bytes, SEALING_SECRET, binding, primitives);
    };
    const file = open(sealed, guest.opaque_id);
    assert(file !== undefined);
    const { key, thumbnail, ...plain } = file;
    const { key: keyText, thumbnail: picture, ...written } = guest.json;
    assert.deepEqual(plain, written);
    assert.equal(toBase64Url(key), keyText);
    assert.equal(thumbnail && toBase64(thumbnail), picture);
    assert.equal(open(sealed, "f".repeat(32)), undefined);
    assert.equal(open(flipped(sealed, -1), guest.opaque_id), undefined);
    const gate = hex(guest.gated.gate);
    const gated = base64(guest.gated.sealed);
    assert.deepEqual(open(gated, guest.opaque_id, gate), file);
    assert.equal(open(gated, guest.opaque_id), undefined);
    assert.equal(open(gated, guest.opaque_id, flipped(gate, 0)), undefined);
    assert.equal(open(sealed, guest.opaque_id, gate), undefined);
    const said = open(base64(guest.said.sealed), guest.opaque_id, gate);
    assert.deepEqual(said?.remark, guest.said.json.remark);
    assert.equal(said?.remark?.id, remarkId(guest.said.token));
    const taken = base64(guest.taken_back.sealed);
    assert.equal(open(taken, guest.opaque_id), undefined);
    const back = open(taken, guest.opaque_id, gate);
    assert.equal(back?.takes_back, guest.said.token);
  }
});

Deno.test("a guest's file with keys that are not known opens, its key in either alphabet", () => {
  const { publicKey } = sealingKeyPairFromSeed(SEALING_SECRET);
  const { opaque_id: opaqueId } = documents.guest;
  const seal = (value: object) =>
    sealTo(
      publicKey,
      utf8(JSON.stringify(value)),
      "service-guest-upload/v1",
      utf8(opaqueId),
      randomOf("another guest"),
    );
  const key = new Uint8Array(32).fill(0xfb);
  const before = { v: 1, name: "a.png", mime: "image/png" };
  for (const text of [toBase64(key), toBase64Url(key)]) {
    const sealed = seal({ ...before, key: text, newer: [] });
    const file = openGuestFile(
      sealed,
      SEALING_SECRET,
      guestBinding(opaqueId),
    );
    assert.deepEqual(file, { ...before, key });
  }
  const tooBig = seal({
    ...before,
    key: toBase64(key),
    thumbnail: toBase64(new Uint8Array(8 * 1024 + 1)),
  });
  assert.throws(
    () => openGuestFile(tooBig, SEALING_SECRET, guestBinding(opaqueId)),
    refused,
  );
});
