/**
 * The catalogue of problems: the one place where a code gets its status, its
 * English text and its extension fields (RFC 9457; interface.md, Errors).
 *
 * Nothing outside `http/` may build a response from a problem, and nothing in
 * `features/` may call {@link problem} itself: a feature receives a
 * {@link Raise} that is typed with the codes its route declares, so that an
 * undeclared code does not compile. `scripts/layers.ts` keeps it that way.
 *
 * @module
 */
import { z } from "zod";

interface ProblemKind {
  readonly status: number;
  /** English text for people; clients switch on the code. */
  readonly detail: string;
  /** Extension fields beside those of RFC 9457, each required. */
  readonly extra?: z.ZodRawShape;
  /** Whether a `Retry-After` has to go with it (every 429 and 423). */
  readonly retry?: true;
}

/** One broken rule of a request: `path` is a JSON Pointer (RFC 6901). */
export const FieldError = z.strictObject({
  path: z.string(),
  message: z.string(),
});
export type FieldError = z.output<typeof FieldError>;

const errors = z.array(FieldError);
const offset = z.int().nonnegative();
/** Unix seconds when the caller may try again. */
const retry_after = z.int().nonnegative();

export const PROBLEMS = {
  "error.request.malformed": {
    status: 400,
    detail: "The request is malformed.",
  },
  "error.request.route_unknown": {
    status: 404,
    detail: "There is no such path here.",
  },
  "error.request.method_not_allowed": {
    status: 405,
    detail: "This path does not know that method; see Allow.",
  },
  // Answered with an empty body (interface.md, Errors), so that this code is
  // only ever seen in the log.
  "error.request.too_large": {
    status: 413,
    detail: "The body is larger than this operation takes.",
  },
  "error.request.media_type": {
    status: 415,
    detail: "The body's Content-Type is not one that this operation takes.",
  },
  "error.request.invalid": {
    status: 422,
    detail: "The body failed validation; see errors.",
    extra: { errors },
  },
  "error.handshake.protocol_missing": {
    status: 400,
    detail: "X-Service-Protocol is required.",
  },
  "error.handshake.protocol_malformed": {
    status: 400,
    detail: "X-Service-Protocol is not a calendar date (YYYY-MM-DD).",
  },
  "error.handshake.protocol_unsupported": {
    status: 426,
    detail: "This protocol date is outside the window that is accepted.",
    extra: { protocol_min: z.iso.date(), protocol_max: z.iso.date() },
  },
  "error.handshake.crypto_suite_unsupported": {
    status: 400,
    detail: "X-Service-Crypto-Suite names no suite that this server knows.",
  },
  "error.handshake.sidecar_schema_unsupported": {
    status: 400,
    detail: "X-Service-Sidecar-Schema is newer than this server indexes.",
  },
  "error.auth.token_missing": {
    status: 401,
    detail: "A bearer access token is required.",
  },
  "error.auth.token_invalid": {
    status: 401,
    detail: "The access token is not valid, or its session has ended.",
  },
  "error.auth.session_token_invalid": {
    status: 401,
    detail: "The session token is not valid, or its session has ended.",
  },
  "error.auth.credentials_invalid": {
    status: 401,
    detail: "The address or the password is wrong.",
  },
  "error.auth.account_locked": {
    status: 423,
    detail: "Too many wrong passwords; wait, then try again.",
    retry: true,
  },
  "error.auth.registration_closed": {
    status: 403,
    detail: "This server takes no registration for that address.",
  },
  "error.auth.user_already_exists": {
    status: 409,
    detail: "An account with this address exists already.",
  },
  "error.auth.unavailable": {
    status: 500,
    detail: "Sign-in cannot be answered just now; try again.",
  },
  "error.account.suspended": {
    status: 403,
    detail: "The account is suspended: it can read and delete only.",
  },
  "error.directory.required": {
    status: 403,
    detail: "Publish a device directory before writing.",
  },
  "error.directory.identity_mismatch": {
    status: 403,
    detail: "The identity key is not the one this account is anchored to.",
  },
  "error.directory.malformed": {
    status: 400,
    detail: "The device directory cannot be read.",
  },
  "error.directory.version_conflict": {
    status: 409,
    detail: "The directory version is not above the one held.",
    extra: { current_version: z.int().nonnegative() },
  },
  "error.directory.not_found": {
    status: 404,
    detail: "There is no such device directory.",
  },
  "error.album.not_found": {
    status: 404,
    detail: "There is no such album.",
  },
  "error.album.not_owner": {
    status: 403,
    detail: "This album id belongs to another account.",
  },
  "error.album.role_forbidden": {
    status: 403,
    detail: "The caller's role does not allow this.",
  },
  "error.album.tombstoned": {
    status: 403,
    detail: "The album was moved to a newer protocol and takes no writes.",
  },
  "error.asset.not_found": {
    status: 404,
    detail: "There is no such asset.",
  },
  "error.asset.stale_revival": {
    status: 409,
    detail: "The manifest does not continue what this server holds.",
    extra: { chain_head: z.string().nullish() },
  },
  "error.manifest.mismatch": {
    status: 422,
    detail: "The manifest envelope contradicts the request; see errors.",
    extra: { errors },
  },
  "error.manifest.blob_missing": {
    status: 422,
    detail: "The manifest names blobs that were not uploaded; see missing.",
    extra: { missing: z.array(z.string()) },
  },
  "error.upload.not_found": {
    status: 404,
    detail: "There is no such upload session.",
  },
  "error.upload.offset_conflict": {
    status: 409,
    detail: "Upload-Offset is not where this upload stands.",
    extra: { offset },
  },
  "error.upload.checksum_mismatch": {
    status: 460,
    detail: "The bytes do not match Upload-Checksum; none of them was kept.",
  },
  "error.upload.incomplete": {
    status: 409,
    detail: "The upload does not hold all its bytes yet.",
    extra: { offset },
  },
  "error.upload.hash_mismatch": {
    status: 422,
    detail: "The bytes do not have the declared hash; they were dropped.",
  },
  "error.upload.finalized": {
    status: 409,
    detail: "The upload is finalized.",
  },
  "error.upload.too_many_open": {
    status: 429,
    detail: "Too many open uploads; finalize or cancel some.",
    retry: true,
  },
  "error.storage.quota_exceeded": {
    status: 507,
    detail: "The account's storage quota does not allow this upload.",
  },
  "error.storage.full": {
    status: 507,
    detail: "The server has too little free disk space for this upload.",
  },
  "error.share.not_found": {
    status: 404,
    detail: "There is no such share link.",
  },
  "error.share.opaque_id_unavailable": {
    status: 422,
    detail: "This opaque_id cannot be used; draw another.",
  },
  "error.share.rate_limited": {
    status: 429,
    detail: "Too many requests for this link; wait, then try again.",
    extra: { retry_after },
    retry: true,
  },
  "error.internal": {
    status: 500,
    detail: "Something went wrong on the server.",
  },
} as const satisfies Record<`error.${string}`, ProblemKind>;

