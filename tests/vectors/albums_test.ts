import assert from "node:assert/strict";
import { fromBase64Url, toHex, utf8 } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import {
  type AlbumInfo,
  openAlbum,
  openAlbumInfo,
  openHistory,
  sealAlbumInfo,
  sealHistory,
} from "../../src/client/documents/album_keys.ts";
import { albumSealKey } from "../../src/client/documents/file_key.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { sealingKeyPairFromSeed } from "../../src/client/keys/sealing.ts";
import { signRoster, verifyRoster } from "../../src/client/documents/roster.ts";
import { portablePrimitives } from "../../src/crypto/primitives.ts";
import {
  MASTER_KEY,
  randomOf,
  secretOf,
  SIGNED_AT,
} from "../../scripts/vectors/seeds.ts";
import {
  backends,
  base64,
  flipped,
  hex,
  PRIMITIVES,
} from "../support/vectors.ts";
import vectors from "./albums.json" with { type: "json" };

const AMK = hex(vectors.amk);
const OF = { albumId: vectors.album_id, amkEpoch: vectors.amk_epoch };
const HISTORY = base64(vectors.sealed_history);
const INFO = base64(vectors.sealed_info);
const { viewers } = vectors.info;
const TOLD: AlbumInfo = {
  ...vectors.info,
  order: "oldest",
  viewers: {
    ...viewers,
    fingerprint: fromBase64Url(viewers.fingerprint) ?? hex(""),
    gate: fromBase64Url(viewers.gate) ?? hex(""),
  },
};
const SECRET = hex(vectors.sealing_secret);
const ownKeys = (secretKey: Uint8Array<ArrayBuffer>) => ({
  secretKey,
  publicKey: () => Promise.resolve(sealingKeyPairFromSeed(secretKey).publicKey),
});
const OWN = ownKeys(SECRET);
const refused = { name: "DocumentError" };

const told = (keys: ReadonlyMap<number, Uint8Array> | undefined) =>
  [...keys ?? []].map(([epoch, key]) => ({ epoch, key: toHex(key) }));

Deno.test("the key of an epoch opens the keys of all earlier ones", () => {
  for (const primitives of PRIMITIVES) {
    const keys = openHistory(AMK, OF, HISTORY, primitives);
    assert.deepEqual(told(keys), vectors.before);
    const before = new Map(
      vectors.before.toReversed().map(({ epoch, key }) => [epoch, hex(key)]),
    );
    const again = sealHistory(AMK, OF, before, randomOf("history"), primitives);
    assert.deepEqual(again, HISTORY);
    const empty = base64(vectors.empty_history);
    assert.deepEqual(told(openHistory(AMK, OF, empty, primitives)), []);
  }
});

Deno.test("history and title are of one album and one epoch, and neither stands for the other", () => {
  const others = [
    { ...OF, amkEpoch: 4 },
    { ...OF, albumId: OF.albumId.replace(/.$/, "0") },
  ];
  for (const primitives of PRIMITIVES) {
    for (const of of others) {
      assert.equal(openHistory(AMK, of, HISTORY, primitives), undefined);
      assert.equal(openAlbumInfo(AMK, of, INFO, primitives), undefined);
    }
    assert.equal(openHistory(AMK, OF, INFO, primitives), undefined);
    assert.equal(openAlbumInfo(AMK, OF, HISTORY, primitives), undefined);
    assert.equal(openHistory(flipped(AMK, 3), OF, HISTORY), undefined);
    for (const at of [0, 11, 12, -1]) {
      const changed = flipped(HISTORY, at);
      assert.equal(openHistory(AMK, OF, changed, primitives), undefined);
    }
    assert.equal(openHistory(AMK, OF, hex(""), primitives), undefined);
    assert.equal(openHistory(AMK, OF, HISTORY.subarray(0, 20)), undefined);
  }
});

Deno.test("a history that tells of its own epoch, one twice, or no keys is refused", () => {
  const seal = (plaintext: Uint8Array) => {
    const nonce = new Uint8Array(12);
    const bound = encodeCanonical([
      "service-amk-history/v1",
      OF.albumId,
      OF.amkEpoch,
    ]);
    const box = portablePrimitives.seal(
      albumSealKey(AMK),
      nonce,
      plaintext,
      bound,
    );
    return new Uint8Array([...nonce, ...box]);
  };
  const lies = [
    encodeCanonical([[3, AMK]]),
    encodeCanonical([[0, AMK], [0, AMK]]),
    encodeCanonical([[-1, AMK]]),
    encodeCanonical([[0, AMK.subarray(1)]]),
    encodeCanonical([[0, AMK, 1]]),
    encodeCanonical([0]),
    encodeCanonical({}),
    utf8("[]"),
  ];
  for (const lie of lies) {
    assert.throws(() => openHistory(AMK, OF, seal(lie)), refused);
  }
  const unordered = seal(encodeCanonical([[2, AMK], [0, AMK]]));
  assert.equal(openHistory(AMK, OF, unordered)?.size, 2);
  const random = randomOf("never sealed");
  for (const epoch of [3, -1, 0.5]) {
    const before = new Map([[epoch, AMK]]);
    assert.throws(() => sealHistory(AMK, OF, before, random), RangeError);
  }
  const much = Array.from({ length: 2_000 }, (_, i) => [i, AMK] as const);
  const late = { ...OF, amkEpoch: 2_000 };
  assert.throws(
    () => sealHistory(AMK, late, new Map(much), random),
    refused,
  );
});

