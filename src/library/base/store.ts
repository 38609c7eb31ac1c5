/**
 * The library's store on this device. A program provides the storage (SQLite,
 * IndexedDB, memory): named spaces of ordered keys, and atomic writes.
 *
 * Everything in it can be rebuilt from the server, except receipts and pins.
 *
 * @module
 */
import { type Bytes, concatBytes, utf8 } from "../../core/bytes.ts";
import type { RandomBytes } from "../../core/bytes.ts";
import type { Primitives } from "../../crypto/primitives.ts";
import { NONCE_BYTES } from "../../client/documents/suite.ts";

/** The spaces that the library uses. */
export const SPACES = [
  "index",
  "albums",
  "uploads",
  "pins",
  "receipts",
  /** For the program itself, sealed like the rest. */
  "program",
] as const;
/** One of {@link SPACES}. */
export type Space = typeof SPACES[number];

/** A key of printable ASCII and its value. */
export interface StoreEntry {
  readonly key: string;
  readonly value: Uint8Array;
}

/** A value to put; null removes the key. */
export interface StoreChange {
  readonly space: Space;
  readonly key: string;
  readonly value: Uint8Array | null;
}

/** The storage that a program provides, one store for each profile. */
export interface Store {
  get(space: Space, key: string): Promise<Uint8Array | undefined>;
  /** Entries in the order of their keys, after `after`; at most `limit`. */
  list(
    space: Space,
    options?: { readonly after?: string; readonly limit?: number },
  ): Promise<readonly StoreEntry[]>;
  /** Writes all changes or none; resolves once they are on the disk. */
  write(changes: readonly StoreChange[]): Promise<void>;
}

/** A store that lasts as long as the program. */
export function memoryStore(): Store {
  const spaces = new Map<Space, Map<string, Uint8Array>>();
  const spaceOf = (space: Space) => {
    const held = spaces.get(space) ?? new Map<string, Uint8Array>();
    spaces.set(space, held);
    return held;
  };
  return {
    get: (space, key) => Promise.resolve(spaceOf(space).get(key)),
    list(space, { after = "", limit = Infinity } = {}) {
      const entries = [...spaceOf(space)]
        .map(([key, value]) => ({ key, value }))
        .filter(({ key }) => key > after)
        .sort((a, b) => a.key < b.key ? -1 : 1)
        .slice(0, limit);
      return Promise.resolve(entries);
    },
    write(changes) {
      for (const { space, key, value } of changes) {
        if (value === null) spaceOf(space).delete(key);
        else spaceOf(space).set(key, new Uint8Array(value));
      }
      return Promise.resolve();
    },
  };
}

/** A value of the store was not sealed with this key. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/**
 * A store that seals its values, so that a thief of the disk learns nothing
 * from them and a changed or moved value is refused (StoreError). Receipts stay
 * readable, because they contain nothing that the server does not know.
 */
export function sealedStore(
  store: Store,
  key: Uint8Array,
  random: RandomBytes,
  primitives: Primitives,
): Store {
  const bound = (space: Space, name: string) => utf8(`${space}\0${name}`);
  const open = (space: Space, name: string, sealed: Uint8Array): Bytes => {
    if (space === "receipts") return new Uint8Array(sealed);
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const box = sealed.subarray(NONCE_BYTES);
    const value = nonce.length < NONCE_BYTES
      ? undefined
      : primitives.open(key, nonce, box, bound(space, name));
    if (value !== undefined) return value;
    throw new StoreError(`${space}/${name} was not sealed by this key`);
  };
  const seal = ({ space, key: name, value }: StoreChange): StoreChange => {
    if (value === null || space === "receipts") {
      return { space, key: name, value };
    }
    const nonce = random(NONCE_BYTES);
    const box = primitives.seal(key, nonce, value, bound(space, name));
    return { space, key: name, value: concatBytes(nonce, box) };
  };
  return {
    async get(space, name) {
      const sealed = await store.get(space, name);
      return sealed === undefined ? undefined : open(space, name, sealed);
    },
    async list(space, options) {
      const entries = await store.list(space, options);
      return entries.map(({ key: name, value }) => ({
        key: name,
        value: open(space, name, value),
      }));
    },
    write: (changes) => store.write(changes.map(seal)),
  };
}

/**
 * A number as a key of sixteen digits, so that keys have the numbers' order.
 */
export function numberKey(number: number): string {
  return String(number).padStart(16, "0");
}
