/**
 * Argon2id (RFC 9106) for passphrases: WebAssembly where it runs, portable code
 * where a policy or an old engine forbids it. Both give the same bytes, and are
 * loaded when they are needed: most pages never ask for a passphrase.
 *
 * @module
 */
import { type Bytes, utf8 } from "../core/bytes.ts";
import type { Argon2Cost, Argon2Engine } from "./argon2_engine.ts";

export type { Argon2Cost, Argon2Engine };

/** Suite 1: 64 MiB, 3 passes, 1 lane; about half a second. */
export const SUITE_ARGON2_COST: Argon2Cost = {
  memoryKib: 65_536,
  passes: 3,
  lanes: 1,
};

/** Argon2id in WebAssembly. Rejects where compiling it is not allowed. */
export const wasmArgon2: Argon2Engine = async (...task) =>
  await (await import("./argon2_wasm.ts")).wasmArgon2(...task);

/** Argon2id in JavaScript: some ten times slower, and it yields while it runs. */
export const portableArgon2: Argon2Engine = async (...task) =>
  await (await import("./argon2_portable.ts")).portableArgon2(...task);

/** WebAssembly, and portable code where WebAssembly does not start. */
export const argon2: Argon2Engine = async (password, salt, cost) => {
  try {
    return await wasmArgon2(password, salt, cost);
  } catch {
    // A Content-Security-Policy without 'wasm-unsafe-eval', or no WebAssembly.
    return await portableArgon2(password, salt, cost);
  }
};

const WHITE_SPACE = /\p{White_Space}+/gu;

/**
 * A passphrase as it counts, however people type it: NFC, white space at the
 * ends dropped and every run of it inside one blank; letter case kept.
 */
export function plainPassphrase(passphrase: string): string {
  return passphrase.normalize("NFC").replace(WHITE_SPACE, " ")
    .replace(/^ | $/g, "");
}

/** The bytes of a passphrase that Argon2id takes, see {@link plainPassphrase}. */
export function passphraseBytes(passphrase: string): Bytes {
  return utf8(plainPassphrase(passphrase));
}
