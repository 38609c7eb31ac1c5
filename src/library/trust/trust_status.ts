/**
 * How far a device can vouch for what it knows: whether the account's devices
 * knew more, and whether another device has confirmed it
 * (protocol/client-cryptography.md#a-new-device).
 *
 * @module
 */
import { utf8 } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { entryOf } from "../base/merging.ts";
import { librarySlots } from "../vault/state_copies.ts";
import type { TrustRecord } from "./trust_record.ts";

/** What a device says of how far it can vouch for what it knows. */
export type TrustStatus =
  | "whole"
  /** It came by words alone, and no other device has confirmed it yet. */
  | "unconfirmed"
  /** The signed directory says that the account's devices knew more. */
  | "behind";

/** Why a device trusts no new person while its record is behind. */
export const NOBODY_NEW =
  "the server does not show what your other devices know: this " +
  "device trusts no one new until it does";

/** The status of a device's record. */
export function trustStatusOf(
  record: TrustRecord,
  deviceId: string,
): TrustStatus {
  const required = record.directory?.state_counter ?? 0;
  if (stateCounter(record) < required) return "behind";
  const device = entryOf(record.devices, deviceId);
  return device !== undefined && isUnsure(device.came) &&
      device.confirmed_at === undefined
    ? "unconfirmed"
    : "whole";
}

/** Whether keys that came so say nothing of what other devices knew. */
function isUnsure(came: string): boolean {
  // A word of a newer program counts as the least.
  return came !== "first" && came !== "enrolled";
}

/** Confirms the devices that came by words and whose entries were merged. */
export function confirmDevices(
  record: TrustRecord,
  deviceId: string,
  now: number,
): TrustRecord {
  if (trustStatusOf(record, deviceId) !== "whole") return record;
  const confirmed_at = toRfc3339(now);
  const due = Object.entries(record.devices).filter(([id, one]) =>
    id !== deviceId && isUnsure(one.came) && one.confirmed_at === undefined
  );
  if (due.length === 0) return record;
  const devices = Object.fromEntries(
    due.map(([id, one]) => [
      id,
      { ...one, confirmed_by: deviceId, confirmed_at },
    ]),
  );
  return { ...record, devices: { ...record.devices, ...devices } };
}

/** A payload of the relay has room for so much besides the keys (bytes). */
const HANDED_MAX_BYTES = 20 * 1024;

/**
 * As much of a record as has room in a message, the most important first: if
 * not all of it, then what the slots have to hold is still said. Of the copies
 * of the state it has only the device's own, and only where that is doubted.
 */
export function handedTrust(
  whole: TrustRecord,
  copyId: string,
  maxBytes: number = HANDED_MAX_BYTES,
): string {
  const { copies, ...told } = whole;
  const own = entryOf(copies ?? {}, copyId);
  const record: TrustRecord = own === undefined
    ? told
    : { ...told, copies: { [copyId]: own } };
  const { people, albums, devices: _devices, logs, ...others } = record;
  // Notes of checkpoints are long, and stand in the slot.
  const { seen: _seen, evidence: _evidence, ...policy } = logs ?? {};
  const rest = logs === undefined
    ? others
    : { ...others, logs: { ...policy, seen: {}, evidence: {} } };
  const compared = Object.fromEntries(
    Object.entries(people).filter(([, { compared, decided }]) =>
      compared !== undefined || decided !== undefined
    ),
  );
  const bare = { ...rest, writes: 0, slots: librarySlots(record) };
  const candidates = [
    record,
    { ...bare, people, albums },
    { ...bare, people },
    { ...bare, people: compared },
    bare,
    // Too many copies: the new device is in doubt until another one vouches.
    { ...bare, slots: {} },
  ];
  for (const candidate of candidates) {
    const text = JSON.stringify(candidate);
    if (utf8(text).length <= maxBytes) return text;
  }
  return JSON.stringify({ v: 1 });
}

/** The number of writes to the slots that the directory's counter counts. */
export function stateCounter(record: TrustRecord): number {
  return record.writes + (entryOf(record.slots, "deletions") ?? 0);
}
