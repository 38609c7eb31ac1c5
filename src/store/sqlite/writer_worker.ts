/**
 * The thread that owns the writing connection. An fsync takes 10 to 50 ms on a
 * memory card, for which the event loop must not stand still. This file imports
 * nothing of the program, so a process that starts it needs permission to read
 * only this file.
 *
 * @module
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Values } from "./sqlite.ts";
import type { Answer, Order, SqliteFailure } from "./writer_orders.ts";

/** The part of a worker's scope that is used here. */
declare const self: {
  onmessage: (event: MessageEvent<readonly Order[]>) => void;
  postMessage: (answers: readonly Answer[]) => void;
};

/** SQLITE_FULL. */
const FULL = 13;
/** How many prepared statements are kept. */
const MAX_PREPARED = 500;
/** The log is moved into the database once it has this many pages. */
const CHECKPOINT_PAGES = 1_000;
/**
 * The log is cut to this size after it was moved. During a long read, such as a
 * backup's, it cannot be moved and grows, and it would keep that size.
 */
const LOG_KEPT_BYTES = 64 * 1024 * 1024;

let sqlite: DatabaseSync | undefined;
/**
 * Statements that count the pages of the log, and move them into the database.
 */
let log:
  | { readonly held: StatementSync; readonly move: StatementSync }
  | undefined;
/** A statement and the names of its columns; none if it returns no rows. */
interface Prepared {
  readonly statement: StatementSync;
  readonly names: readonly string[];
}

const prepared = new Map<string, Prepared>();
/** Whether the connection syncs commits now. */
let isSynced = true;
/** Why the open transaction cannot go on; undefined if it can. */
let spoiled: SqliteFailure | undefined;

function connection(): DatabaseSync {
  if (sqlite === undefined) throw new Error("the database is not open");
  return sqlite;
}

function prepare(text: string): Prepared {
  const held = prepared.get(text);
  if (held !== undefined) return held;
  if (prepared.size >= MAX_PREPARED) prepared.clear();
  const statement = connection().prepare(text);
  // Values come apart from their names: rows as objects would cost more to make
  // and to send.
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const made = { statement, names };
  prepared.set(text, made);
  return made;
}

/** An error's fields one by one: a cloned error would lose those of SQLite. */
function failureOf(thrown: unknown): SqliteFailure {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const { message } = thrown;
  return {
    message,
    ...("code" in thrown && { code: thrown.code }),
    ...("errcode" in thrown && { errcode: thrown.errcode }),
    ...("errstr" in thrown && { errstr: thrown.errstr }),
  };
}

function syncCommits(synced: boolean): void {
  if (synced === isSynced) return;
  connection().exec(`pragma synchronous = ${synced ? "full" : "normal"}`);
  isSynced = synced;
}

/**
 * Does something that no request waits for. Its failure is reported by the next
 * order with an answer.
 */
function mark(work: () => void): void {
  if (spoiled !== undefined) return;
  try {
    work();
  } catch (thrown) {
    spoiled = failureOf(thrown);
  }
}

function answerTo(id: number, work: () => Omit<Answer, "id">): Answer {
  try {
    return { id, ...work() };
  } catch (thrown) {
    return { id, failure: failureOf(thrown) };
  }
}

function run(
  text: string,
  parameters: Values,
): Omit<Answer, "id"> {
  if (spoiled !== undefined) return { failure: spoiled };
  const { statement, names } = prepare(text);
  if (names.length > 0) return { names, rows: statement.all(...parameters) };
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { changes, lastInsertRowid };
}

function end(how: "commit" | "rollback"): Omit<Answer, "id"> {
  if (how === "commit") {
    if (spoiled !== undefined) return { failure: spoiled };
    prepare("commit").statement.run();
  } // SQLite itself rolls back when, for example, the disk is full.
  else if (connection().isTransaction) prepare("rollback").statement.run();
  spoiled = undefined;
  return {};
}

/**
 * Moves the log into the database when it is long, and reports a failure.
 * SQLite's automatic checkpoint, within a commit, does not report that it could
 * not sync the log: commits without a sync could be lost, and with them all
 * later ones, even synced ones.
 */
function checkpointOrTell(): void {
  try {
    if (Number(log?.held.get()?.["log"]) >= CHECKPOINT_PAGES) log?.move.get();
  } catch (thrown) {
    const failure = failureOf(thrown);
    // Nothing was moved; the log is moved once the disk has room.
    if (failure.errcode === FULL) return;
    self.postMessage([{ lost: failure }]);
  }
}

/** Carries out an order; returns the answer if the sender waits for it. */
function carryOut(order: Order): Answer | undefined {
  switch (order.kind) {
    case "open":
      return answerTo(order.id, () => {
        sqlite = new DatabaseSync(order.path, {
          enableForeignKeyConstraints: true,
          timeout: order.busyTimeoutMs,
        });
        isSynced = true;
        spoiled = undefined;
        for (const pragma of order.pragmas) sqlite.exec(pragma);
        sqlite.exec("pragma wal_autocheckpoint = 0");
        sqlite.exec(`pragma journal_size_limit = ${LOG_KEPT_BYTES}`);
        log = {
          held: sqlite.prepare("pragma wal_checkpoint(noop)"),
          move: sqlite.prepare("pragma wal_checkpoint(passive)"),
        };
        return {};
      });
    case "begin":
      mark(() => {
        syncCommits(order.synced);
        prepare("begin immediate").statement.run();
      });
      return undefined;
    case "mark":
      mark(() => {
        prepare(order.sql).statement.run(...order.parameters);
      });
      return undefined;
    case "run":
      return answerTo(order.id, () => run(order.sql, order.parameters));
    case "change":
      return answerTo(order.id, () => {
        if (spoiled !== undefined) return { failure: spoiled };
        connection().exec(order.sql);
        return {};
      });
    case "end":
      return answerTo(order.id, () => end(order.how));
    case "close":
      return answerTo(order.id, () => {
        prepared.clear();
        log = undefined;
        connection().close();
        sqlite = undefined;
        return {};
      });
    default:
      // No caller sends such an order; carrying on could write what was not
      // asked for.
      throw new Error("the writer was sent what it does not know");
  }
}

self.onmessage = ({ data }) => {
  const answers = [];
  for (const order of data) {
    const answer = carryOut(order);
    if (answer !== undefined) answers.push(answer);
  }
  if (answers.length > 0) self.postMessage(answers);
  if (sqlite?.isTransaction !== false) return;
  // Done after the answers are sent, so that no request waits for it.
  syncCommits(true);
  checkpointOrTell();
};
