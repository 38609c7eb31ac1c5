/**
 * Noticing what another process has committed: a command of the operator's
 * takes effect on the next request of a server that runs.
 *
 * @module
 */

/** What is held in memory of the database, read again when it has changed. */
export class Noticing {
  /** Undefined until something was read. */
  #seen: number | undefined;
  #reading: Promise<void> | undefined;

  constructor(
    /** A number that changes with every commit beside this process. */
    private readonly version: () => number,
    /** Reads anew what is held in memory. */
    private readonly read: () => Promise<void>,
  ) {}

  /**
   * Undefined when nothing was committed since the last time, which is what
   * nearly every request is told; else it resolves once what was committed
   * before this call has been read, and rejects where it cannot be.
   */
  settled(): Promise<void> | undefined {
    return this.version() === this.#seen ? undefined : this.#settle();
  }

  async #settle(): Promise<void> {
    for (;;) {
      // Asked before reading: what is read is of this version or a later one.
      const version = this.version();
      if (version === this.#seen) return;
      this.#reading ??= this.read()
        .then(() => {
          this.#seen = version;
        })
        .finally(() => this.#reading = undefined);
      await this.#reading;
    }
  }
}
