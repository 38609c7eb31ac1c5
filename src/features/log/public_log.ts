/**
 * One of the two public logs (protocol/logs.md#what-is-served): its tree,
 * derived from rows that are committed, its tiles in files, and its newest
 * checkpoint, which is recorded before it leaves.
 *
 * @module
 */
import { concatBytes, equalBytes } from "../../core/bytes.ts";
import { OperatorFault } from "../../core/operator.ts";
import type { Platform } from "../../core/platform.ts";
import type { HybridSigner } from "../../crypto/hybrid.ts";
import { formatSubmission } from "../../crypto/logs/add_checkpoint.ts";
import {
  consistencyNodes,
  encodeBundle,
  hashOfTile,
  leafHash,
  makeProof,
  nodeInTile,
  type Tile,
  TILE_WIDTH,
  tileOfNode,
  tilePath,
  TREE_HASH_BYTES,
  type TreeHead,
  widthIn,
} from "../../crypto/logs/merkle.ts";
import {
  formatCheckpoint,
  formatNote,
  noteKey,
  type NoteSigner,
  parseNote,
  signNote,
  signNoteHybrid,
} from "../../crypto/logs/signed_note.ts";
import type { Db } from "../../store/sqlite/database.ts";
import {
  type Files,
  makeDirectoryDurably,
  writeDurably,
} from "../../store/files/files.ts";
import { logPath } from "../../store/data_paths.ts";
import type { LogName } from "../../store/sqlite/schema.ts";
import { yieldToEventLoop } from "../yield_to_event_loop.ts";
import type { LogSource, Place } from "./source.ts";
import {
  type CheckpointRow,
  cosignaturesOf,
  insertRuns,
  recordCheckpoint,
  recordedSize,
  type Run,
} from "./store.ts";
import { TileTree } from "./tile_tree.ts";

/** The keys that sign checkpoints, as of a generation of the server's keys. */
export interface LogSigningKeys {
  readonly logKeys: readonly { readonly signer: NoteSigner }[];
  readonly active: {
    readonly signer: HybridSigner;
    readonly generation: number;
  };
  /** Reads the keys again: another generation is in force. */
  readonly refresh: () => Promise<void>;
}

/** What a log works with. */
interface LogParts {
  readonly db: Db;
  readonly files: Files;
  readonly platform: Pick<Platform, "now" | "sleep" | "log">;
  readonly name: LogName;
  readonly life: number;
  readonly origin: string;
  /** Absolute path of the data directory. */
  readonly root: string;
  readonly source: LogSource;
}

/** What is served of a log: its checkpoint and the tiles that are not full. */
export interface Served {
  readonly note: string;
  /** Those of witnesses, as further lines of the note. */
  readonly cosignatures: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** The last receipt or entry that it covers. */
  readonly upTo: number;
  /** From the leaves up. */
  readonly partial: readonly Uint8Array[];
}

/** A tree that may have grown past what was signed. */
interface Growing {
  readonly tree: TileTree;
  upTo: number;
}

/** The database does not have what a recorded checkpoint says of it. */
class LogContradicted extends OperatorFault {
}

export class PublicLog {
  #loading: Promise<Growing> | undefined;
  #served: Served | undefined;
  /** Leaps of the numbers that are not recorded yet. */
  #runs: Run[] = [];
  /** Why nothing is signed any more: it would be another tree. */
  #contradiction: LogContradicted | undefined;

  constructor(private readonly parts: LogParts) {}

  get origin(): string {
    return this.parts.origin;
  }

