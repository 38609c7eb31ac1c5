/**
 * The messages between the event loop and the writer's thread.
 *
 * @module
 */
import type { Values } from "./sqlite.ts";

/**
 * An order to the thread. Orders are carried out in the order of their sending.
 */
export type Order =
  | {
    readonly kind: "open";
    readonly id: number;
    readonly path: string;
    readonly busyTimeoutMs: number;
    readonly pragmas: readonly string[];
  }
  | { readonly kind: "begin"; readonly synced: boolean }
  /** Within a transaction; has no answer. */
  | {
    readonly kind: "mark";
    readonly sql: string;
    readonly parameters: Values;
  }
  | {
    readonly kind: "run";
    readonly id: number;
    readonly sql: string;
    readonly parameters: Values;
  }
  /** Statements of a migration, within a transaction. */
  | { readonly kind: "change"; readonly id: number; readonly sql: string }
  | {
    readonly kind: "end";
    readonly id: number;
    readonly how: "commit" | "rollback";
  }
  | { readonly kind: "close"; readonly id: number };

/** The fields of an error of `node:sqlite`. */
export interface SqliteFailure {
  readonly message: string;
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly errstr?: unknown;
}

/** An answer of the thread. One with `lost` comes without an order. */
export interface Answer {
  readonly id?: number;
  readonly failure?: SqliteFailure;
  readonly lost?: SqliteFailure;
  /** The names of the columns, if the statement returns rows. */
  readonly names?: readonly string[];
  /** The values of each row, in the order of the columns. */
  readonly rows?: readonly unknown[];
  readonly changes?: number | bigint;
  readonly lastInsertRowid?: number | bigint;
}
