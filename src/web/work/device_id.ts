/**
 * Which device this browser is to an account, beyond signing out: so that whoever
 * signs in again is no new device in the account's list. No secret, and no
 * address can be read from it.
 *
 * @module
 */
import { utf8 } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { Session } from "../../client/library/mod.ts";
import { putRecord, record } from "./keep.ts";

/** The id that an account's device had here. */
export function knownDevice(address: string): Promise<string | undefined> {
  return record<string>(nameOf(address));
}

/** Remembers it; an account without an address is new each time. */
export async function rememberDevice(session: Session): Promise<void> {
  if (session.address === undefined) return;
  await putRecord(nameOf(session.address), session.device.device_id);
}

function nameOf(address: string): string {
  return `device-${sha256Hex(utf8(address.trim().toLowerCase()))}`;
}