Deno.test("an album's title opens, with keys that are not known yet as without", () => {
  for (const primitives of PRIMITIVES) {
    assert.deepEqual(openAlbumInfo(AMK, OF, INFO, primitives), TOLD);
    const again = sealAlbumInfo(
      AMK,
      OF,
      TOLD,
      randomOf("info"),
      primitives,
    );
    assert.deepEqual(again, INFO);
  }
  const seal = (json: string) => {
    const bound = encodeCanonical([
      "service-album-info/v1",
      OF.albumId,
      OF.amkEpoch,
    ]);
    const nonce = new Uint8Array(12);
    return new Uint8Array([
      ...nonce,
      ...portablePrimitives.seal(albumSealKey(AMK), nonce, utf8(json), bound),
    ]);
  };
  const open = (json: string) => openAlbumInfo(AMK, OF, seal(json));
  assert.deepEqual(open('{"title":"A","colour":"red"}'), { title: "A" });
  assert.equal(open('{"title":"A","order":"oldest"}')?.order, "oldest");
  // An order of a newer program is the usual one here.
  assert.equal(open('{"title":"A","order":"by hand"}')?.order, undefined);
  assert.throws(() => open("{}"), refused);
  assert.throws(() => open('{"title":"A","cover":"b"}'), refused);
  const long = { title: "A", names: { a: "n".repeat(1_024) } };
  const names = Object.fromEntries(
    Array.from({ length: 64 }, (_, i) => [`member ${i}`, long.names.a]),
  );
  assert.throws(
    () => sealAlbumInfo(AMK, OF, { ...long, names }, randomOf("long")),
    refused,
  );
});

Deno.test("a roster gives a member every key since the first epoch, and the title", async () => {
  const identityKey = base64(vectors.identity_key);
  for (const backend of await backends()) {
    const roster = await verifyRoster(
      base64(vectors.roster),
      identityKey,
      backend,
    );
    for (const primitives of PRIMITIVES) {
      const opened = await openAlbum(
        roster,
        vectors.member,
        OWN,
        primitives,
      );
      assert.deepEqual(told(opened?.keys), [
        ...vectors.before,
        { epoch: 3, key: vectors.amk },
      ]);
      assert.deepEqual(opened?.info, TOLD);
    }
    assert.equal(toHex(roster.amk_commitment), vectors.amk_commitment);
    assert.equal(
      toHex(roster.members[0]?.sealed_to ?? hex("")),
      vectors.sealed_to,
    );
    const amk_commitment = flipped(roster.amk_commitment, 0);
    await assert.rejects(
      openAlbum({ ...roster, amk_commitment }, vectors.member, OWN),
      refused,
    );
    assert.equal(await openAlbum(roster, "nobody", OWN), undefined);
    const other = ownKeys(new Uint8Array(flipped(SECRET, 0)));
    await assert.rejects(
      openAlbum(roster, vectors.member, other),
      /encrypted for another key than yours/,
    );
    const false_ = { ...OWN, secretKey: other.secretKey };
    assert.equal(await openAlbum(roster, vectors.member, false_), undefined);
    const mixed = { ...roster, sealed_history: INFO };
    await assert.rejects(openAlbum(mixed, vectors.member, OWN), refused);
    const untitled = { ...roster, sealed_info: HISTORY };
    await assert.rejects(openAlbum(untitled, vectors.member, OWN), refused);
  }
});

Deno.test("no roster of a later epoch is signed without the keys of before", async () => {
  const { signer } = await openIdentity(MASTER_KEY);
  const roster = {
    album_id: vectors.album_id,
    owner: vectors.member,
    roster_version: 1,
    amk_epoch: 1,
    amk_commitment: hex(vectors.amk_commitment),
    members: [],
    signed_at: SIGNED_AT,
  };
  await assert.rejects(signRoster(signer, roster), refused);
  const sealed = secretOf("any bytes");
  await signRoster(signer, { ...roster, sealed_history: sealed });
  await signRoster(signer, { ...roster, amk_epoch: 0 });
});
