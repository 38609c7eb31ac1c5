/**
 * What turns a passphrase into a key, and at what cost.
 *
 * @module
 */
import type { Bytes } from "../core/bytes.ts";

/** What a guess costs. */
export interface Argon2Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

/** Turns a password of at least one byte into a key of 32 bytes. */
export type Argon2Engine = (
  password: Uint8Array,
  salt: Uint8Array,
  cost: Argon2Cost,
) => Promise<Bytes>;
