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
import { partsOf } from "./json_parts.ts";
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
