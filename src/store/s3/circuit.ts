/**
 * Whether to ask an object store at all: after some failures in a row nobody
 * does for a while, so that those who wait are told at once, and then one alone
 * tries.
 *
 * @module
 */
import { SECOND_MS } from "../../core/time.ts";
import { BlobsUnavailable } from "../unavailable.ts";

/** So many failures in a row open it. */
const FAILURES = 5;
const FIRST_OPEN_MS = SECOND_MS;
const LONGEST_OPEN_MS = 30 * SECOND_MS;

export class Circuit {
  #failures = 0;
  #openMs = 0;
  #openUntil = -Infinity;
  #isTrying = false;
  #why = "";

  constructor(private readonly monotonic: () => number) {}

  /** Whether requests are refused for now. */
  get isOpen(): boolean {
    return this.#openMs > 0;
  }

  /** Throws a {@link BlobsUnavailable} where nobody is to ask now. */
  enter(): void {
    if (!this.isOpen) return;
    const leftMs = this.#openUntil - this.monotonic();
    if (leftMs > 0 || this.#isTrying) {
      throw this.unavailable(this.#why, leftMs);
    }
    this.#isTrying = true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openMs = 0;
    this.#isTrying = false;
  }

  failed(why: string): void {
    this.#failures += 1;
    this.#why = why;
    if (this.#failures < FAILURES && !this.#isTrying) return;
    this.#isTrying = false;
    this.#openMs = Math.min(
      LONGEST_OPEN_MS,
      Math.max(FIRST_OPEN_MS, 2 * this.#openMs),
    );
    this.#openUntil = this.monotonic() + this.#openMs;
  }

  unavailable(why: string, leftMs = 0, cause?: unknown): BlobsUnavailable {
    const seconds = Math.max(1, Math.ceil(leftMs / SECOND_MS));
    return new BlobsUnavailable(why, seconds, { cause });
  }
}
