/**
 * After how long without a look this browser locks itself.
 *
 * @module
 */
import { putRecord, record } from "./keep.ts";
import { DEFAULT_LOCK_MINUTES } from "./presence.ts";

const NAME = "lock-minutes";

/** Minutes; 0 is never. */
export async function lockMinutes(): Promise<number> {
  return await record<number>(NAME) ?? DEFAULT_LOCK_MINUTES;
}

/** Keeps another time. */
export function keepLockMinutes(minutes: number): Promise<void> {
  return putRecord(NAME, minutes);
}
