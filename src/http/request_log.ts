/**
 * One line per request in the log, and the same for metrics
 * (watching/log.md). What a client sent stands in neither.
 *
 * @module
 */
import type { Log, Platform } from "../core/platform.ts";
import { QueueFull } from "../core/fair_queue.ts";
import type { Problem, ProblemCode } from "../core/problem.ts";

/** A request whose answer is about to be sent. */
export interface EndedRequest {
  readonly method: string;
  /** The operation's name; undefined where no route was found. */
  readonly operation: string | undefined;
  /** The route's path with its groups unfilled, such as `/s/{opaque_id}`. */
  readonly route: string | undefined;
  readonly status: number;
  /** The problem's code, of a refusal. */
  readonly code: ProblemCode | undefined;
  /** From the request's head to the answer's. */
  readonly durationMs: number;
  /** Bytes of the body that were read. */
  readonly bytesIn: number;
  /** Bytes that the answer announces. */
  readonly bytesOut: number;
}

/**
 * Makes the writer of request lines. A line's `request_id` is the instant at
 * which this was called and a count: nothing to guess, and no two alike over
 * restarts.
 */
export function createRequestLog(
  platform: Pick<Platform, "now" | "log">,
): (ended: EndedRequest, refused: Problem | undefined) => void {
  const start = platform.now().toString(36);
  let served = 0;
  return (ended, refused) => {
    const level = levelOf(ended, refused);
    const line = {
      operation: ended.operation ?? "none",
      status: ended.status,
      ...(ended.code === undefined ? {} : { code: ended.code }),
      duration_ms: Math.round(ended.durationMs * 100) / 100,
      bytes_in: ended.bytesIn,
      bytes_out: ended.bytesOut,
      request_id: `${start}-${served += 1}`,
      ...(refused?.cause === undefined
        ? {}
        : { cause: describe(refused.cause, level === "error") }),
    };
    platform.log[level]("request", line);
  };
}

/**
 * Refusals that are no fault of the program: they are warnings, and where they
 * were met says nothing.
 */
const WARNINGS: ReadonlySet<ProblemCode | undefined> = new Set([
  "error.request.host",
  "error.storage.quota_exceeded",
  "error.storage.full",
  "error.storage.unavailable",
]);

function levelOf(
  { status, code }: EndedRequest,
  refused: Problem | undefined,
): keyof Log {
  const isExpected = WARNINGS.has(code) || refused?.cause instanceof QueueFull;
  if (isExpected) return "warn";
  return status >= 500 ? "error" : "info";
}

/** Of a chain of causes so many are told. */
const CAUSES_TOLD = 6;
/** Of a stack so many frames are. */
const FRAMES_TOLD = 16;

/**
 * A cause for the log: the chain of what was thrown, innermost last, without
 * what may be a secret. Where it was thrown matters only for what should not
 * have happened.
 */
export function describe(
  cause: unknown,
  withStack: boolean,
  causes = CAUSES_TOLD,
): string {
  if (!(cause instanceof Error)) return discreet(String(cause));
  const text = `${cause.name}: ${discreet(cause.message)}` +
    (withStack ? framesOf(cause) : "");
  return cause.cause === undefined || causes <= 1
    ? text
    : `${text}, caused by ${describe(cause.cause, withStack, causes - 1)}`;
}

/** The frames name files and lines of the program; the message may be a text. */
function framesOf({ stack = "", message }: Error): string {
  const at = stack.indexOf(message);
  const below = at < 0 ? "" : stack.slice(at + message.length);
  return (below.match(/\n {4}at .*/g) ?? []).slice(0, FRAMES_TOLD).join("");
}

/**
 * Of a text so many characters are told. It is cut first: what is sought in it
 * costs the square of its length at worst.
 */
const TOLD_CHARACTERS = 512;

const ADDRESS = /[^\s"'`<>()[\]{},;:=]+@[^\s"'`<>()[\]{},;:=]+/g;
const RUN = /[A-Za-z0-9_-]{16,}/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * A text without login addresses, and without what is long and random enough
 * to be a token or a link's id. The ids of uploads and assets and the hashes
 * of blobs stay: they open nothing.
 */
export function discreet(text: string): string {
  return cut(text).replace(ADDRESS, "<address>").replace(
    RUN,
    (run) => {
      const random = /\d/.test(run) || run.length >= 40;
      return !random || UUID.test(run) || HASH.test(run) ? run : "<hidden>";
    },
  );
}

/** The beginning of a text, up to a gap: half a secret would not be known. */
function cut(text: string): string {
  if (text.length <= TOLD_CHARACTERS) return text;
  const gap = text.lastIndexOf(" ", TOLD_CHARACTERS);
  return `${text.slice(0, gap + 1)}...`;
}