  /**
   * What is served; undefined before the first checkpoint, and while the
   * recorded one cannot be served, of which each round tells. Given the keys,
   * what a retired one signed is signed again.
   */
  async served(keys?: LogSigningKeys): Promise<Served | undefined> {
    if (this.#served === undefined) await this.#load().catch(() => {});
    if (keys !== undefined) await this.#signAgain(keys).catch(() => {});
    return this.#served;
  }

  /**
   * Takes up what was committed since the last checkpoint and signs another,
   * where there is anything. Returns whether it did.
   */
  async advance(keys: LogSigningKeys, signal: AbortSignal): Promise<boolean> {
    const growing = await this.#load();
    try {
      await this.#grow(growing, undefined, signal);
      if (signal.aborted || growing.tree.size === (this.#served?.size ?? 0)) {
        return false;
      }
      await this.#sign(growing, keys);
      return true;
    } catch (cause) {
      // A tile may be missing on the disk: look at the disk again.
      this.#loading = undefined;
      this.#runs = [];
      throw cause;
    }
  }

  /**
   * The bytes of a tile or bundle that the served checkpoint has; undefined
   * for any other, and for a file that is lost.
   */
  async tile(tile: Tile): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const served = await this.served();
    if (served === undefined) return undefined;
    const width = widthIn(tile, served.size);
    if (tile.width > width) return undefined;
    const { level, index } = tile;
    if (level === "entries") {
      const { between } = this.parts.source;
      if (between === undefined) return undefined;
      const from = index * TILE_WIDTH;
      return encodeBundle(await between(from, from + tile.width));
    }
    const bytes = width === TILE_WIDTH
      ? this.#read({ level, index })
      : served.partial[level];
    return bytes && new Uint8Array(
      bytes.subarray(0, tile.width * TREE_HASH_BYTES),
    );
  }

  /**
   * What a witness is sent that has seen the tree of a size, or one that is
   * larger than this; undefined before the first checkpoint.
   */
  async submission(seen: number) {
    const served = await this.served();
    if (served === undefined) return undefined;
    const { note, size, partial } = served;
    const oldSize = Math.min(seen, size);
    const proof = makeProof(consistencyNodes(oldSize, size), (node) => {
      const { level, index, width } = tileOfNode(node, size);
      const bytes = level === "entries" || width < TILE_WIDTH
        ? partial[Number(level)]
        : this.#read({ level, index });
      if (bytes === undefined) throw new Error("a tile is missing");
      return nodeInTile(node, bytes);
    });
    const body = formatSubmission(oldSize, proof, note);
    return { note, size, oldSize, body };
  }

  /** Serves the cosignatures that were recorded meanwhile. */
  async takeCosignatures(): Promise<void> {
    const served = this.#served;
    if (served === undefined) return;
    const { db, origin } = this.parts;
    const { size } = served;
    const cosignatures = await cosignaturesOf(db, { origin, size });
    if (this.#served === served) this.#served = { ...served, cosignatures };
  }

  /** Writes every tile of the recorded checkpoint again. */
  async rebuild(): Promise<Served | undefined> {
    const { db, origin } = this.parts;
    const row = await findCheckpoint(db, origin);
    if (row === undefined) return undefined;
    return await servedOf(db, row, (await this.#rebuilt(row)).tree);
  }

  #load(): Promise<Growing> {
    if (this.#contradiction !== undefined) {
      return Promise.reject(this.#contradiction);
    }
    return this.#loading ??= this.#loadRecorded().catch((cause) => {
      this.#loading = undefined;
      if (cause instanceof LogContradicted) this.#contradiction = cause;
      throw cause;
    });
  }

  async #loadRecorded(): Promise<Growing> {
    const { db, origin } = this.parts;
    const row = await findCheckpoint(db, origin);
    if (row === undefined) return { tree: new TileTree(), upTo: 0 };
    const growing = await this.#readTree(row) ?? await this.#rebuilt(row);
    this.#served = await servedOf(db, row, growing.tree);
    return growing;
  }

  /** A recorded tree by its files; undefined where they are not its own. */
  async #readTree(row: CheckpointRow): Promise<Growing | undefined> {
    const { source, platform } = this.parts;
    const { size, up_to: upTo } = row;
    const count = size % TILE_WIDTH;
    const last = await source.last({ size, upTo }, count);
    const partial = [concatBytes(...last.map((entry) => leafHash(entry)))];
    for (let level = 1;; level++) {
      const hashes = Math.floor(size / TILE_WIDTH ** level);
      if (hashes === 0) break;
      const full: Uint8Array[] = [];
      for (let at = hashes - hashes % TILE_WIDTH; at < hashes; at++) {
        const bytes = this.#read({ level: level - 1, index: at });
        if (bytes?.length !== TILE_WIDTH * TREE_HASH_BYTES) return undefined;
        full.push(hashOfTile(bytes));
        await yieldToEventLoop({ platform });
      }
      partial.push(concatBytes(...full));
    }
    if (last.length !== count) return undefined;
    const tree = new TileTree(size, partial);
    return equalBytes(tree.root(), row.root) ? { tree, upTo } : undefined;
  }

