/**
 * A key out of a passphrase: Argon2id (RFC 9106), once, on this thread.
 *
 * @module
 */
import { argon2id } from "hash-wasm";

export interface StretchCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** 32 bytes. The same text of another keyboard gives the same key (NFC). */
export async function stretch(
  passphrase: string,
  salt: Uint8Array,
  { memoryKib, passes }: StretchCost,
): Promise<Uint8Array> {
  return await argon2id({
    password: new TextEncoder().encode(passphrase.normalize("NFC")),
    salt,
    memorySize: memoryKib,
    iterations: passes,
    parallelism: 1,
    hashLength: 32,
    outputType: "binary",
  });
}
