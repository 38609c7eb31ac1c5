/**
 * The threads that write, kept from one test to the next: to start one takes as
 * long as all else that an application needs to open. What runs in them is the
 * program's own.
 *
 * @module
 */
import {
  startWriterThread,
  type WriterThread,
} from "../../src/store/sqlite/writer.ts";

/** Those whose database was closed. */
const idle: WriterThread[] = [];

/** A thread that had a database before, or a new one. */
export function lendWriter(): WriterThread {
  return new LentWriter(idle.pop() ?? startWriterThread());
}

class LentWriter implements WriterThread {
  onmessage: WriterThread["onmessage"] = null;
  onerror: WriterThread["onerror"] = null;
  onmessageerror: WriterThread["onmessageerror"] = null;
  readonly #thread: WriterThread;
  /** The order to close the database, once it was given. */
  #closing: number | undefined;
  #isClosed = false;
  #isOver = false;

  constructor(thread: WriterThread) {
    this.#thread = thread;
    thread.onmessage = (event) => {
      for (const { id, failure } of event.data) {
        if (id === this.#closing && failure === undefined) {
          this.#isClosed = id !== undefined;
        }
      }
      this.onmessage?.(event);
    };
    thread.onerror = (event) => this.onerror?.(event);
    thread.onmessageerror = (event) => this.onmessageerror?.(event);
  }

  postMessage(orders: Parameters<WriterThread["postMessage"]>[0]): void {
    // What comes late would be answered to the next that has the thread; the
    // writer itself refuses what waits when it closes.
    if (this.#isOver || this.#closing !== undefined) return;
    const closing = orders.find(({ kind }) => kind === "close");
    if (closing?.kind === "close") this.#closing = closing.id;
    this.#thread.postMessage(orders);
  }

  /** Keeps the thread for the next where its database is closed. */
  terminate(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#isClosed) idle.push(this.#thread);
    else this.#thread.terminate();
  }
}
