/**
 * Argon2id in a worker: a hash takes a tenth of a second of a core, which the
 * event loop does not have. hash-wasm because neither the runtime's WebCrypto
 * nor its `node:crypto` has Argon2.
 *
 * @module
 */
import { argon2id } from "hash-wasm";
import type { Argon2Answer, Argon2Task } from "./argon2_task.ts";

/** The part of a worker's scope that is used here. */
declare const self: {
  onmessage: (event: MessageEvent<Argon2Task>) => void;
  postMessage: (answer: Argon2Answer | "closing") => void;
  close: () => void;
};

/**
 * A worker and the memory of its hash are 40 MB that a small board can use
 * better between two sign-ins.
 */
const IDLE_MS = 5_000;
let idle: ReturnType<typeof setTimeout> | undefined;

/**
 * Every hash leaves its memory to be collected, which the collector, seeing
 * only a small object, is in no hurry to do: after a few the worker ends.
 */
const HASHES = 4;
let hashed = 0;

self.onmessage = async ({ data }: MessageEvent<Argon2Task>) => {
  clearTimeout(idle);
  const { id, password, salt, memoryKib, passes, lanes, length } = data;
  let answer: Argon2Answer;
  try {
    const hash = await argon2id({
      password,
      salt,
      memorySize: memoryKib,
      iterations: passes,
      parallelism: lanes,
      hashLength: length,
      outputType: "binary",
    });
    answer = { id, hash, isLast: (hashed += 1) >= HASHES };
  } catch (error) {
    answer = { id, error: String(error), isLast: true };
  }
  self.postMessage(answer);
  if (answer.isLast) return self.close();
  idle = setTimeout(() => {
    self.postMessage("closing");
    self.close();
  }, IDLE_MS);
};
