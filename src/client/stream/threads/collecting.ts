/**
 * Having a browser collect its garbage. What was read of a file, the body of a
 * request and a message stay in memory until the objects that stood for them are
 * collected, and those are so small that an engine waits for a gigabyte of
 * photos.
 *
 * @module
 */

/** Collected after so much was read or sent (bytes). */
const EVERY_BYTES = 24 * 1024 * 1024;
/**
 * So much is asked for and let go of again: an engine that counts buffers
 * collects then. Nothing is written there, so that it takes no memory (bytes).
 */
const ASKED_BYTES = 256 * 1024 * 1024;

let passed = 0;

/**
 * Counts bytes that were read of a file, sent, or received from another thread,
 * and are not needed any more, or soon are not.
 */
export function collectAfter(bytes: number): void {
  passed += bytes;
  if (passed < EVERY_BYTES) return;
  passed = 0;
  try {
    new ArrayBuffer(ASKED_BYTES);
  } catch {
    // A telephone has not so much to give, and collects by itself.
  }
}
