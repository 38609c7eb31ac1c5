/**
 * Argon2id in JavaScript; `argon2.ts` loads it if WebAssembly does not run.
 *
 * @module
 */
import { argon2idAsync } from "@noble/hashes/argon2.js";
import type { Argon2Engine } from "./argon2_engine.ts";
import { KEY_BYTES } from "../documents/suite.ts";

/** Argon2id in JavaScript: about ten times slower; it yields while it runs. */
export const portableArgon2: Argon2Engine = async (password, salt, cost) =>
  new Uint8Array(
    await argon2idAsync(password, salt, {
      m: cost.memoryKib,
      t: cost.passes,
      p: cost.lanes,
      dkLen: KEY_BYTES,
    }),
  );
