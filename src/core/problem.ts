/**
 * Problems (RFC 9457; protocol/transport.md#problems): how a code of the
 * catalogue is raised, so that only what a route declares can be.
 *
 * Nothing outside `http/` may build a response from a problem, and nothing in
 * `features/` may call {@link problem} itself: a feature receives a
 * {@link Raise} that is typed with the codes its route declares, so that an
 * undeclared code does not compile. `scripts/layers.ts` keeps it that way.
 *
 * @module
 */
import type { z } from "zod";
import { type ProblemKind, PROBLEMS } from "./catalogue.ts";
import type { ProblemCode } from "./problem_codes.ts";

export type { ProblemCode };

type Kind<C extends ProblemCode> = (typeof PROBLEMS)[C];

/** The extension fields of a code, as an object. */
type ProblemExtra<C extends ProblemCode> = Kind<C> extends
  { readonly extra: infer S extends z.ZodRawShape } ? z.output<z.ZodObject<S>>
  : never;

interface CommonOptions {
  /** The private reason: it is logged and never leaves the server. */
  readonly cause?: unknown;
  /** English text in place of the catalogue's. */
  readonly detail?: string;
}

type ProblemOptions<C extends ProblemCode> =
  & CommonOptions
  & ([ProblemExtra<C>] extends [never] ? unknown
    : { readonly extra: ProblemExtra<C> })
  & (Kind<C> extends { readonly retry: true }
    ? { readonly retryAfterSeconds: number }
    : Kind<C> extends
      | { readonly retry: "sometimes" }
      | { readonly retryAfterSeconds: number }
      ? { readonly retryAfterSeconds?: number | undefined }
    : unknown);

/**
 * The arguments that raise a code. Its extension fields and the seconds of its
 * `Retry-After` cannot be left out.
 */
type ProblemArguments<C extends ProblemCode> = C extends ProblemCode
  ? CommonOptions extends ProblemOptions<C>
    ? [code: C, options?: ProblemOptions<C>]
  : [code: C, options: ProblemOptions<C>]
  : never;

/**
 * Makes a problem out of a closed list of codes. A function that needs few
 * codes can be given a `Raise` of more codes, never the other way round. In
 * this way a route's declaration binds the functions below it.
 */
export type Raise<C extends ProblemCode> = (
  ...args: ProblemArguments<C>
) => Problem;

/** A refusal, thrown up to the pipeline, which alone renders it. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly extra: Readonly<Record<string, unknown>> | undefined;
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  /** Whether its text is its own and not the catalogue's. */
  readonly isExplained: boolean;

  constructor(
    readonly code: ProblemCode,
    options: CommonOptions & {
      readonly extra?: Readonly<Record<string, unknown>>;
      readonly retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.extra = options.extra;
    this.isExplained = options.detail !== undefined;
    this.detail = options.detail ?? PROBLEMS[code].detail;
    const kind: ProblemKind = PROBLEMS[code];
    this.retryAfterSeconds = options.retryAfterSeconds ??
      kind.retryAfterSeconds;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** Makes a problem of any code. Only `http/` may call it; see {@link Raise}. */
export const problem: Raise<ProblemCode> = (...[code, options]) =>
  new Problem(code, options);

/** The extension fields of a code as a schema, or undefined if it has none. */
export function problemExtraShape(
  code: ProblemCode,
): z.ZodRawShape | undefined {
  const kind: ProblemKind = PROBLEMS[code];
  return kind.extra;
}
