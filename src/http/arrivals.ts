/**
 * Bodies that are arriving, held within bounds: who sends one in a great many
 * pieces or hardly at all is not waited for, and the memory that all of them
 * take together has a ceiling. The runtime has no time-out of its own.
 *
 * @module
 */
import type { Platform } from "../core/platform.ts";
import { MINUTE_MS } from "../core/time.ts";

type Sleep = Platform["sleep"];

/** For what is waited for whatever happens. */
const NEVER = new AbortController().signal;

/** How much of a body was read so far. */
export interface Received {
  bytes: number;
  /** Told when all of it is in, or no more of it is wanted. */
  readonly onEnd?: (() => void) | undefined;
}

/** Reads a body piece by piece. */
export interface BodyReader {
  /**
   * The next piece, good until the one after it is asked for; or the end.
   * Throws a {@link BodyEnded} for a body that is not waited for any longer.
   */
  read(): Promise<Uint8Array | undefined>;
  /** Says how much memory the reader's side holds of the body, in bytes. */
  hold(bytes: number): void;
  /** Ends a read that is under way; the rest of the body is given up. */
  cancel(): void;
}

/** A body that this server has ended, rather than its sender. */
export class BodyEnded extends Error {
  override readonly name = "BodyEnded";
}

/** What a body is to bring, and in what time. */
export interface Pace {
  readonly bytes: number;
  readonly withinMs: number;
}

/** Slower than the slowest of mobile networks. */
export const PACE: Pace = { bytes: 16 * 1024, withinMs: MINUTE_MS };

/**
 * Pieces of a body come in up to this size (bytes). The runtime pays for the
 * whole buffer at each read, however little comes. Larger ones for fast senders
 * cost a fifth less of the processor, but of a body that stalls and is ended
 * the runtime keeps them: 700 such uploads took 800 MiB instead of 420.
 */
const PIECE_BYTES = 32 * 1024;
/** Every piece costs the same, however small: this many are free, ... */
const FREE_PIECES = 1_024;
/** ... and then they are to have this many bytes in the mean. */
const MEAN_PIECE_BYTES = 128;
/** A piece below this is a small one; proxies bring larger ones. */
const SMALL_PIECE_BYTES = 2 * 1024;
/** Others have their turn after so many small pieces. */
const PIECES_A_TURN = 64;

/** What a connection and a body cost before a byte is there. */
const LEAST_BYTES = 64 * 1024;
/** What all the bodies that are arriving may hold together. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

interface Arrival {
  held: number;
  readonly end: (why: string) => void;
}

/** The bodies of one client address. */
interface Sender {
  held: number;
  readonly arrivals: Set<Arrival>;
}

/** All bodies that are arriving at one server. */
export class Arrivals {
  readonly #senders = new Map<string, Sender>();
  #held = 0;

  constructor(
    private readonly sleep: Sleep,
    private readonly pace: Pace = PACE,
    private readonly maxHeldBytes: number = MAX_HELD_BYTES,
  ) {}

  /** Opens a body of a client address; `expected` is its declared length. */
  open(
    stream: ReadableStream<Uint8Array>,
    received: Received,
    from: string,
    expected?: number,
  ): BodyReader {
    const source = openSource(stream, expected);
    let ended: BodyEnded | undefined;
    let stopWaiting: (() => void) | undefined;
    let pieces = 0;
    let small = 0;
    let open = true;
    const end = (why: string) => {
      if (ended !== undefined) return;
      ended = new BodyEnded(why);
      close();
    };
    const closing = new AbortController();
    const watch = async () => {
      for (;;) {
        const before = received.bytes;
        await this.sleep(this.pace.withinMs, closing.signal);
        if (!open) return;
        if (stopWaiting === undefined) continue;
        if (received.bytes - before < this.pace.bytes) {
          end("the body comes too slowly");
        }
      }
    };
    const arrival: Arrival = { held: LEAST_BYTES, end };
    const leave = this.#enter(from, arrival);
    const close = () => {
      if (!open) return;
      open = false;
      closing.abort();
      leave();
      stopWaiting?.();
      letGo(source, this.sleep);
    };
    void watch();
    this.#makeRoom();
    return {
      read: async () => {
        if (small >= PIECES_A_TURN) {
          small = 0;
          await this.sleep(0, NEVER);
        }
        const piece = open
          ? await new Promise<Uint8Array | undefined>((resolve, reject) => {
            stopWaiting = () => resolve(undefined);
            source.read().then(resolve, reject);
          })
          : undefined;
        stopWaiting = undefined;
        if (ended !== undefined) throw ended;
        if (!open || piece === undefined) {
          received.onEnd?.();
          return undefined;
        }
        received.bytes += piece.length;
        pieces += 1;
        // In a row: nginx sends each buffer as a large piece and a small one,
        // and a turn given away in a body that comes fast costs it dearly.
        small = piece.length < SMALL_PIECE_BYTES ? small + 1 : 0;
        if (pieces > FREE_PIECES + received.bytes / MEAN_PIECE_BYTES) {
          end("the body comes in too many pieces");
        }
        return piece;
      },
      hold: (bytes) => this.#hold(from, arrival, bytes),
      cancel: close,
    };
  }

