/**
 * Signed requests to an S3-compatible store (AWS Signature Version 4), with
 * time limits and retries.
 *
 * Only the store's own answers are trusted: a 404 without `NoSuchKey` may come
 * from a proxy, or be about a missing bucket, and says nothing about a blob.
 *
 * @module
 */
import { AwsV4Signer } from "aws4fetch";
import type { Platform } from "../../../core/platform.ts";
import { rootReasonOf } from "../../../core/reason.ts";
import { MINUTE_MS, SECOND_MS } from "../../../core/time.ts";
import { Circuit } from "./circuit.ts";
import { addressOf, type S3Place } from "./settings.ts";
import { textOf } from "./xml.ts";

/** The operations, by their names in the metrics. */
const S3_OPERATIONS = [
  "put",
  "get",
  "delete",
  "list",
  "multipart",
] as const;
type S3Operation = typeof S3_OPERATIONS[number];

interface S3Request {
  readonly operation: S3Operation;
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** The key after the prefix; undefined for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the body, hex, which the store may check. */
  readonly sha256?: string;
  /** Number of attempts; a few by default. */
  readonly attempts?: number;
}

/** A final answer that is no success. */
export interface S3Refusal {
  readonly status: number;
  /** The store's code, such as `NoSuchKey`. */
  readonly code: string;
}

/** An answer. The caller has to read or cancel its body. */
export type S3Answer =
  | { readonly ok: true; readonly response: Response }
  | { readonly ok: false; readonly refusal: S3Refusal };

/** Requests since the start. */
interface S3Counts {
  readonly answered: ReadonlyMap<S3Operation, number>;
  /** Attempts without a valid answer. */
  readonly failed: ReadonlyMap<S3Operation, number>;
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;
/** Slowest rate at which a body may be sent (bytes a second). */
const SLOWEST = 128 * 1024;
/** Largest error text that is read (bytes). */
const ERROR_MAX_BYTES = 64 * 1024;
const EMPTY_SHA256 =
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const NEVER = new AbortController().signal;

/** Refusals that may be temporary. */
const PASSING: ReadonlySet<string> = new Set([
  "InternalError",
  "OperationAborted",
  "ConditionalRequestConflict",
  "RequestTimeout",
  "ServiceUnavailable",
  "SlowDown",
  "Throttling",
  "TooManyRequests",
]);

/** Refusals that are about the requested object. */
const FINAL: ReadonlySet<string> = new Set([
  "BadDigest",
  "InvalidArgument",
  "InvalidPart",
  "InvalidRange",
  "InvalidRequest",
  "NoSuchKey",
  "NoSuchUpload",
  "NotImplemented",
  "PreconditionFailed",
  "XAmzContentSHA256Mismatch",
]);

/**
 * The store refuses the caller; no request can succeed before that is fixed.
 */
export class S3Denied extends Error {
  override readonly name = "S3Denied";
}

/**
 * The store refused a request because of its date, and did not carry it out.
 */
class Skewed extends Error {}

type ClientPlatform = Pick<
  Platform,
  "now" | "monotonic" | "random" | "sleep" | "fetch"
>;

export class S3Client {
  readonly circuit: Circuit;
  /** How far the store's clock is ahead of this one's (ms). */
  skewMs = 0;
  readonly #answered = new Map<S3Operation, number>();
  readonly #failed = new Map<S3Operation, number>();

  constructor(
    readonly place: S3Place,
    private readonly platform: ClientPlatform,
  ) {
    this.circuit = new Circuit(platform.monotonic);
  }

