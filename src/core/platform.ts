/**
 * What the outside world gives the program. `main.ts` makes one; everything
 * else receives it, so that time, randomness and the network can be set in
 * tests. `scripts/layers.ts` refuses the globals everywhere else.
 *
 * @module
 */

/** A structured log; LogTape's `Logger` is one. Never hand it a secret. */
export interface Log {
  debug(message: string, properties?: Record<string, unknown>): void;
  info(message: string, properties?: Record<string, unknown>): void;
  warn(message: string, properties?: Record<string, unknown>): void;
  error(message: string, properties?: Record<string, unknown>): void;
}

export interface Platform {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Milliseconds from no particular start that never go back. */
  readonly monotonic: () => number;
  /** That many bytes from a cryptographically secure generator. */
  readonly random: (length: number) => Uint8Array<ArrayBuffer>;
  /** Resolves after so many milliseconds, or at once when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly fetch: typeof fetch;
  readonly log: Log;
}
