/**
 * The cache of small pictures, encrypted as they arrived, in this browser and
 * within a bound, so that a timeline that was seen is there without a
 * connection. The pictures unused for the longest time are removed first.
 *
 * @module
 */
import type { Bytes } from "../../../core/bytes.ts";
import type { PartCache } from "../../../library/mod.ts";
import { now } from "../../browser.ts";
import { ended, openDatabase, resultOf } from "../vault/databases.ts";

const BYTES = "bytes";
const SEEN = "seen";
/** Most bytes that are kept; about fifteen thousand small pictures. */
const MOST_BYTES = 200_000_000;
/**
 * The cache is emptied down to this share, so that it need not be done for each
 * picture.
 */
const LEFT = 0.85;
/** The resolution of the times of last use. */
const DAY_MS = 86_400_000;

/** When a picture was last used, and its size. */
interface Seen {
  readonly at: number;
  readonly size: number;
}

/** The name of an account's database of pictures. */
export function pictureStoreName(userId: string): string {
  return `strongroom-pictures-${userId}`;
}

/** Opens the pictures of an account in this browser. */
export function pictureCache(
  userId: string,
  mostBytes = MOST_BYTES,
): PartCache {
  const opened = openDatabase(pictureStoreName(userId), 1, [BYTES, SEEN]);
  /** The cached pictures by content address, the oldest first. */
  const seen = opened.then(async (database) => {
    const store = database.transaction(SEEN, "readonly").objectStore(SEEN);
    const [keys, values] = await Promise.all([
      resultOf(store.getAllKeys()),
      resultOf<Seen[]>(store.getAll()),
    ]);
    const all = keys.flatMap((key, i): [string, Seen][] => {
      const value = values[i];
      return value === undefined ? [] : [[String(key), value]];
    });
    return new Map(all.toSorted(([, a], [, b]) => a.at - b.at));
  });
  /**
   * Runs work on the storage; if that is refused or full, there is no cache and
   * no error.
   */
  const orWithout = async <T>(work: () => Promise<T>, without: T) => {
    try {
      return await work();
    } catch {
      return without;
    }
  };
  return {
    get: (hashes) =>
      orWithout(async () => {
        const [database, known] = [await opened, await seen];
        const wanted = hashes.filter((hash) => known.has(hash));
        const got = new Map<string, Bytes>();
        if (wanted.length === 0) return got;
        const store = database.transaction(BYTES, "readonly")
          .objectStore(BYTES);
        const values = await Promise.all(
          wanted.map((hash) => resultOf(store.get(hash))),
        );
        for (const [i, hash] of wanted.entries()) {
          const value: unknown = values[i];
          if (value instanceof Uint8Array) got.set(hash, new Uint8Array(value));
        }
        await touch(database, known, [...got]);
        return got;
      }, new Map<string, Bytes>()),
    put: (parts) =>
      orWithout(async () => {
        const [database, known] = [await opened, await seen];
        await write(database, known, parts);
        await trim(database, known, mostBytes);
      }, undefined),
  };
}

/** Notes that pictures were used today, unless that is noted already. */
async function touch(
  database: IDBDatabase,
  known: Map<string, Seen>,
  looked: readonly (readonly [hash: string, bytes: Bytes])[],
): Promise<void> {
  const at = now();
  const old = looked.filter(([hash]) =>
    at - (known.get(hash)?.at ?? 0) > DAY_MS
  );
  if (old.length === 0) return;
  const transaction = database.transaction(SEEN, "readwrite");
  for (const [hash, { length: size }] of old) {
    known.delete(hash);
    known.set(hash, { at, size });
    transaction.objectStore(SEEN).put({ at, size }, hash);
  }
  await ended(transaction);
}

async function write(
  database: IDBDatabase,
  known: Map<string, Seen>,
  parts: ReadonlyMap<string, Bytes>,
): Promise<void> {
  const at = now();
  const transaction = database.transaction([BYTES, SEEN], "readwrite");
  for (const [hash, bytes] of parts) {
    const one = { at, size: bytes.length };
    // Copied, because a part of an answer keeps the whole answer in memory.
    transaction.objectStore(BYTES).put(bytes.slice(), hash);
    transaction.objectStore(SEEN).put(one, hash);
    known.delete(hash);
    known.set(hash, one);
  }
  await ended(transaction);
}

async function trim(
  database: IDBDatabase,
  known: Map<string, Seen>,
  mostBytes: number,
): Promise<void> {
  let total = 0;
  for (const { size } of known.values()) total += size;
  if (total <= mostBytes) return;
  const transaction = database.transaction([BYTES, SEEN], "readwrite");
  for (const [hash, { size }] of known) {
    if (total <= mostBytes * LEFT) break;
    transaction.objectStore(BYTES).delete(hash);
    transaction.objectStore(SEEN).delete(hash);
    known.delete(hash);
    total -= size;
  }
  await ended(transaction);
}
