/**
 * A request's body, read as its route declares it.
 *
 * @module
 */
import { problem } from "../core/problem.ts";
import {
  type BodySource,
  bodyStream,
  declaredBytes,
  isMediaType,
  parseJson,
  parseShape,
  readBytes,
} from "./body.ts";
import { ANY_TYPE, type RouteSpec } from "./route.ts";

/**
 * Reads a body of at most `limitBytes`; one that streams is handed on. Throws the route's problems about bodies.
 */
export async function readBody(
  request: Request,
  spec: RouteSpec,
  limitBytes: number,
  source: BodySource,
): Promise<unknown> {
  const body = spec.body ?? { kind: "none" };
  if (body.kind === "none") {
    if ((declaredBytes(request) ?? 0) > limitBytes) {
      throw problem("error.request.too_large");
    }
    return undefined;
  }
  const mediaType = body.kind === "json" ? "application/json" : body.mediaType;
  if (mediaType !== ANY_TYPE && !isMediaType(request, mediaType)) {
    throw problem("error.request.media_type");
  }
  if (body.kind === "stream") return bodyStream(request, source);
  const bytes = await readBytes(request, limitBytes, source, problem);
  if (body.kind === "bytes") return bytes;
  const parts = partsOf(bytes);
  if (parts === "broken") throw problem("error.request.malformed");
  if (parts === "many") {
    const errors = [{ path: "", message: "more members than any body has" }];
    throw problem("error.request.invalid", { extra: { errors } });
  }
  return parseShape(body.schema, parseJson(bytes, problem), problem);
}

/**
 * Members and elements of a body that any schema can take: the longest list
 * has 50,000. Parsing and checking cost about a microsecond each.
 */
const MAX_PARTS = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACE = 0x7b;

/**
 * Whether a text of JSON has more members and items than any body has: then it
 * is not parsed, which takes far longer than this. What does not close what it
 * opens is `broken`: no JSON, however much of it there is.
 */
function partsOf(bytes: Uint8Array): "few" | "many" | "broken" {
  if (bytes.length <= MAX_PARTS) return "few";
  let parts = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at);
        if (at < 0) return parts > MAX_PARTS ? "broken" : "few";
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth += 1;
        parts += 1;
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1;
        break;
      case COMMA:
        parts += 1;
        break;
    }
  }
  if (parts <= MAX_PARTS) return "few";
  return depth === 0 ? "many" : "broken";
}

/** Where a string ends that begins there; -1 for one that does not end. */
function endOfString(bytes: Uint8Array, start: number): number {
  let end = start;
  for (;;) {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end < 0) return -1;
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
}
