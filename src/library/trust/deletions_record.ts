/**
 * What an account deleted on purpose, as its programs note it before they ask
 * the server (protocol/client-cryptography.md#deletions). An own photo that
 * goes without an entry here is missing, whatever the server says.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromHex, toBase64Url } from "../../core/bytes.ts";
import { DAY_MS } from "../../core/time.ts";
import { count, uuid } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import { ciphertextSize } from "../../client/stream/stream.ts";
import { STATE_MAX_BYTES } from "../../client/documents/state.ts";

/** The state slot of the record. */
export const DELETIONS_SLOT = "deletions";
/** An entry is dropped so long after its asset was seen to be gone. */
const KEPT_MS = 400 * DAY_MS;
/** Bytes of the plaintext's hash that an entry keeps. */
const FILE_BYTES = 16;

/** What an entry says of its asset. */
const RESTORED = 0;
const DELETED = 1;
/**
 * The server says that a deleted asset was restored, and no device noted that:
 * 2. If the server then has it in the trash again, it is deleted: 3. And so on.
 */
const isSaidOfDeleted = (said: number) => said > 0 && said % 2 === 0;
const isOfDeleted = (said: number) => said % 2 === 1;

/** Within this time of its note a deletion has reached the server (ms). */
const RACE_MS = DAY_MS;

/**
 * When it was deleted or restored (ms), what is said of it, the beginning of
 * its plaintext's SHA-256 (base64url, empty if it is not known), and when it
 * was seen to be gone (ms, or 0).
 */
const entrySchema = z.tuple([count, count, z.string(), count]);
type Entry = z.output<typeof entrySchema>;

const recordSchema = z.looseObject({
  v: z.literal(1),
  /** Number of writes to the slot. */
  writes: z._default(count, 0),
  /** By asset ids. */
  assets: z._default(z.record(uuid, entrySchema), {}),
});

/** The record. */
export interface DeletionsRecord {
  readonly v: 1;
  readonly writes: number;
  readonly assets: Readonly<Record<string, Entry>>;
}

/** A record without entries. */
export function emptyDeletions(): DeletionsRecord {
  return { v: 1, writes: 0, assets: {} };
}

/** The JSON bytes of a record. */
export function encodeDeletions(record: DeletionsRecord): Bytes {
  return encodeJson(recordSchema, { ...record }, "deletions");
}

/** Reads a record. Throws a DocumentError. */
export function decodeDeletions(bytes: Uint8Array): DeletionsRecord {
  return decodeJson(recordSchema, bytes, "deletions");
}

/**
 * Merges two records. Of an entry the later change wins. Of two at the same
 * time the restoring one wins, because an alarm too many is better than one too
 * few, then the higher number, which has the server's newer word.
 */
export function mergeDeletions(
  one: DeletionsRecord,
  other: DeletionsRecord,
): DeletionsRecord {
  const assets = { ...one.assets };
  for (const [id, theirs] of Object.entries(other.assets)) {
    const ours = Object.hasOwn(assets, id) ? assets[id] : undefined;
    assets[id] = ours === undefined ? theirs : laterEntry(ours, theirs);
  }
  return {
    ...other,
    ...one,
    writes: Math.max(one.writes, other.writes),
    assets: Object.fromEntries(
      Object.entries(assets).toSorted(([a], [b]) => a < b ? -1 : 1),
    ),
  };
}

function laterEntry(one: Entry, other: Entry): Entry {
  if (one[0] !== other[0]) return one[0] > other[0] ? one : other;
  if (one[1] !== other[1]) {
    const [less, more] = one[1] < other[1] ? [one, other] : [other, one];
    return less[1] === RESTORED ? less : more;
  }
  const file = one[2] > other[2] ? one[2] : other[2];
  const seen = one[3] === 0 || other[3] === 0
    ? Math.max(one[3], other[3])
    : Math.min(one[3], other[3]);
  return [one[0], one[1], file, seen];
}

/** An asset that is deleted or restored. */
export interface Moved {
  readonly id: string;
  /** SHA-256 of its plaintext in hex, if it is known. */
  readonly sha256?: string | undefined;
}

/** Notes that assets are deleted, or restored. */
export function withMoved(
  record: DeletionsRecord,
  moved: readonly Moved[],
  deleted: boolean,
  now: number,
): DeletionsRecord {
  const assets = { ...record.assets };
  for (const { id, sha256 } of moved) {
    const before = Object.hasOwn(assets, id) ? assets[id] : undefined;
    const at = Math.max(now, (before?.[0] ?? 0) + 1);
    const file = sha256 === undefined ? before?.[2] ?? "" : fileOf(sha256);
    assets[id] = [at, deleted ? DELETED : RESTORED, file, 0];
  }
  return { ...record, assets };
}

/**
 * Notes that the server says of deleted assets that they were restored. A device
 * that restored one has noted so at a later time, and that stands.
 */
