/**
 * A server that ends and is started again over one data directory. Who sends
 * it something does as a client does: asks again until there is an answer.
 *
 * @module
 */
import { makeRequest, type Sender, type SendOptions } from "./app.ts";
import {
  type KillableProgram,
  type RunningServer,
  serveHere,
  startKillable,
} from "./program.ts";

/** Longer than any answer takes: a silent server that lives is a fault. */
const ANSWER_MS = 60_000;

class Lives<Life extends RunningServer> implements Sender {
  /** The life of now, or the one to come. */
  #next = Promise.withResolvers<Life>();
  #alive: Life | undefined;
  /** Answers that an end took away. */
  lost = 0;

  constructor(private readonly begin: () => Promise<Life>) {}

  async start(): Promise<void> {
    const life = await this.begin();
    if (life.url === "") throw new Error(await life.complaint());
    this.#alive = life;
    this.#next.resolve(life);
  }

  /** Tells it to stop; resolves to the exit status. */
  stop(): Promise<number> {
    return this.end((life) => life.stop());
  }

  /** The exit status of one that ends by itself. */
  ended(): Promise<number> {
    return this.end((life) => life.exited);
  }

  /** Ends the waiting of those who send: there is no next start. */
  giveUp(cause: unknown): void {
    this.#next.promise.catch(() => {});
    this.#next.reject(cause);
  }

  protected async end(how: (life: Life) => Promise<number>): Promise<number> {
    const life = this.#alive;
    if (life === undefined) return 0;
    this.#alive = undefined;
    this.#next = Promise.withResolvers();
    return await how(life);
  }

  /** The first answer, read whole, from whichever life gives it. */
  readonly send = async (
    method: string,
    path: string,
    options: SendOptions = {},
  ): Promise<Response> => {
    for (;;) {
      const life = await this.#next.promise;
      try {
        const request = makeRequest(method, path, options, life.url);
        const answer = await fetch(request, {
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        const body = await answer.arrayBuffer();
        const { status, headers } = answer;
        const hasBody = body.byteLength > 0;
        return new Response(hasBody ? body : null, { status, headers });
      } catch (cause) {
        if (this.#alive === life) throw cause;
        this.lost += 1;
      }
    }
  };
}

/** A server that is stopped and started again, within the test. */
export class RestartedServer extends Lives<RunningServer> {
  constructor(settings: Record<string, string>) {
    super(() => serveHere(settings));
  }
}

/** A process that is killed, stopped and started again. */
export class MortalServer extends Lives<KillableProgram> {
  constructor(settings: Record<string, string>) {
    super(() => startKillable(settings));
  }

  /** SIGKILL; those who are sending wait for the next start. */
  kill(): Promise<number> {
    return this.end((program) => program.kill());
  }
}
