/**
 * The program's access to clock, randomness, network and log. `main.ts` makes
 * one platform and everything else receives it, so that tests can set these
 * things. `scripts/layers.ts` refuses the globals everywhere else.
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
  /** Milliseconds since an arbitrary start; never goes back. */
  readonly monotonic: () => number;
  /** `length` bytes from a cryptographically secure generator. */
  readonly random: (length: number) => Uint8Array<ArrayBuffer>;
  /** Resolves after `ms` milliseconds, or at once when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly fetch: typeof fetch;
  readonly log: Log;
}
