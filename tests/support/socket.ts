/**
 * An application behind a real socket.
 *
 * @module
 */
import type { TestApp } from "./app.ts";
import { withFaultlessApp } from "./stories.ts";

/** Serves an application on a free port for as long as a test takes. */
export async function withSocket(
  test: (app: TestApp, origin: string) => Promise<void>,
): Promise<void> {
  await withFaultlessApp(async (app) => {
    const stop = new AbortController();
    const server = Deno.serve(
      {
        hostname: "127.0.0.1",
        port: 0,
        onListen: () => {},
        signal: stop.signal,
      },
      (request, { remoteAddr }) =>
        app.fetch(request, {
          clientAddress: "hostname" in remoteAddr ? remoteAddr.hostname : "",
        }),
    );
    try {
      await test(app, `http://127.0.0.1:${server.addr.port}`);
    } finally {
      // Clients keep connections open that nobody will use again.
      stop.abort();
      await server.finished;
    }
  });
}
