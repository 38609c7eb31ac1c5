/**
 * The library's store in IndexedDB: an object store for each space.
 *
 * @module
 */
import { type Space, SPACES, type Store } from "../../../library/mod.ts";
import { ended, openDatabase, resultOf } from "./databases.ts";

/** The name of an account's database. */
export function storeName(userId: string): string {
  return `strongroom-${userId}`;
}

/** Opens the store of an account in this browser. */
export async function browserStore(userId: string): Promise<Store> {
  const database = await openDatabase(storeName(userId), 1, SPACES);
  const reading = (space: Space) =>
    database.transaction(space, "readonly").objectStore(space);
  return {
    async get(space, key) {
      return bytesOf(await resultOf(reading(space).get(key)));
    },
    async list(space, { after, limit } = {}) {
      const range = after === undefined
        ? null
        : IDBKeyRange.lowerBound(after, true);
      const store = reading(space);
      const [keys, values] = await Promise.all([
        resultOf(store.getAllKeys(range, limit)),
        resultOf(store.getAll(range, limit)),
      ]);
      return keys.map((key, index) => ({
        key: String(key),
        value: bytesOf(values[index]) ?? new Uint8Array(),
      }));
    },
    async write(changes) {
      if (changes.length === 0) return;
      const spaces = [...new Set(changes.map(({ space }) => space))];
      // Receipts and upload journals must survive a crash of the machine.
      const transaction = database.transaction(spaces, "readwrite", {
        durability: "strict",
      });
      for (const { space, key, value } of changes) {
        const store = transaction.objectStore(space);
        if (value === null) store.delete(key);
        else store.put(new Uint8Array(value), key);
      }
      await ended(transaction);
    },
  };
}

function bytesOf(value: unknown): Uint8Array | undefined {
  return value instanceof Uint8Array ? value : undefined;
}