  get counts(): S3Counts {
    return { answered: this.#answered, failed: this.#failed };
  }

  /**
   * Sends a request, and repeats it after a pause if there is no valid answer.
   * Throws a `BlobsUnavailable` if all attempts fail.
   */
  async send(request: S3Request): Promise<S3Answer> {
    const { attempts = ATTEMPTS } = request;
    for (let attempt = 1;; attempt++) {
      this.circuit.enter();
      try {
        const answer = await this.#inTime(request);
        this.circuit.succeeded();
        count(this.#answered, request.operation);
        return answer;
      } catch (cause) {
        const why = rootReasonOf(cause);
        this.circuit.failed(why);
        count(this.#failed, request.operation);
        if (attempt >= attempts || cause instanceof S3Denied) {
          throw this.circuit.unavailable(why, 0, cause);
        }
        await this.#pause(attempt);
      }
    }
  }

  /**
   * Repeats a request at once if it was refused for its date; that does not
   * count as an attempt.
   */
  async #inTime(request: S3Request): Promise<S3Answer> {
    try {
      return await this.#once(request);
    } catch (cause) {
      if (!(cause instanceof Skewed)) throw cause;
      return await this.#once(request);
    }
  }

  async #sign({ method, key, query, headers, sha256 }: S3Request) {
    const url = addressOf(this.place, key);
    for (const [name, value] of Object.entries(query ?? {})) {
      url.searchParams.set(name, value);
    }
    const at = new Date(this.platform.now() + this.skewMs);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, "x-amz-content-sha256": sha256 ?? EMPTY_SHA256 },
      accessKeyId: this.place.accessKeyId,
      secretAccessKey: this.place.secretAccessKey,
      region: this.place.region,
      service: "s3",
      datetime: at.toISOString().replace(/[:-]|\.\d{3}/g, ""),
    });
    return await signer.sign();
  }

  async #once(request: S3Request): Promise<S3Answer> {
    const { method, body } = request;
    const { url, headers } = await this.#sign(request);
    const sendMs = (body?.length ?? 0) / SLOWEST * SECOND_MS;
    const response = await this.within(
      this.place.timeoutMs + sendMs,
      (signal) =>
        this.platform.fetch(url, {
          method,
          headers,
          redirect: "manual",
          signal,
          ...(body === undefined ? {} : { body }),
        }),
    );
    if (response.ok) return { ok: true, response };
    return { ok: false, refusal: await this.#refusalOf(response) };
  }

  /**
   * Reads the store's refusal; throws if it is not about the requested object.
   */
  async #refusalOf(response: Response): Promise<S3Refusal> {
    const { status } = response;
    const text = await this.readText(response, ERROR_MAX_BYTES);
    const code = textOf(text, "Code");
    if (code === "RequestTimeTooSkewed") {
      this.#followClock(response);
      throw new Skewed(code);
    }
    if (status === 412) return { status, code: "PreconditionFailed" };
    if (status === 416) return { status, code: "InvalidRange" };
    if (code !== undefined && FINAL.has(code)) return { status, code };
    const said = `${status}${code === undefined ? "" : ` ${code}`}`;
    const mayPass = status >= 500 || status === 429 || status === 408 ||
      code === undefined || PASSING.has(code);
    throw mayPass ? new Error(said) : new S3Denied(said);
  }

  /**
   * Signs by the store's clock from now on, because it accepts only 15 minutes
   * of difference.
   */
  #followClock(response: Response): void {
    const theirs = Date.parse(response.headers.get("date") ?? "");
    if (Number.isNaN(theirs)) return;
    this.skewMs = theirs - this.platform.now();
  }

  /** Runs work that is aborted after `ms`. */
  async within<T>(
    ms: number,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const over = new AbortController();
    const done = new AbortController();
    this.platform.sleep(ms, done.signal).then(() => {
      if (done.signal.aborted) return;
      over.abort(new Error(`no answer within ${ms / SECOND_MS} seconds`));
    });
    try {
      return await work(over.signal);
    } finally {
      done.abort();
    }
  }

  /** The body of an answer as text; throws if it is longer than `maxBytes`. */
  async readText(response: Response, maxBytes: number): Promise<string> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this.pieces(response)) {
      length += piece.length;
      if (length > maxBytes) throw new Error("an answer that does not end");
      pieces.push(piece);
    }
    return await new Blob(pieces.map((one) => one.slice())).text();
  }

  /** The body of an answer piece by piece, with a time limit for each piece. */
  async *pieces(response: Response): AsyncGenerator<Uint8Array, void, void> {
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    try {
      for (;;) {
        const { done, value } = await this.within(
          this.place.timeoutMs,
          (signal) => orAbort(reader.read(), signal),
        );
        if (done) return;
        yield value;
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /**
   * Pauses before the next attempt: longer each time, and at random, so that
   * requests spread.
   */
  async #pause(attempt: number): Promise<void> {
    const [drawn = 0] = this.platform.random(1);
    const ms = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + drawn / 512);
    await this.platform.sleep(Math.min(ms, MINUTE_MS), NEVER);
  }
}

function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), {
      once: true,
    });
    work.then(resolve, reject);
  });
}

function count(counts: Map<S3Operation, number>, operation: S3Operation) {
  counts.set(operation, (counts.get(operation) ?? 0) + 1);
}
