/**
 * A bucket as a place off the premises: `s3://bucket/prefix`.
 *
 * From a store that does not verify the hash of a body each object is read back,
 * byte for byte. A request that fails is sent again for some minutes if that may
 * help, so that a short outage does not cost a night's backup.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Platform } from "../../../core/platform.ts";
import { MINUTE_MS, SECOND_MS } from "../../../core/time.ts";
import { S3Client, S3Denied } from "../s3/client.ts";
import { S3Objects } from "../s3/objects.ts";
import type { S3Place } from "../s3/settings.ts";
import { BlobsUnavailable } from "../../blobs/unavailable.ts";
import {
  type Incoming,
  type Outgoing,
  type Remote,
  type RemoteObject,
  RemoteUnavailable,
} from "./remote.ts";
import { chunksOf } from "./sealing.ts";

const MIB = 1024 * 1024;
/** A larger object is put in parts (bytes). */
const WHOLE_MAX_BYTES = 16 * MIB;
const PART_BYTES = 16 * MIB;
/** A store takes ten thousand parts at most. */
const PARTS_MAX = 9_000;
/** How much memory the objects on their way may take (bytes). */
const ROOM_BYTES = 64 * MIB;
/** How long a request is tried that may yet succeed. */
const PATIENCE_MS = 5 * MINUTE_MS;
/** The same of a store that has not answered yet, for the person who waits. */
export const FIRST_PATIENCE_MS = 15 * SECOND_MS;

/** How a place is waited for. */
export interface Waiting {
  /** Until it has answered for the first time (ms). */
  readonly firstMs: number;
  /** Is told once why it is waited for. */
  readonly onWait?: ((why: string) => void) | undefined;
}
/** How often an object is put that the store holds with other bytes. */
const PUTS = 3;
const NEVER = new AbortController().signal;

export class S3Remote implements Remote {
  readonly #objects: S3Objects;
  readonly #client: S3Client;
  readonly #memory = new MemoryBudget(ROOM_BYTES);
  #patienceMs: number;
  #isTold = false;

  constructor(
    readonly name: string,
    private readonly place: S3Place,
    private readonly platform: Platform,
    private readonly waiting: Waiting = { firstMs: PATIENCE_MS },
  ) {
    this.#patienceMs = waiting.firstMs;
    this.#client = new S3Client(place, platform);
    this.#objects = new S3Objects(this.#client, platform.random);
  }

  get requests(): ReadonlyMap<string, number> {
    return this.#client.counts.answered;
  }

