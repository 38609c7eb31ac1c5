/**
 * The setting after how long this browser locks itself.
 *
 * @module
 */
import { putRecord, record } from "./credential_store.ts";
import { DEFAULT_LOCK_MINUTES } from "./presence.ts";

const NAME = "lock-minutes";

/** The setting in minutes; 0 means never. */
export async function lockMinutes(): Promise<number> {
  return await record<number>(NAME) ?? DEFAULT_LOCK_MINUTES;
}

/** Stores the setting. */
export function keepLockMinutes(minutes: number): Promise<void> {
  return putRecord(NAME, minutes);
}
