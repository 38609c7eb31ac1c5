/**
 * Rows by the thousand, written straight into the database of an application:
 * what an account might have made in weeks.
 *
 * @module
 */
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { TestApp } from "./app.ts";

/** An SQL text: the numbers from 0 up to a count, as `n` of `numbers`. */
export function numbered(count: number): string {
  return `with recursive numbers (n) as (
    select 0 union all select n + 1 from numbers where n + 1 < ${count})`;
}

/** An SQL expression: an id of the form of a UUID, another for each `n`. */
export function numberedUuid(word: string): string {
  return `printf('${word}-0000-4000-8000-%012x', n)`;
}

/** Runs SQL on a connection of its own, in one transaction. */
export function writeRows(app: TestApp, ...texts: string[]): void {
  const sqlite = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
  try {
    sqlite.exec("begin immediate");
    for (const text of texts) sqlite.exec(text);
    sqlite.exec("commit");
  } finally {
    sqlite.close();
  }
}

/** The one number that a query answers. */
export function readNumber(app: TestApp, text: string): number {
  const sqlite = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
  try {
    return Number(Object.values(sqlite.prepare(text).get() ?? {})[0]);
  } finally {
    sqlite.close();
  }
}
