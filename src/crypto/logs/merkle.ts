/**
 * Merkle trees of transparency logs: hashes and proofs of RFC 6962 section 2.1,
 * and the tiles of C2SP tlog-tiles, in which a log serves its tree. Sizes and
 * indexes are safe integers.
 *
 * @module
 */
import { type Bytes, equalBytes } from "../../core/bytes.ts";
import { sha256 } from "../sha256.ts";

/** Bytes of a hash of the tree. */
export const TREE_HASH_BYTES = 32;
/** Hashes that a full tile has. */
export const TILE_WIDTH = 256;
/** A tile spans so many levels of the tree. */
const TILE_HEIGHT = 8;
/** The most hashes that a proof of either kind can have. */
export const MAX_PROOF_HASHES = 63;
/** Bytes that an entry of a bundle can have: its length is a uint16. */
const MAX_ENTRY_BYTES = 65_535;

/** The root of a tree without leaves: the hash of nothing. */
export const EMPTY_ROOT: Bytes = sha256(new Uint8Array());

/** Computes SHA-256 of bytes in memory. */
type HashBytes = (bytes: Uint8Array) => Uint8Array;

/** The hash of an entry as a leaf of the tree. */
export function leafHash(
  entry: Uint8Array,
  hash: HashBytes = sha256,
): Uint8Array {
  const prefixed = new Uint8Array(1 + entry.length);
  prefixed.set(entry, 1);
  return hash(prefixed);
}

/** The hash of two adjacent subtrees. */
export function nodeHash(
  left: Uint8Array,
  right: Uint8Array,
  hash: HashBytes = sha256,
): Uint8Array {
  const prefixed = new Uint8Array(1 + 2 * TREE_HASH_BYTES);
  prefixed[0] = 1;
  prefixed.set(left, 1);
  prefixed.set(right, 1 + TREE_HASH_BYTES);
  return hash(prefixed);
}

/** A complete subtree: the leaves from `index * 2^level`, `2^level` of them. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
}

/** The leaves from `start` on and before `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Gives the hash of a complete subtree. */
export type ReadNode = (node: TreeNode) => Uint8Array;

/**
 * The hashes of an inclusion proof (RFC 6962 section 2.1.1), from the leaf's
 * sibling up, each as the complete subtrees that it is folded from. Throws a
 * RangeError for a leaf that the tree does not have.
 */
export function inclusionNodes(
  index: number,
  size: number,
): readonly (readonly TreeNode[])[] {
  requireSize(size);
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) {
    throw new RangeError(`a tree of ${size} has no leaf ${index}`);
  }
  const spans: Span[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + split(end - start);
    if (index < middle) {
      spans.push({ start: middle, end });
      end = middle;
    } else {
      spans.push({ start, end: middle });
      start = middle;
    }
  }
  return spans.toReversed().map(nodesOf);
}

/**
 * The hashes of a consistency proof (RFC 6962 section 2.1.2), likewise; none
 * for equal sizes and from the empty tree. Throws a RangeError for a tree that
 * is larger than the later one.
 */
export function consistencyNodes(
  oldSize: number,
  size: number,
): readonly (readonly TreeNode[])[] {
  requireSize(size);
  requireSize(oldSize);
  if (oldSize > size) {
    throw new RangeError(`a tree of ${size} has no first ${oldSize} leaves`);
  }
  if (oldSize === 0 || oldSize === size) return [];
  const spans: Span[] = [];
  let start = 0;
  let end = size;
  while (oldSize < end) {
    const middle = start + split(end - start);
    if (oldSize <= middle) {
      spans.push({ start: middle, end });
      end = middle;
    } else {
      spans.push({ start, end: middle });
      start = middle;
    }
  }
  // The verifier has the hash of the old tree where that is a subtree.
  if (start > 0) spans.push({ start, end });
  return spans.toReversed().map(nodesOf);
}

/** The complete subtrees that make the root of a tree, from the left. */
export function rootNodes(size: number): readonly TreeNode[] {
  requireSize(size);
  return nodesOf({ start: 0, end: size });
}

/** The hash of neighbouring subtrees that shrink to the right. */
export function foldNodes(
  hashes: readonly Uint8Array[],
  hash: HashBytes = sha256,
): Uint8Array {
  if (hashes.length === 0) return EMPTY_ROOT;
  return hashes.reduceRight((right, left) => nodeHash(left, right, hash));
}

/** Makes a proof of its nodes. */
export function makeProof(
  nodes: readonly (readonly TreeNode[])[],
  read: ReadNode,
): Uint8Array[] {
  return nodes.map((parts) => foldNodes(parts.map(read)));
}

