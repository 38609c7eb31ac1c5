/**
 * What the two logs are derived from: rows that are committed, in their order.
 *
 * @module
 */
import { fromHex } from "../../core/bytes.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { LogName } from "../../store/sqlite/schema.ts";
import {
  entriesAfter,
  entriesBetween,
  receiptsAfter,
  receiptsUpTo,
} from "./store.ts";

/** How far a log has come. */
export interface Place {
  /** Entries of the tree. */
  readonly size: number;
  /** The last `receipt_seq` or `entry_seq` among them. */
  readonly upTo: number;
}

/** An entry with its number. */
interface Numbered {
  readonly seq: number;
  readonly entry: Uint8Array;
}

export interface LogSource {
  /** The next entries behind a place, some of them; none at the end. */
  after(place: Place): Promise<readonly Numbered[]>;
  /** The last entries of the tree at a place, in its order. */
  last(place: Place, count: number): Promise<readonly Uint8Array[]>;
  /** Entries by their index; undefined for a log that serves none. */
  readonly between:
    | ((from: number, to: number) => Promise<readonly Uint8Array[]>)
    | undefined;
}

/** The source of one of the logs. */
export function sourceOf(db: Db, name: LogName): LogSource {
  return name === "custody" ? custodySource(db) : keysSource(db);
}

function custodySource(db: Db): LogSource {
  return {
    async after({ upTo }) {
      return (await receiptsAfter(db, upTo)).map(numbered);
    },
    async last({ upTo }, count) {
      const rows = await receiptsUpTo(db, upTo, count);
      return rows.toReversed().map((row) => numbered(row).entry);
    },
    between: undefined,
  };
}

function numbered(
  row: { readonly receipt_seq: number; readonly receipt_hash: string },
): Numbered {
  const entry = fromHex(row.receipt_hash);
  if (entry === undefined) throw new Error("a receipt without its hash");
  return { seq: row.receipt_seq, entry };
}

function keysSource(db: Db): LogSource {
  // Their numbers have no gaps: none was ever deleted.
  const between = async (from: number, to: number) =>
    (await entriesBetween(db, from + 1, to)).map(({ entry }) => entry);
  return {
    async after({ upTo }) {
      const rows = await entriesAfter(db, upTo);
      return rows.map(({ entry_seq, entry }) => ({ seq: entry_seq, entry }));
    },
    last: ({ size }, count) => between(size - count, size),
    between,
  };
}
