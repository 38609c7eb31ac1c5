/**
 * The event loop's own connection, which only reads: what is committed,
 * whoever committed it.
 *
 * @module
 */
import { keptPrepared, openSqlite, type Row, rowsOf } from "./sqlite.ts";

/** A query that is prepared for good. */
export interface Ask {
  /** The first row that it finds. */
  readonly first: (parameters: readonly unknown[]) => Row | undefined;
  /** Every row that it finds. */
  readonly all: (parameters: readonly unknown[]) => Row[];
}

/** A connection that reads, for one thread. */
export interface Reading {
  readonly all: (sql: string, parameters: readonly unknown[]) => Row[];
  /** Prepares a query for good. */
  readonly prepare: (sql: string) => Ask;
  /** A number that changes whenever another connection has committed. */
  readonly version: () => number;
  /** What is asked from now on is answered as of now. */
  readonly renew: () => void;
  readonly close: () => void;
}

/**
 * Opens a connection to a database file that others write. What one turn of the
 * event loop asks is asked in one transaction, since beginning and ending one
 * for each question costs more than the questions. It begins with the first and
 * ends with the turn, or before, where `renew` is told that there is something
 * to see; so it holds up no checkpoint for longer than a turn.
 */
export function openReading(path: string): Reading {
  const sqlite = openSqlite(path);
  sqlite.exec("pragma query_only = on");
  const begin = sqlite.prepare("begin");
  const end = sqlite.prepare("commit");
  const dataVersion = sqlite.prepare("pragma data_version");
  /** As of the transaction that is open. */
  let version: number | undefined;
  let turnEnd: ReturnType<typeof setImmediate> | undefined;

  const renew = () => {
    version = undefined;
    // An error may have ended it already.
    if (sqlite.isTransaction) end.run();
  };
  const enter = (): number => {
    if (version !== undefined) return version;
    renew();
    turnEnd ??= setImmediate(() => {
      turnEnd = undefined;
      renew();
    });
    begin.run();
    return version = Number(dataVersion.get()?.data_version);
  };
  const prepare = (sql: string): Ask => {
    const rows = rowsOf(sqlite.prepare(sql));
    return {
      first: (parameters) => {
        enter();
        return rows.first(parameters);
      },
      all: (parameters) => {
        enter();
        return rows.all(parameters);
      },
    };
  };
  const prepared = keptPrepared(prepare);
  return {
    all: (sql, parameters) => prepared(sql).all(parameters),
    prepare,
    version: enter,
    renew,
    close: () => {
      clearImmediate(turnEnd);
      sqlite.close();
    },
  };
}
