/**
 * Room in memory for what is on its way: whoever wants some waits until others
 * have given theirs back.
 *
 * @module
 */

export class Room {
  #used = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly maxBytes: number) {}

  /** Does some work with so much room; a single one always has its own. */
  async within<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    while (this.#used > 0 && this.#used + bytes > this.maxBytes) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#used += bytes;
    try {
      return await work();
    } finally {
      this.#used -= bytes;
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }
}
