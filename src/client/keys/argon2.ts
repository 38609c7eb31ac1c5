/**
 * Argon2id (RFC 9106) for passphrases: in WebAssembly, or in portable code
 * where a policy or an old engine does not allow WebAssembly. Both give the
 * same bytes. Each is loaded only when it is needed, because most pages never
 * ask for a passphrase.
 *
 * @module
 */
import { type Bytes, utf8 } from "../../core/bytes.ts";
import type { Argon2Cost, Argon2Engine } from "./argon2_engine.ts";

export type { Argon2Cost, Argon2Engine };

/** Suite 1: 64 MiB, 3 passes, 1 lane; about half a second. */
export const SUITE_ARGON2_COST: Argon2Cost = {
  memoryKib: 65_536,
  passes: 3,
  lanes: 1,
};

/** Argon2id in WebAssembly. Rejects if compiling is not allowed. */
export const wasmArgon2: Argon2Engine = async (...task) =>
  await (await import("./argon2_wasm.ts")).wasmArgon2(...task);

/** Argon2id in JavaScript: about ten times slower; it yields while it runs. */
export const portableArgon2: Argon2Engine = async (...task) =>
  await (await import("./argon2_portable.ts")).portableArgon2(...task);

/** Argon2id in WebAssembly, or in portable code if that fails. */
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
 * The normal form of a passphrase: NFC, without white space at the ends, every
 * run of white space inside replaced by one blank. Letter case stays.
 */
export function plainPassphrase(passphrase: string): string {
  return passphrase.normalize("NFC").replace(WHITE_SPACE, " ")
    .replace(/^ | $/g, "");
}

/** The bytes that Argon2id takes: the UTF-8 of {@link plainPassphrase}. */
export function passphraseBytes(passphrase: string): Bytes {
  return utf8(plainPassphrase(passphrase));
}
