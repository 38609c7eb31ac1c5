/**
 * What is going on right now with upload sessions: at most one request works
 * on a session, a newer one pre-empts one that hangs, and the hash of what has
 * arrived is carried along so that finalizing need not read the file again.
 *
 * @module
 */
import { createHash, type Hash } from "node:crypto";
import type { UploadId } from "../../core/ids.ts";

/** The SHA-256 of an upload's first `offset` bytes. */
export interface RunningHash {
  offset: number;
  readonly hash: Hash;
}

interface Work {
  readonly controller: AbortController;
  readonly settled: Promise<unknown>;
  /** Writes out what is gathered in memory, if the work gathers. */
  flush: (() => void) | undefined;
}

/** Lets the work on a session be flushed by a reader of its offset. */
export interface Slot {
  /** Aborted when a newer request wants the session. */
  readonly signal: AbortSignal;
  /** Says how to write out what is gathered in memory. */
  readonly onFlush: (flush: () => void) => void;
}

/** Pieces come as 64 KiB; hashing and writing pay off in ones of this. */
export const GATHER_BYTES = 1024 * 1024;
/** Buffers that are kept for the next request. */
const MAX_BUFFERS = 16;

/** Hashes carried along; past this the least recently used are re-read. */
const MAX_HASHES = 4_096;

export class ActiveUploads {
  readonly #working = new Map<UploadId, Work>();
  readonly #hashes = new Map<UploadId, RunningHash>();
  readonly #buffers: Uint8Array<ArrayBuffer>[] = [];
  /** Sessions whose creation a power cut may take back. */
  readonly #unsettled = new Set<UploadId>();

  /** A session was created, and is durable with what is committed next. */
  noteCreated(uploadId: UploadId): void {
    this.#unsettled.add(uploadId);
  }

  /** Something was committed durably, and with it all that came before. */
  settle(): void {
    this.#unsettled.clear();
  }

  /** Whether a session would outlive a power cut. */
  isSettled(uploadId: UploadId): boolean {
    return !this.#unsettled.has(uploadId);
  }

  /** A buffer to gather into; give it back with {@link giveBuffer}. */
  takeBuffer(): Uint8Array<ArrayBuffer> {
    return this.#buffers.pop() ?? new Uint8Array(GATHER_BYTES);
  }

  giveBuffer(buffer: Uint8Array<ArrayBuffer>): void {
    if (this.#buffers.length < MAX_BUFFERS) this.#buffers.push(buffer);
  }

  /**
   * Runs `work` alone on a session. Whatever works on it now is told to stop
   * and waited for; of several that wait, the newest stops the others.
   */
  async exclusive<T>(
    uploadId: UploadId,
    work: (slot: Slot) => Promise<T>,
  ): Promise<T> {
    const before = this.#working.get(uploadId);
    const controller = new AbortController();
    const started = Promise.withResolvers<void>();
    const own: Work = {
      controller,
      settled: started.promise,
      flush: undefined,
    };
    this.#working.set(uploadId, own);
    before?.controller.abort();
    try {
      await before?.settled;
      return await work({
        signal: controller.signal,
        onFlush: (flush) => own.flush = flush,
      });
    } finally {
      started.resolve();
      if (this.#working.get(uploadId) === own) this.#working.delete(uploadId);
    }
  }

  /** Writes out what a running request has gathered, so that it counts. */
  flush(uploadId: UploadId): void {
    this.#working.get(uploadId)?.flush?.();
  }

  /**
   * Ends all work that is under way, because the server is going: what has
   * arrived is written out and counts, and the client is told how far that is.
   */
  interrupt(): void {
    for (const { flush, controller } of this.#working.values()) {
      flush?.();
      controller.abort();
    }
  }

  /**
   * The hash to carry on with at an offset: the one carried so far, a new one
   * at 0, or undefined where it was lost (after a restart, say).
   */
  hashAt(uploadId: UploadId, offset: number): RunningHash | undefined {
    const held = this.#hashes.get(uploadId);
    this.#hashes.delete(uploadId);
    if (held?.offset === offset) return held;
    return offset === 0 ? { offset: 0, hash: createHash("sha256") } : undefined;
  }

  /** Carries a hash on to the next request. */
  keepHash(uploadId: UploadId, running: RunningHash): void {
    if (this.#hashes.size >= MAX_HASHES) {
      const oldest = this.#hashes.keys().next().value;
      if (oldest !== undefined) this.#hashes.delete(oldest);
    }
    this.#hashes.set(uploadId, running);
  }

  /** Forgets a session that has ended. */
  forget(uploadId: UploadId): void {
    this.#hashes.delete(uploadId);
  }
}
