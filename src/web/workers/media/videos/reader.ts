/**
 * Reading the bytes of a video in another thread than the vault's. The vault
 * decrypts them, and this thread asks for them over a port, in pieces that are
 * kept for a while.
 *
 * @module
 */
import {
  type Fault,
  ThreadError,
} from "../../../../client/stream/threads/thread_messages.ts";

/** Bytes of a piece: eight chunks of a blob. */
const PIECE_BYTES = 512 * 1024;
const MOST_PIECES = 24;

/** A request over the port. */
export interface AskedRange {
  readonly first: number;
  readonly last: number;
}

/** Its answer. */
export type AnsweredRange =
  | { readonly first: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly first: number; readonly fault: Fault };

/** A video is malformed or of an unsupported kind. */
export class VideoError extends Error {
  override readonly name = "VideoError";
}

/** Reads any bytes of a video. */
export class VideoReader {
  readonly #pieces = new Map<number, Promise<Uint8Array<ArrayBuffer>>>();
  readonly #waiting = new Map<number, (answer: AnsweredRange) => void>();

  constructor(readonly size: number, private readonly port: MessagePort) {
    port.onmessage = ({ data }: MessageEvent<AnsweredRange>) => {
      this.#waiting.get(data.first)?.(data);
      this.#waiting.delete(data.first);
    };
  }

  /**
   * Reads exactly `length` bytes; throws VideoError past the end of the video.
   */
  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.size)) {
      throw new VideoError("it says it has what it has not");
    }
    const out = new Uint8Array(length);
    const last = Math.floor((offset + Math.max(1, length) - 1) / PIECE_BYTES);
    const asked = [];
    for (let n = Math.floor(offset / PIECE_BYTES); n <= last; n++) {
      asked.push({ n, piece: this.#piece(n) });
    }
    for (const { n, piece } of asked) {
      const from = n * PIECE_BYTES;
      const bytes = await piece;
      const wanted = bytes.subarray(
        Math.max(0, offset - from),
        Math.max(0, offset + length - from),
      );
      out.set(wanted, Math.max(0, from - offset));
    }
    return out;
  }

  #piece(n: number): Promise<Uint8Array<ArrayBuffer>> {
    const held = this.#pieces.get(n) ?? this.#ask(n);
    this.#pieces.delete(n);
    this.#pieces.set(n, held);
    held.catch(() => this.#pieces.delete(n));
    for (const [oldest] of this.#pieces) {
      if (this.#pieces.size <= MOST_PIECES) break;
      this.#pieces.delete(oldest);
    }
    return held;
  }

  #ask(n: number): Promise<Uint8Array<ArrayBuffer>> {
    const first = n * PIECE_BYTES;
    const last = Math.min(first + PIECE_BYTES, this.size) - 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(first, (answer) => {
        if ("bytes" in answer) resolve(answer.bytes);
        else reject(new ThreadError(answer.fault));
      });
      this.port.postMessage({ first, last } satisfies AskedRange);
    });
  }
}
