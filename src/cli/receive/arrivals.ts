/**
 * Wakes the delivery of files when one came.
 *
 * @module
 */

/** Whether files came since the last look. */
export class Arrivals {
  /** What came before the start is looked at, too. */
  #isMore = true;
  #wake: () => void = () => {};

  /** `signal` ends it. */
  constructor(private readonly signal: AbortSignal) {
    // One listener for all waits: a receiver runs for months.
    signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  /** Notes that a file is there. */
  readonly note = (): void => {
    this.#isMore = true;
    this.#wake();
  };

  /** Resolves once something came since the last call, or at the end. */
  async next(): Promise<void> {
    if (!this.#isMore && !this.signal.aborted) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    this.#isMore = false;
  }
}
