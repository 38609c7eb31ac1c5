/**
 * `strongroom serve`: listen, answer, and drain when told to stop.
 *
 * @module
 */
import { relative } from "node:path";
import { openApp, type OpenedApp } from "../app.ts";
import {
  acmeSettings,
  canonicalOrigin,
  type Config,
  type Listen,
} from "../config.ts";
import type { Log, Platform } from "../core/platform.ts";
import { clientAddressOf, UNIX_PEER } from "../http/client_address.ts";
import { MINUTE_MS, SECOND_MS, toHttpDate } from "../core/time.ts";
import { describe } from "../http/request_log.ts";
import { StoreFault } from "../store/failure.ts";
import { denoFiles } from "../store/files/deno_files.ts";
import { isFresh } from "../store/health.ts";
import {
  type CertificateUse,
  type CertificateWatch,
  type CertifiedKey,
  openCertificate,
  watchCertificate,
} from "./tls/certificate.ts";
import { type RunningKeeper, startKeeper } from "./tls/acme/running.ts";
import { hasDescriptors as areFree } from "../store/files/descriptors.ts";
import { LeaseLost } from "../store/lease.ts";
import { prepareForNone, watchDescriptors } from "./descriptors.ts";
import { hostOf } from "./tls/certificate_facts.ts";
import { ConfigFault } from "../core/settings.ts";
import type { Sights } from "../features/app.ts";
import { startNotices } from "./notices.ts";
import { Failing } from "./log/retry_log.ts";
import { ForwardedNote } from "./forwarded_note.ts";
import type { Host } from "./host.ts";
import {
  type Listener,
  type ListenerParts,
  openListener,
  placeText,
  tryPorts,
  withPort,
} from "./listener.ts";
import { answeringMeanwhile, Interruptible } from "./migration_server.ts";
import { addressesOf, machineAddresses, startMdns } from "./mdns.ts";
import { INTERRUPTED_MS } from "./successive_servers.ts";
import { isUnspecified } from "../http/address_scope.ts";
import { startTracing, type Trace } from "./log/tracing.ts";
import { trusting } from "./tls/extra_authorities.ts";
import { endsWithin } from "./within_time.ts";
import { startWatching, type Watching } from "./metrics/metrics_listener.ts";

/** Running requests get this long when the server is told to stop. */
const DRAIN_MS = 20 * SECOND_MS;
/** Expired rows and files are removed this often. */
const PURGE_EVERY_MS = 10 * MINUTE_MS;

