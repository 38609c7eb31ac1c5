/**
 * Sending requests and reading answers: the handshake headers, refusals as
 * typed errors, and waiting when the server says when to try again.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, concatBytes } from "../../core/bytes.ts";
import type { ProblemCode } from "../../core/problem_codes.ts";
import { PROTOCOL_MAX } from "../../core/protocol.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Tokens } from "../../wire/answers/sessions.ts";
import type { OpenSchema } from "../../wire/open.ts";
import { CRYPTO_SUITE_ID } from "../documents/suite.ts";

/** The part of the Fetch API that a client uses; `globalThis.fetch` is one. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** Options of a client. */
export interface ClientOptions {
  /** URL of the server; only its origin is used. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /**
   * Waits that many milliseconds. If it is given, a call whose budget is spent
   * waits and is sent again, and a broken upload pauses before it goes
   * on.
   */
  readonly wait?: (ms: number) => Promise<void>;
  /** The protocol date of requests; by default this library's newest. */
  readonly protocol?: string;
  /**
   * The build of this client. If the server asks for a later one, calls throw
   * {@link ClientTooOld}. Without it nothing is checked.
   */
  readonly build?: number;
  /**
   * The codes of refusals that count, of a server that is not the account's
   * own; each other one becomes `refused`. Otherwise that server could make
   * claims about the account's session, password or quota.
   */
  readonly codes?: ReadonlySet<string>;
  /** Gets the tokens of a session whenever they change, to save them. */
  readonly onTokens?: (tokens: Tokens) => void;
}

/** In place of a code that does not count, see {@link ClientOptions.codes}. */
const OTHER_REFUSAL = "refused";

const problemRecord = z.looseObject({
  type: z.string(),
  status: z.int(),
  code: z.string(),
  title: z.nullish(z.string()),
  detail: z.nullish(z.string()),
});

/** A problem record as it was received, extension fields included. */
export interface ProblemRecord {
  readonly type: string;
  readonly status: number;
  readonly code: string;
  readonly title?: string | null | undefined;
  readonly detail?: string | null | undefined;
  readonly [key: string]: unknown;
}

/** The server's refusal. Switch on `code`, never on `status` alone. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  constructor(
    readonly status: number,
    /** A code of the catalogue, or one of a newer server. */
    readonly code: ProblemCode | (string & Record<never, never>),
    /** Undefined for a 413, which has no body. */
    readonly body: ProblemRecord | undefined,
  ) {
    const detail = body?.detail ?? "";
    super(detail === "" ? code : `${code}: ${detail}`);
  }
}

