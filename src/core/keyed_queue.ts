/**
 * Work that is done one after the other for the same key, and at the same time
 * for different ones.
 *
 * @module
 */

export class KeyedQueue {
  /** What of a key is at work or waits, and when the last one ends. */
  readonly #lines = new Map<string, { weight: number; last: Promise<void> }>();

  /** `maxWeight` is how much of a key may be at work or wait. */
  constructor(private readonly maxWeight: number) {}

  /**
   * Does the work in its turn; undefined, and it is not done, if too much
   * waits. `weight` is what it holds in memory while it waits, in any unit.
   */
  run<T>(
    key: string,
    work: () => Promise<T>,
    weight = 1,
  ): Promise<T> | undefined {
    const line = this.#lines.get(key) ?? { weight: 0, last: Promise.resolve() };
    if (line.weight + weight > this.maxWeight) return undefined;
    line.weight += weight;
    this.#lines.set(key, line);
    const done = line.last.then(work);
    line.last = done.then(() => {}, () => {}).then(() => {
      line.weight -= weight;
      if (line.weight === 0) this.#lines.delete(key);
    });
    return done;
  }
}
