/**
 * Queries that are compiled once. Kysely builds the tree and the text of a
 * query anew each time, which costs as much as SQLite needs to answer one that
 * is asked on every request.
 *
 * @module
 */
import type { CompiledQuery } from "kysely";
import type { Db } from "./database.ts";

/** Anything that Kysely can compile. */
interface Compilable<R> {
  compile(): CompiledQuery<R>;
}

/**
 * Makes a query of `build`, which gives the parameters' places to values of
 * their type: `build` runs once per database, its parameters are those of the
 * call, in the order in which they stand in the text.
 */
export function compiledOnce<P extends readonly unknown[], R>(
  build: (db: Db, ...example: P) => Compilable<R>,
): (db: Db, ...parameters: P) => Promise<R | undefined> {
  const compiled = new WeakMap<Db, CompiledQuery<R>>();
  return async (db, ...parameters) => {
    let query = compiled.get(db);
    if (query === undefined) {
      query = build(db, ...parameters).compile();
      if (query.parameters.length !== parameters.length) {
        throw new Error("one place for each parameter, in their order");
      }
      compiled.set(db, query);
    }
    const { rows } = await db.executeQuery<R>({ ...query, parameters });
    return rows[0];
  };
}
