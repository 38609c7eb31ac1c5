/**
 * A file that is written in order, but for a few bytes that are written once
 * more at the end. What is full goes into a Blob, which a browser can keep on
 * disk.
 *
 * @module
 */

/** A part is a Blob of its own once it is full (bytes). */
const PART_BYTES = 8 * 1024 * 1024;

/** What is written where. */
interface Written {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly position: number;
}

/** Such a file. */
export class BlobFile {
  readonly #parts: Blob[] = [];
  #last = new Uint8Array(PART_BYTES);
  #filled = 0;

  constructor(private readonly type: string) {}

  /** Bytes so far. */
  get size(): number {
    return this.#parts.length * PART_BYTES + this.#filled;
  }

  /** Writes bytes at the end, or over some that are there. */
  async write({ data, position }: Written): Promise<void> {
    if (position > this.size) throw new RangeError("there would be a hole");
    for (let at = 0; at < data.length;) {
      const part = Math.floor((position + at) / PART_BYTES);
      const from = (position + at) % PART_BYTES;
      const some = data.subarray(at, at + PART_BYTES - from);
      const held = this.#parts[part];
      if (held !== undefined) {
        this.#parts[part] = new Blob([
          held.slice(0, from),
          some,
          held.slice(from + some.length),
        ]);
      } else {
        this.#last.set(some, from);
        this.#filled = Math.max(this.#filled, from + some.length);
        if (this.#filled === PART_BYTES) {
          this.#parts.push(new Blob([this.#last]));
          this.#filled = 0;
        }
      }
      at += some.length;
    }
    await Promise.resolve();
  }

  /** The same for who writes to a stream. */
  writable(): WritableStream<Written> {
    return new WritableStream({ write: (chunk) => this.write(chunk) });
  }

  /** All of it. */
  blob(): Blob {
    const last = this.#last.subarray(0, this.#filled);
    return new Blob([...this.#parts, last], { type: this.type });
  }
}
