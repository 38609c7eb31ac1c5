/**
 * Metrics and health on a listener of their own (watching/metrics.md#metrics),
 * and what keeps them up to date.
 *
 * @module
 */
import type { Config } from "../../config.ts";
import type { OpenedApp } from "../../app.ts";
import type { Log } from "../../core/platform.ts";
import type { EndedRequest } from "../../http/request_log.ts";
import { PROBLEMS } from "../../core/catalogue.ts";
import { namesOther } from "../../http/own_host.ts";
import { titleOf } from "../../http/render.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { readBackupNote } from "../../features/backup/note.ts";
import { type Listener, openListener, withPort } from "../listener.ts";
import { INTERRUPTED_MS } from "../successive_servers.ts";
import type { Metrics, PurgeRun } from "./metrics.ts";
import { endsWithin } from "../within_time.ts";

export interface Watching {
  /** Told of every request; undefined without metrics. */
  readonly onEnd: ((ended: EndedRequest) => void) | undefined;
  readonly onPurge: (run: PurgeRun) => void;
  readonly onCertificate: (notAfter: number) => void;
  /** From now on the server is not ready any more. */
  readonly onDrain: () => void;
  readonly close: () => Promise<void>;
}

const READ_ONLY = "the file system of the data directory is read-only";

/** What the log says of a scraper's request; see `request` for clients'. */
const OTHER_HOST = "the Host is not this server's: ask for its address, or " +
  "name what is asked for in STRONGROOM_METRICS_LISTEN";

const NOBODY: Watching = {
  onEnd: undefined,
  onPurge: () => {},
  onCertificate: () => {},
  onDrain: () => {},
  close: () => Promise.resolve(),
};

/** Starts what the configuration asks for; by default that is nothing. */
export async function startWatching(
  config: Config,
  opened: OpenedApp,
  log: Log,
): Promise<Watching> {
  const places = config.STRONGROOM_METRICS_LISTEN.map(withPort);
  if (places.length === 0) return NOBODY;
  const { createMetrics } = await import("./metrics.ts");
  const metrics = createMetrics(
    opened.gauges,
    () => readBackupNote(denoFiles, config.STRONGROOM_DATA_DIR)?.made_at,
  );
  const listeners: Listener[] = [];
  const close = async () => {
    metrics.stop();
    // A connection on which nothing is asked must not keep the process alive.
    const shut = Promise.all(listeners.map((one) => one.shutdown()));
    await endsWithin(INTERRUPTED_MS, shut);
  };
  let draining = false;
  const answer = answerer(metrics, opened, log, () => draining);
  try {
    for (const place of places) {
      listeners.push(
        await openListener(place, {
          setting: "STRONGROOM_METRICS_LISTEN",
          taken: places.slice(0, listeners.length),
          certificate: undefined,
          answer,
          interrupt: () => {},
          log,
        }),
      );
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    onEnd: metrics.onEnd,
    onPurge: metrics.onPurge,
    onCertificate: metrics.onCertificate,
    onDrain: () => draining = true,
    close,
  };
}

function answerer(
  metrics: Metrics,
  { gauges, isOwnHost }: OpenedApp,
  log: Log,
  isDraining: () => boolean,
): (request: Request) => Promise<Response> {
  const answers: Readonly<Record<string, () => Promise<Response>>> = {
    // The process lives, its event loop turns, and its disk takes writes.
    "/healthz": async () =>
      await gauges.takesWrites() ? say(200, "ok") : say(503, READ_ONLY),
    // Reads can be served: a full disk does not change that.
    "/readyz": async () =>
      isDraining()
        ? say(503, "draining")
        : !await gauges.isReady()
        ? say(503, "the database does not answer")
        : await gauges.takesWrites()
        ? say(200, "ok")
        : say(503, READ_ONLY),
    "/metrics": async () => {
      try {
        return new Response(await metrics.scrape(), {
          headers: {
            "Content-Type": metrics.contentType,
            "X-Content-Type-Options": "nosniff",
          },
        });
      } catch (cause) {
        log.error("metrics not read", { cause: String(cause) });
        return say(503, "metrics cannot be read");
      }
    },
  };
  // A scraper comes again and again.
  let isTold = false;
  return (request) => {
    const url = URL.parse(request.url);
    if (url === null) return Promise.resolve(say(400, "no address"));
    if (namesOther(url, request.headers.get("host"), isOwnHost)) {
      if (!isTold) log.warn("metrics refused", { cause: OTHER_HOST });
      isTold = true;
      return Promise.resolve(otherHost());
    }
    const { pathname } = url;
    const found = Object.hasOwn(answers, pathname)
      ? answers[pathname]
      : undefined;
    if (found === undefined) return Promise.resolve(say(404, "not found"));
    return ["GET", "HEAD"].includes(request.method)
      ? found()
      : Promise.resolve(say(405, "GET alone", { Allow: "GET, HEAD" }));
  };
}

function otherHost(): Response {
  const code = "error.request.host";
  const { status, detail } = PROBLEMS[code];
  const title = titleOf(status);
  return Response.json({ type: "about:blank", title, status, code, detail }, {
    status,
    headers: {
      "Content-Type": "application/problem+json",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

function say(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}
