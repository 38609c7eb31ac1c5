/**
 * The devices' copies of the slot `library`, and how far a device can believe
 * its own: a server can give an older one to a device that has none yet
 * (protocol/client-cryptography.md#copies-of-the-library).
 *
 * Each copy counts its writes in the state. The trust record says how many
 * writes of each copy the account's devices know, and which copies began with
 * nothing but the server's word.
 *
 * @module
 */
import { fromUtf8, toHex, utf8 } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { changedAt, type LibraryState } from "../../client/documents/state.ts";
import { entryOf } from "../base/merging.ts";
import type { LibraryPlatform } from "../base/platform.ts";
import type { Store } from "../base/store.ts";
import type { TrustRecord } from "../trust/trust_record.ts";

/** How far a device can believe its copy of the account's state. */
export type LibraryStatus =
  | "whole"
  /** It began with what the server gave, and no other device vouches yet. */
  | "unconfirmed"
  /** Another device knew of more writes than it has. */
  | "behind";

/** Begins the settings that count a copy's writes. */
const WRITTEN = "written/";
/** Begins the names of the same numbers in the trust record's `slots`. */
const SLOT = "library/";
/** Name in the trust record's `slots`: the account has hidden a photo once. */
const HIDES = "hidden";
const ID_BYTES = 8;
const ID_KEY = "state-copy";

/** This device's copy of the state. */
export interface StateCopy {
  readonly id: string;
  /** Whether this device has no id for it yet. */
  readonly isNew: boolean;
  /** Keeps the id. */
  keep(): Promise<void>;
}

/** Reads the id of this device's copy, or makes one. */
export async function openCopy(
  store: Store,
  platform: Pick<LibraryPlatform, "random">,
): Promise<StateCopy> {
  const kept = await store.get("index", ID_KEY);
  const id = (kept === undefined ? undefined : fromUtf8(kept)) ??
    toHex(new Uint8Array(platform.random(ID_BYTES)));
  return {
    id,
    isNew: kept === undefined,
    keep: () => store.write([{ space: "index", key: ID_KEY, value: utf8(id) }]),
  };
}

/** The state with one more write of a copy. */
export function withWrite(
  state: LibraryState,
  copyId: string,
  now: number,
): LibraryState {
  return withWrites(
    state,
    { [copyId]: (writesOf(state)[copyId] ?? 0) + 1 },
    now,
  );
}

/** The state with at least these numbers of writes, by copies. */
export function withWrites(
  state: LibraryState,
  writes: Readonly<Record<string, number>>,
  now: number,
): LibraryState {
  const before = writesOf(state);
  const settings = { ...state.settings };
  for (const [id, value] of Object.entries(writes)) {
    if (value <= (entryOf(before, id) ?? 0)) continue;
    const name = `${WRITTEN}${id}`;
    settings[name] = { value, at: changedAt(settings[name], now) };
  }
  return { ...state, settings };
}

/** How many writes of each copy a state has. */
function writesOf({ settings }: LibraryState): Record<string, number> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, { value }]) =>
      name.startsWith(WRITTEN) && typeof value === "number" &&
        Number.isSafeInteger(value) && value >= 0
        ? [[name.slice(WRITTEN.length), value]]
        : []
    ),
  );
}

/** How many writes of each copy the account's devices know. */
export function knownWrites({ slots }: TrustRecord): Record<string, number> {
  return Object.fromEntries(
    Object.entries(slots).flatMap(([name, count]) =>
      name.startsWith(SLOT) ? [[name.slice(SLOT.length), count]] : []
    ),
  );
}

/** A record's `slots` without the numbers of the copies. */
export function otherSlots({ slots }: TrustRecord): Record<string, number> {
  return Object.fromEntries(
    Object.entries(slots).filter(([name]) => !name.startsWith(SLOT)),
  );
}

/** A record's `slots` with the numbers of the copies alone. */
export function librarySlots({ slots }: TrustRecord): Record<string, number> {
  return Object.fromEntries(
    Object.entries(slots).filter(([name]) => name.startsWith(SLOT)),
  );
}

/**
 * Whether the account has ever hidden a photo, as far as a record and a state
 * tell: only then a photo that a device sees could be one of those.
 */
export function hidesPhotos(
  { slots }: TrustRecord,
  state: LibraryState,
): boolean {
  return entryOf(slots, HIDES) !== undefined ||
    Object.values(state.flags).some(({ hidden }) => hidden === true);
}

/**
 * Notes in the record which writes a state has, and that it hides photos; the
 * same record if it says so already.
 */
export function seeWrites(
  record: TrustRecord,
  state: LibraryState,
  own?: string,
): TrustRecord {
  const known = knownWrites(record);
  const hides = entryOf(record.slots, HIDES) === undefined &&
    hidesPhotos(record, state);
  const all = { ...own === undefined ? {} : { [own]: 0 }, ...writesOf(state) };
  const news = Object.entries(all).filter(([id, count]) =>
    count > (entryOf(known, id) ?? -1)
  );
  if (news.length === 0 && !hides) return record;
  const slots = { ...record.slots };
  if (hides) slots[HIDES] = 1;
  for (const [id, count] of news) slots[`${SLOT}${id}`] = count;
  return { ...record, slots };
}

/** How far a device can believe its copy of the state. */
export function libraryStatusOf(
  record: TrustRecord,
  state: LibraryState,
  copyId: string,
): LibraryStatus {
  const there = writesOf(state);
  const isBehind = Object.entries(knownWrites(record)).some(([id, count]) =>
    count > (entryOf(there, id) ?? 0)
  );
  if (isBehind) return "behind";
  const copy = entryOf(record.copies ?? {}, copyId);
  return copy !== undefined && copy.vouched_at === undefined
    ? "unconfirmed"
    : "whole";
}

/** Notes a copy that began with nothing but the server's word. */
export function beginCopy(
  record: TrustRecord,
  copyId: string,
  device: string,
  now: number,
): TrustRecord {
  const copy = { device, at: toRfc3339(now) };
  return { ...record, copies: { ...record.copies, [copyId]: copy } };
}

/** Vouches for copies; for all others, or for the ones that are given. */
export function vouchFor(
  record: TrustRecord,
  by: { readonly copyId: string; readonly device: string },
  now: number,
  which: (copyId: string) => boolean = (id) => id !== by.copyId,
): TrustRecord {
  const due = Object.entries(record.copies ?? {}).filter(([id, copy]) =>
    which(id) && copy.vouched_at === undefined
  );
  if (due.length === 0) return record;
  const vouched = { vouched_by: by.device, vouched_at: toRfc3339(now) };
  const copies = due.map(([id, copy]) => [id, { ...copy, ...vouched }]);
  return {
    ...record,
    copies: { ...record.copies, ...Object.fromEntries(copies) },
  };
}

/**
 * Whether what another device handed over tells a new device enough of the
 * state: that device believes its own copy, and says what it knows of writes.
 */
export function vouchesByHand(handed: TrustRecord): boolean {
  const isDoubted = Object.values(handed.copies ?? {})
    .some((copy) => copy.vouched_at === undefined);
  return !isDoubted && Object.keys(knownWrites(handed)).length > 0;
}
