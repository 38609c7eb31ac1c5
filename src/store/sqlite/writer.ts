/**
 * The event loop's side of the writing connection, which has a thread of its
 * own. Transactions run one at a time, in the order of their requests.
 *
 * @module
 */
import type { Values } from "./sqlite.ts";
import type { Answer, Order, SqliteFailure } from "./writer_orders.ts";

/** Ends a turn to write. */
export type GiveBack = () => void;

/**
 * Thrown once nothing can be written any more: the thread died, or a commit
 * failed on the disk, whose content is unknown after that.
 */
export class WriterLost extends Error {
  override readonly name = "WriterLost";
  constructor(cause: Error) {
    super(`the database is written no more: ${cause.message}`, { cause });
  }
}

/** SQLITE_IOERR: the low byte of every I/O error's code. */
const IOERR = 10;
/**
 * SQLITE_IOERR_SHMSIZE: the log's index cannot grow. The disk is full, and
 * nothing was written.
 */
const IOERR_SHMSIZE = 4_874;
/** SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC. */
const IOERR_FSYNC = 1_034;
const IOERR_DIR_FSYNC = 1_290;

/** Orders are sent at the latest when this many are gathered. */
const MAX_ORDERS = 64;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (cause: Error) => void;
  /** Whether the order commits something. */
  readonly commits: boolean;
}

