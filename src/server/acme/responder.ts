/**
 * Port 80: it shows the authority what it asks for (RFC 8555, section 8.3) and
 * sends everybody else to https.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { reasonOf } from "../../core/reason.ts";
import type { Responder } from "./client.ts";

const PREFIX = "/.well-known/acme-challenge/";

/** A responder that listens. */
export interface ListeningResponder extends Responder {
  readonly close: () => Promise<void>;
}

/**
 * Listens on a port of a host. Throws an {@link OperatorFault} where that cannot
 * be.
 */
export function openResponder(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  origin: string,
): ListeningResponder {
  const shown = new Map<string, string>();
  const answer = (request: Request): Response => {
    const { pathname, search } = new URL(request.url);
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
    return Response.redirect(new URL(`${pathname}${search}`, origin), 308);
  };
  try {
    const server = Deno.serve(
      { hostname, port, onListen: () => {} },
      answer,
    );
    return {
      show: (token, text) => shown.set(token, text),
      hide: (token) => shown.delete(token),
      close: () => server.shutdown(),
    };
  } catch (error) {
    throw new OperatorFault(
      `STRONGROOM_ACME_CHALLENGE: cannot listen on ${hostname}:${port} (${
        reasonOf(error)
      }): free the port, or name another one that port 80 is forwarded to, ` +
        "such as http-01:8080",
    );
  }
}
