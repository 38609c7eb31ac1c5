/**
 * A place off the premises: objects by their keys, and nothing else. Three
 * kinds of it are in this directory, and nobody above knows which it is.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";

/** An object, as a list names it. */
export interface RemoteObject {
  readonly key: string;
  readonly size: number;
  /** When it was put, by the place's own clock (ms). */
  readonly modifiedAt: number;
}

/** What is to be put. It may be asked for again from its start. */
export interface Outgoing {
  readonly size: number;
  /** Throws at its end where it is not what it was to be: nothing is put. */
  pieces(): AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** An object that is read. */
export interface Incoming {
  readonly size: number;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** A place; every method throws a {@link RemoteUnavailable} without it. */
export interface Remote {
  /** As it was named, for people. */
  readonly name: string;
  /** Puts an object, over whatever is there: whole, or not at all. */
  put(key: string, object: Outgoing): Promise<void>;
  /**
   * Puts a small object unless one is there. Where the place knows no
   * conditions, whoever comes last wins: what lies there is looked at.
   */
  putIfAbsent(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Undefined where it is not there; `size` spares a question if known. */
  get(key: string, size?: number): Promise<Incoming | undefined>;
  /** What is behind a prefix that ends with a slash, or all; in any order. */
  list(
    under: string,
  ): AsyncGenerator<readonly RemoteObject[], void, void>;
  /**
   * Removes an object that may be there. Where it throws, that may be carried
   * out later.
   */
  remove(key: string): Promise<void>;
  /** Requests so far, by what they were; empty where nobody counts them. */
  readonly requests: ReadonlyMap<string, number>;
  close(): void;
}

/** The place does not answer, or not as it should. */
export class RemoteUnavailable extends OperatorFault {
  constructor(name: string, why: string, cause?: unknown) {
    super(
      `${name} does not answer as it should (${why}): see to it and to the ` +
        "way there, and run this again; every generation that was whole is " +
        "whole still",
    );
    this.cause = cause;
  }
}

/** A small object's bytes, of so many at most. */
export async function wholeOf(
  { size, pieces }: Incoming,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (size > maxBytes) return undefined;
  const whole = new Uint8Array(size);
  let at = 0;
  for await (const piece of pieces) {
    if (at + piece.length > size) return undefined;
    whole.set(piece, at);
    at += piece.length;
  }
  return at === size ? whole : undefined;
}

/** Small bytes on their way out. */
export function outgoing(bytes: Uint8Array<ArrayBuffer>): Outgoing {
  return {
    size: bytes.length,
    async *pieces() {
      yield bytes;
    },
  };
}
