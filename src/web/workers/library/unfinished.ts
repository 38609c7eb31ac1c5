/**
 * The files that a person wanted to add and that are not added yet, by what the
 * person knows of them: after a reload they can be named. No bytes are kept.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../../core/bytes.ts";
import { takingTurns } from "../../../core/turns.ts";
import type { Store, StoreChange } from "../../../library/mod.ts";
import { sha256Hex } from "../../../crypto/sha256.ts";

/** A file that is to be added. */
export interface Unfinished {
  readonly name: string;
  /** Its folders with `/` between. */
  readonly folder: string;
  readonly size: number;
}

/** What was not finished, as a page shows it. */
export interface UnfinishedFiles {
  /** How many there are, out of how many there were. */
  readonly left: number;
  readonly total: number;
  /** The first of them. */
  readonly files: readonly Unfinished[];
}

/** What is remembered in a browser's store. */
export interface UnfinishedBook {
  /**
   * Remembers files. `again` if a page starts over: what it adds may be what
   * another one did not finish.
   */
  remember(
    files: readonly Unfinished[],
    again: boolean,
  ): Promise<void>;
  forget(files: readonly Unfinished[]): Promise<void>;
  forgetAll(): Promise<void>;
  read(): Promise<UnfinishedFiles>;
}

/** No more are remembered: the rest of a huge folder is not named. */
const MOST = 20_000;
/** Written at a time, so that the thread does other work between. */
const AT_ONCE = 500;
/** Named at most. */
const MOST_NAMED = 20;

const SPACE = "program";
const PREFIX = "unfinished/";
/** How many there were; before the files in the order of the keys. */
const TOTAL = `${PREFIX}!`;

/** Opens what a store remembers. */
export function openUnfinished(store: Store): UnfinishedBook {
  let held: Promise<{ readonly keys: Set<string>; total: number }> | undefined;
  const load = async () => {
    const entries = await listed(store);
    const keys = entries.map(({ key }) => key).filter((key) => key !== TOTAL);
    const total = entries.find(({ key }) => key === TOTAL)?.value;
    return {
      keys: new Set(keys),
      total: Number(total === undefined ? 0 : fromUtf8(total)) || keys.length,
    };
  };
  const write = async (changes: readonly StoreChange[]) => {
    for (let at = 0; at < changes.length; at += AT_ONCE) {
      await store.write(changes.slice(at, at + AT_ONCE));
    }
  };
  const totalChange = (total: number): StoreChange => ({
    space: SPACE,
    key: TOTAL,
    value: total === 0 ? null : utf8(String(total)),
  });
  // One after the other: a file may be done before it is written that it was
  // to be.
  const inTurn = takingTurns();
  return {
    remember: (files, again) =>
      inTurn(async () => {
        const book = await (held ??= load());
        const added = new Map<string, Unfinished>();
        for (const file of files) {
          if (book.keys.size + added.size >= MOST) break;
          const key = keyOf(file);
          if (!book.keys.has(key)) added.set(key, file);
        }
        const size = book.keys.size + added.size;
        book.total = again
          ? Math.max(book.total, size)
          : book.total + added.size;
        for (const key of added.keys()) book.keys.add(key);
        await write([
          totalChange(book.total),
          ...[...added].map(([key, { name, folder, size }]) => ({
            space: SPACE,
            key,
            value: utf8(JSON.stringify({ name, folder, size })),
          } as const)),
        ]);
      }),
    forget: (files) =>
      inTurn(async () => {
        const book = await (held ??= load());
        const keys = files.map(keyOf).filter((key) => book.keys.delete(key));
        if (keys.length === 0) return;
        if (book.keys.size === 0) book.total = 0;
        await write([
          ...keys.map((key) => ({ space: SPACE, key, value: null } as const)),
          ...(book.total === 0 ? [totalChange(0)] : []),
        ]);
      }),
    forgetAll: () =>
      inTurn(async () => {
        const entries = await listed(store);
        await write(
          entries.map(({ key }) => ({ space: SPACE, key, value: null })),
        );
        held = undefined;
      }),
    read: () =>
      inTurn(async () => {
        const { keys, total } = await (held ??= load());
        const named = keys.size === 0 ? [] : await store.list(SPACE, {
          after: TOTAL,
          limit: MOST_NAMED,
        });
        return {
          left: keys.size,
          total,
          files: named.filter(({ key }) => key.startsWith(PREFIX))
            .map(({ value }) => JSON.parse(fromUtf8(value) ?? "null")),
        };
      }),
  };
}

async function listed(store: Store) {
  const entries = await store.list(SPACE, { after: PREFIX, limit: MOST + 1 });
  return entries.filter(({ key }) => key.startsWith(PREFIX));
}

function keyOf({ name, folder, size }: Unfinished): string {
  return PREFIX + sha256Hex(utf8([folder, name, size].join("\0")));
}