/** The part of `Worker` that the writer uses. */
export interface WriterThread {
  onmessage: ((event: MessageEvent<readonly Answer[]>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  postMessage(orders: readonly Order[]): void;
  terminate(): void;
}

/** Starts a thread, which has no connection yet. */
export function startWriterThread(): WriterThread {
  return new Worker(new URL("./writer_worker.ts", import.meta.url), {
    type: "module",
  });
}

export class Writer {
  readonly #thread: WriterThread;
  readonly #waiting = new Map<number, Waiting>();
  readonly #lost = Promise.withResolvers<WriterLost>();
  #loss: WriterLost | undefined;
  /**
   * Orders to send. Those without a waiting caller are sent with the next that
   * has one.
   */
  readonly #orders: Order[] = [];
  #lastId = 0;
  /** Resolves when the previous turn has ended. */
  #turn: Promise<void> = Promise.resolve();
  #isSynced = true;
  #onAnswer: () => void = () => {};
  #afterCommit: (durable: boolean) => void = () => {};

  private constructor(thread: WriterThread) {
    this.#thread = thread;
    this.#thread.onmessage = ({ data }) => {
      this.#onAnswer();
      for (const answer of data) this.#take(answer);
    };
    this.#thread.onerror = (event) => {
      event.preventDefault();
      this.#lose(new Error(`its thread ended: ${event.message}`));
    };
    this.#thread.onmessageerror = () => {
      this.#lose(new Error("its thread answered what cannot be read"));
    };
  }

  /** Starts the thread and opens a database file in it. */
  static async open(
    path: string,
    busyTimeoutMs: number,
    pragmas: readonly string[],
    startThread = startWriterThread,
  ): Promise<Writer> {
    const writer = new Writer(startThread());
    try {
      await writer.#ask((id) => ({
        kind: "open",
        id,
        path,
        busyTimeoutMs,
        pragmas,
      }));
      return writer;
    } catch (error) {
      writer.#thread.terminate();
      throw error instanceof WriterLost ? error.cause : error;
    }
  }

  /** Resolves with the reason once nothing can be written any more. */
  get lost(): Promise<WriterLost> {
    return this.#lost.promise;
  }

  /** Runs `work` before anybody receives the thread's answers. */
  onAnswer(work: () => void): void {
    this.#onAnswer = work;
  }

  /**
   * Runs `work` after each commit, before the code that committed goes on.
   * `durable` says whether the commit is on the disk.
   */
  afterCommit(work: (durable: boolean) => void): void {
    this.#afterCommit = work;
  }

  /** Waits for the turn to write. */
  async takeTurn(): Promise<GiveBack> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    return resolve;
  }

  /** Begins a transaction; a failure shows in the next answer. */
  begin(synced: boolean): void {
    this.#isSynced = synced;
    this.#orders.push({ kind: "begin", synced });
  }

  /** Sends a statement of a transaction without asking for its result. */
  mark(sql: string, parameters: Values): void {
    this.#orders.push({ kind: "mark", sql, parameters });
    if (this.#orders.length >= MAX_ORDERS) this.#send();
  }

  /** Runs a statement within a transaction. */
  run(sql: string, parameters: Values): Promise<Answer> {
    return this.#ask((id) => ({ kind: "run", id, sql, parameters }));
  }

  /** Runs statements of a migration within a transaction. */
  async change(sql: string): Promise<void> {
    await this.#ask((id) => ({ kind: "change", id, sql }));
  }

  /** Runs a statement that is a transaction of its own. */
  async runAlone(sql: string, parameters: Values): Promise<Answer> {
    const answer = await this.#ask(
      (id) => ({ kind: "run", id, sql, parameters }),
      true,
    );
    this.#afterCommit(true);
    return answer;
  }

  /**
   * Moves the write-ahead log into the database and empties it, so that values
   * that were replaced or deleted leave it as well. Does nothing if a reader
   * needs the log for longer than `patienceMs`.
   */
  async emptyLog(patienceMs: number, busyTimeoutMs: number): Promise<void> {
    const giveBack = await this.takeTurn();
    try {
      // All at once: the first failure is the one that tells, not that of what
      // follows a loss.
      await Promise.all([
        this.run(`pragma busy_timeout = ${patienceMs}`, []),
        this.#ask((id) => ({
          kind: "run",
          id,
          sql: "pragma wal_checkpoint(truncate)",
          parameters: [],
        }), true),
        this.run(`pragma busy_timeout = ${busyTimeoutMs}`, []),
      ]);
    } finally {
      giveBack();
    }
  }

  async commit(): Promise<void> {
    await this.#ask((id) => ({ kind: "end", id, how: "commit" }), true);
    this.#afterCommit(this.#isSynced);
  }

  async rollback(): Promise<void> {
    await this.#ask((id) => ({ kind: "end", id, how: "rollback" }));
  }

  /** Closes the database and ends the thread. */
  async close(): Promise<void> {
    try {
      if (this.#loss === undefined) {
        await this.#ask((id) => ({ kind: "close", id }));
      }
    } finally {
      this.#thread.terminate();
      const closed = new Error("it was closed");
      this.#loss ??= new WriterLost(closed);
      this.#rejectAll(this.#loss);
    }
  }

  #ask(orderOf: (id: number) => Order, commits = false): Promise<Answer> {
    if (this.#loss !== undefined) return Promise.reject(this.#loss);
    const id = this.#lastId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, commits });
      this.#orders.push(orderOf(id));
      this.#send();
    });
  }

  #send(): void {
    this.#thread.postMessage(this.#orders.splice(0));
  }

  #take({ id, failure, lost, ...answer }: Answer): void {
    if (lost !== undefined) return this.#lose(errorOf(lost));
    const waiting = this.#waiting.get(id ?? 0);
    if (waiting === undefined) return;
    this.#waiting.delete(id ?? 0);
    if (failure === undefined) return waiting.resolve(answer);
    const error = errorOf(failure);
    waiting.reject(error);
    if (isLoss(failure.errcode, waiting.commits)) this.#lose(error);
  }

  #lose(cause: Error): void {
    if (this.#loss !== undefined) return;
    this.#loss = new WriterLost(cause);
    this.#lost.resolve(this.#loss);
    this.#rejectAll(this.#loss);
  }

  #rejectAll(cause: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(cause);
  }
}

/** An error with the fields of one that `node:sqlite` throws. */
function errorOf({ message, ...fields }: SqliteFailure): Error {
  return Object.assign(new Error(message), fields);
}

/**
 * Whether an error leaves it unknown what is on the disk. After a failed fsync
 * the system may take pages for written that are not, and no later fsync says
 * so.
 */
function isLoss(errcode: unknown, commits: boolean): boolean {
  if (typeof errcode !== "number") return false;
  if (errcode === IOERR_FSYNC || errcode === IOERR_DIR_FSYNC) return true;
  return commits && (errcode & 0xff) === IOERR && errcode !== IOERR_SHMSIZE;
}
