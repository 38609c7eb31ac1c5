/**
 * What a server answers while it brings its database to a newer schema: that it
 * lives, what it does and how far it is (`protocol/discovery.md#a-migration`).
 *
 * @module
 */
import type { Config, Listen } from "../config.ts";
import type { Log } from "../core/platform.ts";
import { prefersHtml } from "../http/accept.ts";
import { refuseUnavailable } from "../http/refuse_all.ts";
import { describe } from "../http/request_log.ts";
import type { MigrationState, MigrationWatch } from "../store/migrating.ts";
import type { CertifiedKey } from "./certificate.ts";
import { type Listener, openListener } from "./listener.ts";

/** Seconds after which whoever wants more should ask again. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Listens at the server's places for as long as a migration runs. A place that
 * cannot be listened at is no reason to leave the database as it is: the server
 * says so when it listens there itself.
 */
export function answeringMeanwhile(
  config: Config,
  places: readonly Listen[],
  certificateNow: () => CertifiedKey | undefined,
  log: Log,
): MigrationWatch {
  return async (state) => {
    const certificate = certificateNow();
    const lacksOne = config.STRONGROOM_TLS_CERT !== undefined &&
      certificate === undefined;
    const listeners: Listener[] = [];
    const open = async (
      place: Listen,
      setting: string,
      answer: (request: Request) => Response,
      certificate: CertifiedKey | undefined,
    ) => {
      try {
        listeners.push(
          await openListener(place, {
            setting,
            taken: [],
            certificate,
            answer: (request) => Promise.resolve(answer(request)),
            interrupt: () => {},
            log,
          }),
        );
      } catch (cause) {
        log.warn("nothing is answered until the database is newer", {
          cause: describe(cause, true),
        });
      }
    };
    for (const place of config.STRONGROOM_METRICS_LISTEN) {
      await open(
        place,
        "STRONGROOM_METRICS_LISTEN",
        (request) => answerWatcher(request, state()),
        undefined,
      );
    }
    // Without a certificate, what speaks TLS has to wait for it.
    for (const place of lacksOne ? [] : places) {
      await open(
        place,
        "STRONGROOM_LISTEN",
        (request) => answerClient(request, state()),
        certificate,
      );
    }
    return async () => {
      await Promise.all(listeners.map((one) => one.shutdown()));
    };
  };
}

/**
 * A start that may bring the database to a newer schema, and need not come to
 * its end: the change is one transaction, and the copy before it is made anew.
 */
export class Interruptible {
  readonly #begun = Promise.withResolvers<void>();
  #isOver = false;

  constructor(private readonly inner: MigrationWatch) {}

  readonly watch: MigrationWatch = async (state) => {
    this.#begun.resolve();
    const end = await this.inner(state);
    return async () => {
      this.#isOver = true;
      await end();
    };
  };

  /**
   * What was opened; undefined if the server is told to stop while the database
   * is changed.
   */
  async unlessStopped<T>(
    opening: Promise<T>,
    stop: Promise<void>,
  ): Promise<T | undefined> {
    const stopped = Promise.all([stop, this.#begun.promise])
      .then(() => this.#isOver ? opening : undefined);
    return await Promise.race([opening, stopped]);
  }
}

/** Clients learn how far it is at `/healthz`, and elsewhere to ask later. */
function answerClient(request: Request, state: MigrationState): Response {
  const isProbe = ["GET", "HEAD"].includes(request.method) &&
    URL.parse(request.url)?.pathname === "/healthz";
  if (isProbe) {
    return new Response(
      JSON.stringify({ status: "migrating", migration: state }),
      { headers: { ...HEADERS, "Content-Type": "application/json" } },
    );
  }
  const said = `${inWords(state)}. Please try again later.`;
  if (!prefersHtml(request.headers.get("accept"))) {
    return refuseUnavailable(request, said, RETRY_AFTER_SECONDS);
  }
  return new Response(`${said}\n`, {
    status: 503,
    headers: {
      ...HEADERS,
      ...TEXT,
      "Retry-After": String(RETRY_AFTER_SECONDS),
    },
  });
}

/** The same for those who watch: it lives, and is not ready. */
function answerWatcher(request: Request, state: MigrationState): Response {
  const isProbe = URL.parse(request.url)?.pathname === "/healthz";
  return new Response(`${inWords(state)}\n`, {
    status: isProbe ? 200 : 503,
    headers: { ...HEADERS, ...TEXT },
  });
}

const HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

function inWords({ doing, percent, step, steps }: MigrationState): string {
  return "The server is being upgraded: " +
    (doing === "copying"
      ? `it copies its database, ${percent} % so far`
      : `it changes its database, step ${step} of ${steps}`);
}
