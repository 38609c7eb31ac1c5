/**
 * `strongroom serve`: listen, answer, and drain when told to stop.
 *
 * @module
 */
import { relative } from "node:path";
import { openApp, type OpenedApp } from "../app.ts";
import { type Config, type Listen } from "../config.ts";
import { ConfigFault } from "../core/settings.ts";
import type { Log, Platform } from "../core/platform.ts";
import {
  clientAddressOf,
  type TrustedProxies,
  UNIX_PEER,
} from "../http/client_address.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { describe } from "../http/request_log.ts";
import {
  type CertificateWatch,
  type CertifiedKey,
  openCertificate,
  watchCertificate,
} from "./certificate.ts";
import {
  INTERRUPTED_MS,
  type Listener,
  type ListenerParts,
  openListener,
  withPort,
} from "./listener.ts";
import { listenForSignals, type Signals } from "./signals.ts";
import { startTracing, type Trace } from "./tracing.ts";
import { endsWithin } from "./waiting.ts";
import { startWatching, type Watching } from "./watching.ts";

/** Running requests get this long when the server is told to stop. */
const DRAIN_MS = 20 * SECOND_MS;
/** Expired rows and files are removed this often. */
const PURGE_EVERY_MS = 10 * MINUTE_MS;

/** Serves until SIGINT or SIGTERM; `say` tells the person who started it. */
export async function serve(
  config: Config,
  platform: Platform,
  say: (line: string) => void,
): Promise<void> {
  const certificate = openCertificate(config);
  const places = config.STRONGROOM_LISTEN.map(withPort);
  const origin = originOf(places, certificate === undefined ? "http" : "https");
  const opened = await openApp(config, {
    ...platform,
    fetch: trusting(config.OIDC_CA_BUNDLE, platform.fetch),
  }, { origin });
  const { log } = platform;
  const listeners: Listener[] = [];
  let watching: Watching | undefined;
  try {
    watching = await startWatching(config, opened, log);
    const parts: ListenerParts = {
      setting: "STRONGROOM_LISTEN",
      certificate,
      answer: answerer(
        opened,
        config.STRONGROOM_TRUSTED_PROXIES,
        watching.onEnd,
        await startTracing(log),
        log,
      ),
      interrupt: opened.interruptUploads,
      log,
    };
    for (const place of places) {
      listeners.push(await openListener(place, parts));
    }
    const signals = listenForSignals(log);
    const watch = certificate && watchOver(
      config,
      certificate,
      log,
      listeners,
      watching,
    );
    signals.onReload(() => watch?.look());
    const { serverId } = opened.app;
    say(
      `strongroom is serving ${origin}` +
        (serverId === origin ? "" : ` as ${serverId}`) +
        ` out of ${shortPath(config.STRONGROOM_DATA_DIR)} (Ctrl-C stops it)`,
    );
    const stopPurging = purgeRegularly(opened, platform, watching);
    await signals.stop;
    log.info("draining");
    watching.onDrain();
    watch?.stop();
    stopPurging();
    opened.stopWaiting();
    await drain(listeners.splice(0), opened, signals);
  } finally {
    // Those that one fault among several places left open.
    for (const listener of listeners) await listener.shutdown();
    await watching?.close();
    await opened.close();
  }
}

/** Hands every change of the certificate on to whoever it concerns. */
function watchOver(
  config: Config,
  first: CertifiedKey,
  log: Log,
  listeners: readonly Listener[],
  watching: Watching,
): CertificateWatch {
  watching.onCertificate(first.notAfter);
  return watchCertificate(config, first, log, (next) => {
    watching.onCertificate(next.notAfter);
    for (const listener of listeners) listener.renew(next);
  });
}

/** A `fetch` that trusts the authorities of a PEM file as well. */
function trusting(
  bundle: string | undefined,
  fetch: Platform["fetch"],
): Platform["fetch"] {
  if (bundle === undefined) return fetch;
  let client: Deno.HttpClient;
  try {
    const pem = Deno.readTextFileSync(bundle);
    const caCerts = pem.match(
      /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g,
    );
    if (caCerts === null) throw new Error("no certificate in it");
    client = Deno.createHttpClient({ caCerts });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigFault([`OIDC_CA_BUNDLE: ${bundle}: ${reason}`]);
  }
  const init = { client };
  return (input, given) => fetch(input, { ...given, ...init });
}

function originOf(places: readonly Listen[], scheme: string): string {
  const first = places.find((place) => place.kind === "tcp");
  if (first === undefined) return "http://localhost";
  const host = first.hostname.includes(":")
    ? `[${first.hostname}]`
    : first.hostname;
  return new URL(`${scheme}://${host}:${first.port}`).origin;
}

/** Finds out whose a request is, and has the application answer it. */
function answerer(
  opened: OpenedApp,
  trusted: TrustedProxies,
  onEnd: Watching["onEnd"],
  trace: Trace | undefined,
  log: Log,
): ListenerParts["answer"] {
  const unheeded = complainOnce(log);
  return (request, remote) => {
    const peer = remote ?? UNIX_PEER;
    const header = (name: string) => request.headers.get(name);
    const clientAddress = clientAddressOf(peer, header, trusted);
    if (clientAddress === peer) unheeded(request);
    if (trace === undefined) {
      return opened.fetch(request, { clientAddress, onEnd });
    }
    const nameSpan = trace();
    return opened.fetch(request, {
      clientAddress,
      onEnd: (ended) => {
        nameSpan(ended);
        onEnd?.(ended);
      },
    });
  };
}

/**
 * Tells the operator once that somebody's forwarding headers were ignored:
 * behind a proxy that is not trusted, all clients share one rate budget.
 */
function complainOnce(log: Log): (request: Request) => void {
  let told = false;
  return (request) => {
    if (told || request.headers.get("x-forwarded-for") === null) return;
    told = true;
    log.warn(
      "forwarding headers of somebody who is no trusted proxy are ignored; " +
        "where that is your proxy, name it in STRONGROOM_TRUSTED_PROXIES",
    );
  };
}

function shortPath(path: string): string {
  const near = relative(Deno.cwd(), path);
  return near.startsWith("..") || near === "" ? path : `./${near}`;
}

function purgeRegularly(
  opened: OpenedApp,
  { now, monotonic, log }: Platform,
  { onPurge }: Watching,
): () => void {
  let running: Promise<void> | undefined;
  const purge = async () => {
    const startedAt = monotonic();
    let succeeded = true;
    try {
      await opened.purge();
    } catch (cause) {
      succeeded = false;
      log.error("purge failed", { cause: describe(cause, true) });
    }
    const durationMs = monotonic() - startedAt;
    onPurge({ succeeded, durationMs, endedAt: now() });
  };
  const timer = setInterval(() => {
    running ??= purge().finally(() => running = undefined);
  }, PURGE_EVERY_MS);
  return () => clearInterval(timer);
}

/**
 * No new connections; what is running may end, for a while. Whoever is left
 * loses the connection when the process ends.
 */
async function drain(
  listeners: readonly Listener[],
  opened: OpenedApp,
  { hurry }: Signals,
): Promise<void> {
  const drained = Promise.all(listeners.map((one) => one.shutdown()));
  if (await endsWithin(DRAIN_MS, drained, hurry)) return;
  opened.interruptUploads();
  await endsWithin(INTERRUPTED_MS, drained);
}
