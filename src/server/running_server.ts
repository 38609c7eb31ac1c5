/**
 * A server of an opened application: it gets its certificate, listens, does its
 * regular tasks, and drains.
 *
 * @module
 */
import type { OpenedApp } from "../app.ts";
import type { AcmeSettings, Config, Listen } from "../config.ts";
import type { Log, Platform } from "../core/platform.ts";
import { clientAddressOf, UNIX_PEER } from "../http/client_address.ts";
import { MINUTE_MS, SECOND_MS, toHttpDate } from "../core/time.ts";
import { describe } from "../http/request_log.ts";
import { denoFiles } from "../store/files/deno_files.ts";
import {
  type CertificateUse,
  type CertificateWatch,
  type CertifiedKey,
  openCertificate,
  watchCertificate,
} from "./tls/certificate.ts";
import { type RunningKeeper, startKeeper } from "./tls/acme/running.ts";
import { watchDescriptors } from "./descriptors.ts";
import { hostOf } from "./tls/certificate_facts.ts";
import { startNotices } from "./notices.ts";
import { Failing } from "./log/retry_log.ts";
import { ForwardedNote } from "./forwarded_note.ts";
import type { Signals } from "./host.ts";
import { type Listener, type ListenerParts, openListener } from "./listener.ts";
import { addressesOf, startMdns } from "./mdns.ts";
import { INTERRUPTED_MS } from "./successive_servers.ts";
import { startTracing, type Trace } from "./log/tracing.ts";
import { endsWithin } from "./within_time.ts";
import { startWatching, type Watching } from "./metrics/metrics_listener.ts";

/** Running requests get this long when the server is told to stop. */
const DRAIN_MS = 20 * SECOND_MS;
/** Expired rows and files are removed this often. */
const PURGE_EVERY_MS = 10 * MINUTE_MS;

/** A server of an opened application, from its certificate to its end. */
export class RunningServer {
  readonly #listeners: Listener[] = [];
  #keeper: RunningKeeper | undefined;
  #watching: Watching | undefined;
  #note: ForwardedNote | undefined;
  #watch: CertificateWatch | undefined;
  #mdns: { readonly stop: () => Promise<void> } | undefined;
  #stopCounting = () => {};
  #stopTasks = (): Promise<unknown> => Promise.resolve();
  /** When the certificate in force ends (ms). */
  certificateEnds: number | undefined;

  /** `configured` is a certificate that need not be got first. */
  constructor(
    private readonly config: Config,
    private readonly platform: Platform,
    private readonly opened: OpenedApp,
    private readonly places: readonly Listen[],
    private readonly configured: CertifiedKey | undefined,
  ) {
    this.certificateEnds = configured?.notAfter;
  }

  /**
   * Gets the first certificate of an authority, if one is to be got; false if
   * the server is told to stop before.
   */
  async getCertificate(
    acme: AcmeSettings | undefined,
    stop: Promise<void>,
  ): Promise<boolean> {
    const { config, platform, opened } = this;
    const { log } = platform;
    const keeper = acme && await startKeeper(acme, config, opened, platform);
    this.#keeper = keeper;
    const challenges = keeper === undefined ? [] : [keeper.listener];
    this.#stopCounting = watchDescriptors(
      config.STRONGROOM_DATA_DIR,
      () => [...this.#listeners, ...challenges],
      () => log.warn("idle connections are many, and are ended"),
    );
    if (keeper === undefined) return true;
    if (!keeper.hasOne()) log.info("asking for a certificate");
    const came = await Promise.race([
      keeper.first.then(() => "first" as const),
      stop,
      opened.lost,
    ]);
    if (came === "first") return true;
    log.info("stopping without a certificate");
    return false;
  }

  /** Listens at every place, and follows the certificate. */
  async listen(onReload: Signals["onReload"]): Promise<void> {
    const { config, opened, platform } = this;
    const { log, now } = platform;
    const certificate = this.configured ?? openCertificate(config);
    this.certificateEnds = certificate?.notAfter;
    const watching = await startWatching(config, opened, log);
    this.#watching = watching;
    const note = await noteForwarders(config, platform);
    this.#note = note;
    const trace = await startTracing(log);
    const parts = {
      setting: "STRONGROOM_LISTEN",
      certificate,
      answer: answerer(opened, config, watching.onEnd, trace, note, now),
      interrupt: opened.interruptUploads,
      log,
    };
    const taken = [...config.STRONGROOM_METRICS_LISTEN];
    for (const place of this.places) {
      this.#listeners.push(await openListener(place, { ...parts, taken }));
      taken.push(place);
    }
    const watch = certificate && watchOver(
      config,
      certificate,
      { host: hostOf(opened.app.server.serverId), now, log },
      this.#listeners,
      (notAfter) => {
        this.certificateEnds = notAfter;
        watching.onCertificate(notAfter);
      },
    );
    this.#watch = watch;
    onReload(() => watch?.look());
    this.#keeper?.onNew(() => watch?.look());
  }

  /** Tells the network its name where that is asked for, and starts its tasks. */
  async startTasks(): Promise<void> {
    const { config, opened, platform, places } = this;
    this.#mdns = config.STRONGROOM_MDNS === "on"
      ? await tellNetwork(opened.app.server.serverId, places, platform)
      : undefined;
    const onPurge = this.#watching?.onPurge;
    const stopPurging = purgeRegularly(opened, platform, onPurge);
    const stopLogs = advanceLogsRegularly(opened, config, platform);
    const stopNotices = startNotices(opened, platform, {
      files: denoFiles,
      root: config.STRONGROOM_DATA_DIR,
      certificateEnds: () => this.certificateEnds,
    });
    this.#stopTasks = () => {
      stopPurging();
      stopLogs();
      return stopNotices();
    };
  }

  /**
   * Ends its tasks, and lets the requests end that run; when `hurry` resolves,
   * it waits no longer.
   */
  async drain(hurry: Promise<unknown>): Promise<void> {
    const { log } = this.platform;
    log.info("draining");
    this.#watching?.onDrain();
    this.#watch?.stop();
    await this.#mdns?.stop();
    this.#mdns = undefined;
    await this.#keeper?.close();
    const tasksEnded = this.#stopTasks();
    this.#stopCounting();
    this.opened.stopWaiting();
    await drain(this.#listeners.splice(0), this.opened, hurry, log);
    await this.#note?.settled();
    await endsWithin(INTERRUPTED_MS, tasksEnded);
  }

  /** Leaves a data directory that another server took, and writes nothing. */
  leave(): void {
    this.#stopCounting();
  }

  /** Closes all that is still open. */
  async close(): Promise<void> {
    this.#stopCounting();
    // A fault at one place leaves the listeners of the others open.
    for (const listener of this.#listeners) await listener.shutdown();
    await this.#mdns?.stop();
    await this.#keeper?.close();
    await this.#watching?.close();
    await this.opened.close();
  }
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
  onPurge: Watching["onPurge"] | undefined,
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
    onPurge?.({ succeeded, durationMs, endedAt: now() });
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
