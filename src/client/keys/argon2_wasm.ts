/**
 * Argon2id in WebAssembly; `argon2.ts` loads it when it is needed.
 *
 * @module
 */
import { argon2id } from "hash-wasm";
import type { Argon2Engine } from "./argon2_engine.ts";
import { KEY_BYTES } from "../documents/suite.ts";

/** Argon2id in WebAssembly. Rejects if compiling is not allowed. */
export const wasmArgon2: Argon2Engine = async (password, salt, cost) =>
  new Uint8Array(
    await argon2id({
      password,
      salt,
      memorySize: cost.memoryKib,
      iterations: cost.passes,
      parallelism: cost.lanes,
      hashLength: KEY_BYTES,
      outputType: "binary",
    }),
  );
