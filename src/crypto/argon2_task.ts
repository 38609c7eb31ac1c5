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

/** `isLast`: the worker ends after this answer. */
export type Argon2Answer =
  & { readonly id: number; readonly isLast: boolean }
  & ({ readonly hash: Uint8Array } | { readonly error: string });
