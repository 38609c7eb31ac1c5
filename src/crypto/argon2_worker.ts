/**
 * Argon2id in a worker. A hash takes a tenth of a second, for which the event
 * loop must not stand still. hash-wasm computes it, because neither the
 * runtime's WebCrypto nor its `node:crypto` has Argon2.
 *
 * @module
 */
import { argon2id } from "hash-wasm";
import type { Argon2Answer, Argon2Start, Argon2Task } from "./argon2_task.ts";

/** The part of a worker's scope that is used here. */
declare const self: {
  onmessage: (event: MessageEvent<Argon2Task | Argon2Start>) => void;
  postMessage: (answer: Argon2Answer | "closing") => void;
  close: () => void;
};

/**
 * An idle worker ends after this time: with the memory of its hash it takes 40
 * MB, which a small board needs for other things.
 */
const IDLE_MS = 5_000;
let idle: ReturnType<typeof setTimeout> | undefined;

/**
 * A worker ends after this many hashes. The memory of a hash looks like one
 * small object to the garbage collector, which therefore frees it late.
 */
const HASHES = 4;
let hashed = 0;

self.onmessage = async ({ data }: MessageEvent<Argon2Task | Argon2Start>) => {
  clearTimeout(idle);
  if ("started" in data) {
    Atomics.store(data.started, 0, 1);
    Atomics.notify(data.started, 0);
    return;
  }
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
