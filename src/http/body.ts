/**
 * Reading request bodies within their limits (completions.md 1.5 and 1.6).
 *
 * @module
 */
import type { z } from "zod";
import type { FieldError } from "../core/catalogue.ts";
import type { Raise } from "../core/problem.ts";

/** How much of a body was read so far. */
export interface Received {
  bytes: number;
}

/** A body that has not been read yet. */
export interface BodyStream {
  /** The declared Content-Length in bytes; undefined for a chunked body. */
  readonly declaredBytes: number | undefined;
  /** The pieces as they come; null for a request without a body. */
  readonly stream: ReadableStream<Uint8Array> | null;
  readonly received: Received;
}

/** Pieces of a body come in up to this size (bytes). */
const PIECE_BYTES = 64 * 1024;

/** Reads a body piece by piece. */
export interface BodyReader {
  /** The next piece, good until the one after it is asked for; or the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Ends a read that is under way, and the body with it. */
  cancel(): void;
}

/**
 * Opens a body. Where the stream allows, every piece comes in one and the same
 * buffer: a large upload would otherwise leave all of itself to be collected.
 */
export function openBody(
  stream: ReadableStream<Uint8Array>,
  received: Received,
): BodyReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: "byob" });
  } catch {
    return openPlainBody(stream, received);
  }
  let buffer = new ArrayBuffer(PIECE_BYTES);
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done || value === undefined) return undefined;
      buffer = value.buffer;
      received.bytes += value.length;
      return value;
    },
    cancel: () => void reader.cancel().catch(() => undefined),
  };
}

function openPlainBody(
  stream: ReadableStream<Uint8Array>,
  received: Received,
): BodyReader {
  const reader = stream.getReader();
  return {
    async read() {
      const { value } = await reader.read();
      received.bytes += value?.length ?? 0;
      return value;
    },
    cancel: () => void reader.cancel().catch(() => undefined),
  };
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

/** The body of a request as a stream that was not touched yet. */
export function bodyStream(request: Request, received: Received): BodyStream {
  return {
    declaredBytes: declaredBytes(request),
    stream: request.body,
    received,
  };
}

/**
 * Reads a whole body of at most `limitBytes`. A declared length over the limit
 * is refused before a byte is read; a chunked body is cut off at the limit.
 */
export async function readBytes(
  request: Request,
  limitBytes: number,
  received: Received,
  raise: Raise<"error.request.too_large" | "error.request.malformed">,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = declaredBytes(request);
  if (declared !== undefined && declared > limitBytes) {
    throw raise("error.request.too_large");
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of request.body ?? []) {
      length += piece.length;
      received.bytes = length;
      if (length > limitBytes) break;
      pieces.push(piece);
    }
  } catch (cause) {
    throw raise("error.request.malformed", { cause });
  }
  if (length > limitBytes) throw raise("error.request.too_large");
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
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
  schema: z.ZodType,
  value: unknown,
  raise: Raise<"error.request.invalid">,
): unknown {
  const result = schema.safeParse(value, { reportInput: false });
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
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) =>
    `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`
  ).join("");
}
