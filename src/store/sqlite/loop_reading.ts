/**
 * The event loop's own connection, which only reads. It sees everything that
 * any connection has committed.
 *
 * @module
 */
import { keptPrepared, openSqlite, type Row, rowsOf } from "./sqlite.ts";

/** A prepared query. */
export interface Ask {
  /** The first row of the result. */
  readonly first: (parameters: readonly unknown[]) => Row | undefined;
  /** Every row of the result. */
  readonly all: (parameters: readonly unknown[]) => Row[];
}

/** A reading connection. */
export interface Reading {
  readonly all: (sql: string, parameters: readonly unknown[]) => Row[];
  /** Prepares a query, which is kept as long as the connection. */
  readonly prepare: (sql: string) => Ask;
  /** A number that changes whenever another connection has committed. */
  readonly version: () => number;
  /** Makes later queries see everything that is committed by now. */
  readonly renew: () => void;
  readonly close: () => void;
}

/**
 * Opens a connection to a database file that others write. All queries of one
 * turn of the event loop share a transaction, because beginning and ending one
 * for each query would cost more than the queries. The transaction begins with
 * the first query and ends with the turn, or earlier with `renew`, so it delays
 * no checkpoint for longer than a turn.
 */
export function openReading(path: string): Reading {
  const sqlite = openSqlite(path);
  sqlite.exec("pragma query_only = on");
  const begin = sqlite.prepare("begin");
  const end = sqlite.prepare("commit");
  const dataVersion = sqlite.prepare("pragma data_version");
  /** The version that the open transaction sees; undefined if none is open. */
  let version: number | undefined;
  let turnEnd: ReturnType<typeof setImmediate> | undefined;

  const renew = () => {
    version = undefined;
    // An error may have ended the transaction already.
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
