import assert from "node:assert/strict";
import { toHex, utf8 } from "../../core/bytes.ts";
import {
  bundlesBetween,
  consistencyNodes,
  decodeBundle,
  EMPTY_ROOT,
  encodeBundle,
  hashesOf,
  hashOfTile,
  inclusionNodes,
  leafHash,
  makeProof,
  nodeHash,
  nodeInTile,
  parseTilePath,
  type ReadNode,
  rootOf,
  tileOfNode,
  tilePath,
  TREE_HASH_BYTES,
  verifyConsistency,
  verifyInclusion,
  widthIn,
} from "./merkle.ts";
import { tilesBetween } from "../../../tests/support/log_reader.ts";

/** The entries of Certificate Transparency's test vectors, and their roots. */
const ENTRIES = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
].map((hex) => Uint8Array.fromHex(hex));
const ROOTS = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
/** The tree of "leaf 0" to "leaf 69999", computed by RFC 6962's definition. */
const LARGE = {
  size: 70_000,
  root: "da0532ff7b2ee56f4067110fc964e9f27b5959f9527bfff3fa501aa7584deaf3",
};

/** RFC 6962 section 2.1, word for word. */
function definition(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined) return EMPTY_ROOT;
  if (leaves.length === 1) return only;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(definition(leaves.slice(0, k)), definition(leaves.slice(k)));
}

function readerOf(leaves: readonly Uint8Array[]): ReadNode {
  return ({ level, index }) =>
    definition(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level));
}

function leavesOf(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, at) => leafHash(utf8(`leaf ${at}`)));
}

Deno.test("the roots of Certificate Transparency's vectors come out", () => {
  const leaves = ENTRIES.map((entry) => leafHash(entry));
  for (const [size, root] of ROOTS.entries()) {
    assert.equal(toHex(rootOf(size, readerOf(leaves))), root);
  }
});

Deno.test("every leaf of every tree to 40 has a proof, and no other proves it", () => {
  const leaves = leavesOf(40);
  const read = readerOf(leaves);
  for (let size = 1; size <= leaves.length; size++) {
    const root = rootOf(size, read);
    for (let index = 0; index < size; index++) {
      const hash = leaves[index] ?? EMPTY_ROOT;
      const proof = makeProof(inclusionNodes(index, size), read);
      const head = { size, root };
      assert(verifyInclusion(proof, { index, hash }, head));
      for (const wrong of spoiled(proof)) {
        assert(!verifyInclusion(wrong, { index, hash }, head));
      }
      assert(!verifyInclusion(proof, { index: index + 1, hash }, head));
      assert(!verifyInclusion(proof, { index: size, hash }, head));
      assert(
        !verifyInclusion(proof, { index, hash: root }, head) || size === 1,
      );
      assert(
        !verifyInclusion(proof, { index, hash }, { size, root: hash }) ||
          size === 1,
      );
    }
  }
});

Deno.test("every tree to 40 begins with every smaller one, and no other shows it", () => {
  const leaves = leavesOf(40);
  const read = readerOf(leaves);
  for (let size = 0; size <= leaves.length; size++) {
    const after = { size, root: rootOf(size, read) };
    for (let old = 0; old <= size; old++) {
      const before = { size: old, root: rootOf(old, read) };
      const proof = makeProof(consistencyNodes(old, size), read);
      assert(verifyConsistency(proof, before, after));
      for (const wrong of spoiled(proof)) {
        assert(!verifyConsistency(wrong, before, after));
      }
      if (old === size) continue;
      assert(!verifyConsistency(proof, after, before));
      const other = { size: old, root: leafHash(utf8("another")) };
      assert(!verifyConsistency(proof, other, after));
      if (old === 0) continue;
      assert(!verifyConsistency(proof, before, { size, root: other.root }));
    }
  }
});

/** A proof with a bit changed, a hash too few, too many, before and behind. */
function spoiled(proof: readonly Uint8Array[]): Uint8Array[][] {
  const garbage = leafHash(utf8("garbage"));
  return [
    [garbage, ...proof],
    [...proof, garbage],
    [...proof, new Uint8Array()],
    ...proof.length === 0 ? [] : [proof.slice(1), proof.slice(0, -1)],
    ...proof.map((hash, at) =>
      proof.toSpliced(at, 1, hash.with(3, (hash[3] ?? 0) ^ 0x10))
    ),
    ...proof.map((hash, at) => proof.toSpliced(at, 1, hash.subarray(1))),
  ];
}

Deno.test("what cannot be asked for is a RangeError, and what cannot be true is false", () => {
  assert.throws(() => inclusionNodes(1, 1), RangeError);
  assert.throws(() => inclusionNodes(-1, 1), RangeError);
  assert.throws(() => inclusionNodes(0.5, 1), RangeError);
  assert.throws(() => consistencyNodes(2, 1), RangeError);
  assert.throws(() => consistencyNodes(0, 2 ** 53), RangeError);
  const root = EMPTY_ROOT;
  assert(!verifyInclusion([], { index: 0, hash: root }, { size: 0, root }));
  assert(!verifyInclusion([], { index: 0, hash: root }, { size: NaN, root }));
  assert(!verifyConsistency([], { size: -1, root }, { size: 1, root }));
});

