/**
 * `strongroom serve`: listen, answer, and drain when told to stop.
 *
 * @module
 */
import { relative } from "node:path";
import { openApp, type OpenedApp } from "../app.ts";
import { type Config, type Listen } from "../config.ts";
import { ConfigFault } from "../core/settings.ts";
import type { Platform } from "../core/platform.ts";
import {
  clientAddressOf,
  type TrustedProxies,
  UNIX_PEER,
} from "../http/client_address.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";

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
  // From the start on: whoever reads the line below may stop it at once.
  const toldToStop = untilToldToStop();
  const places = config.STRONGROOM_LISTEN.map(withPort);
  const origin = originOf(places);
  const opened = await openApp(config, {
    ...platform,
    fetch: trusting(config.OIDC_CA_BUNDLE, platform.fetch),
  }, { origin });
  try {
    const trusted = config.STRONGROOM_TRUSTED_PROXIES;
    const servers = places.map((place) => listen(place, opened, trusted));
    const { serverId } = opened.app;
    say(
      `strongroom is serving ${origin}` +
        (serverId === origin ? "" : ` as ${serverId}`) +
        ` out of ${shortPath(config.STRONGROOM_DATA_DIR)} (Ctrl-C stops it)`,
    );
    const stopPurging = purgeRegularly(opened, platform);
    await toldToStop;
    platform.log.info("draining");
    stopPurging();
    opened.stopWaiting();
    await drain(servers);
  } finally {
    await opened.close();
  }
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

/** Port 0 asks for any free one; the origin has to name it. */
function withPort(place: Listen): Listen {
  if (place.kind !== "tcp" || place.port !== 0) return place;
  using probe = Deno.listen({ hostname: place.hostname, port: 0 });
  return { ...place, port: probe.addr.port };
}

function originOf(places: readonly Listen[]): string {
  const first = places.find((place) => place.kind === "tcp");
  if (first === undefined) return "http://localhost";
  const host = first.hostname.includes(":")
    ? `[${first.hostname}]`
    : first.hostname;
  return new URL(`http://${host}:${first.port}`).origin;
}

function listen(
  place: Listen,
  opened: OpenedApp,
  trusted: TrustedProxies,
): Deno.HttpServer {
  const where = place.kind === "tcp"
    ? { hostname: place.hostname, port: place.port }
    : { path: place.path };
  try {
    return Deno.serve({
      ...where,
      // The one line that `say` writes is enough.
      onListen: () => {},
    }, (request, info) => {
      const peer = "hostname" in info.remoteAddr
        ? info.remoteAddr.hostname
        : UNIX_PEER;
      const header = (name: string) => request.headers.get(name);
      const clientAddress = clientAddressOf(peer, header, trusted);
      return opened.fetch(request, { clientAddress });
    });
  } catch (error) {
    const name = place.kind === "tcp"
      ? `${place.hostname}:${place.port}`
      : place.path;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigFault([
      `STRONGROOM_LISTEN: cannot listen on ${name} (${reason}): choose ` +
      "another, or stop what listens there",
    ]);
  }
}

function shortPath(path: string): string {
  const near = relative(Deno.cwd(), path);
  return near.startsWith("..") || near === "" ? path : `./${near}`;
}

function purgeRegularly(opened: OpenedApp, platform: Platform): () => void {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= opened.purge()
      .catch((cause) => platform.log.error("purge failed", { cause }))
      .finally(() => running = undefined);
  }, PURGE_EVERY_MS);
  return () => clearInterval(timer);
}

function untilToldToStop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  Deno.addSignalListener("SIGINT", resolve);
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", resolve);
  return promise;
}

/** No new connections; what is running may end, for a while. */
async function drain(servers: readonly Deno.HttpServer[]): Promise<void> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, DRAIN_MS);
  await Promise.race([
    Promise.all(servers.map((server) => server.shutdown())),
    tooLong,
  ]);
  clearTimeout(timer);
}
