/**
 * A queue that takes turns between the owners of its items, so that one who
 * sends many items delays only their own.
 *
 * @module
 */

/**
 * An entry was turned away: the queue had more from its caller than from
 * others.
 */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

/**
 * Items of several owners, each named by a key. One owner's items keep their
 * order.
 */
export class FairQueue<T> {
  /**
   * Each owner's items, in the order of the owners' turns. An owner without
   * items has no entry.
   */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  /** `maxSize` is how many items of all owners together may wait. */
  constructor(readonly maxSize: number) {}

  /** Number of items that wait. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds an item. A full queue turns away the newest item of the owner who has
   * the most, which may be this one. Returns the item that was turned away.
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

  /** Takes the next item: the oldest of the owner whose turn it is. */
  shift(): T | undefined {
    const [key] = this.#waiting.keys();
    if (key === undefined) return undefined;
    const item = this.#take(key, (items) => items.shift());
    const rest = this.#waiting.get(key);
    if (rest !== undefined) {
      // This owner had a turn, so the next one comes after everybody else's.
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