  #enter(from: string, arrival: Arrival): () => void {
    const sender = this.#senders.get(from) ?? { held: 0, arrivals: new Set() };
    this.#senders.set(from, sender);
    sender.arrivals.add(arrival);
    sender.held += arrival.held;
    this.#held += arrival.held;
    return () => {
      if (!sender.arrivals.delete(arrival)) return;
      sender.held -= arrival.held;
      this.#held -= arrival.held;
      if (sender.arrivals.size === 0) this.#senders.delete(from);
    };
  }

  #hold(from: string, arrival: Arrival, bytes: number): void {
    const sender = this.#senders.get(from);
    if (sender?.arrivals.has(arrival) !== true) return;
    const more = Math.max(LEAST_BYTES, bytes) - arrival.held;
    arrival.held += more;
    sender.held += more;
    this.#held += more;
    this.#makeRoom();
  }

  /** The address that holds most loses its oldest body: none fills it all. */
  #makeRoom(): void {
    while (this.#held > this.maxHeldBytes) {
      let most: Sender | undefined;
      for (const sender of this.#senders.values()) {
        if (most === undefined || sender.held > most.held) most = sender;
      }
      const first = most?.arrivals.values().next().value;
      if (first === undefined) return;
      first.end("bodies that are arriving hold too much memory");
    }
  }
}

/** A body's pieces, one after the other. */
interface Source {
  /** Whether a piece was asked for that has not come, nor the end. */
  readonly isWaiting: () => boolean;
  /** Whether it came to its end, or broke. */
  readonly isOver: () => boolean;
  read(): Promise<Uint8Array | undefined>;
  cancel(): void;
}

/** An answer is on its way within this time. */
const ANSWER_MS = 300;

/**
 * Gives up the rest of a body. The runtime (2.9.6) never closes the connection
 * of a body that was cancelled, or not looked at, before its answer: not even
 * where the server shuts down. One that is being read by then it closes when
 * the body is cancelled, at the latest when the server shuts down.
 */
function letGo(source: Source, sleep: Sleep): void {
  if (source.isOver()) return;
  if (!source.isWaiting()) source.read().catch(() => undefined);
  void sleep(ANSWER_MS, NEVER).then(() => source.cancel());
}

/** Discards a request's body that was not read. */
export function letGoUnread(request: Request, sleep: Sleep): void {
  try {
    const { body } = request;
    if (body !== null && !body.locked) {
      letGo(openSource(body, undefined), sleep);
    }
  } catch {
    // The client is gone, and its body with it.
  }
}

/**
 * Where the stream allows, every piece comes in one and the same buffer: each
 * would otherwise keep tens of kilobytes until it is collected, however small.
 */
function openSource(
  stream: ReadableStream<Uint8Array>,
  expected: number | undefined,
): Source {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: "byob" });
  } catch {
    const plain = stream.getReader();
    return watched(
      async () => (await plain.read()).value,
      () => plain.cancel(),
    );
  }
  const size = Math.min(PIECE_BYTES, Math.max(1, expected ?? PIECE_BYTES));
  let buffer = new ArrayBuffer(size);
  return watched(async () => {
    const { done, value } = await reader.read(new Uint8Array(buffer));
    if (done || value === undefined) return undefined;
    buffer = value.buffer;
    return value;
  }, () => reader.cancel());
}

function watched(
  read: () => Promise<Uint8Array | undefined>,
  cancel: () => Promise<void>,
): Source {
  let isWaiting = false;
  let isOver = false;
  return {
    isWaiting: () => isWaiting,
    isOver: () => isOver,
    async read() {
      isWaiting = true;
      try {
        const piece = await read();
        isOver = piece === undefined;
        return piece;
      } catch (broken) {
        isOver = true;
        throw broken;
      } finally {
        isWaiting = false;
      }
    },
    cancel: () => void cancel().catch(() => undefined),
  };
}
