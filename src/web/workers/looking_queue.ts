/**
 * Photos that this device is to look at for something that all of the account's
 * devices share, such as faces: each once, the newest first.
 *
 * @module
 */
import type { Library, Row } from "../../client/library/mod.ts";
import type { VaultContext } from "./context.ts";
import { fileOfRow } from "./file_of_row.ts";
import { FLAGS } from "./photo_lists.ts";
import type { Flagged } from "./photo_table.ts";

/** What devices have found so far. */
interface Found {
  /** Whether a picture was looked at, by its name in the pages. */
  has(file: string): boolean;
  readonly isFull: boolean;
  /** Fetches what other devices found. */
  read(): Promise<void>;
}

/** The photos to look at, and what was found. */
export interface LookingQueue<T extends Found> {
  /** What was found, with what other devices found. */
  found(): Promise<T>;
  /** The photos that may be shown now, without hidden ones. */
  shown(): readonly Flagged[];
  /** Those of them that no device has looked at, each picture once. */
  unseen(): Promise<readonly Row[]>;
  /** The next photos; none if there are none, or it is off. */
  next(most: number): Promise<readonly Row[]>;
  /** Passes over photos whose picture cannot be had in this session. */
  pass(ids: readonly string[]): void;
}

/** Opens the queue of something that is looked for. */
export function lookingQueue<T extends Found>(
  context: VaultContext,
  { isOn, of, isToLookAt }: {
    readonly isOn: (library: Library) => boolean;
    readonly of: (library: Library) => Promise<T>;
    readonly isToLookAt: (row: Row) => boolean;
  },
): LookingQueue<T> {
  /** The newest last. */
  let queue: string[] = [];
  const passed = new Set<string>();
  let first: { readonly of: Library; readonly read: Promise<void> } | undefined;

  const found = async () => {
    const library = context.opened();
    const held = await of(library);
    if (first?.of !== library) {
      queue = [];
      passed.clear();
      first = { of: library, read: held.read() };
      // Without a network it is what this device knows.
      first.read.then(() => context.changed(), () => {});
    }
    return held;
  };
  const shown = () =>
    context.view().found().filter(([, flags]) => (flags & FLAGS.hidden) === 0);
  const unseen = async () => {
    const held = await found();
    const seen = new Set<string>();
    return shown().map(([row]) => row).filter((row) => {
      if (passed.has(row.id)) return false;
      const file = fileOfRow(row);
      if (file === undefined || seen.has(file) || held.has(file)) return false;
      if (!isToLookAt(row)) return false;
      seen.add(file);
      return true;
    });
  };
  return {
    found,
    shown,
    unseen,
    async next(most) {
      if (!isOn(context.opened())) return [];
      const held = await found();
      // What another device has looked at need not be looked at again.
      await first?.read.catch(() => {});
      if (held.isFull) return [];
      if (queue.length === 0) {
        queue = (await unseen()).map(({ id }) => id).toReversed();
      }
      const rows: Row[] = [];
      while (rows.length < most && queue.length > 0) {
        const row = context.opened().index.get(queue.pop() ?? "");
        const file = row && fileOfRow(row);
        if (row === undefined || file === undefined) continue;
        if (!held.has(file)) rows.push(row);
      }
      return rows;
    },
    pass(ids) {
      for (const id of ids) passed.add(id);
    },
  };
}
