/**
 * Reading a server's public logs: nothing is believed that is not of a
 * checkpoint which a trusted attestation key signed
 * (protocol/logs.md#what-a-client-checks).
 *
 * @module
 */
import { type Bytes, equalBytes, fromUtf8 } from "../../core/bytes.ts";
import { signedCheckpoint } from "../../crypto/logs/log_evidence.ts";
import {
  bundlesBetween,
  consistencyNodes,
  decodeBundle,
  inclusionNodes,
  leafHash,
  makeProof,
  nodeInTile,
  rootNodes,
  rootOf,
  TILE_WIDTH,
  tileOfNode,
  tilePath,
  TREE_HASH_BYTES,
  type TreeHead,
  type TreeNode,
  verifyConsistency,
  verifyInclusion,
} from "../../crypto/logs/merkle.ts";
import type { PublishedKeys } from "../../crypto/receipt_chain.ts";
import { isLogOf } from "../../crypto/receipt_proof.ts";
import type { Checkpoint } from "../../crypto/logs/signed_note.ts";
import { type Account, ApiProblem, type Client } from "../../client/api/api.ts";
import { persist } from "../../client/api/send.ts";

/** The two logs. */
export type LogName = "custody" | "keys";

/** A checkpoint that a trusted key signed. */
export interface SignedHead extends Checkpoint {
  readonly name: LogName;
  /** As it was served. */
  readonly note: string;
  /** The last part of the origin. */
  readonly gen: string;
}

/** What a log serves is not what its checkpoint signs. */
export class WrongTiles extends Error {
  override readonly name = "WrongTiles";
}

/** What asks the server. */
interface Asking {
  readonly account: Pick<Account, "pause">;
  readonly client: Client;
}

/** The newest checkpoint as it is served; undefined where there is none. */
export async function fetchNote(
  { account, client }: Asking,
  name: LogName,
): Promise<string | undefined> {
  try {
    const bytes = await persist(account, () => client.logCheckpoint(name), {});
    return fromUtf8(bytes) ?? "";
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}

/** The checkpoint of a note, if it is of this log of the server. */
export async function openHead(
  name: LogName,
  note: string,
  trusted: PublishedKeys,
): Promise<SignedHead | undefined> {
  const checkpoint = await signedCheckpoint(note, trusted);
  if (checkpoint === undefined) return undefined;
  const { origin } = checkpoint;
  if (!isLogOf(origin, name, trusted)) return undefined;
  const gen = origin.slice(origin.lastIndexOf("/") + 1);
  return { ...checkpoint, name, note, gen };
}

/** The tiles of one tree, each fetched once. */
export class LogTiles {
  readonly #tiles = new Map<string, Bytes>();

  constructor(
    private readonly asking: Asking,
    private readonly head: SignedHead,
  ) {}

  async #read(nodes: readonly TreeNode[]): Promise<void> {
    const { name, size, gen } = this.head;
    for (const node of nodes) {
      const tile = tileOfNode(node, size);
      const path = tilePath(tile);
      if (this.#tiles.has(path)) continue;
      const bytes = await tileOf(this.asking, name, path, gen);
      if (bytes.length !== tile.width * TREE_HASH_BYTES) {
        throw new WrongTiles(`${path} has ${bytes.length} bytes`);
      }
      this.#tiles.set(path, bytes);
    }
  }

  #hashOf(node: TreeNode): Uint8Array {
    const path = tilePath(tileOfNode(node, this.head.size));
    const tile = this.#tiles.get(path);
    if (tile === undefined) throw new RangeError("a tile was not read");
    return nodeInTile(node, tile);
  }

  async #proof(
    nodes: readonly (readonly TreeNode[])[],
  ): Promise<Uint8Array[]> {
    await this.#read(nodes.flat());
    return makeProof(nodes, (node) => this.#hashOf(node));
  }

  /** Whether a leaf stands at an index. Throws {@link WrongTiles}. */
  async includes(leaf: {
    readonly index: number;
    readonly hash: Uint8Array;
  }): Promise<boolean> {
    const { index } = leaf;
    if (index >= this.head.size) return false;
    const proof = await this.#proof(inclusionNodes(index, this.head.size));
    return verifyInclusion(proof, leaf, this.head);
  }

  /**
   * Whether a smaller tree is the beginning of this one; else what proves that
   * it is not. Throws {@link WrongTiles} where the tiles prove neither.
   */
  async follows(before: TreeHead): Promise<
    | { readonly ok: true }
    | {
      readonly ok: false;
      readonly root: Uint8Array;
      readonly hashes: readonly Uint8Array[];
    }
  > {
    const { size } = this.head;
    const hashes = await this.#proof(consistencyNodes(before.size, size));
    if (verifyConsistency(hashes, before, this.head)) return { ok: true };
    await this.#read(rootNodes(before.size));
    const root = rootOf(before.size, (node) => this.#hashOf(node));
    const isProof = !equalBytes(root, before.root) &&
      verifyConsistency(hashes, { size: before.size, root }, this.head);
    if (isProof) return { ok: false, root, hashes };
    throw new WrongTiles("its tiles do not lead to its checkpoint");
  }
}

async function tileOf(
  { account, client }: Asking,
  name: LogName,
  path: string,
  gen: string,
): Promise<Bytes> {
  try {
    return await persist(account, () => client.logTile(name, path, gen), {});
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) {
      throw new WrongTiles(`${path} is not served`);
    }
    throw error;
  }
}

/** An entry with its place and its hash as a leaf. */
interface LogEntry {
  readonly index: number;
  readonly entry: Uint8Array;
  readonly hash: Uint8Array;
}

/** The entries of a tree from an index on. Throws {@link WrongTiles}. */
export async function* entriesFrom(
  asking: Asking,
  head: SignedHead,
  from: number,
): AsyncGenerator<LogEntry> {
  for (const tile of bundlesBetween(from, head.size)) {
    const path = tilePath(tile);
    const bytes = await tileOf(asking, head.name, path, head.gen);
    const entries = decodeBundle(bytes);
    if (entries?.length !== tile.width) {
      throw new WrongTiles(`${path} has not ${tile.width} entries`);
    }
    for (const [at, entry] of entries.entries()) {
      const index = tile.index * TILE_WIDTH + at;
      if (index >= from) yield { index, entry, hash: leafHash(entry) };
    }
  }
}
