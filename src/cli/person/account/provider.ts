/**
 * Signing in through a server's identity provider from the command line: the
 * person goes there with a browser, and comes back to a port of this machine
 * that is open for that one answer (RFC 8252, section 7.3).
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import { MINUTE_MS } from "../../../core/time.ts";
import {
  type Entrance,
  type Session,
  signInThrough,
} from "../../../library/mod.ts";
import type { OpenProfile } from "../cli_context.ts";

/** As long as a server waits for the end of it. */
const PATIENCE_MS = 10 * MINUTE_MS;

/** Signs in by way of the provider. */
export async function signInByProvider(
  { platform, tell, warn, signal }: OpenProfile,
  entrance: Entrance & {
    readonly code?: (attempt: number) => Promise<string | undefined>;
  },
): Promise<Session> {
  const came = Promise.withResolvers<string>();
  // What comes of it is looked at below, if it comes to that.
  came.promise.catch(() => undefined);
  let wanted: string | undefined;
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => undefined,
  }, ({ method, url }) => {
    const { pathname, searchParams } = new URL(url);
    // Any program of this machine, and any page, can knock here.
    const isIt = method === "GET" && pathname === "/" &&
      wanted !== undefined && searchParams.get("state") === wanted;
    if (!isIt) return new Response(null, { status: 404 });
    came.resolve(url);
    return new Response(
      "You are signed in. Close this page and return to the terminal.",
      {
        headers: { "Content-Type": "text/plain", "Cache-Control": "no-store" },
      },
    );
  });
  const late = setTimeout(
    () => came.reject(new OperatorFault("no one signed in within ten minutes")),
    PATIENCE_MS,
  );
  const onAbort = () => came.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await signInThrough(platform, {
      ...entrance,
      provider: {
        redirectUri: `http://127.0.0.1:${server.addr.port}/`,
        visit(address) {
          wanted = new URL(address).searchParams.get("state") ?? undefined;
          warn("open this in a browser on this machine, and sign in:");
          tell({ event: "sign_in_at", url: address }, address);
          return came.promise;
        },
      },
    });
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", onAbort);
    await server.shutdown();
  }
}
