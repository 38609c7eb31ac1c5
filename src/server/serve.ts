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
import type { Platform } from "../core/platform.ts";
import { MINUTE_MS } from "../core/time.ts";
import { describe } from "../http/request_log.ts";
import { StoreFault } from "../store/failure.ts";
import { isFresh } from "../store/health.ts";
import { type CertifiedKey, openCertificate } from "./tls/certificate.ts";
import { hasDescriptors as areFree } from "../store/files/descriptors.ts";
import { LeaseLost } from "../store/lease.ts";
import { prepareForNone } from "./descriptors.ts";
import { ConfigFault } from "../core/settings.ts";
import type { Sights } from "../features/app.ts";
import type { Host } from "./host.ts";
import { placeText, tryPorts, withPort } from "./listener.ts";
import { answeringMeanwhile, Interruptible } from "./migration_server.ts";
import { machineAddresses } from "./mdns.ts";
import { isUnspecified } from "../http/address_scope.ts";
import { RunningServer } from "./running_server.ts";
import { trusting } from "./tls/extra_authorities.ts";

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
  let running: RunningServer | undefined = undefined;
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
      certificateEnds: () =>
        running === undefined ? configured?.notAfter : running.certificateEnds,
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
  running = new RunningServer(config, platform, opened, places, configured);
  let isLeft = false;
  try {
    if (!await running.getCertificate(acme, signals.stop)) return;
    await running.listen(signals.onReload);
    const { server: { serverId } } = opened.app;
    say(servingLine(config, places, opened), serverId);
    await running.startTasks();
    const lost = await Promise.race([signals.stop, opened.lost]);
    // Whatever would still be written would be lost, or do harm.
    if (lost instanceof LeaseLost) throw lost;
    if (lost !== undefined) {
      log.error("stopping: nothing can be written", {
        cause: describe(lost, true),
      });
    }
    await running.drain(lost === undefined ? signals.hurry : opened.lost);
    if (lost !== undefined) throw faultOf(config, lost);
  } catch (error) {
    isLeft = error instanceof LeaseLost;
    throw error;
  } finally {
    // Closing would write into what is another server's.
    if (isLeft) running.leave();
    else await running.close();
  }
}

/** Where a server is reached, for the person who started it. */
function servingLine(
  config: Config,
  places: readonly Listen[],
  { app: { server: { serverId } }, isNew }: OpenedApp,
): string {
  const reached = places.map((place) => placeOrigin(config, place));
  return `strongroom is serving ${reached.join(" and ")}` +
    (reached.includes(serverId) ? "" : ` as ${serverId}`) +
    ` out of ${shortPath(config.STRONGROOM_DATA_DIR)}` +
    `${isNew ? ", created just now" : ""} (Ctrl-C stops it)`;
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

/** The origin of the first place that has one, whatever the base URL is. */
function originOf(config: Config, places: Config["STRONGROOM_LISTEN"]): string {
  const listening = {
    ...config,
    STRONGROOM_BASE_URL: undefined,
    STRONGROOM_LISTEN: places,
  };
  return canonicalOrigin(listening) ?? "http://localhost";
}

/** Where a place is reached: its origin, or its socket. */
function placeOrigin(config: Config, place: Listen): string {
  return place.kind === "unix" ? placeText(place) : originOf(config, [place]);
}

function shortPath(path: string): string {
  const near = relative(Deno.cwd(), path);
  // Of the root, as in a container, it says less than the whole path.
  const isLonger = near.startsWith("..") || near === "" || `/${near}` === path;
  return isLonger ? path : `./${near}`;
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
