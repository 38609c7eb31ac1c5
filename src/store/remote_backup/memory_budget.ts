/**
 * A limit to the memory of what is on its way: work that needs more than is left
 * waits until other work has ended.
 *
 * @module
 */

export class MemoryBudget {
  #used = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly maxBytes: number) {}

  /** Does work that needs so much. Work that is alone never waits. */
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
