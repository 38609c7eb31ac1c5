/**
 * The declaration of an operation. From the one array of declarations come the
 * router, the pipeline's checks, the types that a handler receives and may
 * return, `/openapi.json` and the contract tests.
 *
 * A handler that answers with a status, a body or a header that its route does
 * not declare, or raises a code outside `problems`, does not compile.
 *
 * @module
 */
import type { z } from "zod";
import type { Callers, Credential } from "../core/caller.ts";
import type { ProblemCode, Raise } from "../core/problem.ts";
import type { ProtocolDate } from "../core/protocol.ts";
import type { BodyStream } from "./body.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** Reads one path, query or header value; undefined means malformed (400). */
export interface Parameter<T> {
  readonly parse: (text: string) => T | undefined;
  /** JSON Schema of the text, for `/openapi.json`. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly description: string;
  /** What an absent value stands for; without it the value is required. */
  readonly absent?: { readonly value: T };
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The media type of a body that may be of any type, or of none. */
export const ANY_TYPE = "*/*";

type Body =
  | { readonly kind: "none" }
  | {
    readonly kind: "json";
    readonly schema: z.core.$ZodType;
    readonly limitBytes?: number;
  }
  /** A body handed over whole, as bytes. */
  | {
    readonly kind: "bytes";
    readonly mediaType: string;
    readonly limitBytes?: number;
  }
  /** A body that the handler reads itself, piece by piece. */
  | { readonly kind: "stream"; readonly mediaType: string };

export type Success =
  | {
    readonly kind: "json";
    readonly schema: z.core.$ZodType;
    readonly headers?: readonly string[];
    /** Clients that prefer HTML get a {@link Page} instead. */
    readonly page?: true;
  }
  | {
    readonly kind: "bytes";
    readonly mediaType: string;
    readonly headers?: readonly string[];
    /** It is a {@link Page}, which only clients that prefer HTML find. */
    readonly page?: true;
  }
  | { readonly kind: "empty"; readonly headers?: readonly string[] };

export interface RouteSpec {
  /** Name of the operation: in the log, the metrics and OpenAPI. */
  readonly operation: string;
  readonly method: Method;
  /** `/v1/albums/{album_id}`: a group is one whole segment. */
  readonly path: string;
  /** The last group is all segments that are left, one or more. */
  readonly takesRest?: true;
  readonly summary: string;
  readonly credential: Credential;
  /**
   * A page or a part of one: no part of the contract, and with any other method
   * its path is unknown.
   */
  readonly forBrowsers?: true;
  /** False where a /v1 path takes no handshake headers. */
  readonly handshake?: false;
  /**
   * Whether a suspended account may do it
   * (protocol/transport.md#suspended-accounts). Not said: it may read and
   * delete, and nothing else.
   */
  readonly suspended?: "allowed" | "refused";
  /**
   * An account whose password the operator set may do it, although it is no GET
   * (protocol/transport.md#a-password-that-has-to-be-changed).
   */
  readonly givenPassword?: "allowed";
  /**
   * Operators' alone: to anybody else the path is unknown, with any method
   * (protocol/operators.md#who-finds-them).
   */
  readonly forOperators?: true;
  /**
   * Whether the account must have a device directory
   * (protocol/transport.md#writing-needs-a-directory).
   */
  readonly needsDirectory?: true;
  /** It signs in or registers: refused under a Host that is not this server's. */
  readonly ownHost?: true;
  /** Whether it is of tus: another version is refused, every answer says so. */
  readonly tus?: true;
  /** A 413 of its own may have a problem record, which says what is too large. */
  readonly explainsTooLarge?: true;
  /** Reads nothing that could fail: the contract gives it no 500. */
  readonly cannotFail?: true;
  /**
   * Any origin may read the answer; not said: the configured ones.
   * `capabilities`: any origin where the server federates, unless the answer is
   * to a session.
   */
  readonly anyOrigin?: true | "capabilities";
  /** The `Cache-Control` of a success, where it is not `no-store`. */
  readonly cacheControl?: string;
  readonly params?: Parameters;
  readonly query?: Parameters;
  readonly headers?: Parameters;
  readonly body?: Body;
  readonly success: Readonly<Record<number, Success>>;
  /** Codes of the operation's own checks; the pipeline's are implied. */
  readonly problems: readonly ProblemCode[];
}

type Parsed<P> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

type BodyOf<B> = B extends
  { kind: "json"; schema: infer Z extends z.core.$ZodType } ? z.output<Z>
  : B extends { kind: "bytes" } ? Uint8Array<ArrayBuffer>
  : B extends { kind: "stream" } ? BodyStream
  : undefined;

/** An HTML document that stands on its own, with the headers it needs. */
export interface Page {
  readonly html: Uint8Array<ArrayBuffer>;
  /** The same, for clients that accept gzip. */
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** A JSON document that is made once and sent often. */
export interface JsonDocument {
  readonly plain: Coded;
  readonly gzip: Coded;
}

interface Coded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

type HeadersOf<S> = S extends { headers: readonly (infer H extends string)[] }
  ? { readonly [K in H]?: string }
  : { readonly [K in string]?: never };

type ReplyWith<K, S> = S extends
  { kind: "json"; schema: infer Z extends z.core.$ZodType } ? {
    readonly status: K;
    readonly json: z.input<Z>;
    readonly headers?: HeadersOf<S>;
  }
  : S extends { kind: "bytes" } ? {
      readonly status: K;
      /** Null for HEAD, whose headers still describe the bytes. */
      readonly bytes:
        | Uint8Array<ArrayBuffer>
        | ReadableStream<Uint8Array>
        | null;
      /** Bytes that `bytes` has, or would have had; sent as Content-Length. */
      readonly length: number;
      readonly headers?: HeadersOf<S>;
    }
  : { readonly status: K; readonly headers?: HeadersOf<S> };

/** What a handler may return: one of its declared successes. */
type ReplyOf<S> = {
  [K in keyof S & number]: ReplyWith<K, S[K]>;
}[keyof S & number];

/** Any reply, after its route's types are forgotten. */
export interface Reply {
  readonly status: number;
  readonly json?: unknown;
  readonly page?: Page;
  readonly bytes?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  readonly length?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Whether a path has two representations, so that caches must not mix them. */
export function isNegotiated(spec: RouteSpec): boolean {
  return Object.values(spec.success).some((one) =>
    one.kind === "json" && one.page === true
  );
}

/** What a handler receives: everything parsed, nothing left to check. */
interface Context<App, S extends RouteSpec> {
  readonly app: App;
  readonly caller: Callers[S["credential"]];
  /** When the handler was called (ms). */
  readonly now: number;
  readonly params: Parsed<S["params"]>;
  readonly query: Parsed<S["query"]>;
  readonly headers: Parsed<S["headers"]>;
  readonly body: BodyOf<S["body"]>;
  readonly raise: Raise<S["problems"][number]>;
  readonly request: RequestInfo;
}

/** The few things of a request that are neither declared nor parsed. */
export interface RequestInfo {
  /** GET for HEAD as well; see `isHead`. */
  readonly isHead: boolean;
  /** As whom the client's address counts: IPv6 by its /64. */
  readonly clientAddress: string;
  /** The presented protocol date; undefined where none is asked for. */
  readonly protocol: ProtocolDate | undefined;
  /** Whether the client would rather have HTML than JSON. */
  readonly prefersHtml: () => boolean;
  /** A conditional or range header (RFC 9110), null when absent. */
  readonly header: (name: string) => string | null;
  /** Aborted when the client is gone; for those who make it wait. */
  readonly gone: () => AbortSignal;
  /**
   * Settles when the client has the whole answer, or is gone; undefined where
   * nothing tells.
   */
  readonly sent: (() => Promise<void>) | undefined;
}

/** A declared operation with its handler, its own types forgotten. */
export interface Route<App> {
  readonly spec: RouteSpec;
  readonly handle: (context: ErasedContext<App>) => Promise<Reply> | Reply;
  /** Sent to clients that prefer HTML, before the request is looked at. */
  readonly page?: (app: App) => Page;
}

/** A context as the pipeline builds it. */
interface ErasedContext<App> {
  readonly app: App;
  readonly caller: Callers[Credential];
  readonly now: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly raise: Raise<ProblemCode>;
  readonly request: RequestInfo;
}

/** What does an operation. */
type Handle<App, S extends RouteSpec> = (
  context: Context<App, S>,
) => Promise<ReplyOf<S["success"]>> | ReplyOf<S["success"]>;

/** Which page an operation sends, where its declaration names one. */
type PageOf<App, S extends RouteSpec> = S["success"] extends
  { readonly 200: { readonly page: true } } ? (app: App) => Page : undefined;

/** A declaration that still wants its handler. */
interface Declared<App, S extends RouteSpec> {
  /** Declares the operation done by this handler. */
  readonly by: PageOf<App, S> extends undefined
    ? (handle: Handle<App, S>) => Route<App>
    : (handle: Handle<App, S>, page: PageOf<App, S>) => Route<App>;
}

/**
 * Binds {@link Route} to the application that handlers receive:
 * `route({ … }).by(handler)`. The cast in here is the only place where the
 * types of a declaration are forgotten; the pipeline builds the context from
 * that same declaration.
 */
export function routesOver<App>() {
  return <const S extends RouteSpec>(spec: S): Declared<App, S> => ({
    by: (handle: Handle<App, S>, page?: (app: App) => Page) => ({
      spec,
      handle: handle as unknown as Route<App>["handle"],
      ...(page === undefined ? {} : { page }),
    }),
  });
}
