/**
 * A tree of tiles that only grows: it holds the partial tile of each level, and
 * gives full ones away (C2SP tlog-tiles).
 *
 * @module
 */
import { concatBytes } from "../../core/bytes.ts";
import {
  foldNodes,
  hashesOf,
  leafHash,
  nodeHash,
  nodeInTile,
  rootNodes,
  type Tile,
  TILE_WIDTH,
} from "../../crypto/logs/merkle.ts";

/** Levels of the tree that a level of tiles spans. */
const TILE_HEIGHT = 8;

/** A tile with its bytes. */
interface FullTile extends Tile {
  readonly level: number;
  readonly bytes: Uint8Array;
}

/** A complete subtree. */
interface Subtree {
  readonly level: number;
  readonly hash: Uint8Array;
}

export class TileTree {
  /** The hashes of each level's partial tile, from the leaves up. */
  readonly #partial: Uint8Array[][];
  /** The subtrees that make the root, from the left: each is in a tile too. */
  readonly #subtrees: Subtree[];
  #size: number;

  /**
   * A tree of a size by its partial tiles, from the leaves up; the empty one if
   * nothing is said.
   */
  constructor(size = 0, partial: readonly Uint8Array[] = []) {
    this.#size = size;
    this.#partial = partial.map(hashesOf);
    this.#subtrees = rootNodes(size).map((node) => {
      const tile = partial[Math.floor(node.level / TILE_HEIGHT)];
      if (tile === undefined) throw new RangeError("a level without its tile");
      return { level: node.level, hash: nodeInTile(node, tile) };
    });
  }

  get size(): number {
    return this.#size;
  }

  /** Appends an entry; returns the tiles that are full with it. */
  append(entry: Uint8Array): readonly FullTile[] {
    this.#size += 1;
    const full: FullTile[] = [];
    let added: Subtree = { level: 0, hash: leafHash(entry) };
    for (;;) {
      if (added.level % TILE_HEIGHT === 0) full.push(...this.#keep(added));
      const left = this.#subtrees.at(-1);
      if (left?.level !== added.level) break;
      this.#subtrees.pop();
      added = {
        level: added.level + 1,
        hash: nodeHash(left.hash, added.hash),
      };
    }
    this.#subtrees.push(added);
    return full;
  }

  /** Puts a hash into its tile; returns the tile where that is full now. */
  #keep({ level, hash }: Subtree): readonly FullTile[] {
    const tileLevel = level / TILE_HEIGHT;
    const hashes = this.#partial[tileLevel] ??= [];
    hashes.push(hash);
    if (hashes.length < TILE_WIDTH) return [];
    const bytes = concatBytes(...hashes.splice(0));
    const index = this.#size / TILE_WIDTH ** (tileLevel + 1) - 1;
    return [{ level: tileLevel, index, width: TILE_WIDTH, bytes }];
  }

  /** The root of the tree as it is. */
  root(): Uint8Array {
    return foldNodes(this.#subtrees.map(({ hash }) => hash));
  }

  /** The bytes of the partial tiles, from the leaves up. */
  partial(): readonly Uint8Array[] {
    return this.#partial.map((hashes) => concatBytes(...hashes));
  }
}
