/**
 * A server in front of a server, for tests that have something happen between
 * two requests of a program.
 *
 * @module
 */

/** Runs a test with an address where `before` is waited for by each request. */
export async function withInterceptor(
  to: string,
  before: (method: string, path: string) => Promise<void>,
  test: (url: string) => Promise<void>,
  /** What becomes of an answer on its way back. */
  after?: (path: string, answer: Response) => Promise<Response>,
): Promise<void> {
  const ended = new AbortController();
  const between = Deno.serve({
    onError: () => new Response(null, { status: 502 }),
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => undefined,
  }, async (request) => {
    const { pathname, search } = new URL(request.url);
    await before(request.method, pathname);
    const given = await fetch(`${to}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      redirect: "manual",
      // Who waits for news would keep it open.
      signal: ended.signal,
    });
    const answer = await after?.(pathname, given) ?? given;
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
    await test(`http://127.0.0.1:${between.addr.port}`);
  } finally {
    ended.abort();
    await between.shutdown();
  }
}

/** A server behind whose back another origin is named in server-info. */
export async function withLiar(
  to: string,
  told: string,
  test: (url: string) => Promise<void>,
): Promise<void> {
  await withInterceptor(
    to,
    async () => {},
    test,
    async (path, answer) => {
      if (path !== "/.well-known/service/server-info") return answer;
      const info = await answer.json();
      return Response.json(
        { ...info, api_base_url: told },
        {
          headers: {
            "Service-Protocol": answer.headers.get("service-protocol") ?? "",
          },
        },
      );
    },
  );
}