/** Serves until it is told to stop; `say` tells the person who started it. */
export async function serve(
  config: Config,
  platform: Platform,
  say: (line: string, serverId: string) => void,
  { signals: listenForSignals, descriptorLimit, threads }: Host,
  examine: () => Promise<Sights["findings"]> = () => Promise.resolve([]),
): Promise<void> {
  const { log } = platform;
  prepareForNone();
  refuseNameless(config);
  // Signals count from the start: whoever reads the line below may stop the
  // server at once.
  const signals = listenForSignals(log);
  // One that is to be got first is opened when it is there.
  const acme = acmeSettings(config);
  const configured = acme === undefined ? openCertificate(config) : undefined;
  const places = config.STRONGROOM_LISTEN.map(withPort);
  const origin = originOf(config, places);
  const dataDir = config.STRONGROOM_DATA_DIR;
  // A start that fails leaves nothing behind where nothing was.
  if (isFresh(dataDir)) {
    tryPorts([
      ["STRONGROOM_METRICS_LISTEN", config.STRONGROOM_METRICS_LISTEN],
      ["STRONGROOM_LISTEN", places],
    ]);
  }
  let limit = 0;
  let certificateEnds = configured?.notAfter;
  const migration = new Interruptible(
    answeringMeanwhile(
      config,
      places,
      () => configured ?? certificateThere(config),
      log,
    ),
  );
  const opening = openApp(config, {
    ...platform,
    fetch: trusting(config.OIDC_CA_BUNDLE, platform.fetch),
  }, {
    ...threads,
    origin,
    hasDescriptors: (count) => areFree(dataDir, count, limit),
    addresses: machineAddresses,
    onMigration: migration.watch,
    seen: {
      certificateEnds: () => certificateEnds,
      findings: remembered(examine, platform),
    },
  });
  const opened = await migration.unlessStopped(opening, signals.stop);
  if (opened === undefined) {
    log.info(
      "stopping before the database has its newer schema: it is as it was, " +
        "and the next start begins again",
    );
    // The process ends, and with it the change, of which nothing is kept.
    opening.then((late) => late.close()).catch(() => {});
    return;
  }
  limit = descriptorLimit(dataDir);
  const listeners: Listener[] = [];
  let watching: Watching | undefined;
  let keeper: RunningKeeper | undefined;
  let mdns: { readonly stop: () => Promise<void> } | undefined;
  let stopCounting = () => {};
  let isLeft = false;
  try {
    keeper = acme && await startKeeper(acme, config, opened, platform);
    const challenges = keeper === undefined ? [] : [keeper.listener];
    stopCounting = watchDescriptors(
      dataDir,
      () => [...listeners, ...challenges],
      () => log.warn("idle connections are many, and are ended"),
    );
    if (keeper !== undefined) {
      if (!keeper.hasOne()) log.info("asking for a certificate");
      const lost = await Promise.race([
        keeper.first.then(() => "first" as const),
        signals.stop,
        opened.lost,
      ]);
      if (lost !== "first") {
        log.info("stopping without a certificate");
        return;
      }
    }
    const certificate = configured ?? openCertificate(config);
    certificateEnds = certificate?.notAfter;
    watching = await startWatching(config, opened, log);
    const note = await noteForwarders(config, platform);
    const parts = {
      setting: "STRONGROOM_LISTEN",
      certificate,
      answer: answerer(
        opened,
        config,
        watching.onEnd,
        await startTracing(log),
        note,
        platform.now,
      ),
      interrupt: opened.interruptUploads,
      log,
    };
    const taken = [...config.STRONGROOM_METRICS_LISTEN];
    for (const place of places) {
      listeners.push(await openListener(place, { ...parts, taken }));
      taken.push(place);
    }
    const watch = certificate && watchOver(
      config,
      certificate,
      { host: hostOf(opened.app.server.serverId), now: platform.now, log },
      listeners,
      (notAfter) => {
        certificateEnds = notAfter;
        watching?.onCertificate(notAfter);
      },
    );
    signals.onReload(() => watch?.look());
    keeper?.onNew(() => watch?.look());
    const { server: { serverId } } = opened.app;
    const reached = places.map((place) => placeOrigin(config, place));
    say(
      `strongroom is serving ${reached.join(" and ")}` +
        (reached.includes(serverId) ? "" : ` as ${serverId}`) +
        ` out of ${shortPath(config.STRONGROOM_DATA_DIR)}` +
        `${opened.isNew ? ", created just now" : ""} (Ctrl-C stops it)`,
      serverId,
    );
    mdns = config.STRONGROOM_MDNS === "on"
      ? await tellNetwork(serverId, places, platform)
      : undefined;
    const stopPurging = purgeRegularly(opened, platform, watching);
    const stopLogs = advanceLogsRegularly(opened, config, platform);
    const stopNotices = startNotices(opened, platform, {
      files: denoFiles,
      root: dataDir,
      certificateEnds: () => certificateEnds,
    });
    const lost = await Promise.race([signals.stop, opened.lost]);
    // Whatever would still be written would be lost, or do harm.
    if (lost instanceof LeaseLost) throw lost;
    if (lost !== undefined) {
      log.error("stopping: nothing can be written", {
        cause: describe(lost, true),
      });
    }
    log.info("draining");
    watching.onDrain();
    watch?.stop();
    await mdns?.stop();
    mdns = undefined;
    await keeper?.close();
    stopPurging();
    stopLogs();
    const noticesEnded = stopNotices();
    stopCounting();
    opened.stopWaiting();
    const left = listeners.splice(0);
    const hurry = lost === undefined ? signals.hurry : opened.lost;
    await drain(left, opened, hurry, log);
    await note.settled();
    await endsWithin(INTERRUPTED_MS, noticesEnded);
    if (lost !== undefined) throw faultOf(config, lost);
  } catch (error) {
    isLeft = error instanceof LeaseLost;
    throw error;
  } finally {
    stopCounting();
    // Closing would write into what is another server's.
    if (!isLeft) {
      // A fault at one place leaves the listeners of the others open.
      for (const listener of listeners) await listener.shutdown();
      await mdns?.stop();
      await keeper?.close();
      await watching?.close();
      await opened.close();
    }
  }
}