/**
 * An answer that is not in the contract, perhaps from a proxy: with status 413,
 * one refuses requests of that size.
 */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
  constructor(
    readonly status: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The server accepts only later builds of this client. */
export class ClientTooOld extends Error {
  override readonly name = "ClientTooOld";
  constructor(readonly build: number, readonly wanted: number) {
    super(`the server wants build ${wanted} of this client, not ${build}`);
  }
}

/** There was no answer; whether the request arrived is unknown. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** One request. Its body is in memory, so that it can be sent again. */
export interface Call {
  readonly method:
    | "GET"
    | "HEAD"
    | "POST"
    | "PUT"
    | "PATCH"
    | "DELETE"
    | "OPTIONS";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: { readonly mediaType: string; readonly body: Bytes };
  /** Access token. */
  readonly token?: string;
  /** Ends the request; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends calls; resolves for a success and throws for everything else. */
export interface Transport {
  /** Pauses, if the client was given `wait`. */
  readonly pause: (ms: number) => Promise<void>;
  /**
   * Throws {@link ApiProblem}, {@link UnexpectedAnswer} or
   * {@link ConnectionError}.
   */
  readonly send: (call: Call) => Promise<Response>;
}

/** Longer waits are left to people to decide. */
const LONGEST_WAIT_MS = 120 * SECOND_MS;
const MOST_WAITS = 10;

/**
 * Opens the transport to a server. Throws a TypeError for a malformed base URL.
 */
export function openTransport(options: ClientOptions): Transport {
  const { origin } = new URL(options.baseUrl);
  const { wait } = options;
  // Called without a receiver, because a browser's fetch refuses any but the
  // window.
  const send = options.fetch;
  const once = async (call: Call): Promise<Response> => {
    try {
      return await send(`${origin}${call.path}`, requestOf(call, options));
    } catch (cause) {
      call.signal?.throwIfAborted();
      throw new ConnectionError(`no answer from ${origin}`, { cause });
    }
  };
  return {
    pause: async (ms) => await wait?.(ms),
    async send(call) {
      for (let waits = 0;; waits++) {
        const response = await once(call);
        await assertNewEnough(response, options.build);
        if (response.ok) return response;
        const retryMs = wait === undefined || waits === MOST_WAITS
          ? undefined
          : retryAfterMs(response);
        if (retryMs === undefined) {
          throw counting(await refusalOf(response), options.codes);
        }
        await response.body?.cancel();
        await wait?.(retryMs);
      }
    },
  };
}

function requestOf(call: Call, options: ClientOptions): RequestInit {
  const headers = headersOf(call, options.protocol);
  const { method, signal } = call;
  const init = { method, headers, ...(signal === undefined ? {} : { signal }) };
  if (call.bytes !== undefined) return { ...init, body: call.bytes.body };
  if (call.json === undefined) return init;
  return { ...init, body: JSON.stringify(call.json) };
}

/** The headers of a request, for programs that have it sent by others, too. */
export function headersOf(
  call: Omit<Call, "bytes"> & {
    readonly bytes?: { readonly mediaType: string };
  },
  protocol: string = PROTOCOL_MAX,
): Headers {
  const headers = new Headers(call.headers);
  if (call.path.startsWith("/v1/")) {
    headers.set("X-Service-Protocol", protocol);
    if (call.method !== "GET" && call.method !== "HEAD") {
      headers.set("X-Service-Crypto-Suite", String(CRYPTO_SUITE_ID));
    }
  }
  if (call.token !== undefined) {
    headers.set("Authorization", `Bearer ${call.token}`);
  }
  if (call.bytes !== undefined) {
    headers.set("Content-Type", call.bytes.mediaType);
  } else if (call.json !== undefined) {
    headers.set("Content-Type", "application/json");
  }
  return headers;
}

/** Throws if the server asks for a later build. */
async function assertNewEnough(
  response: Response,
  build: number | undefined,
): Promise<void> {
  const wanted = response.headers.get("X-Service-Min-Client-Build") ?? "";
  if (build === undefined || !/^\d{1,15}$/.test(wanted)) return;
  if (Number(wanted) <= build) return;
  await response.body?.cancel();
  throw new ClientTooOld(build, Number(wanted));
}

/**
 * How long a spent budget asks to wait: a 429, or the 422 of issuing links.
 * Undefined if waiting does not help.
 */
function retryAfterMs({ status, headers }: Response): number | undefined {
  const given = headers.get("Retry-After") ?? "";
  if (status !== 429 && status !== 422 || !/^\d{1,9}$/.test(given)) {
    return undefined;
  }
  const ms = Math.max(1, Number(given)) * SECOND_MS;
  return ms <= LONGEST_WAIT_MS ? ms : undefined;
}

async function refusalOf(
  response: Response,
): Promise<ApiProblem | UnexpectedAnswer> {
  const { status } = response;
  if (status === 413) {
    await response.body?.cancel();
    // Every answer of the server has this header.
    if (!response.headers.has("X-Service-Protocol-Min")) {
      return new UnexpectedAnswer(
        status,
        "a proxy refuses requests this large",
      );
    }
    return new ApiProblem(status, "error.request.too_large", undefined);
  }
  const type = response.headers.get("Content-Type") ?? "";
  const isProblem = type.startsWith("application/problem+json");
  const value = isProblem ? await readJson(response) : undefined;
  const parsed = problemRecord.safeParse(value);
  if (parsed.success) {
    return new ApiProblem(status, parsed.data.code, parsed.data);
  }
  // The answer to a HEAD has no body that could hold a problem.
  if (!isProblem) await response.body?.cancel();
  return new UnexpectedAnswer(status, `status ${status} without a problem`);
}

/** The refusal without a code that does not count. */
function counting(
  refusal: ApiProblem | UnexpectedAnswer,
  codes: ReadonlySet<string> | undefined,
): ApiProblem | UnexpectedAnswer {
  const counts = codes === undefined || !(refusal instanceof ApiProblem) ||
    codes.has(refusal.code);
  if (counts) return refusal;
  const { status, body } = refusal;
  return new ApiProblem(status, OTHER_REFUSAL, body);
}

/**
 * Reads the JSON of a success by its schema. Throws UnexpectedAnswer, also for
 * more than `mostBytes` (16 MiB), and ConnectionError if it breaks off.
 */
export async function jsonOf<T>(
  response: Response,
  schema: OpenSchema<T>,
  mostBytes?: number,
): Promise<T> {
  const parsed = schema.safeParse(await readJson(response, mostBytes));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UnexpectedAnswer(
    response.status,
    `answer /${issue?.path.join("/") ?? ""}: ${issue?.message ?? ""}`,
    { cause: parsed.error },
  );
}

/** The JSON of a body; if it is not JSON undefined, which no schema accepts. */
async function readJson(
  response: Response,
  mostBytes: number = JSON_MAX_BYTES,
): Promise<unknown> {
  const text = new TextDecoder().decode(await bytesOf(response, mostBytes));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The entity tag of an answer that has to have one. */
export function etagOf(response: Response): string {
  const etag = response.headers.get("ETag");
  if (etag !== null) return etag;
  throw new UnexpectedAnswer(response.status, "no ETag");
}

/** Most bytes of a JSON answer, where an operation says nothing else. */
const JSON_MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads the bytes of a success. No more than `mostBytes` are read, because the
 * server may send without end: a longer answer is cut off, and throws
 * UnexpectedAnswer. Throws ConnectionError if it breaks off.
 */
export async function bytesOf(
  response: Response,
  mostBytes: number,
): Promise<Bytes> {
  const { body, status } = response;
  if (body === null) return new Uint8Array();
  const tooLong = () =>
    new UnexpectedAnswer(status, `the answer has more than ${mostBytes} bytes`);
  if (Number(response.headers.get("Content-Length") ?? 0) > mostBytes) {
    await body.cancel();
    throw tooLong();
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await whole(reader.read());
    if (done) break;
    length += value.length;
    if (length > mostBytes) {
      await reader.cancel();
      throw tooLong();
    }
    pieces.push(value);
  }
  return concatBytes(...pieces);
}

async function whole<T>(body: Promise<T>): Promise<T> {
  try {
    return await body;
  } catch (cause) {
    throw new ConnectionError("the answer broke off", { cause });
  }
}
