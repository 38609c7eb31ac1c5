/**
 * The runtime's own OpenTelemetry spans (`OTEL_DENO=true`), named after the
 * operation that answered. Its API's package because that is how the runtime
 * hands a span to a program; it is loaded only where spans are exported.
 *
 * @module
 */
import type { Log } from "../../core/platform.ts";
import type { EndedRequest } from "../../http/request_log.ts";

/** Where the runtime registers its providers (OpenTelemetry API for JS). */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");
/** With this at 1 a span keeps its method and loses its URL. */
const ATTRIBUTE_LIMIT = "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT";

/** Called in a request's own context; what it returns, at the request's end. */
export type Trace = () => (ended: EndedRequest) => void;

/** Undefined where the runtime makes no spans. */
export async function startTracing(log: Log): Promise<Trace | undefined> {
  if (!isTracing()) return undefined;
  if (!keepsUrlsBack()) {
    log.warn(
      "spans are exported with URLs, and with them the ids of share links: " +
        `set ${ATTRIBUTE_LIMIT}=1, or have the collector drop url.full, ` +
        "url.path and url.query",
    );
  }
  const { trace } = await import("@opentelemetry/api");
  return () => {
    const span = trace.getActiveSpan();
    return ({ method, route, operation, code }) => {
      // A path without the values of its groups shows no id.
      span?.updateName(route === undefined ? method : `${method} ${route}`);
      if (route !== undefined) span?.setAttribute("http.route", route);
      if (operation !== undefined) {
        span?.setAttribute("strongroom.operation", operation);
      }
      if (code !== undefined) span?.setAttribute("strongroom.code", code);
    };
  };
}

function isTracing(): boolean {
  const registered: unknown = Reflect.get(globalThis, REGISTERED);
  return typeof registered === "object" && registered !== null &&
    "trace" in registered;
}

function keepsUrlsBack(): boolean {
  try {
    return Deno.env.get(ATTRIBUTE_LIMIT) === "1";
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return false;
    throw error;
  }
}