  /** The same from the rows alone. Writes their tiles again. */
  async #rebuilt(row: CheckpointRow): Promise<Growing> {
    const growing = { tree: new TileTree(), upTo: 0 };
    this.#runs = [];
    await this.#grow(growing, row.size, NEVER);
    const { tree } = growing;
    if (tree.size !== row.size || !equalBytes(tree.root(), row.root)) {
      throw new LogContradicted(
        `the log ${row.origin} was signed with ${row.size} entries that ` +
          "this database does not have in that form",
      );
    }
    const runs = this.#runs.splice(0);
    await insertRuns(this.parts.db, runs);
    return growing;
  }

  /** Appends what is committed, up to a size where one is said. */
  async #grow(
    growing: Growing,
    size: number | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { source, platform, name } = this.parts;
    for (;;) {
      const { tree, upTo } = growing;
      const place: Place = { size: tree.size, upTo };
      const room = size === undefined ? Infinity : size - tree.size;
      if (room === 0 || signal.aborted) return;
      const next = (await source.after(place)).slice(0, room);
      if (next.length === 0) return;
      for (const { seq, entry } of next) {
        const leaps = seq !== growing.upTo + 1 || tree.size === 0;
        if (leaps && name === "custody") {
          this.#runs.push({ first_seq: seq, first_index: tree.size });
        }
        for (const { bytes, ...tile } of tree.append(entry)) {
          await this.#write(tile, bytes);
        }
        growing.upTo = seq;
      }
      await yieldToEventLoop({ platform });
    }
  }

  /**
   * Signs the tree that is served once more, where another key is in force:
   * clients believe a retired one no longer.
   */
  async #signAgain(keys: LogSigningKeys): Promise<void> {
    const served = this.#served;
    const { origin, life, name, db, platform } = this.parts;
    const { generation, signer } = keys.active;
    const { id } = noteKey(origin, "hybrid", signer.publicKey);
    const signatures = parseNote(served?.note ?? "")?.signatures;
    const isSigned = signatures?.some((one) => one.id === id);
    if (served === undefined || isSigned === true) return;
    const { size, upTo } = served;
    const root = new Uint8Array(served.root);
    const note = await this.#noteOf({ size, root }, keys);
    const signed_at = platform.now();
    const row = { origin, life, log: name, size, root, up_to: upTo, note };
    const isRecorded = await recordCheckpoint(
      db,
      { ...row, signed_at },
      generation,
    );
    if (isRecorded && this.#served === served) {
      this.#served = { ...served, note };
    }
  }

  async #noteOf(head: TreeHead, { active, logKeys }: LogSigningKeys) {
    const { origin } = this.parts;
    const signer = logKeys.at(-1)?.signer;
    if (signer === undefined) throw new Error("no key of the logs");
    const text = formatCheckpoint({ origin, ...head });
    const signatures = [
      await signNote(signer, origin, text),
      await signNoteHybrid(active.signer, origin, text),
    ];
    return formatNote({ text, signatures });
  }

  /** Signs the tree, records it, and serves it from then on. */
  async #sign(
    { tree, upTo }: Growing,
    keys: LogSigningKeys,
  ): Promise<void> {
    const { db, origin, name, life, platform } = this.parts;
    const { size } = tree;
    const root = new Uint8Array(tree.root());
    for (;;) {
      const { generation } = keys.active;
      const row: CheckpointRow = {
        origin,
        life,
        log: name,
        size,
        root,
        up_to: upTo,
        note: await this.#noteOf({ size, root }, keys),
        signed_at: platform.now(),
      };
      // They say of the numbers what is so in any case, signed or not.
      await insertRuns(db, this.#runs.splice(0));
      if (await recordCheckpoint(db, row, generation)) {
        this.#served = await servedOf(db, row, tree);
        return;
      }
      // Nothing else signs for this log but a process that has no lock.
      if (await recordedSize(db, origin) >= size) {
        throw new Error(`another process signed for ${origin}`);
      }
      await keys.refresh();
    }
  }

  #read(tile: Pick<Tile, "level" | "index">) {
    return this.parts.files.readWhole(tileFile(this.parts, tile));
  }

  async #write(tile: Tile, bytes: Uint8Array): Promise<void> {
    const { files, root } = this.parts;
    const path = tileFile(this.parts, tile);
    // From the data directory down: the first tile makes them all.
    for (
      let end = path.indexOf("/", root.length + 1);
      end >= 0;
      end = path.indexOf("/", end + 1)
    ) {
      const directory = path.slice(0, end);
      if (await files.stat(directory) === undefined) {
        await makeDirectoryDurably(files, directory);
      }
    }
    await writeDurably(files, path, bytes);
  }
}

const NEVER = new AbortController().signal;

/** Path of the file of a full tile. */
export function tileFile(
  { root, name, life }: Pick<LogParts, "root" | "name" | "life">,
  tile: Pick<Tile, "level" | "index">,
): string {
  const path = tilePath({ ...tile, width: TILE_WIDTH });
  return `${logPath(root)}/${name}/${life}/${path}`;
}

function findCheckpoint(
  db: Db,
  origin: string,
): Promise<CheckpointRow | undefined> {
  return db.selectFrom("log_checkpoint")
    .selectAll()
    .where("origin", "=", origin)
    .executeTakeFirst();
}

async function servedOf(
  db: Db,
  row: CheckpointRow,
  tree: TileTree,
): Promise<Served> {
  const { note, size, root, up_to: upTo } = row;
  const partial = tree.partial();
  const cosignatures = await cosignaturesOf(db, row);
  return { note, cosignatures, size, root, upTo, partial };
}
