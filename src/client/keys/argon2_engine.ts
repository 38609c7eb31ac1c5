/**
 * The interface of an Argon2id implementation, and its cost parameters.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";

/** The cost of one guess. */
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
