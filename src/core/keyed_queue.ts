/**
 * Work that is done one after the other for the same key, and at the same time
 * for different ones.
 *
 * @module
 */

export class KeyedQueue {
  /** How many of a key are at work or wait, and when the last one ends. */
  readonly #lines = new Map<string, { length: number; last: Promise<void> }>();

  /** `maxLength` is how many of a key may be at work or wait. */
  constructor(private readonly maxLength: number) {}

  /** Does the work in its turn; undefined, and it is not done, if too many wait. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | undefined {
    const line = this.#lines.get(key) ?? { length: 0, last: Promise.resolve() };
    if (line.length >= this.maxLength) return undefined;
    line.length += 1;
    this.#lines.set(key, line);
    const done = line.last.then(work);
    line.last = done.then(() => {}, () => {}).then(() => {
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(key);
    });
    return done;
  }
}
