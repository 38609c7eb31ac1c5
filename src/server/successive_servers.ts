/**
 * The servers at one place, one after the other. The runtime takes a
 * listener's certificate once, and gives a listener up when there are no more
 * descriptors; and it has no time-out for a connection on which nothing is
 * asked. One server that follows another is the answer to all three: what runs
 * is finished by the one that leaves, and its other connections are closed.
 *
 * @module
 */
import type { Log } from "../core/platform.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { BodiesInFlight } from "./pending_bodies.ts";
import { endsWithin } from "./within_time.ts";

/** A new certificate waits this long for a moment without uploads. */
const PATIENCE_MS = 10 * MINUTE_MS;
/** Uploads that were interrupted get this long to say how far they came. */
export const INTERRUPTED_MS = SECOND_MS;
/** A body that takes longer than this to arrive is an upload, or an attack. */
const YOUNG_MS = SECOND_MS;
/** There is a moment without a young body within this time, or hardly ever. */
const MOMENT_MS = 10 * SECOND_MS;
const LOOK_EVERY_MS = 5;
/** A port that was let go of is free within a turn or two of the loop. */
const TURNS = 100;
/** After these turns another program has the port; it is asked for this often. */
const AGAIN_MS = SECOND_MS;
/** A server that failed gets its successor after so long. */
const FAILED_MS = 20;

interface SuccessiveServersParts {
  /** Listens, with the certificate in force. */
  readonly listen: () => Deno.HttpServer;
  /** Takes away what would stand in a new listener's way. */
  readonly clear: () => Promise<void>;
  readonly bodies: BodiesInFlight;
  readonly parts: {
    /** Has uploads that are under way answer with what they have. */
    readonly interrupt: () => void;
    readonly log: Log;
  };
}

export class SuccessiveServers {
  #server: Deno.HttpServer;
  /** Servers that have a successor, with answers still on their way. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #stopping = Promise.withResolvers<void>();
  #stopped = false;
  #renewing = Promise.resolve();
  #complainedAt = -Infinity;

  constructor(private readonly given: SuccessiveServersParts) {
    this.#server = this.#begin();
  }

  /** The next server takes over in a moment without uploads. */
  renew(): Promise<void> {
    return this.#then(() => this.#handOver(PATIENCE_MS));
  }

  /** The next server takes over, and uploads say how far they came. */
  relieve(): Promise<void> {
    return this.#then(() => this.#handOver(0));
  }

  /** Takes no new connection; resolves when every request has its answer. */
  async shutdown(): Promise<void> {
    this.#stopped = true;
    this.#stopping.resolve();
    await this.#renewing;
    await this.given.bodies.none();
    await Promise.all([this.#server.shutdown(), ...this.#leaving]);
  }

  #then(step: () => Promise<void>): Promise<void> {
    return this.#renewing = this.#renewing.then(step);
  }

  #begin(): Deno.HttpServer {
    const server = this.given.listen();
    // An unhandled rejection would end the process.
    server.finished.catch((cause) => {
      this.#complain(cause);
      void this.#then(async () => {
        await this.#pause(FAILED_MS);
        if (server === this.#server) await this.#handOver(0);
      });
    });
    return server;
  }

  /** The fault may come many times a second; the log has it once a minute. */
  #complain(cause: unknown): void {
    const now = performance.now();
    if (now - this.#complainedAt < MINUTE_MS) return;
    this.#complainedAt = now;
    this.given.parts.log.error(
      "no connection could be taken: those on which nothing is asked are ended",
      { cause: String(cause) },
    );
  }

  // Letting the port go and taking it again costs those a few milliseconds who
  // connect right then; sharing the port instead would need an unstable flag,
  // and would lose as many.
  async #handOver(patienceMs: number): Promise<void> {
    const { clear, bodies, parts } = this.given;
    const calm = bodies.none();
    const stopping = this.#stopping.promise;
    if (!await endsWithin(patienceMs, calm, stopping) && !this.#stopped) {
      parts.interrupt();
      await endsWithin(INTERRUPTED_MS, calm);
      await this.#untilNoneIsYoung();
      // Those that came since are told how far they came, and go on.
      parts.interrupt();
    }
    if (this.#stopped) return;
    // A server that failed already may fail again here; that changes nothing.
    const left = this.#server.shutdown().catch(() => undefined);
    this.#leaving.add(left);
    void left.then(() => this.#leaving.delete(left));
    for (let turn = 1; !this.#stopped; turn++) {
      try {
        await clear();
        this.#server = this.#begin();
        return;
      } catch (cause) {
        const isTaken = turn > TURNS;
        if (isTaken) {
          parts.log.error("cannot listen again", { cause: String(cause) });
        }
        await this.#pause(isTaken ? AGAIN_MS : 0);
      }
    }
  }

  /**
   * Waits for requests whose body is on its way: they would lose it and be
   * refused as malformed. Endless bodies delay nothing, because they are old.
   */
  async #untilNoneIsYoung(): Promise<void> {
    const until = performance.now() + MOMENT_MS;
    while (
      !this.#stopped && this.given.bodies.hasYounger(YOUNG_MS) &&
      performance.now() < until
    ) await this.#pause(LOOK_EVERY_MS);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
}
