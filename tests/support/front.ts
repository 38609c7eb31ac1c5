/**
 * A server in front of a server, for tests that have something happen between
 * two requests of a program.
 *
 * @module
 */

/** Runs a test with an address where `before` is waited for by each request. */
export async function withFront(
  to: string,
  before: (method: string, path: string) => Promise<void>,
  test: (url: string) => Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  const front = Deno.serve({
    onError: () => new Response(null, { status: 502 }),
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => undefined,
  }, async (request) => {
    const { pathname, search } = new URL(request.url);
    await before(request.method, pathname);
    const answer = await fetch(`${to}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      redirect: "manual",
      // Who waits for news would keep it open.
      signal: ended.signal,
    });
    const headers = new Headers(answer.headers);
    if (headers.has("content-encoding")) {
      headers.delete("content-encoding");
      headers.delete("content-length");
    }
    const { status } = answer;
    const body = status === 204 || status === 304 ? null : answer.body;
    return new Response(body, { status, headers });
  });
  try {
    await test(`http://127.0.0.1:${front.addr.port}`);
  } finally {
    ended.abort();
    await front.shutdown();
  }
}
