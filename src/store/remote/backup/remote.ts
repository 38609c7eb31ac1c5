/**
 * A place off the premises: objects by their keys, and nothing else. This
 * directory has three kinds of places, and their callers do not know which they
 * have.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";

/** An object in a list. */
export interface RemoteObject {
  readonly key: string;
  readonly size: number;
  /** The time at which it was put, by the place's own clock (ms). */
  readonly modifiedAt: number;
}

/** An object that is to be put. Its pieces may be asked for several times. */
export interface Outgoing {
  readonly size: number;
  /** Throws at its end if the content is wrong: then nothing is put. */
  pieces(): AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** An object that is read. */
export interface Incoming {
  readonly size: number;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** A place. Its methods throw a {@link RemoteUnavailable} if it is away. */
export interface Remote {
  /** The name that the operator gave, for messages. */
  readonly name: string;
  /** Puts an object, over whatever is there: whole, or not at all. */
  put(key: string, object: Outgoing): Promise<void>;
  /**
   * Puts a small object unless one is there. A place without conditional
   * requests keeps the last of several, so callers read back what lies there.
   */
  putIfAbsent(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Undefined if it is not there. A known `size` saves a request. */
  get(key: string, size?: number): Promise<Incoming | undefined>;
  /**
   * Lists the objects behind a prefix that ends with a slash, or all for the
   * empty one; in any order.
   */
  list(
    under: string,
  ): AsyncGenerator<readonly RemoteObject[], void, void>;
  /**
   * Removes an object, if it is there. If this throws, the removal may still be
   * carried out later.
   */
  remove(key: string): Promise<void>;
  /**
   * How many requests of each kind were made; empty if they are not counted.
   */
  readonly requests: ReadonlyMap<string, number>;
  close(): void;
}

/** The place does not answer, or not as it should. */
export class RemoteUnavailable extends OperatorFault {
  constructor(name: string, why: string, cause?: unknown) {
    super(
      `${name} does not answer as expected (${why}): check it and the ` +
        "network, and run this again; every complete generation stays " +
        "complete",
    );
    this.cause = cause;
  }
}

/** The bytes of a small object; undefined if it has more than so many. */
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

/** A few bytes as an object to put. */
export function outgoing(bytes: Uint8Array<ArrayBuffer>): Outgoing {
  return {
    size: bytes.length,
    async *pieces() {
      yield bytes;
    },
  };
}