/** The certificate that an authority gave before, for as long as it is good. */
function certificateThere(config: Config): CertifiedKey | undefined {
  try {
    return openCertificate(config);
  } catch (error) {
    if (error instanceof ConfigFault) return undefined;
    throw error;
  }
}

/** Asks again once what was found is ten minutes old. */
function remembered<T>(
  ask: () => Promise<T>,
  { monotonic }: Pick<Platform, "monotonic">,
): () => Promise<T> {
  let found: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const at = monotonic();
    if (found === undefined || at - found.at > 10 * MINUTE_MS) {
      found = { at, answer: ask() };
      // The next one asks again.
      found.answer.catch(() => found = undefined);
    }
    return found.answer;
  };
}

/** Tells a home's network the name of this server. */
function tellNetwork(
  serverId: string,
  places: readonly Listen[],
  platform: Platform,
): Promise<{ readonly stop: () => Promise<void> }> {
  const { hostname, port, protocol } = new URL(serverId);
  const isTls = protocol === "https:";
  return startMdns({
    host: hostname,
    port: Number(port) || (isTls ? 443 : 80),
    isTls,
    addresses: addressesOf(places),
  }, platform);
}

/** Refuses what {@link namelessFault} names. */
function refuseNameless(config: Config): void {
  const fault = namelessFault(config);
  if (fault !== undefined) throw new ConfigFault([fault]);
}

/**
 * A server that listens on every address has no name that clients could use. It
 * would sign a useless name into every receipt, for ever. Undefined for any
 * other.
 */
export function namelessFault(config: Config): string | undefined {
  if (config.STRONGROOM_BASE_URL !== undefined) return undefined;
  const everywhere = config.STRONGROOM_LISTEN.find((place) =>
    place.kind === "tcp" && isUnspecified(place.hostname)
  );
  if (everywhere === undefined) return undefined;
  return `STRONGROOM_BASE_URL is not set, and ${placeText(everywhere)} is ` +
    "every address and no name: set it to the origin under which clients " +
    "reach this server, such as https://photos.example.org; it is signed " +
    "into every receipt";
}

/** Passes every change of the certificate on. */
function watchOver(
  config: Config,
  first: CertifiedKey,
  use: CertificateUse,
  listeners: readonly Listener[],
  onCertificate: Watching["onCertificate"],
): CertificateWatch {
  onCertificate(first.notAfter);
  return watchCertificate(config, first, use, (next) => {
    onCertificate(next.notAfter);
    for (const listener of listeners) listener.renew(next);
  });
}

/** Where a place is reached: its origin, or its socket. */
function placeOrigin(config: Config, place: Listen): string {
  return place.kind === "unix" ? placeText(place) : originOf(config, [place]);
}

/** The origin of the first place that has one, whatever the base URL is. */
function originOf(config: Config, places: Config["STRONGROOM_LISTEN"]): string {
  const listening = {
    ...config,
    STRONGROOM_BASE_URL: undefined,
    STRONGROOM_LISTEN: places,
  };
  return canonicalOrigin(listening) ?? "http://localhost";
}

