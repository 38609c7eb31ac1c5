/**
 * A server that is killed and started again over one data directory. Who sends
 * it something does as a client does: asks again until there is an answer.
 *
 * @module
 */
import { makeRequest, type Sender, type SendOptions } from "./app.ts";
import { type KillableProgram, startKillable } from "./program.ts";

/** Longer than any answer takes; then it is a fault that nobody killed. */
const ANSWER_MS = 60_000;

export class MortalServer implements Sender {
  /** The process of now, or the one to come. */
  #next = Promise.withResolvers<KillableProgram>();
  #alive: KillableProgram | undefined;
  /** Answers that a kill took away. */
  lost = 0;

  constructor(private readonly settings: Record<string, string>) {}

  async start(): Promise<void> {
    const program = await startKillable(this.settings);
    if (program.url === "") throw new Error(await program.complaint());
    this.#alive = program;
    this.#next.resolve(program);
  }

  /** SIGKILL; those who are sending wait for the next start. */
  kill(): Promise<number> {
    return this.#end((program) => program.kill());
  }

  /** SIGTERM; resolves to the exit status. */
  stop(): Promise<number> {
    return this.#end((program) => program.stop());
  }

  /** The exit status of one that ends by itself. */
  ended(): Promise<number> {
    return this.#end((program) => program.exited);
  }

  /** Ends the waiting of those who send: there is no next start. */
  giveUp(cause: unknown): void {
    this.#next.promise.catch(() => {});
    this.#next.reject(cause);
  }

  async #end(how: (program: KillableProgram) => Promise<number>) {
    const program = this.#alive;
    if (program === undefined) return 0;
    this.#alive = undefined;
    this.#next = Promise.withResolvers();
    return await how(program);
  }

  /** The first answer, read whole, from whichever process lives to give it. */
  readonly send = async (
    method: string,
    path: string,
    options: SendOptions = {},
  ): Promise<Response> => {
    for (;;) {
      const program = await this.#next.promise;
      try {
        const request = makeRequest(method, path, options, program.url);
        const answer = await fetch(request, {
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        const body = await answer.arrayBuffer();
        const { status, headers } = answer;
        const hasBody = body.byteLength > 0;
        return new Response(hasBody ? body : null, { status, headers });
      } catch (cause) {
        if (this.#alive === program) throw cause;
        this.lost += 1;
      }
    }
  };
}
