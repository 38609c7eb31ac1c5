/**
 * Reading request bodies within their limits (protocol/transport.md#bodies).
 *
 * @module
 */
import { z } from "zod";
import type { FieldError } from "../core/catalogue.ts";
import type { Raise } from "../core/problem.ts";
import type { Arrivals, BodyReader, Received } from "./arrivals.ts";

/** A body that has not been read yet. */
export interface BodyStream {
  /** The declared Content-Length in bytes; undefined for a chunked body. */
  readonly declaredBytes: number | undefined;
  /** Begins to read it, once; undefined for a request without a body. */
  readonly open: () => BodyReader | undefined;
}

/** Whether the Content-Type names this media type; parameters do not count. */
export function isMediaType(request: Request, mediaType: string): boolean {
  const given = request.headers.get("content-type");
  if (given === null) return false;
  const essence = given.split(";", 1)[0] ?? "";
  return essence.trim().toLowerCase() === mediaType;
}

/** The declared Content-Length; undefined where none, or no number, is given. */
export function declaredBytes(request: Request): number | undefined {
  const given = request.headers.get("content-length");
  if (given === null || !/^\d{1,15}$/.test(given)) return undefined;
  return Number(given);
}

/** Where a body comes from, and how much of it came. */
export interface BodySource {
  readonly arrivals: Arrivals;
  readonly received: Received;
  readonly clientAddress: string;
}

/** The body of a request as a stream that was not touched yet. */
export function bodyStream(
  request: Request,
  { arrivals, received, clientAddress }: BodySource,
): BodyStream {
  const declared = declaredBytes(request);
  return {
    declaredBytes: declared,
    open: () =>
      request.body === null
        ? undefined
        : arrivals.open(request.body, received, clientAddress, declared),
  };
}

/**
 * Reads a whole body of at most `limitBytes`. A declared length over the limit
 * is refused before a byte is read; a chunked body is cut off at the limit.
 */
export async function readBytes(
  request: Request,
  limitBytes: number,
  source: BodySource,
  raise: Raise<"error.request.too_large" | "error.request.malformed">,
): Promise<Uint8Array<ArrayBuffer>> {
  const { declaredBytes: declared, open } = bodyStream(request, source);
  if (declared !== undefined && declared > limitBytes) {
    throw raise("error.request.too_large");
  }
  const reader = open();
  const gathered = new Gathered(declared);
  try {
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined) return gathered.take();
      if (gathered.length + piece.length > limitBytes) break;
      if (gathered.push(piece)) reader?.hold(gathered.capacity);
    }
  } catch (cause) {
    throw raise("error.request.malformed", { cause });
  } finally {
    reader?.cancel();
  }
  throw raise("error.request.too_large");
}

/** A declared length is believed up to here, and then as it comes true. */
const FIRST_BYTES = 64 * 1024;

/** Bytes in one buffer that grows with them. */
class Gathered {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(expected: number | undefined) {
    this.#bytes = new Uint8Array(Math.min(FIRST_BYTES, expected ?? 1_024));
  }

  get length(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  /** Appends a piece; whether the buffer had to grow for it. */
  push(piece: Uint8Array): boolean {
    const length = this.#length + piece.length;
    const grows = length > this.#bytes.length;
    if (grows) {
      const more = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      more.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = more;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
    return grows;
  }

  /** Everything, in a buffer of just that length. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#length === this.#bytes.length
      ? this.#bytes
      : this.#bytes.slice(0, this.#length);
  }
}

/** Parses JSON text (RFC 8259): UTF-8 without a byte order mark. */
export function parseJson(
  bytes: Uint8Array,
  raise: Raise<"error.request.malformed">,
): unknown {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return JSON.parse(decoder.decode(bytes));
  } catch {
    // The parser quotes what it stumbled over: a password, for one.
    throw raise("error.request.malformed", { cause: "not JSON in UTF-8" });
  }
}

/** Checks a parsed body against its schema; strict, so unknown keys refuse. */
export function parseShape(
  schema: z.core.$ZodType,
  value: unknown,
  raise: Raise<"error.request.invalid">,
): unknown {
  const result = z.safeParse(schema, value, { reportInput: false });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap(fieldErrors);
  throw raise("error.request.invalid", { extra: { errors } });
}

/** Errors of one body are listed up to here: the answer stays small. */
const MAX_KEYS_LISTED = 20;

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = jsonPointer(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, MAX_KEYS_LISTED).map((key) => ({
      path: path + jsonPointer([key]),
      message: "unknown key",
    }));
  }
  return [{ path, message: issue.message }];
}

/** A JSON Pointer (RFC 6901) to a place inside a body. */
function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) =>
    `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`
  ).join("");
}