export function withSaidRestored(
  record: DeletionsRecord,
  ids: readonly string[],
): DeletionsRecord {
  return withMoreSaid(record, ids, isOfDeleted);
}

/**
 * Notes that the server has assets in the trash again after it said that they
 * were restored. They count as deleted, which is what the account noted last.
 *
 * A device notes a deletion before it asks the server. Another device may read
 * this note, and only then the feed entry of an earlier restore. It cannot know
 * yet whether the restore was before the note or after it. If it was before,
 * the deletion follows and the asset is in the trash again.
 *
 * A server that says "restored" and then "deleted" undoes its own word, and only
 * within {@link RACE_MS} of the note: later, a person may have looked at the
 * photo as restored, by a program whose note never came here. A note whose time
 * is that far in the future is from a wrong clock: no one knows how old it is.
 * In both cases the word stays, and the photo is missing when it goes: an alarm
 * too many.
 *
 * The time of the entry stays. If it were raised, a server could say both until
 * the time is later than a restore that a device noted and could not write yet.
 */
export function withBackInTrash(
  record: DeletionsRecord,
  ids: readonly string[],
  now: number,
): DeletionsRecord {
  return withMoreSaid(
    record,
    ids,
    (said, at) => isSaidOfDeleted(said) && Math.abs(now - at) < RACE_MS,
  );
}

/** Raises what entries say of their assets, where it is something like this. */
function withMoreSaid(
  record: DeletionsRecord,
  ids: readonly string[],
  isLike: (said: number, at: number) => boolean,
): DeletionsRecord {
  const assets = { ...record.assets };
  for (const id of ids) {
    const entry = Object.hasOwn(assets, id) ? assets[id] : undefined;
    if (entry === undefined || !isLike(entry[1], entry[0])) continue;
    assets[id] = [entry[0], entry[1] + 1, entry[2], 0];
  }
  return { ...record, assets };
}

/** Whether the server alone says that an asset was restored. */
export function isSaidRestored(
  { assets }: DeletionsRecord,
  id: string,
): boolean {
  return Object.hasOwn(assets, id) && isSaidOfDeleted(assets[id]?.[1] ?? 0);
}

/** Notes that deleted assets were seen to be gone. */
export function withSeenGone(
  record: DeletionsRecord,
  ids: readonly string[],
  now: number,
): DeletionsRecord {
  const assets = { ...record.assets };
  for (const id of ids) {
    const entry = Object.hasOwn(assets, id) ? assets[id] : undefined;
    if (entry !== undefined && isOfDeleted(entry[1]) && entry[3] === 0) {
      assets[id] = [entry[0], entry[1], entry[2], now];
    }
  }
  return { ...record, assets };
}

/** Whether an entry says that the account deleted the asset. */
export function isDeleted({ assets }: DeletionsRecord, id: string): boolean {
  return Object.hasOwn(assets, id) && isOfDeleted(assets[id]?.[1] ?? 0);
}

/**
 * The beginnings of the hashes of all files that are deleted; with
 * `withSaidRestored` also of those that the server alone says were restored.
 */
export function deletedFiles(
  { assets }: DeletionsRecord,
  { withSaidRestored: isWith = false } = {},
): Set<string> {
  return new Set(
    Object.values(assets).flatMap(([, said, file]) =>
      file !== "" && (isOfDeleted(said) || (isWith && isSaidOfDeleted(said)))
        ? [file]
        : []
    ),
  );
}

/** The beginning of a plaintext's hash, as entries have it. */
export function fileOf(sha256: string): string {
  return toBase64Url(
    (fromHex(sha256) ?? new Uint8Array()).slice(0, FILE_BYTES),
  );
}

/**
 * The record as it is written: without entries whose time is over and, if it
 * would be too large for a slot, without those that were seen to be gone first.
 */
export function compacted(
  record: DeletionsRecord,
  now: number,
  mostBytes = STATE_MAX_BYTES,
): DeletionsRecord {
  const isOver = ([at, deleted, , gone]: Entry) =>
    (deleted === 0 ? at : gone === 0 ? Infinity : gone) + KEPT_MS < now;
  const next = {
    ...record,
    assets: Object.fromEntries(
      Object.entries(record.assets).filter(([, entry]) => !isOver(entry)),
    ),
  };
  const sizeOf = (one: DeletionsRecord) =>
    ciphertextSize(encodeDeletions(one).length);
  let excess = sizeOf(next) - mostBytes;
  if (excess <= 0) return next;
  const droppable = Object.entries(next.assets)
    .filter(([, [, deleted, , gone]]) => deleted === 0 || gone !== 0)
    .toSorted(([, a], [, b]) => (a[3] || a[0]) - (b[3] || b[0]));
  for (const [id, entry] of droppable) {
    if (excess <= 0) break;
    excess -= JSON.stringify([id, entry]).length;
    delete next.assets[id];
  }
  return next;
}