  async put(key: string, object: Outgoing): Promise<void> {
    const { size } = object;
    const room = size <= WHOLE_MAX_BYTES ? size : partBytesOf(size);
    await this.#memory.within(room, async () => {
      for (let attempt = 1;; attempt++) {
        const isThere = size <= WHOLE_MAX_BYTES
          ? await this.#putWhole(key, object)
          : await this.#putParts(key, object);
        if (isThere) return;
        if (attempt === PUTS) {
          throw new RemoteUnavailable(
            this.name,
            "it does not hold what it was given",
          );
        }
      }
    });
  }

  async putIfAbsent(
    key: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    for (let attempt = 1;; attempt++) {
      const put = await this.#patiently(() =>
        this.#objects.put(key, bytes, sha256, { unlessThere: true })
      );
      if (put !== "corrupted") return;
      if (attempt < PUTS) continue;
      throw new RemoteUnavailable(this.name, "what it is sent is spoilt");
    }
  }

  async #putWhole(
    key: string,
    { size, pieces }: Outgoing,
  ): Promise<boolean> {
    const body = new Uint8Array(size);
    let at = 0;
    for await (const piece of pieces()) {
      body.set(piece, at);
      at += piece.length;
    }
    const sha256 = createHash("sha256").update(body).digest("hex");
    const put = await this.#patiently(() =>
      this.#objects.put(key, body, sha256, { unlessThere: false })
    );
    return put !== "corrupted" && await this.#isHeld(key, size, sha256);
  }

  async #putParts(key: string, object: Outgoing): Promise<boolean> {
    const { size } = object;
    return await this.#patiently(async () => {
      const whole = createHash("sha256");
      const parts = hashing(
        chunksOf(object.pieces(), partBytesOf(size)),
        (part) => {
          whole.update(part);
        },
      );
      const put = await this.#objects.putParts(key, parts, {
        unlessThere: false,
        verify: () => true,
      });
      if (put === "corrupted") return false;
      const sha256 = whole.digest("hex");
      // An earlier attempt may have put it and lost its answer: a look tells.
      return await this.#isHeld(key, size, sha256, put === "exists");
    });
  }

  /** Whether the store has what it was given, as far as it does not say. */
  async #isHeld(
    key: string,
    size: number,
    sha256: string,
    mustLook = false,
  ): Promise<boolean> {
    const { checksHashes } = await this.#patiently(() =>
      this.#objects.habits()
    );
    if (checksHashes && !mustLook) return true;
    return await this.#patiently(async () => {
      const pieces = await this.#objects.read(key, size);
      if (pieces === undefined) return false;
      const hash = createHash("sha256");
      for await (const piece of broken(pieces)) hash.update(piece);
      return hash.digest("hex") === sha256;
    });
  }

  async get(key: string, known?: number): Promise<Incoming | undefined> {
    return await this.#patiently(async () => {
      const size = known ?? await this.#objects.sizeOf(key);
      if (size === undefined) return undefined;
      if (size === 0) return { size, pieces: none() };
      const pieces = await this.#objects.read(key, size);
      if (pieces !== undefined) {
        return { size, pieces: this.#said(broken(pieces)) };
      }
      if (known === undefined) return undefined;
      // An object of another size is not the same as none.
      const found = await this.#objects.sizeOf(key);
      return found === undefined ? undefined : { size: found, pieces: none() };
    });
  }

  async *list(
    under: string,
  ): AsyncGenerator<readonly RemoteObject[], void, void> {
    let after: string | undefined;
    for (;;) {
      const { entries, isLast } = await this.#patiently(() =>
        this.#objects.page(under, after)
      );
      yield entries;
      if (isLast) return;
      after = entries.at(-1)?.key;
    }
  }

  async remove(key: string): Promise<void> {
    // Only once: a removal without an answer may still be carried out.
    try {
      await this.#objects.remove(key);
    } catch (cause) {
      throw this.#inWords(cause);
    }
  }

  close(): void {}

  /** Tries again for some minutes, unless that is known not to help. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { monotonic, sleep } = this.platform;
    const until = monotonic() + this.#patienceMs;
    for (;;) {
      try {
        const done = await work();
        this.#patienceMs = PATIENCE_MS;
        return done;
      } catch (cause) {
        if (
          !(cause instanceof BlobsUnavailable) ||
          cause.cause instanceof S3Denied || monotonic() >= until
        ) throw this.#inWords(cause);
        if (!this.#isTold) this.waiting.onWait?.(this.#whyOf(cause));
        this.#isTold = true;
        await sleep(cause.retryAfterSeconds * SECOND_MS, NEVER);
      }
    }
  }

  async *#said<T>(
    pieces: AsyncIterable<T>,
  ): AsyncGenerator<T, void, void> {
    try {
      yield* pieces;
    } catch (cause) {
      throw this.#inWords(cause);
    }
  }

  #inWords(cause: unknown): unknown {
    if (!(cause instanceof BlobsUnavailable)) return cause;
    return new RemoteUnavailable(this.name, this.#whyOf(cause), cause);
  }

  /** Who was asked, and the reason. */
  #whyOf(cause: BlobsUnavailable): string {
    const why = cause.message.replace(/^.*?: /, "");
    return `${this.place.endpoint}: ${why}`;
  }
}

function partBytesOf(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / PARTS_MAX / MIB) * MIB);
}

async function* hashing(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  visit: (part: Uint8Array) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  for await (const part of parts) {
    visit(part);
    yield part;
  }
}

/** Has an answer that breaks off count as none. */
async function* broken(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* pieces;
  } catch (cause) {
    if (cause instanceof BlobsUnavailable) throw cause;
    throw new BlobsUnavailable(String(cause), 1, { cause });
  }
}

async function* none(): AsyncGenerator<Uint8Array, void, void> {}

/**
 * A limit to the memory of what is on its way: work that needs more than is left
 * waits until other work has ended.
 */
class MemoryBudget {
  #used = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly maxBytes: number) {}

  /** Does work that needs so much. Work that is alone never waits. */
  async within<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    while (this.#used > 0 && this.#used + bytes > this.maxBytes) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#used += bytes;
    try {
      return await work();
    } finally {
      this.#used -= bytes;
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }
}
