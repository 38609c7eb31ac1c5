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

export class BodiesInFlight {
  #count = 0;
  #running = 0;
  #waiting: (() => void)[] = [];

  /** Requests that have no answer yet, those without a body included. */
  get running(): number {
    return this.#running;
  }

  /** Counts a request until its answer is there; hands the answer on. */
  during(request: Request, answer: Promise<Response>): Promise<Response> {
    const hasBody = !WITHOUT_BODY.has(request.method);
    this.#running += 1;
    if (hasBody) this.#count += 1;
    return answer.finally(() => {
      this.#running -= 1;
      if (!hasBody) return;
      this.#count -= 1;
      if (this.#count > 0) return;
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  /** Resolves in a moment in which no body is arriving. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
