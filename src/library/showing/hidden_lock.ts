/**
 * The lock of hidden photos: while it is closed, a program shows nothing of
 * them. Their PIN opens it for a while, on one device.
 *
 * @module
 */

/** How long hidden photos stay open (ms). */
export const HIDDEN_OPEN_MS: number = 5 * 60_000;

/** What the lock needs of a platform. */
interface LockPlatform {
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The lock of a device. */
export class HiddenLock {
  #until = -Infinity;
  #waiting = new AbortController();

  /**
   * `hasPin` says whether the account has a PIN now: another device may have
   * set it. `changed` is told whenever the lock opens or closes.
   */
  constructor(
    private readonly platform: LockPlatform,
    private readonly hasPin: () => boolean,
    private readonly changed: () => void,
  ) {}

  /** Whether there is a PIN, which locks. */
  get isSet(): boolean {
    return this.hasPin();
  }

  /** Whether hidden photos can be shown now. */
  get isOpen(): boolean {
    return this.platform.now() < this.#until || !this.hasPin();
  }

  /** Opens for {@link HIDDEN_OPEN_MS}, once the person has shown who they are. */
  open(): void {
    this.#waiting.abort();
    const waiting = this.#waiting = new AbortController();
    this.#until = this.platform.now() + HIDDEN_OPEN_MS;
    this.changed();
    this.#closeLater(waiting.signal);
  }

  /** Closes at once. */
  close(): void {
    this.#waiting.abort();
    if (this.#until === -Infinity) return;
    this.#until = -Infinity;
    this.changed();
  }

  async #closeLater(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const left = this.#until - this.platform.now();
      if (left <= 0) return this.close();
      // A machine that slept, or a timer that is early, is looked at again.
      await this.platform.sleep(left, signal);
    }
  }
}
