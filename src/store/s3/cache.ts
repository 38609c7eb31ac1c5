/**
 * A bounded cache of small blobs, complete and verified, so that reading many
 * thumbnails does not take a round trip for each.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";

/** Approximate memory of an entry beside its bytes. */
const ENTRY_BYTES = 300;

export class SmallBlobs {
  readonly #held = new Map<BlobHash, Uint8Array<ArrayBuffer>>();
  #bytes = 0;
  hits = 0;
  misses = 0;

  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  get(hash: BlobHash): Uint8Array<ArrayBuffer> | undefined {
    const held = this.#held.get(hash);
    if (held === undefined) {
      this.misses += 1;
      return undefined;
    }
    this.hits += 1;
    // Moved to the end: the first entries are removed first.
    this.#held.delete(hash);
    this.#held.set(hash, held);
    return held;
  }

  put(hash: BlobHash, bytes: Uint8Array<ArrayBuffer>): void {
    this.drop(hash);
    if (bytes.length + ENTRY_BYTES > this.maxBytes) return;
    this.#held.set(hash, bytes);
    this.#bytes += bytes.length + ENTRY_BYTES;
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.maxBytes) return;
      this.drop(oldest);
    }
  }

  drop(hash: BlobHash): void {
    const held = this.#held.get(hash);
    if (held === undefined) return;
    this.#held.delete(hash);
    this.#bytes -= held.length + ENTRY_BYTES;
  }
}
