/**
 * Headers of requests and answers, for `/openapi.json`.
 *
 * @module
 */
import { PROBLEMS } from "../../core/catalogue.ts";
import type { ProblemCode } from "../../core/problem.ts";
import type { ProblemKind } from "../../core/catalogue.ts";
import { takesHandshake } from "../handshake.ts";
import type { Json } from "./openapi_schemas.ts";
import {
  isNegotiated,
  type Method,
  type RouteSpec,
  type Success,
} from "../route.ts";

const INTEGER = { type: "integer", minimum: 0 };
const DATE = { type: "string", format: "date" };
const TEXT = { type: "string" };

/** What each header says; one that is not listed is text. */
const HEADERS: Readonly<Record<string, { schema: Json; description: string }>> =
  {
    "X-Service-Min-Client-Build": {
      schema: INTEGER,
      description: "The oldest client build that should talk to this server",
    },
    "X-Service-Protocol-Min": {
      schema: DATE,
      description: "The oldest protocol date of the server's window",
    },
    "X-Service-Protocol-Max": {
      schema: DATE,
      description: "The newest protocol date of the server's window",
    },
    "X-Service-Identity-Key": {
      schema: TEXT,
      description: "The identity key that signed, in base64, or null",
    },
    "X-Content-Type-Options": {
      schema: TEXT,
      description: "nosniff: the content type is what it says",
    },
    "Strict-Transport-Security": {
      schema: TEXT,
      description: "Over a TLS of the server's own (RFC 6797)",
    },
    "Accept-Ranges": { schema: TEXT, description: "bytes (RFC 9110 14.3)" },
    "Cache-Control": { schema: TEXT, description: "RFC 9111 section 5.2" },
    "Content-Range": {
      schema: TEXT,
      description: "Which part this is, and of how much (RFC 9110 14.4)",
    },
    Deprecation: {
      schema: TEXT,
      description: "Since when the presented protocol date is deprecated, if " +
        "it is (RFC 9745)",
    },
    ETag: {
      schema: TEXT,
      description: "Names these bytes, for If-None-Match (RFC 9110 8.8.3)",
    },
    "Last-Modified": {
      schema: TEXT,
      description: "For If-Modified-Since (RFC 9110 8.8.2)",
    },
    Link: {
      schema: TEXT,
      description: "Where the deprecation is recorded, if there is one",
    },
    Location: {
      schema: { type: "string", format: "uri-reference" },
      description: "The path of what was made",
    },
    "Repr-Digest": {
      schema: TEXT,
      description: "SHA-256 of the whole representation (RFC 9530)",
    },
    "Retry-After": {
      schema: { type: "integer", minimum: 1 },
      description: "Seconds after which another try may succeed",
    },
    Sunset: {
      schema: TEXT,
      description:
        "When the presented protocol date will be refused, if that " +
        "was announced (RFC 8594)",
    },
    "Tus-Checksum-Algorithm": {
      schema: TEXT,
      description: "The algorithms of Upload-Checksum (tus 1.0.0)",
    },
    "Tus-Extension": {
      schema: TEXT,
      description: "The extensions of tus that the server speaks",
    },
    "Tus-Max-Size": {
      schema: INTEGER,
      description: "The largest upload, in bytes (tus 1.0.0)",
    },
    "Tus-Resumable": {
      schema: TEXT,
      description: "The version of tus of this answer",
    },
    "Tus-Version": {
      schema: TEXT,
      description: "The versions of tus that the server speaks",
    },
    "Upload-Expires": {
      schema: TEXT,
      description: "When the upload session expires (tus 1.0.0)",
    },
    "Upload-Length": {
      schema: INTEGER,
      description: "Bytes of the whole upload (tus 1.0.0)",
    },
    "Upload-Offset": {
      schema: INTEGER,
      description: "Bytes that the server holds (tus 1.0.0)",
    },
    Vary: {
      schema: TEXT,
      description: "Headers of the request on which the answer depends",
    },
    "WWW-Authenticate": {
      schema: TEXT,
      description: 'Bearer, with error="invalid_token" for one that is not ' +
        "taken (RFC 6750)",
    },
  };

/** On every answer. */
const COMMON = [
  "X-Service-Min-Client-Build",
  "X-Service-Protocol-Min",
  "X-Service-Protocol-Max",
  "X-Content-Type-Options",
  "Strict-Transport-Security",
];

/** The headers as components. */
export function headerComponents(): Json {
  return HEADERS;
}

function named(names: Iterable<string>): Json {
  return Object.fromEntries(
    [...new Set(names)].map((name) => [
      name,
      Object.hasOwn(HEADERS, name)
        ? { $ref: `#/components/headers/${name}` }
        : { description: name, schema: TEXT },
    ]),
  );
}

function ofEveryAnswer(spec: RouteSpec): string[] {
  return [
    ...COMMON,
    ...takesHandshake(spec) ? ["Deprecation", "Sunset", "Link"] : [],
    ...isNegotiated(spec) ? ["Vary"] : [],
  ];
}

/** The headers of a success. */
export function successHeaders(spec: RouteSpec, success: Success): Json {
  const isCached = success.kind === "json" ||
    success.kind === "bytes" && spec.cacheControl !== undefined;
  return named([
    ...ofEveryAnswer(spec),
    ...isCached ? ["Cache-Control"] : [],
    ...success.headers ?? [],
  ]);
}

/** The headers of a refusal. */
export function problemHeaders(
  spec: RouteSpec,
  status: number,
  codes: readonly ProblemCode[],
): Json {
  const waits = codes.some((code) => {
    const kind: ProblemKind = PROBLEMS[code];
    return kind.retry !== undefined || kind.retryAfterSeconds !== undefined;
  });
  return named([
    ...ofEveryAnswer(spec),
    "Cache-Control",
    ...status === 401 ? ["WWW-Authenticate"] : [],
    ...spec.tus === true ? ["Tus-Resumable"] : [],
    ...status === 412 ? ["Tus-Version"] : [],
    ...waits ? ["Retry-After"] : [],
  ]);
}

/** What a request may ask for a part, a change or a version by. */
export function conditionParameters(
  spec: RouteSpec,
  method: Method | "HEAD",
): Json[] {
  const parameters: Json[] = [];
  const add = (name: string, description: string, example: string) => {
    const schema = TEXT;
    const place = { name, in: "header", required: false };
    parameters.push({ ...place, description, schema, example });
  };
  if (spec.tus === true) {
    add("Tus-Resumable", "The version of tus that is spoken", "1.0.0");
  }
  const unchanged = spec.success[304];
  if (unchanged !== undefined) {
    add(
      "If-None-Match",
      "Tags of what the client holds: if one is still right the answer is 304",
      '"33a64df551425fcc"',
    );
  }
  if (unchanged?.headers?.includes("Last-Modified") === true) {
    add(
      "If-Modified-Since",
      "The same by time, where there is no If-None-Match",
      "Sun, 01 Nov 2026 08:00:00 GMT",
    );
  }
  if (spec.success[206] !== undefined && method === "GET") {
    add("Range", "The one part that is wanted (RFC 9110 14.2)", "bytes=0-1023");
    add(
      "If-Range",
      "A tag or a time: of anything else the whole is sent (RFC 9110 13.1.5)",
      '"33a64df551425fcc"',
    );
  }
  return parameters;
}
