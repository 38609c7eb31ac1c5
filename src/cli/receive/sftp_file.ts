/**
 * A file that comes by SFTP: in pieces that say where they belong, some of them
 * a little early, and whole once the telephone closes it.
 *
 * @module
 */
import type { FolderNode, Path } from "./device_folder.ts";
import { type Asking, BrokenOff, NotTaken, type Taking } from "./taking.ts";

/** Pieces that may wait for one before them, or for the disk (bytes). */
const MOST_HELD_BYTES = 8 * 1024 * 1024;

interface Piece {
  readonly bytes: Uint8Array;
  readonly taken: PromiseWithResolvers<void>;
}

/** A file on its way in. */
export class SftpFile {
  /** Milliseconds since the epoch. */
  modifiedAt: number | undefined;
  readonly #early = new Map<number, Piece>();
  readonly #ready: Piece[] = [];
  /** Where the next piece belongs. */
  #at: number;
  #heldBytes = 0;
  #wake: () => void = () => {};
  #isEnded = false;
  #fault: Error | undefined;
  #taking: Promise<FolderNode> | undefined;

  constructor(
    readonly taking: Taking,
    readonly asking: Asking,
    readonly path: Path,
    readonly given: {
      /** Where it goes on. */
      readonly from: number;
      /** Whether clients say other offsets than those of the whole file. */
      readonly isAppended: boolean;
      readonly now: () => number;
    },
  ) {
    this.#at = given.from;
  }

  /** The client sent more than it may before it was answered. */
  get isTooMuch(): boolean {
    return this.#heldBytes > 4 * MOST_HELD_BYTES;
  }

  /** As it is now. */
  get node(): FolderNode {
    return {
      name: this.path.at(-1) ?? "",
      kind: "file",
      size: this.#at,
      modified_at: this.modifiedAt ?? this.given.now(),
      tag: "",
    };
  }

  /** Resolves once the piece was sealed. Throws NotTaken, BrokenOff. */
  write(offset: number, data: Uint8Array): Promise<void> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    const isFirst = this.#taking === undefined;
    // A client that starts over sends all of it.
    if (isFirst && offset === 0) {
      if (!this.given.isAppended) this.#at = 0;
      else offset = this.#at;
    }
    const isMisplaced = offset < this.#at || this.#early.has(offset) ||
      (offset > this.#at && this.#heldBytes > MOST_HELD_BYTES);
    if (isMisplaced) {
      const fault = new NotTaken(
        409,
        `a file comes from its beginning to its end: go on at ${this.#at}`,
      );
      this.#break(fault);
      return Promise.reject(fault);
    }
    this.#start();
    const taken = Promise.withResolvers<void>();
    taken.promise.catch(() => {});
    // The library keeps the buffer for what comes next.
    this.#early.set(offset, { bytes: new Uint8Array(data), taken });
    this.#heldBytes += data.length;
    for (let piece; (piece = this.#early.get(this.#at)) !== undefined;) {
      this.#early.delete(this.#at);
      this.#at += piece.bytes.length;
      this.#ready.push(piece);
      if (piece.bytes.length === 0) break;
    }
    this.#wake();
    return taken.promise;
  }

  /** All of it came; resolves once it is durable. Throws NotTaken. */
  async end(): Promise<FolderNode> {
    if (this.#early.size > 0) {
      this.#break(new BrokenOff("a piece in the middle never came"));
    }
    this.#isEnded = true;
    const taking = this.#start();
    this.#wake();
    return await taking;
  }

  /** The connection broke. */
  breakOff(): void {
    this.#break(new BrokenOff("the connection broke"));
  }

  #break(fault: Error): void {
    this.#fault ??= fault;
    this.#wake();
  }

  #start(): Promise<FolderNode> {
    if (this.#taking !== undefined) return this.#taking;
    const date = () => this.modifiedAt;
    const taking = this.#taking = this.taking.take(this.asking, {
      path: this.path,
      body: ReadableStream.from(this.#pieces()),
      length: undefined,
      from: this.#at,
      get modifiedAt() {
        return date();
      },
    });
    taking.catch((error: unknown) => {
      const fault = error instanceof Error ? error : new Error(String(error));
      this.#break(fault);
      const all = [...this.#ready, ...this.#early.values()];
      for (const { taken } of all) taken.reject(fault);
    });
    return taking;
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#ready.shift();
      if (piece !== undefined) {
        try {
          if (piece.bytes.length > 0) yield piece.bytes;
        } finally {
          this.#heldBytes -= piece.bytes.length;
          piece.taken.resolve();
        }
        continue;
      }
      if (this.#fault !== undefined) throw this.#fault;
      if (this.#isEnded) return;
      const more = Promise.withResolvers<void>();
      this.#wake = more.resolve;
      await more.promise;
    }
  }
}
