/**
 * Kysely over a database in service. Reads outside transactions run on the
 * event loop's own connection, which sees what is committed and never waits.
 * Writes, and the reads of a transaction, run in the writer's thread.
 *
 * @module
 */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteDialect,
} from "kysely";
import type { Reading } from "./loop_reading.ts";
import type { Schema } from "./schema.ts";
import { toRow, toValues } from "./sqlite.ts";
import type { GiveBack, Writer } from "./writer.ts";
import type { Answer } from "./writer_orders.ts";

/**
 * The first query of a transaction whose commit need not be on the disk when it
 * returns. It is on the disk once any later commit is.
 */
export const COMMIT_SOON: CompiledQuery = CompiledQuery.raw("select 'soon'");

/** Sets a mark within a transaction. Marks nest: the latest is used first. */
export const SAVEPOINT: CompiledQuery = CompiledQuery.raw("savepoint part");
/** Keeps what was done since the mark, and removes the mark. */
export const RELEASE: CompiledQuery = CompiledQuery.raw("release part");
/** Undoes what was done since the mark, and removes the mark. */
export const UNDO: readonly CompiledQuery[] = [
  CompiledQuery.raw("rollback to part"),
  RELEASE,
];

/** Statements of a transaction whose result is not awaited. */
const MARKS = new WeakSet<CompiledQuery>([
  SAVEPOINT,
  RELEASE,
  ...UNDO,
]);

/**
 * Marks a statement of a transaction as one whose result is not awaited, which
 * saves a message to the thread and one back. If it fails, the next statement
 * that is waited for fails, at the latest the commit.
 */
export function withoutResult(query: CompiledQuery): CompiledQuery {
  MARKS.add(query);
  return query;
}

/** Matches raw statements that only read. */
const READS = /^\s*(?:select|with)\b/i;

/** Kysely over a writer and a reading connection; closing it closes both. */
export function kyselyRouted(writer: Writer, reading: Reading): Kysely<Schema> {
  const close = async () => {
    try {
      await writer.close();
    } finally {
      reading.close();
    }
  };
  return new Kysely<Schema>({
    dialect: new RoutedDialect(() => new RoutedDriver(writer, reading, close)),
  });
}

class RoutedDialect extends SqliteDialect {
  constructor(private readonly driver: () => Driver) {
    super({
      database: () => Promise.reject(new Error("the driver opens nothing")),
    });
  }

  override createDriver(): Driver {
    return this.driver();
  }

  override createAdapter(): SqliteAdapter {
    return new RoutedAdapter();
  }
}

/**
 * Allows several connections; otherwise Kysely would let readers wait for
 * transactions.
 */
class RoutedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class RoutedDriver implements Driver {
  constructor(
    private readonly writer: Writer,
    private readonly reading: Reading,
    private readonly close: () => Promise<void>,
  ) {}

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(new RoutedConnection(this.writer, this.reading));
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).end("commit");
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).end("rollback");
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release();
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    return this.close();
  }
}

function own(connection: DatabaseConnection): RoutedConnection {
  if (connection instanceof RoutedConnection) return connection;
  throw new Error("not a connection of this driver");
}

/** One query outside transactions, or one transaction. */
class RoutedConnection implements DatabaseConnection {
  /** Set while this connection has the turn to write. */
  #giveBack: GiveBack | undefined;
  #synced = true;
  #isBegun = false;

  constructor(
    private readonly writer: Writer,
    private readonly reading: Reading,
  ) {}

  async begin(): Promise<void> {
    this.#giveBack = await this.writer.takeTurn();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query;
    if (this.#giveBack !== undefined) {
      return await this.#executeWithin<R>(query);
    }
    if (SelectQueryNode.is(query.query) || READS.test(sql)) {
      // The rows have the type with which the query was built.
      return { rows: this.reading.all(sql, parameters) as R[] };
    }
    const giveBack = await this.writer.takeTurn();
    try {
      return resultOf(await this.writer.runAlone(sql, toValues(parameters)));
    } finally {
      giveBack();
    }
  }

  async #executeWithin<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query;
    if (query === COMMIT_SOON) {
      this.#synced = false;
      return { rows: [] };
    }
    // Sent together with the first statement, so that no caller waits for the
    // beginning alone.
    if (!this.#isBegun) this.writer.begin(this.#synced);
    this.#isBegun = true;
    if (MARKS.has(query)) {
      this.writer.mark(sql, toValues(parameters));
      return { rows: [] };
    }
    return resultOf(await this.writer.run(sql, toValues(parameters)));
  }

  async end(how: "commit" | "rollback"): Promise<void> {
    if (this.#isBegun) await this.writer[how]();
  }

  release(): void {
    this.#giveBack?.();
    this.#giveBack = undefined;
  }

  // deno-lint-ignore require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error("a served database is not streamed from");
  }
}

function resultOf<R>(answer: Answer): QueryResult<R> {
  const { names = [], rows = [], changes, lastInsertRowid } = answer;
  return {
    ...(lastInsertRowid !== undefined && { insertId: BigInt(lastInsertRowid) }),
    ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
    // The rows have the type with which the query was built.
    rows: rows.map((values) => toRow(names, values)) as R[],
  };
}
