/**
 * Argon2id in the test's own thread. Of the cheap parameters that tests have, a
 * hash takes less than a millisecond, and a worker forty to start.
 *
 * @module
 */
import { argon2id } from "hash-wasm";
import type { Argon2Task } from "../../src/crypto/argon2_task.ts";
import type { Argon2Thread } from "../../src/crypto/password.ts";

/** Guessing is not the subject of these tests. */
export const CHEAP_COST = { memoryKib: 8, passes: 1, lanes: 1 };

export class Argon2InThread implements Argon2Thread {
  onmessage: Argon2Thread["onmessage"] = null;
  onerror: Argon2Thread["onerror"] = null;
  #isEnded = false;

  async postMessage(
    { id, password, salt, memoryKib, passes, lanes, length }: Argon2Task,
  ): Promise<void> {
    const hash = await argon2id({
      password,
      salt,
      memorySize: memoryKib,
      iterations: passes,
      parallelism: lanes,
      hashLength: length,
      outputType: "binary",
    });
    if (this.#isEnded) return;
    const data = { id, hash, isLast: false };
    this.onmessage?.(new MessageEvent("message", { data }));
  }

  terminate(): void {
    this.#isEnded = true;
  }
}
