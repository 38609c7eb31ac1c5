import assert from "node:assert/strict";
import { toBase64, toBase64Url, toHex, utf8 } from "../../src/core/bytes.ts";
import {
  decodeCanonical,
  encodeCanonical,
  isCborMap,
} from "../../src/core/cbor.ts";
import { sealWithPassphrase } from "../../src/client/documents/escrow.ts";
import { openEscrow } from "../../src/client/documents/recovery.ts";
import {
  buildShareLink,
  decodeShareIndex,
  encodeShareIndex,
  newShare,
  parseShareLink,
  protectShare,
  shareIndexHashes,
  unlockShare,
} from "../../src/client/documents/share.ts";
import { decryptBytes, encryptBytes } from "../../src/client/stream/stream.ts";
import { randomOf } from "../../scripts/vectors/seeds.ts";
import { base64, flipped, hex, PRIMITIVES } from "../support/vectors.ts";
import shares from "./shares.json" with { type: "json" };

const refused = { name: "DocumentError" };

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
    assert.equal(shareIndexHashes(index).length, 3);
    assert.equal(index.message, "Look at the third one.");
  }
  const json: unknown = JSON.parse(
    new TextDecoder().decode(base64(shares.index_json)),
  );
  assert(typeof json === "object");
  const lies = [
    { ...json, v: 0 },
    { ...json, n: undefined },
    { ...json, n: -1 },
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

Deno.test("an item that cannot be read costs that item, and no other, and is written back as it is in its place", () => {
  const text = new TextDecoder().decode(base64(shares.index_json));
  const index = decodeShareIndex(utf8(text));
  assert.equal(index.unread, undefined);
  const json: { items: Record<string, unknown>[] } = JSON.parse(text);
  const [first] = json.items;
  const bad = [
    { ...first, key: "short" },
    { ...first, chunk_size: 0 },
    { ...first, name: "" },
    { ...first, thumbnail: { hash: "none" } },
    [],
    null,
    "item",
  ];
  const [one, two, ...others] = bad;
  const items = [one, two, ...json.items, ...others];
  const bytes = utf8(JSON.stringify({ ...json, items }));
  const { unread = [], ...read } = decodeShareIndex(bytes);
  assert.deepEqual(read, index);
  const places = unread.map(({ at }) => at);
  assert.deepEqual(places.slice(0, 3), [0, 1, json.items.length + 2]);
  assert.equal(unread.length, bad.length);
  assert.deepEqual(encodeShareIndex({ ...read, unread }), bytes);
});

Deno.test("an upload link of an index that cannot be read costs no photo, and is written back as it is", () => {
  const text = new TextDecoder().decode(base64(shares.index_json));
  const { adds: _, ...index } = decodeShareIndex(utf8(text));
  const json = JSON.parse(text);
  const bad = [
    { ...json.adds, opaque_id: "short" },
    { ...json.adds, gate: undefined },
    { ...json.adds, reacts: 1 },
    [],
    null,
  ];
  for (const adds of bad) {
    const bytes = utf8(JSON.stringify({ ...json, adds }));
    const { unreadAdds, ...read } = decodeShareIndex(bytes);
    assert.deepEqual(read, index);
    const written = encodeShareIndex({ ...read, unreadAdds });
    const { adds: kept } = JSON.parse(new TextDecoder().decode(written));
    // A null value counts as absent, and is left out.
    assert.deepEqual(kept ?? null, JSON.parse(JSON.stringify(adds)));
  }
});

Deno.test("the keys of an index are base64url, and either alphabet is read, padded or not", () => {
  const text = new TextDecoder().decode(base64(shares.index_json));
  const [written] = /(?<="key":")[^"]+/.exec(text) ?? [];
  assert(written !== undefined);
  assert.match(written, /^[A-Za-z0-9_-]{43}$/);
  const read = (key: string) =>
    decodeShareIndex(utf8(text.replace(written, key))).items[0]?.key;
  const odd = new Uint8Array(32).fill(0xff);
  for (const both of [toBase64(odd), toBase64Url(odd)]) {
    assert.deepEqual(read(both), odd);
    assert.deepEqual(read(both.replace("=", "")), odd);
  }
  const damaged = [
    written.slice(1),
    `${written}==`,
    `${written}A`,
    `=${written}`,
    written.replace(/.$/, "B"),
    `${written.slice(0, 42)}*`,
    "",
  ];
  for (const key of damaged) assert.throws(() => read(key), refused, key);
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

const GUARDED = shares.guarded;
const OF = {
  opaqueId: GUARDED.opaque_id,
  fragment: parseShareLink(GUARDED.link)?.secret ?? new Uint8Array(),
};
const WRONG = { name: "EscrowError", fault: "passphrase_wrong" };

Deno.test("a link with a passphrase opens with its fragment and its passphrase, and with neither alone", async () => {
  const wrapped = base64(GUARDED.wrapped_secret);
  const { passphrase } = GUARDED;
  const secret = await unlockShare(passphrase, wrapped, OF);
  assert.equal(toHex(secret), GUARDED.secret);
  const index = await encryptBytes(
    { fileKey: secret },
    randomOf("index")(16),
    base64(shares.index_json),
  );
  const opens = (fileKey: Uint8Array) =>
    decryptBytes({ fileKey }, index).then(() => true, () => false);
  assert(await opens(secret));
  // What a server has: the box, the id, and every passphrase that it guesses.
  const of = { ...OF, fragment: new Uint8Array(32) };
  const guessed = await unlockShare(passphrase, wrapped, of);
  assert(!await opens(guessed));
  assert(!await opens(OF.fragment));
  const other = { ...OF, fragment: flipped(OF.fragment, 0) };
  assert(!await opens(await unlockShare(passphrase, wrapped, other)));
  await assert.rejects(unlockShare("another", wrapped, OF), WRONG);
  const elsewhere = { ...OF, opaqueId: "f".repeat(32) };
  await assert.rejects(unlockShare(passphrase, wrapped, elsewhere), WRONG);
});

Deno.test("a box of a link that costs too little to guess is refused, and none is made", async () => {
  const { passphrase } = GUARDED;
  const unreadable = { name: "EscrowError", fault: "unreadable" };
  const label = `service-share/v2\0${OF.opaqueId}`;
  for (
    const cost of [
      { memoryKib: 19_455, passes: 2, lanes: 1 },
      { memoryKib: 19_456, passes: 1, lanes: 1 },
      { memoryKib: 8, passes: 16, lanes: 1 },
    ]
  ) {
    const half = new Uint8Array(32);
    const cheap = await sealWithPassphrase(
      passphrase,
      half,
      label,
      randomOf("cheap"),
      { cost },
    );
    await assert.rejects(unlockShare(passphrase, cheap, OF), unreadable);
    const made = await protectShare(passphrase, OF, randomOf("made"), { cost });
    const box = decodeCanonical(made.wrappedSecret);
    assert(isCborMap(box) && isCborMap(box["kdf"]));
    assert(Number(box["kdf"]["memory_kib"]) >= 19_456);
    assert(Number(box["kdf"]["passes"]) >= 2);
    await unlockShare(passphrase, made.wrappedSecret, OF);
  }
});

Deno.test("a link's box is no escrow, and of a later version it is told as newer", async () => {
  const wrapped = base64(GUARDED.wrapped_secret);
  const unreadable = { name: "EscrowError", fault: "unreadable" };
  await assert.rejects(openEscrow(GUARDED.passphrase, wrapped));
  const box = decodeCanonical(wrapped);
  assert(isCborMap(box));
  const newer = { name: "EscrowError", fault: "newer" };
  const later = encodeCanonical({ ...box, v: 3 });
  await assert.rejects(unlockShare("x", later, OF), newer);
  for (const bytes of [wrapped.subarray(1), hex("a0"), hex("")]) {
    await assert.rejects(unlockShare("x", bytes, OF), unreadable);
  }
  await assert.rejects(protectShare(" \n", OF, randomOf("x")), RangeError);
});