/** Finds out whose a request is, and has the application answer it. */
function answerer(
  opened: OpenedApp,
  {
    STRONGROOM_TRUSTED_PROXIES: trusted,
    STRONGROOM_PROXY_HEADER: noted,
  }: Config,
  onEnd: Watching["onEnd"],
  trace: Trace | undefined,
  note: ForwardedNote,
  now: Platform["now"],
): ListenerParts["answer"] {
  // The runtime's own stays ahead once a clock was set back.
  const date = () => toHttpDate(now());
  return (request, remote, onBodyIn, sent) => {
    const peer = remote ?? UNIX_PEER;
    const header = (name: string) => request.headers.get(name);
    note.see(peer, header);
    const clientAddress = clientAddressOf(peer, header, trusted, noted);
    const info = { clientAddress, date, sent, onBodyIn, onEnd };
    if (trace === undefined) return opened.fetch(request, info);
    const nameSpan = trace();
    return opened.fetch(request, {
      ...info,
      onEnd: (ended) => {
        nameSpan(ended);
        onEnd?.(ended);
      },
    });
  };
}

/** Takes notes for `strongroom doctor`. */
async function noteForwarders(
  config: Config,
  { log, now }: Platform,
): Promise<ForwardedNote> {
  const note = new ForwardedNote({
    root: config.STRONGROOM_DATA_DIR,
    files: denoFiles,
    trusted: config.STRONGROOM_TRUSTED_PROXIES,
    noted: config.STRONGROOM_PROXY_HEADER,
    now,
    onFirst: () =>
      log.warn(
        "forwarding headers are ignored: where they are your proxy's, name it " +
          "in STRONGROOM_TRUSTED_PROXIES, and its header in " +
          "STRONGROOM_PROXY_HEADER (strongroom doctor tells who)",
      ),
    onFailure: (cause) =>
      log.warn("no note for the doctor", { cause: describe(cause, true) }),
  });
  await note.begin();
  return note;
}

function shortPath(path: string): string {
  const near = relative(Deno.cwd(), path);
  // Of the root, as in a container, it says less than the whole path.
  const isLonger = near.startsWith("..") || near === "" || `/${near}` === path;
  return isLonger ? path : `./${near}`;
}

/** Begins at once: what the last process committed may not be signed yet. */
function advanceLogsRegularly(
  opened: OpenedApp,
  { STRONGROOM_LOG_SECONDS: seconds }: Config,
  { log }: Platform,
): () => void {
  const failing = new Failing(log, "the public logs were not signed");
  const advance = () => {
    opened.advanceLogs().then(
      () => failing.succeeded(),
      (cause) => failing.failed(cause),
    );
  };
  advance();
  const timer = setInterval(advance, seconds * SECOND_MS);
  return () => clearInterval(timer);
}

function purgeRegularly(
  opened: OpenedApp,
  { now, monotonic, log }: Platform,
  { onPurge }: Watching,
): () => void {
  let running: Promise<void> | undefined;
  const failing = new Failing(log, "nothing was cleaned up");
  const purge = async () => {
    const startedAt = monotonic();
    let succeeded = true;
    try {
      await opened.purge();
      failing.succeeded();
    } catch (cause) {
      succeeded = false;
      failing.failed(cause);
    }
    const durationMs = monotonic() - startedAt;
    onPurge({ succeeded, durationMs, endedAt: now() });
  };
  const timer = setInterval(() => {
    running ??= purge().finally(() => running = undefined);
  }, PURGE_EVERY_MS);
  return () => clearInterval(timer);
}

/** Why a server that ran could not go on, and what to do about it. */
function faultOf(config: Config, lost: Error): StoreFault {
  return new StoreFault(
    `${config.STRONGROOM_DATA_DIR} cannot be written to (${lost.message}): ` +
      "nothing that was acknowledged is lost, and nothing more is " +
      "acknowledged; check the disk (its cables, its free space, the " +
      "system's log), then start again",
    { cause: lost },
  );
}

/**
 * No new connections; what is running may end, for a while. Whoever is left
 * loses the connection when the process ends.
 */
async function drain(
  listeners: readonly Listener[],
  opened: OpenedApp,
  hurry: Promise<unknown>,
  log: Log,
): Promise<void> {
  const drained = Promise.all(listeners.map((one) => one.shutdown()));
  let isHurried = false;
  hurry.then(() => isHurried = true, () => {});
  if (await endsWithin(DRAIN_MS, drained, hurry)) return;
  if (!isHurried) log.warn("requests that still run are ended");
  opened.interruptUploads();
  await endsWithin(INTERRUPTED_MS, drained);
}
