/**
 * The device id of this browser for an account. It stays after signing out, so
 * that a new sign-in adds no new device to the account's list. It is no secret,
 * and no address can be read from its record.
 *
 * @module
 */
import { utf8 } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { Session } from "../../client/library/mod.ts";
import { putRecord, record } from "./credential_store.ts";

/** The device id that an account had here. */
export function knownDevice(address: string): Promise<string | undefined> {
  return record<string>(nameOf(address));
}

/** Remembers the id; an account without an address gets a new one each time. */
export async function rememberDevice(session: Session): Promise<void> {
  if (session.address === undefined) return;
  await putRecord(nameOf(session.address), session.device.device_id);
}

function nameOf(address: string): string {
  return `device-${sha256Hex(utf8(address.trim().toLowerCase()))}`;
}
