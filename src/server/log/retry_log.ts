/**
 * How the log tells of work that is done again and again and fails for now.
 *
 * @module
 */
import type { Log } from "../../core/platform.ts";
import { describe } from "../../http/request_log.ts";
import { type Failure, failureOf } from "../../store/failure.ts";

/** What the system's own failures are, in words. */
const WORDS: Readonly<Partial<Record<Failure, string>>> = {
  full: "the disk is full; free some space",
  read_only: "the disk takes no writes; check it",
  io: "the disk fails; check it",
  forbidden: "the server's user may not; check the permissions",
};

/** Work that is tried again by itself, such as signing the public logs. */
export class Failing {
  #told: string | undefined;

  constructor(
    private readonly log: Pick<Log, "error" | "info">,
    /** What did not happen, as a sentence: `the public logs were not signed`. */
    private readonly what: string,
  ) {}

  /**
   * A failure of the system's is one line, until it is over: where in the
   * program it happened says nothing. Any other is told each time, with where.
   */
  failed(cause: unknown): void {
    const system = systemFailureOf(cause);
    const words = system && WORDS[system.failure];
    if (system === undefined || words === undefined) {
      this.log.error(this.what, { cause: describe(cause, true) });
      return;
    }
    if (this.#told === words) return;
    this.#told = words;
    this.log.error(`${this.what}: ${words}; it is tried again by itself`, {
      cause: describe(system.thrown, false),
    });
  }

  /** It went well. */
  succeeded(): void {
    if (this.#told === undefined) return;
    this.#told = undefined;
    this.log.info(`it went on again, after: ${this.what}`);
  }
}

/** The innermost failure of the system's in a chain of causes. */
function systemFailureOf(
  cause: unknown,
): { readonly failure: Failure; readonly thrown: unknown } | undefined {
  for (let thrown = cause, depth = 0; depth < 8; depth++) {
    const failure = failureOf(thrown);
    if (failure !== undefined) return { failure, thrown };
    if (!(thrown instanceof Error)) return undefined;
    thrown = thrown.cause;
  }
  return undefined;
}
