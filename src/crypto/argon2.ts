/**
 * Argon2id (RFC 9106). hash-wasm because neither the runtime's WebCrypto nor
 * its `node:crypto` has Argon2.
 *
 * @module
 */
import { argon2id } from "hash-wasm";
import type { Argon2Task } from "./password.ts";

/** The hash that a task asks for. */
export function argon2Of(
  { password, salt, memoryKib, passes, lanes, length }: Argon2Task,
): Promise<Uint8Array> {
  return argon2id({
    password,
    salt,
    memorySize: memoryKib,
    iterations: passes,
    parallelism: lanes,
    hashLength: length,
    outputType: "binary",
  });
}
