/**
 * A platform on which what is waited for is waited for in vain: its time goes
 * faster.
 *
 * @module
 */
import { platform } from "../../main.ts";
import type { Platform } from "../../src/core/platform.ts";

/** So many times faster: half a minute is less than a second. */
const HASTE = 50;

export const hasty: Platform = {
  ...platform,
  monotonic: () => platform.monotonic() * HASTE,
  sleep: (ms, signal) => platform.sleep(ms / HASTE, signal),
};
