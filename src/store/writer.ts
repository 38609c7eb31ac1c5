/**
 * The writing connection, which a thread of its own has: what the event loop
 * knows of it. One transaction at a time, in the order in which they asked.
 *
 * @module
 */
import type { Values } from "./sqlite.ts";
import type { Answer, Order, SqliteFailure } from "./writer_orders.ts";

/** Whoever has the turn gives it back with this. */
export type GiveBack = () => void;

/**
 * Thrown once nothing is written any more: the thread died, or a commit met
 * the disk's refusal, after which nobody knows what is on it.
 */
export class WriterLost extends Error {
  override readonly name = "WriterLost";
  constructor(cause: Error) {
    super(`the database is written no more: ${cause.message}`, { cause });
  }
}

/** SQLITE_IOERR, the low byte of every such code. */
const IOERR = 10;
/** The index of the log cannot grow: a full disk, before anything is written. */
const IOERR_SHMSIZE = 4_874;
/** SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC. */
const IOERR_FSYNC = 1_034;
const IOERR_DIR_FSYNC = 1_290;

/** Orders are sent at the latest when there are so many. */
const MAX_ORDERS = 64;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (cause: Error) => void;
  /** Whether what is waited for makes something durable. */
  readonly commits: boolean;
}

/** A worker's outside, as far as it is used. */
export interface WriterThread {
  onmessage: ((event: MessageEvent<readonly Answer[]>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  postMessage(orders: readonly Order[]): void;
  terminate(): void;
}

/** A thread that owns no connection yet. */
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
  /** What nobody waits for goes with what somebody does. */
  readonly #orders: Order[] = [];
  #lastId = 0;
  /** Resolves when the turn before has ended. */
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

  /** Resolves, with why, once nothing is written any more. */
  get lost(): Promise<WriterLost> {
    return this.#lost.promise;
  }

  /** Has `work` done before anybody hears what the thread answers. */
  onAnswer(work: () => void): void {
    this.#onAnswer = work;
  }

  /**
   * Has `work` done after each commit, before whoever committed goes on, and
   * told whether it is durable.
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

  /** Begins a transaction; that it cannot be is told by what comes next. */
  begin(synced: boolean): void {
    this.#isSynced = synced;
    this.#orders.push({ kind: "begin", synced });
  }

  /** A statement within a transaction that nothing is expected of. */
  mark(sql: string, parameters: Values): void {
    this.#orders.push({ kind: "mark", sql, parameters });
    if (this.#orders.length >= MAX_ORDERS) this.#send();
  }

  /** A statement within a transaction. */
  run(sql: string, parameters: Values): Promise<Answer> {
    return this.#ask((id) => ({ kind: "run", id, sql, parameters }));
  }

  /** A statement that is a transaction of its own. */
  async runAlone(sql: string, parameters: Values): Promise<Answer> {
    const answer = await this.#ask(
      (id) => ({ kind: "run", id, sql, parameters }),
      true,
    );
    this.#afterCommit(true);
    return answer;
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

/** An error as `node:sqlite` throws it, for all that look at its fields. */
function errorOf({ message, ...fields }: SqliteFailure): Error {
  return Object.assign(new Error(message), fields);
}

/**
 * Whether it is unknown from now on what is on the disk. After a failed fsync
 * the system may call pages written that never were; no later one tells.
 */
function isLoss(errcode: unknown, commits: boolean): boolean {
  if (typeof errcode !== "number") return false;
  if (errcode === IOERR_FSYNC || errcode === IOERR_DIR_FSYNC) return true;
  return commits && (errcode & 0xff) === IOERR && errcode !== IOERR_SHMSIZE;
}
