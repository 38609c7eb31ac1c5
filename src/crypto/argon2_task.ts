/**
 * The messages between the pool of Argon2 workers and one worker.
 *
 * @module
 */

export interface Argon2Task {
  readonly id: number;
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
  readonly length: number;
}

/** Asks a worker to set the number to 1 once it runs, and to wake who waits. */
export interface Argon2Start {
  readonly started: Int32Array<SharedArrayBuffer>;
}

/** `isLast`: the worker ends after this answer. */
export type Argon2Answer =
  & { readonly id: number; readonly isLast: boolean }
  & ({ readonly hash: Uint8Array } | { readonly error: string });
