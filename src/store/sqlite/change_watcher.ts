/**
 * Watches for the commits of other processes, so that an operator's command takes
 * effect on the next request of a running server.
 *
 * @module
 */

/** Keeps a copy of parts of the database in memory up to date. */
export class ChangeWatcher {
  /** The version of the last reading; undefined before the first. */
  #seen: number | undefined;
  #reading: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    /** A number that changes with every commit of another process. */
    private readonly version: () => number,
    /** Reads the copy again. */
    private readonly read: () => Promise<void>,
    /** Is told why reading failed; the callers of settled are not. */
    private readonly complain: (cause: unknown) => void,
  ) {}

  /**
   * Undefined if nothing was committed since the last reading, as on nearly
   * every request. Otherwise resolves once everything committed before this
   * call has been read, or reading has failed.
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

  /** Stops watching; resolves once no reading is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#reading?.catch(() => {});
  }

  async #settle(): Promise<void> {
    while (!this.#isClosed) {
      // Asked before reading, so that the copy is of this version or a later
      // one.
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
