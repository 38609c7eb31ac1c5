/**
 * The schema's history: a static list, in order. Each entry is the SQL that
 * leads from the version before it; the first makes all tables. No entry that
 * was released is ever edited.
 *
 * @module
 */
import { COUNT_ONCE } from "./counting_once.ts";
import { TABLES } from "./tables.ts";

export const MIGRATIONS: readonly string[] = [TABLES, COUNT_ONCE];

/** The schema that this program knows: how many migrations it has. */
export const SCHEMA = MIGRATIONS.length;

/** SQLite's mark of whose file it is ("sgrm"). */
export const APPLICATION_ID = 0x7367726d;
