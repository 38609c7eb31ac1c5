/**
 * The right edge of a tree: as few hashes as its root needs. With it, one can
 * append entries to the tree and know each root on the way, without any other
 * hash of the tree.
 *
 * @module
 */
import { foldNodes, nodeHash, rootNodes } from "./merkle.ts";

export class LogRange {
  #size: number;
  readonly #nodes: { readonly level: number; readonly hash: Uint8Array }[];

  /** Of a tree of a size, by the hashes of its complete subtrees. */
  constructor(size = 0, hashes: readonly Uint8Array[] = []) {
    const nodes = rootNodes(size);
    if (nodes.length !== hashes.length) {
      throw new RangeError(`a tree of ${size} has ${nodes.length} subtrees`);
    }
    this.#size = size;
    this.#nodes = nodes.map(({ level }, at) => ({
      level,
      hash: hashes[at] ?? new Uint8Array(),
    }));
  }

  get size(): number {
    return this.#size;
  }

  /** The hashes of the complete subtrees, from the left. */
  get hashes(): readonly Uint8Array[] {
    return this.#nodes.map(({ hash }) => hash);
  }

  /** Appends a leaf by its hash. */
  append(hash: Uint8Array): void {
    let node = { level: 0, hash };
    for (;;) {
      const left = this.#nodes.at(-1);
      if (left?.level !== node.level) break;
      this.#nodes.pop();
      node = { level: node.level + 1, hash: nodeHash(left.hash, node.hash) };
    }
    this.#nodes.push(node);
    this.#size += 1;
  }

  root(): Uint8Array {
    return foldNodes(this.hashes);
  }
}