/** The root of the tree of a size. */
export function rootOf(size: number, read: ReadNode): Uint8Array {
  return foldNodes(rootNodes(size).map(read));
}

/** Hashes of a tree of a size: what a checkpoint says. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/**
 * Whether a proof shows that a leaf stands at an index of a tree (RFC 9162
 * section 2.1.3.2). False for anything malformed; never throws.
 */
export function verifyInclusion(
  proof: readonly Uint8Array[],
  leaf: { readonly index: number; readonly hash: Uint8Array },
  { size, root }: TreeHead,
): boolean {
  const { index, hash } = leaf;
  if (!isSize(size) || !isSize(index) || index >= size) return false;
  if (!areHashes([hash, root, ...proof])) return false;
  let at = index;
  let last = size - 1;
  let result = hash;
  for (const beside of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      result = nodeHash(beside, result);
      // The last subtree of a level without a sibling moves up as it is.
      for (; at % 2 === 0 && at !== 0; at = half(at)) last = half(last);
    } else result = nodeHash(result, beside);
    at = half(at);
    last = half(last);
  }
  return last === 0 && equalBytes(result, root);
}

/**
 * Whether a proof shows that one tree is the beginning of another (RFC 9162
 * section 2.1.4.2). False for anything malformed; never throws.
 */
export function verifyConsistency(
  proof: readonly Uint8Array[],
  before: TreeHead,
  after: TreeHead,
): boolean {
  if (!isSize(before.size) || !isSize(after.size)) return false;
  if (before.size > after.size) return false;
  if (!areHashes([before.root, after.root, ...proof])) return false;
  if (before.size === 0) {
    return proof.length === 0 && equalBytes(before.root, EMPTY_ROOT);
  }
  if (before.size === after.size) {
    return proof.length === 0 && equalBytes(before.root, after.root);
  }
  if (proof.length === 0) return false;
  let at = before.size - 1;
  let last = after.size - 1;
  for (; at % 2 === 1; at = half(at)) last = half(last);
  // A complete subtree is the beginning itself: its hash is not in the proof.
  const [first, ...rest] = at === 0 ? [before.root, ...proof] : proof;
  if (first === undefined) return false;
  let oldRoot = first;
  let newRoot = first;
  for (const beside of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      oldRoot = nodeHash(beside, oldRoot);
      newRoot = nodeHash(beside, newRoot);
      for (; at % 2 === 0 && at !== 0; at = half(at)) last = half(last);
    } else newRoot = nodeHash(newRoot, beside);
    at = half(at);
    last = half(last);
  }
  return last === 0 && equalBytes(oldRoot, before.root) &&
    equalBytes(newRoot, after.root);
}

/** A tile of hashes, or the bundle of the entries below one of level 0. */
export interface Tile {
  /** 0 has the leaves; each level above spans 256 times as many. */
  readonly level: number | "entries";
  readonly index: number;
  /** Hashes or entries that it has, 1 to 256; fewer than 256 is partial. */
  readonly width: number;
}

/** The path of a tile below the log's prefix, such as `tile/0/x001/234.p/5`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, "0");
  const parts = padded.match(/.{3}/g) ?? [];
  const name = parts.map((part, at) =>
    at < parts.length - 1 ? `x${part}` : part
  )
    .join("/");
  return `tile/${level}/${name}${width < TILE_WIDTH ? `.p/${width}` : ""}`;
}

const TILE_PATH =
  /^tile\/(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

/** Reads a path of {@link tilePath}; undefined for any other text. */
export function parseTilePath(path: string): Tile | undefined {
  const [, level = "", name = "", partial] = TILE_PATH.exec(path) ?? [];
  if (name === "") return undefined;
  const tile: Tile = {
    level: level === "entries" ? level : Number(level),
    index: Number(name.replaceAll(/[x/]/g, "")),
    width: partial === undefined ? TILE_WIDTH : Number(partial),
  };
  // One tile has one path: no superfluous zeros, no partial tile of full width.
  return Number.isSafeInteger(tile.index) && tilePath(tile) === path &&
      (level === "entries" || Number(level) <= 63)
    ? tile
    : undefined;
}

/** The bundles of entries that a tree has and a smaller one has not. */
export function bundlesBetween(oldSize: number, size: number): Tile[] {
  return oldSize === size ? [] : tilesOfLevel("entries", oldSize, size);
}

/** The tiles of one level that a tree has and a smaller one has not. */
export function tilesOfLevel(
  level: Tile["level"],
  from: number,
  to: number,
): Tile[] {
  const tiles: Tile[] = [];
  const last = Math.floor(to / TILE_WIDTH);
  for (let index = Math.floor(from / TILE_WIDTH); index < last; index++) {
    tiles.push({ level, index, width: TILE_WIDTH });
  }
  const width = to % TILE_WIDTH;
  if (width > 0) tiles.push({ level, index: last, width });
  return tiles;
}