Deno.test("a tree of 70,000 is made of the tiles that tlog-tiles names, and of nothing else", () => {
  const { size } = LARGE;
  const tiles = new Map<string, Uint8Array>();
  for (const tile of tilesBetween(0, size)) {
    const hashes = tile.level === 0
      ? Array.from(
        { length: tile.width },
        (_, at) => leafHash(utf8(`leaf ${tile.index * 256 + at}`)),
      )
      : Array.from({ length: tile.width }, (_, at) => {
        const below = {
          level: Number(tile.level) - 1,
          index: tile.index * 256 + at,
        };
        const bytes = tiles.get(tilePath({ ...below, width: 256 }));
        assert(bytes !== undefined);
        return hashOfTile(bytes);
      });
    tiles.set(tilePath(tile), join(hashes));
  }
  const counts = Map.groupBy(
    tiles.keys(),
    (path) => path.replace(/x?\d{3}/, "N"),
  );
  assert.deepEqual([...counts].map(([path, all]) => [path, all.length]), [
    ["tile/0/N", 273],
    ["tile/0/N.p/112", 1],
    ["tile/1/N", 1],
    ["tile/1/N.p/17", 1],
    ["tile/2/N.p/1", 1],
  ]);
  const read: ReadNode = (node) => {
    const bytes = tiles.get(tilePath(tileOfNode(node, size)));
    assert(bytes !== undefined);
    return nodeInTile(node, bytes);
  };
  const root = rootOf(size, read);
  assert.equal(toHex(root), LARGE.root);
  for (const index of [0, 255, 256, 65_535, 65_536, 69_999]) {
    const hash = leafHash(utf8(`leaf ${index}`));
    const proof = makeProof(inclusionNodes(index, size), read);
    assert(verifyInclusion(proof, { index, hash }, { size, root }));
  }
  for (const old of [1, 255, 256, 65_536, 69_999]) {
    const before = { size: old, root: rootOf(old, (node) => read(node)) };
    const proof = makeProof(consistencyNodes(old, size), read);
    assert(verifyConsistency(proof, before, { size, root }));
  }
});

Deno.test("a larger tree adds the tiles that changed", () => {
  assert.deepEqual(tilesBetween(256, 256), []);
  assert.deepEqual(tilesBetween(255, 257).map(tilePath), [
    "tile/0/000",
    "tile/0/001.p/1",
    "tile/1/000.p/1",
  ]);
  assert.deepEqual(tilesBetween(65_535, 65_536).map(tilePath), [
    "tile/0/255",
    "tile/1/000",
    "tile/2/000.p/1",
  ]);
  assert.deepEqual(bundlesBetween(3, 258).map(tilePath), [
    "tile/entries/000",
    "tile/entries/001.p/2",
  ]);
  assert.equal(widthIn({ level: 1, index: 0 }, 70_000), 256);
  assert.equal(widthIn({ level: 1, index: 1 }, 70_000), 17);
  assert.equal(widthIn({ level: 0, index: 274 }, 70_000), 0);
});

Deno.test("a tile has one path", () => {
  for (
    const [path, level, index, width] of [
      ["tile/0/000", 0, 0, 256],
      ["tile/3/x001/x234/067", 3, 1_234_067, 256],
      ["tile/63/005.p/255", 63, 5, 255],
      ["tile/entries/x001/000.p/1", "entries", 1000, 1],
    ] as const
  ) {
    assert.equal(tilePath({ level, index, width }), path);
    assert.deepEqual(parseTilePath(path), { level, index, width });
  }
  for (
    const path of [
      "tile/0/0",
      "tile/0/00",
      "tile/0/0000",
      "tile/0/x000/001",
      "tile/0/001/002",
      "tile/0/x001",
      "tile/00/001",
      "tile/64/001",
      "tile/-1/001",
      "tile/0/001.p/0",
      "tile/0/001.p/01",
      "tile/0/001.p/256",
      "tile/0/001.p/",
      "tile/data/001",
      "tile/0/001/",
      "/tile/0/001",
      "tile/0/x999/x999/x999/x999/x999/x999/999",
    ]
  ) assert.equal(parseTilePath(path), undefined, path);
});

Deno.test("entries come out of a bundle as they went in, and not of a cut one", () => {
  const bundle = encodeBundle(ENTRIES);
  assert.deepEqual(decodeBundle(bundle)?.map(toHex), ENTRIES.map(toHex));
  assert.equal(decodeBundle(bundle.subarray(0, -1)), undefined);
  assert.equal(decodeBundle(Uint8Array.of(0)), undefined);
  assert.throws(() => encodeBundle([new Uint8Array(65_536)]), RangeError);
  assert.equal(encodeBundle([new Uint8Array(65_535)]).length, 65_537);
  assert.equal(hashesOf(new Uint8Array(65)).length, 2);
});

function join(hashes: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(hashes.length * TREE_HASH_BYTES);
  for (const [at, hash] of hashes.entries()) whole.set(hash, at * 32);
  return whole;
}
