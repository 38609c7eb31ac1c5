/**
 * The thread that owns the writing connection: an fsync takes 10 to 50 ms on a
 * memory card, which the event loop does not have. It imports nothing of the
 * program, so that whoever may run it need read this file alone.
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
/** Statements that are kept prepared, by their SQL text. */
const MAX_PREPARED = 500;
/** The log is moved into the database once it holds so many pages. */
const CHECKPOINT_PAGES = 1_000;
/**
 * Beside a long read, such as a backup's, the log cannot be moved and grows.
 * It is cut to this afterwards: it would lie there for ever.
 */
const LOG_KEPT_BYTES = 64 * 1024 * 1024;

let sqlite: DatabaseSync | undefined;
/** Tells how many pages the log holds, and moves them into the database. */
let log:
  | { readonly held: StatementSync; readonly move: StatementSync }
  | undefined;
/** A statement, and what its columns are called, if it answers rows. */
interface Prepared {
  readonly statement: StatementSync;
  readonly names: readonly string[];
}

const prepared = new Map<string, Prepared>();
/** Whether commits are synced, as the connection has it now. */
let isSynced = true;
/** Why the transaction that is open cannot go on. */
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
  // Names and values apart: rows as objects would be dear to make and to send.
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const made = { statement, names };
  prepared.set(text, made);
  return made;
}

/** An error's fields by name: cloning an error keeps none of SQLite's. */
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

/** What nobody waits for: its failure is that of whatever comes after it. */
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
  } // SQLite rolls back by itself where it finds the disk full, for one.
  else if (connection().isTransaction) prepare("rollback").statement.run();
  spoiled = undefined;
  return {};
}

/**
 * Left to itself, SQLite moves the log within a commit and keeps to itself
 * that it could not sync it: what was committed without a sync would be gone,
 * and with it all that comes after it, though that was synced.
 */
function checkpointOrTell(): void {
  try {
    if (Number(log?.held.get()?.["log"]) >= CHECKPOINT_PAGES) log?.move.get();
  } catch (thrown) {
    const failure = failureOf(thrown);
    // The log is as it was, and is moved once the database has room to grow.
    if (failure.errcode === FULL) return;
    self.postMessage([{ lost: failure }]);
  }
}

/** Carries an order out; answers it where somebody waits for that. */
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
      // Never sent. Going on regardless would be to write what nobody asked.
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
  // Beside what was asked, and after it: nobody waits for these.
  syncCommits(true);
  checkpointOrTell();
};
