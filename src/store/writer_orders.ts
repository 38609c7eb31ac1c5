/**
 * What the event loop and the writer's thread say to each other.
 *
 * @module
 */
import type { Values } from "./sqlite.ts";

/** What is told to the thread, in this order. */
export type Order =
  | {
    readonly kind: "open";
    readonly id: number;
    readonly path: string;
    readonly busyTimeoutMs: number;
    readonly pragmas: readonly string[];
  }
  | { readonly kind: "begin"; readonly synced: boolean }
  /** A statement without an answer, within a transaction. */
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

/** What the thread answers; `lost` comes unasked. */
export interface Answer {
  readonly id?: number;
  readonly failure?: SqliteFailure;
  readonly lost?: SqliteFailure;
  /** What the columns of a statement with rows are called. */
  readonly names?: readonly string[];
  /** The values of each row, in the order of the columns. */
  readonly rows?: readonly unknown[];
  readonly changes?: number | bigint;
  readonly lastInsertRowid?: number | bigint;
}
