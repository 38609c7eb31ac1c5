/**
 * Photos that this device is to look at for something that all of the account's
 * devices share, such as faces: each once, the newest first.
 *
 * @module
 */
import type { Library, Row } from "../../client/library/mod.ts";
import { isShown } from "../../client/library/rows.ts";
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
  /** Sends what only this device found. */
  send(): Promise<void>;
}

/** What the queue needs of the vault. */
export interface LookingContext {
  opened(): Library;
  view(): {
    found(): readonly Flagged[];
    readonly isShut: (row: Row) => boolean;
  };
  changed(): void;
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
  /** A photo, unless it was hidden or deleted meanwhile. */
  mayLookAt(id: string): Row | undefined;
  /**
   * Passes over photos that were looked at and that the pages did not take, such
   * as while this device does not know what another one turned off: they would
   * be looked at for ever.
   */
  passUntaken(ids: readonly string[]): Promise<void>;
}

/** Opens the queue of something that is looked for. */
export function lookingQueue<T extends Found>(
  context: LookingContext,
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
      first.read.then(() => {
        context.changed();
        // What a page that was closed did not send any more.
        return held.send();
      }).catch(() => {});
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
  // Photos wait for hours in the queue, and may have been hidden meanwhile.
  const mayLookAt = (id: string) => {
    const { index, flags } = context.opened();
    const row = index.get(id);
    return row !== undefined && isShown(row) && !flags.of(row).hidden &&
        !context.view().isShut(row)
      ? row
      : undefined;
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
        const row = mayLookAt(queue.pop() ?? "");
        const file = row && fileOfRow(row);
        if (row === undefined || file === undefined) continue;
        if (!held.has(file)) rows.push(row);
      }
      return rows;
    },
    pass(ids) {
      for (const id of ids) passed.add(id);
    },
    mayLookAt,
    async passUntaken(ids) {
      const held = await found();
      // Those that are off are looked at once it is turned on again.
      if (!isOn(context.opened())) return;
      for (const id of ids) {
        const row = mayLookAt(id);
        const file = row && fileOfRow(row);
        if (file !== undefined && !held.has(file)) passed.add(id);
      }
    },
  };
}
