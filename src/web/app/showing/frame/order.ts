/**
 * Which photo a frame shows next.
 *
 * @module
 */

/** The order in which a frame shows its photos. */
export type FrameOrder = "random" | "dated";

/** What has to be known of a photo to put it in order. */
export interface Dealt {
  readonly hash: string;
  readonly takenAt?: string;
}

/** Draws a number from 0 up to, but without, `below`. */
type Draw = (below: number) => number;

/** The photos of a frame in the order in which they are shown. */
export class Deck<T extends Dealt> {
  #items: readonly T[] = [];
  #order: FrameOrder = "random";
  #left: T[] = [];
  #isDealt = false;

  constructor(private readonly draw: Draw) {}

  /**
   * Sets what there is. Photos that are new come next, so that people see that
   * they have arrived.
   */
  set(items: readonly T[], order: FrameOrder): void {
    const had = new Set(this.#items.map(({ hash }) => hash));
    const isOther = order !== this.#order;
    const has = new Set(items.map(({ hash }) => hash));
    const fresh = this.#isDealt && !isOther
      ? items.filter(({ hash }) => !had.has(hash))
      : [];
    const later = isOther ? [] : this.#left.filter(({ hash }) => has.has(hash));
    this.#items = items;
    this.#order = order;
    this.#left = [...fresh, ...later];
  }

  get size(): number {
    return this.#items.length;
  }

  /** Whether a photo is among them. */
  has(hash: string): boolean {
    return this.#items.some((one) => one.hash === hash);
  }

  /** The next photo; undefined if there is none. Begins again at the end. */
  next(): T | undefined {
    if (this.#left.length === 0) this.#left = this.#dealt();
    return this.#left.shift();
  }

  #dealt(): T[] {
    this.#isDealt = this.#items.length > 0;
    if (this.#order === "dated") {
      return this.#items.toSorted((a, b) =>
        (a.takenAt ?? "") < (b.takenAt ?? "") ? -1 : 1
      );
    }
    const dealt = [...this.#items];
    for (let at = dealt.length - 1; at > 0; at--) {
      const other = this.draw(at + 1);
      const [one, two] = [dealt[at], dealt[other]];
      if (one !== undefined && two !== undefined) {
        [dealt[at], dealt[other]] = [two, one];
      }
    }
    return dealt;
  }
}
