/**
 * Port 80: it shows the authority what it asks for (RFC 8555, section 8.3) and
 * sends all others to https.
 *
 * @module
 */
import type { Log } from "../../../core/platform.ts";
import { type Listener, openListener } from "../../listener.ts";
import type { Responder } from "./client.ts";

const PREFIX = "/.well-known/acme-challenge/";

/** A responder that listens. */
interface ListeningResponder extends Responder {
  readonly listener: Listener;
}

/**
 * Listens on a port of a host, and redirects to `origin` what is no challenge.
 * Throws an `OperatorFault` where that cannot be.
 */
export async function openResponder(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  origin: string,
  log: Log,
): Promise<ListeningResponder> {
  const shown = new Map<string, string>();
  const answer = (request: Request): Response => {
    const asked = URL.parse(request.url);
    if (asked === null) return new Response(null, { status: 400 });
    const { pathname, search } = asked;
    const text = pathname.startsWith(PREFIX)
      ? shown.get(pathname.slice(PREFIX.length))
      : undefined;
    if (text !== undefined) {
      return new Response(text, {
        headers: { "Content-Type": "application/octet-stream" },
      });
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      // What was sent in the clear is not asked for once more.
      return new Response(null, { status: 403 });
    }
    // Resolved against the origin, a path such as `//host/` would be another's.
    const to = new URL(origin);
    to.pathname = pathname;
    to.search = search;
    return Response.redirect(to, 308);
  };
  const listener = await openListener({ kind: "tcp", hostname, port }, {
    setting: "STRONGROOM_ACME_CHALLENGE",
    mend: "free the port, or name another one that port 80 is forwarded to, " +
      "such as http-01:8080",
    taken: [],
    certificate: undefined,
    answer: (request) => Promise.resolve(answer(request)),
    interrupt: () => {},
    log,
  });
  return {
    show: (token, text) => shown.set(token, text),
    hide: (token) => shown.delete(token),
    listener,
  };
}
