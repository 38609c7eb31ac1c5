/**
 * Queries that are compiled once. Kysely builds the tree and the text of a
 * query anew each time, and passes it through its layers, which costs more
 * than SQLite needs to answer one that is asked on every request.
 *
 * @module
 */
import type { CompiledQuery } from "kysely";
import { type Db, readerOf } from "./database.ts";
import type { Ask } from "./loop_reading.ts";

/** Anything that Kysely can compile. */
interface Compilable<R> {
  compile(): CompiledQuery<R>;
}

/**
 * Makes a query of `build`, which gives the parameters' places to values of
 * their type: `build` runs once per database, its parameters are those of the
 * call, in the order in which they stand in the text. It has to be a read: it
 * goes through a connection of its own, which sees what is committed and waits
 * for nobody's transaction. Given a transaction's handle it is part of that.
 * Answers the first row.
 */
export function compiledOnce<P extends readonly unknown[], R>(
  build: (db: Db, ...example: P) => Compilable<R>,
): (db: Db, ...parameters: P) => Promise<R | undefined> {
  const prepare = preparation(build);
  return async (db, ...parameters) => {
    const held = prepare(db, parameters);
    // What the text selects has the type that it was built with.
    if (held.ask !== undefined) {
      return held.ask.first(parameters) as R | undefined;
    }
    return (await db.executeQuery<R>(held.query)).rows[0];
  };
}

/** The same for every row. */
export function compiledList<P extends readonly unknown[], R>(
  build: (db: Db, ...example: P) => Compilable<R>,
): (db: Db, ...parameters: P) => Promise<R[]> {
  const prepare = preparation(build);
  return async (db, ...parameters) => {
    const held = prepare(db, parameters);
    if (held.ask !== undefined) return held.ask.all(parameters) as R[];
    return (await db.executeQuery<R>(held.query)).rows;
  };
}

/** A query, prepared on the connection of reads where there is one. */
type Held<R> =
  | { readonly ask: Ask }
  | { readonly ask: undefined; readonly query: CompiledQuery<R> };

function preparation<P extends readonly unknown[], R>(
  build: (db: Db, ...example: P) => Compilable<R>,
): (db: Db, parameters: P) => Held<R> {
  const asks = new WeakMap<Db, { readonly ask: Ask }>();
  return (db, parameters) => {
    const held = asks.get(db);
    if (held !== undefined) return held;
    const query = build(db, ...parameters).compile();
    if (query.parameters.length !== parameters.length) {
      throw new Error("one place for each parameter, in their order");
    }
    const reader = readerOf(db);
    if (reader === undefined) return { ask: undefined, query };
    const made = { ask: reader(query.sql) };
    asks.set(db, made);
    return made;
  };
}