/** How wide a tile is in a tree of a size; 0 where the tree has none of it. */
export function widthIn(
  { level, index }: Pick<Tile, "level" | "index">,
  size: number,
): number {
  const span = level === "entries" ? 1 : TILE_WIDTH ** level;
  const hashes = Math.floor(size / span) - index * TILE_WIDTH;
  return Math.max(0, Math.min(TILE_WIDTH, hashes));
}

/** The tile that has a node of a tree of a size, as wide as that tree has it. */
export function tileOfNode({ level, index }: TreeNode, size: number): Tile {
  const tile = placeOf({ level, index });
  return { ...tile, width: widthIn(tile, size) };
}

function placeOf({ level, index }: TreeNode) {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const inTile = 2 ** (level - tileLevel * TILE_HEIGHT);
  return {
    level: tileLevel,
    index: Math.floor(index * inTile / TILE_WIDTH),
    /** The hashes of the tile that are the node's leaves. */
    from: index * inTile % TILE_WIDTH,
    count: inTile,
  };
}

/**
 * The hash of a node by the bytes of its tile. Throws a RangeError where the
 * tile is too narrow for it.
 */
export function nodeInTile(
  node: TreeNode,
  tile: Uint8Array,
  hash: HashBytes = sha256,
): Uint8Array {
  const { from, count } = placeOf(node);
  if (tile.length < (from + count) * TREE_HASH_BYTES) {
    throw new RangeError("the tile is too narrow for this node");
  }
  return foldEven(hashesOf(tile).slice(from, from + count), hash);
}

/** The hash that the level above has for a full tile. */
export function hashOfTile(
  tile: Uint8Array,
  hash: HashBytes = sha256,
): Uint8Array {
  if (tile.length !== TILE_WIDTH * TREE_HASH_BYTES) {
    throw new RangeError("the level above has full tiles alone");
  }
  return foldEven(hashesOf(tile), hash);
}

/** The root of a power of two of neighbouring hashes. */
function foldEven(
  hashes: readonly Uint8Array[],
  hash: HashBytes,
): Uint8Array {
  let level = hashes;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at], level[at + 1]];
      if (left === undefined || right === undefined) {
        throw new RangeError("no power of two of hashes");
      }
      above.push(nodeHash(left, right, hash));
    }
    level = above;
  }
  const [only] = level;
  if (only === undefined) throw new RangeError("no hash at all");
  return only;
}

/** The hashes of a tile, as views of its bytes. */
export function hashesOf(tile: Uint8Array): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  for (
    let at = 0;
    at + TREE_HASH_BYTES <= tile.length;
    at += TREE_HASH_BYTES
  ) hashes.push(tile.subarray(at, at + TREE_HASH_BYTES));
  return hashes;
}

/** Entries as a bundle: each behind its length as a big-endian uint16. */
export function encodeBundle(entries: readonly Uint8Array[]): Bytes {
  const length = entries.reduce((sum, entry) => sum + 2 + entry.length, 0);
  const bundle = new Uint8Array(length);
  let at = 0;
  for (const entry of entries) {
    if (entry.length > MAX_ENTRY_BYTES) {
      throw new RangeError(`an entry has at most ${MAX_ENTRY_BYTES} bytes`);
    }
    bundle[at] = entry.length >> 8;
    bundle[at + 1] = entry.length & 0xff;
    bundle.set(entry, at + 2);
    at += 2 + entry.length;
  }
  return bundle;
}

/** The entries of a bundle, as views; undefined where it is cut off. */
export function decodeBundle(bundle: Uint8Array): Uint8Array[] | undefined {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bundle.length;) {
    const [high, low] = [bundle[at], bundle[at + 1]];
    if (high === undefined || low === undefined) return undefined;
    const end = at + 2 + (high << 8) + low;
    if (end > bundle.length) return undefined;
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
}

/** The largest power of two below a count of leaves, which is 2 or more. */
function split(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** The complete subtrees of a span whose start is aligned to its length. */
function nodesOf({ start, end }: Span): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let at = start; at < end;) {
    let level = 0;
    let count = 1;
    while (at + count * 2 <= end) {
      count *= 2;
      level += 1;
    }
    nodes.push({ level, index: at / count });
    at += count;
  }
  return nodes;
}

function requireSize(size: number): void {
  if (!isSize(size)) throw new RangeError("no size of a tree");
}

function isSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0;
}

function areHashes(hashes: readonly Uint8Array[]): boolean {
  return hashes.every((hash) => hash.length === TREE_HASH_BYTES);
}

function half(count: number): number {
  return Math.floor(count / 2);
}
