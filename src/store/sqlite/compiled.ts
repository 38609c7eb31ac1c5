/**
 * Queries that are compiled once. Kysely builds the tree and the text of a
 * query each time, which for the queries of every request costs more than
 * SQLite needs to answer them.
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
 * Makes a query that returns its first row. `build` runs once, with the values
 * of the first call, and must place each parameter once, in the order of the
 * call. The query must be a read. It runs on the reading
 * connection, which sees what is committed and waits for no transaction; with
 * the handle of a transaction it runs inside that.
 */
export function compiledOnce<P extends readonly unknown[], R>(
  build: (db: Db, ...example: P) => Compilable<R>,
): (db: Db, ...parameters: P) => Promise<R | undefined> {
  const prepare = preparation(build);
  return async (db, ...parameters) => {
    const held = prepare(db, parameters);
    // The rows have the type with which the query was built.
    if (held.ask !== undefined) {
      return held.ask.first(parameters) as R | undefined;
    }
    return (await db.executeQuery<R>(held.query)).rows[0];
  };
}

/** Like {@link compiledOnce}, but returns every row. */
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

/** A query, prepared on the reading connection if there is one. */
type Held<R> =
  | { readonly ask: Ask }
  | { readonly ask: undefined; readonly query: CompiledQuery<R> };

function preparation<P extends readonly unknown[], R>(
  build: (db: Db, ...example: P) => Compilable<R>,
): (db: Db, parameters: P) => Held<R> {
  const asks = new WeakMap<Db, { readonly ask: Ask }>();
  let compiled: CompiledQuery<R> | undefined;
  return (db, parameters) => {
    const held = asks.get(db);
    if (held !== undefined) return held;
    // The text is the same for every database.
    compiled ??= build(db, ...parameters).compile();
    if (compiled.parameters.length !== parameters.length) {
      throw new Error("one place for each parameter, in their order");
    }
    const reader = readerOf(db);
    if (reader === undefined) {
      return { ask: undefined, query: { ...compiled, parameters } };
    }
    const made = { ask: reader(compiled.sql) };
    asks.set(db, made);
    return made;
  };
}

/** Stands for a value while a statement is built. */
class Placeholder {
  constructor(readonly name: string) {}
}

/** A statement, and which value each of its parameters is. */
interface Shape<R> {
  readonly compiled: CompiledQuery<R>;
  /** Names of values; a parameter without one is the same each time. */
  readonly names: readonly (string | undefined)[];
}

/**
 * Makes a statement whose values are given by name. `build` runs once for each
 * set of names, with placeholders: it may put a value where a parameter goes,
 * any number of times, and may neither look at it nor calculate with it. A
 * value that is undefined counts as left out.
 */
export function compiledWrite<
  V extends { readonly [name in keyof V]: unknown },
  R,
>(
  build: (db: Db, values: V) => Compilable<R>,
): (db: Db, values: V) => CompiledQuery<R> {
  const shapes = new Map<string, Shape<R>>();
  return (db, values) => {
    const given: ReadonlyMap<string, unknown> = new Map(
      Object.entries(values).filter(([, value]) => value !== undefined),
    );
    const key = [...given.keys()].join();
    let shape = shapes.get(key);
    if (shape === undefined) {
      shape = shapeOf(build, db, [...given.keys()]);
      shapes.set(key, shape);
    }
    const { compiled, names } = shape;
    return {
      ...compiled,
      parameters: compiled.parameters.map((constant, at) => {
        const name = names[at];
        return name === undefined ? constant : given.get(name);
      }),
    };
  };
}

function shapeOf<V, R>(
  build: (db: Db, values: V) => Compilable<R>,
  db: Db,
  given: readonly string[],
): Shape<R> {
  const placeholders = Object.fromEntries(
    given.map((name) => [name, new Placeholder(name)]),
  );
  const compiled = build(db, placeholders as V).compile();
  const names = compiled.parameters.map((parameter) =>
    parameter instanceof Placeholder ? parameter.name : undefined
  );
  const lost = given.find((name) => !names.includes(name));
  if (lost !== undefined) throw new Error(`${lost} is no parameter`);
  return { compiled, names };
}
