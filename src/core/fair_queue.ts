/**
 * A queue that takes turns between those who wait in it, so that whoever sends
 * much waits for themselves and not the others for them.
 *
 * @module
 */

/** Items of several owners, each with a key; oldest first for each of them. */
export class FairQueue<T> {
  /** Those who wait, the next one first; nobody without an item. */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  /** `maxSize` is how many items wait at once, whoever they are of. */
  constructor(readonly maxSize: number) {}

  /** How many items wait. */
  get size(): number {
    return this.#size;
  }

  /**
   * Lets an item wait. In a full queue somebody has to go: the newest item of
   * whoever has the most, which may be this one. Returns what was turned away.
   */
  push(key: string, item: T): T | undefined {
    let turnedAway: T | undefined;
    if (this.#size >= this.maxSize) {
      const own = this.#waiting.get(key)?.length ?? 0;
      const [greediest, most] = this.#greediest();
      if (greediest === undefined || most <= own + 1) return item;
      turnedAway = this.#take(greediest, (items) => items.pop());
    }
    const items = this.#waiting.get(key);
    if (items === undefined) this.#waiting.set(key, [item]);
    else items.push(item);
    this.#size += 1;
    return turnedAway;
  }

  /** The next item: the oldest of whoever has waited longest for a turn. */
  shift(): T | undefined {
    const [key] = this.#waiting.keys();
    if (key === undefined) return undefined;
    const item = this.#take(key, (items) => items.shift());
    const rest = this.#waiting.get(key);
    if (rest !== undefined) {
      // Had its turn: behind everybody else who waits.
      this.#waiting.delete(key);
      this.#waiting.set(key, rest);
    }
    return item;
  }

  /** Empties the queue; returns what was in it. */
  clear(): T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }

  #greediest(): [key: string | undefined, items: number] {
    let found: [string | undefined, number] = [undefined, 0];
    for (const [key, { length }] of this.#waiting) {
      if (length > found[1]) found = [key, length];
    }
    return found;
  }

  #take(key: string, from: (items: T[]) => T | undefined): T | undefined {
    const items = this.#waiting.get(key);
    if (items === undefined) return undefined;
    const item = from(items);
    this.#size -= 1;
    if (items.length === 0) this.#waiting.delete(key);
    return item;
  }
}