/** A stable `error.*` code of the catalogue. */
export type ProblemCode = keyof typeof PROBLEMS;

type Kind<C extends ProblemCode> = (typeof PROBLEMS)[C];

/** The extension fields of a code, as an object. */
export type ProblemExtra<C extends ProblemCode> = Kind<C> extends
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
    : unknown);

/**
 * The arguments that raise a code: what its kind demands (extension fields, the
 * seconds of `Retry-After`) cannot be left out.
 */
export type ProblemArguments<C extends ProblemCode> = C extends ProblemCode
  ? CommonOptions extends ProblemOptions<C>
    ? [code: C, options?: ProblemOptions<C>]
  : [code: C, options: ProblemOptions<C>]
  : never;

/**
 * Makes a problem out of a closed list of codes. A function that needs fewer
 * codes takes a `Raise` that offers more, never the other way round, which is
 * how a route's declaration reaches down into the domain.
 */
export type Raise<C extends ProblemCode> = (
  ...args: ProblemArguments<C>
) => Problem;

/** A refusal that travels up to the pipeline, which alone renders it. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly extra: Readonly<Record<string, unknown>> | undefined;
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ProblemCode,
    options: CommonOptions & {
      readonly extra?: Readonly<Record<string, unknown>>;
      readonly retryAfterSeconds?: number;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.extra = options.extra;
    this.detail = options.detail ?? PROBLEMS[code].detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** Makes a problem of any code; see {@link Raise} for who may. */
export const problem: Raise<ProblemCode> = (...[code, options]) =>
  new Problem(code, options);

/** The extension fields of a code as a schema, or undefined if it has none. */
export function problemExtraShape(
  code: ProblemCode,
): z.ZodRawShape | undefined {
  const kind: ProblemKind = PROBLEMS[code];
  return kind.extra;
}
