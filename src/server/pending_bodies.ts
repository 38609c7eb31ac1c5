/**
 * The requests whose bodies may still be arriving. The runtime's graceful
 * shutdown lets a running request have its answer, but takes the rest of an
 * HTTP/1.1 body away from it at once (denoland/deno issue 36809, found in
 * 2.9.6): an upload would end as malformed, which no client tries again. So
 * the runtime is not told to shut down before the last body is in. Until then
 * a connection that comes is served as any other.
 *
 * @module
 */

const WITHOUT_BODY: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "OPTIONS",
  "DELETE",
]);

interface Body {
  readonly begunAt: number;
}

export class BodiesInFlight {
  readonly #arriving = new Set<Body>();
  #running = 0;
  #waiting: (() => void)[] = [];

  /** Requests that have no answer yet, those without a body included. */
  get running(): number {
    return this.#running;
  }

  /**
   * Counts a request until its answer is there, and its body until it is in:
   * `answer` is handed what tells so. Hands the answer on.
   */
  async during(
    request: Request,
    answer: (onBodyIn: () => void) => Promise<Response>,
  ): Promise<Response> {
    const body = { begunAt: performance.now() };
    const bodyIn = () => {
      if (!this.#arriving.delete(body) || this.#arriving.size > 0) return;
      for (const wake of this.#waiting.splice(0)) wake();
    };
    this.#running += 1;
    if (!WITHOUT_BODY.has(request.method)) this.#arriving.add(body);
    try {
      return await answer(bodyIn);
    } finally {
      this.#running -= 1;
      bodyIn();
    }
  }

  /** Resolves in a moment in which no body is arriving. */
  none(): Promise<void> {
    if (this.#arriving.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Whether a body is arriving that began less than so long ago (ms). */
  hasYounger(ms: number): boolean {
    const since = performance.now() - ms;
    for (const { begunAt } of this.#arriving) {
      if (begunAt > since) return true;
    }
    return false;
  }
}
