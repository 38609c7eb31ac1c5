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
  #isClosed = false;

  constructor(
    /** A number that changes with every commit beside this process. */
    private readonly version: () => number,
    /** Reads anew what is held in memory. */
    private readonly read: () => Promise<void>,
    /** Is told why it cannot be read; nobody else is. */
    private readonly complain: (cause: unknown) => void,
  ) {}

  /**
   * Undefined when nothing was committed since the last time, which is what
   * nearly every request is told; else it resolves once what was committed
   * before this call has been read, or cannot be.
   */
  settled(): Promise<void> | undefined {
    if (this.#isClosed) return undefined;
    try {
      if (this.version() === this.#seen) return undefined;
    } catch (cause) {
      this.complain(cause);
      return undefined;
    }
    return this.#settle().catch(this.complain);
  }

  /** Notices nothing more; resolves once nothing is read any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#reading?.catch(() => {});
  }

  async #settle(): Promise<void> {
    while (!this.#isClosed) {
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
