/**
 * Long answers, held within bounds: each is read from its source only as its
 * client takes it, a client address has so many at a time, and a client that
 * takes nothing for a minute is not waited for. The runtime has no time-out of
 * its own.
 *
 * @module
 */
import type { Platform } from "../core/platform.ts";
import { MINUTE_MS } from "../core/time.ts";
import { describe } from "./request_log.ts";
import type { RequestInfo } from "./route.ts";

/** A client that takes nothing for so long is given up (ms). */
const PATIENCE_MS = MINUTE_MS;
/**
 * Answers of one client address that are not taken to their end; browsers ask
 * for six at once, and a few of them share an address. Each costs the server
 * half a mebibyte at most.
 */
export const MOST_UNREAD = 64;
/** More of them wait for their turn; when so many do, the next is refused. */
export const MOST_WAITING = 256;

const NEVER = new AbortController().signal;

/** The answers of one client address. */
interface Reader {
  unread: number;
  readonly waiting: Set<() => void>;
}

/** The right to send one long answer. */
interface Turn {
  /**
   * The answer, read from its source as it is taken. The turn ends with it, and
   * where the runtime says so when it was sent.
   */
  readonly send: (
    source: ReadableStream<Uint8Array>,
  ) => ReadableStream<Uint8Array>;
  /** Gives the turn to the next, without an answer. */
  readonly end: () => void;
}

/** All long answers of one server. */
export class UnreadAnswers {
  readonly #readers = new Map<string, Reader>();
  #reading = Promise.resolve();

  constructor(private readonly platform: Pick<Platform, "sleep" | "log">) {}

  /** Answers that are under way, of all addresses. */
  get count(): number {
    return this.#readers.values().reduce((sum, { unread }) => sum + unread, 0);
  }

  /**
   * Waits for a turn of a request's client address. Undefined where too many
   * wait already, or the client is gone.
   */
  async turn(
    { clientAddress, gone, sent }: Pick<
      RequestInfo,
      "clientAddress" | "gone" | "sent"
    >,
  ): Promise<Turn | undefined> {
    const reader = this.#readers.get(clientAddress) ??
      { unread: 0, waiting: new Set() };
    this.#readers.set(clientAddress, reader);
    if (reader.unread < MOST_UNREAD) reader.unread += 1;
    else if (reader.waiting.size >= MOST_WAITING) return undefined;
    else if (!await given(reader, gone())) return undefined;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      const next = reader.waiting.values().next().value;
      if (next !== undefined) return next();
      reader.unread -= 1;
      if (reader.unread === 0) this.#readers.delete(clientAddress);
    };
    return {
      send: (source) => {
        // What the client has not taken yet the runtime still holds.
        void sent?.().then(end, end);
        return this.#taken(source, sent === undefined ? end : () => {});
      },
      end,
    };
  }

  /**
   * Only one piece is read in a turn of the event loop, over all requests: a
   * piece may have to be expanded first, and all others wait meanwhile.
   */
  #afterOthers(): Promise<void> {
    return this.#reading = this.#reading
      .then(() => this.platform.sleep(0, NEVER));
  }

  #taken(
    source: ReadableStream<Uint8Array>,
    onEnd: () => void,
  ): ReadableStream<Uint8Array> {
    const reader = source.getReader();
    const ending = new AbortController();
    let taken = 0;
    let isReading = false;
    const end = () => {
      ending.abort();
      onEnd();
    };
    /** An answer that is shorter than announced ends its connection. */
    const cut = (controller: ReadableStreamDefaultController, why: unknown) => {
      if (ending.signal.aborted) return;
      end();
      controller.close();
      reader.cancel(why).catch(() => {});
    };
    const watch = async (controller: ReadableStreamDefaultController) => {
      for (let before = -1; !ending.signal.aborted;) {
        if (taken === before && !isReading) return cut(controller, "unread");
        before = taken;
        await this.platform.sleep(PATIENCE_MS, ending.signal);
      }
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => void watch(controller),
      pull: async (controller) => {
        isReading = true;
        try {
          await this.#afterOthers();
          const { value } = await reader.read();
          if (ending.signal.aborted) return;
          if (value === undefined) {
            end();
            controller.close();
          } else controller.enqueue(value);
        } catch (cause) {
          this.platform.log.warn("an answer was cut off", {
            cause: describe(cause, false),
          });
          cut(controller, cause);
        } finally {
          isReading = false;
          taken += 1;
        }
      },
      cancel: (why) => {
        end();
        return reader.cancel(why);
      },
    }, { highWaterMark: 0 });
  }
}

/** Whether another answer ended before the client was gone. */
function given({ waiting }: Reader, gone: AbortSignal): Promise<boolean> {
  if (gone.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (isGiven: boolean) => () => {
      waiting.delete(onTurn);
      gone.removeEventListener("abort", onGone);
      resolve(isGiven);
    };
    const onTurn = settle(true);
    const onGone = settle(false);
    waiting.add(onTurn);
    gone.addEventListener("abort", onGone);
  });
}
