/**
 * A circuit breaker for an object store. After some failures in a row, no
 * requests are made for a while, so that callers learn of it at once; then a
 * single request tries again.
 *
 * @module
 */
import { SECOND_MS } from "../../../core/time.ts";
import { BlobsUnavailable } from "../../blobs/unavailable.ts";

/** Failures in a row that open the circuit. */
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

  /** Whether requests are refused at present. */
  get isOpen(): boolean {
    return this.#openMs > 0;
  }

  /** Throws a {@link BlobsUnavailable} if no request may be made now. */
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
