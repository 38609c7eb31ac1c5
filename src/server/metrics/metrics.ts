/**
 * The metrics in Prometheus' text format (watching/metrics.md#metrics).
 * prom-client because the format, its escaping and its histograms are not the
 * mission. Loaded only where metrics are asked for.
 *
 * @module
 */
import process from "node:process";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { VERSION } from "../../core/version.ts";
import { SECOND_MS } from "../../core/time.ts";
import type {
  Gauges,
  GaugeValues,
  ObjectStoreValues,
} from "../../features/metrics/gauges.ts";
import type { EndedRequest } from "../../http/request_log.ts";

/** A run of the periodic task. */
export interface PurgeRun {
  readonly succeeded: boolean;
  readonly durationMs: number;
  readonly endedAt: number;
}

export interface Metrics {
  readonly onEnd: (ended: EndedRequest) => void;
  readonly onPurge: (run: PurgeRun) => void;
  /** Says when the certificate in force ends (ms). */
  readonly onCertificate: (notAfter: number) => void;
  readonly contentType: string;
  /** Everything, as text; throws where the database does not answer. */
  readonly scrape: () => Promise<string>;
  readonly stop: () => void;
}

/** Seconds; the feed's long polls and whole uploads are the upper ones. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 30, 120];
/** The event loop is to come around this often (ms). */
const LOOP_EVERY_MS = SECOND_MS / 2;

/** Makes the metrics of one server; `lastBackup` tells when that was (ms). */
export function createMetrics(
  gauges: Gauges,
  lastBackup: () => number | undefined = () => undefined,
): Metrics {
  const registry = new Registry();
  const onEnd = requestMetrics(registry);
  const onPurge = purgeMetrics(registry);
  const showState = stateMetrics(registry);
  const showProcess = processMetrics(registry);
  const showObjectStore = objectStoreMetrics(registry);
  const loop = watchLoop();
  return {
    onEnd,
    onPurge,
    onCertificate(notAfter) {
      const name = "strongroom_tls_certificate_not_after_timestamp_seconds";
      registry.removeSingleMetric(name);
      gauge(registry, name, "When the TLS certificate in force ends.")
        .set(notAfter / SECOND_MS);
    },
    contentType: registry.contentType,
    async scrape() {
      const values = await gauges.read();
      showState(values, lastBackup() ?? 0);
      showObjectStore(values.objectStore);
      showProcess(loop.takeLongest());
      return await registry.metrics();
    },
    stop: loop.stop,
  };
}

function counter<L extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly L[] = [],
): Counter<L> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

function gauge(registry: Registry, name: string, help: string): Gauge {
  return new Gauge({ name, help, registers: [registry] });
}

function setTotal(total: Counter, value: number): void {
  total.reset();
  total.inc(value);
}

/** Makes the metrics of requests; counts one. */
function requestMetrics(registry: Registry): Metrics["onEnd"] {
  const requests = counter(
    registry,
    "strongroom_http_requests_total",
    "Requests that were answered.",
    ["operation", "status"],
  );
  const duration = new Histogram({
    name: "strongroom_http_request_duration_seconds",
    help: "From a request's head to its answer's.",
    labelNames: ["operation"],
    buckets: BUCKETS,
    registers: [registry],
  });
  const received = counter(
    registry,
    "strongroom_http_received_bytes_total",
    "Bytes of request bodies that were read.",
    ["operation"],
  );
  const sent = counter(
    registry,
    "strongroom_http_sent_bytes_total",
    "Bytes of answers' bodies, as they announced them.",
    ["operation"],
  );
  return ({ operation = "none", status, durationMs, bytesIn, bytesOut }) => {
    requests.inc({ operation, status });
    duration.observe({ operation }, durationMs / SECOND_MS);
    if (bytesIn > 0) received.inc({ operation }, bytesIn);
    if (bytesOut > 0) sent.inc({ operation }, bytesOut);
  };
}

/** Makes the metrics of the periodic task; counts a run. */
function purgeMetrics(registry: Registry): Metrics["onPurge"] {
  const purges = counter(
    registry,
    "strongroom_purge_runs_total",
    "Runs of the periodic task that removes what has expired.",
    ["outcome"],
  );
  for (const outcome of ["success", "failure"]) purges.inc({ outcome }, 0);
  const purgedAt = gauge(
    registry,
    "strongroom_purge_last_success_timestamp_seconds",
    "When the periodic task last succeeded; 0 before it has.",
  );
  const purgeTook = gauge(
    registry,
    "strongroom_purge_duration_seconds",
    "How long its last run took.",
  );
  return ({ succeeded, durationMs, endedAt }) => {
    purges.inc({ outcome: succeeded ? "success" : "failure" });
    purgeTook.set(durationMs / SECOND_MS);
    if (succeeded) purgedAt.set(endedAt / SECOND_MS);
  };
}

/** Makes the metrics of what a server holds; shows them, and when the last backup was (ms). */
function stateMetrics(
  registry: Registry,
): (values: GaugeValues, backedUpAt: number) => void {
  const openUploads = gauge(
    registry,
    "strongroom_uploads_open",
    "Upload sessions that are open, those of guests included.",
  );
  const blobs = gauge(
    registry,
    "strongroom_blobs",
    "Blobs that are stored.",
  );
  const blobBytes = gauge(
    registry,
    "strongroom_blob_bytes",
    "Bytes of these blobs.",
  );
  const receipts = counter(
    registry,
    "strongroom_receipts_issued_total",
    "Receipts issued since the server started.",
  );
  const lost = counter(
    registry,
    "strongroom_blobs_lost_total",
    "Blobs that were asked for and whose file is missing or of another size.",
  );
  const hashes = gauge(
    registry,
    "strongroom_password_hashes_pending",
    "Password hashes that run or wait.",
  );
  const refusals = counter(
    registry,
    "strongroom_limiter_refusals_total",
    "Requests that a rate budget refused.",
    ["budget"],
  );
  const databaseSize = gauge(
    registry,
    "strongroom_database_size_bytes",
    "Bytes of the database, without its write-ahead log.",
  );
  const freeDisk = gauge(
    registry,
    "strongroom_disk_free_bytes",
    "Free bytes of the disk that holds the data directory.",
  );
  const freeInodes = gauge(
    registry,
    "strongroom_disk_free_inodes",
    "Files that can still be made there; +Inf where there is no limit.",
  );
  const backup = gauge(
    registry,
    "strongroom_backup_last_success_timestamp_seconds",
    "Of what moment the last backup is; 0 before there is one.",
  );
  return (values, backedUpAt) => {
    openUploads.set(values.openUploads);
    blobs.set(values.blobs.count);
    blobBytes.set(values.blobs.bytes);
    databaseSize.set(values.databaseBytes);
    freeDisk.set(values.freeDiskBytes);
    freeInodes.set(values.freeInodes);
    backup.set(backedUpAt / SECOND_MS);
    setTotal(receipts, values.receiptsIssued);
    setTotal(lost, values.blobsLost);
    hashes.set(values.hashesPending);
    refusals.reset();
    for (const [budget, count] of values.refusals) {
      refusals.inc({ budget }, count);
    }
  };
}

/** Makes the metrics of the process; shows its use, and its loop's delay (ms). */
function processMetrics(registry: Registry): (longestDelay: number) => void {
  const resident = gauge(
    registry,
    "strongroom_process_resident_memory_bytes",
    "Resident memory of the process.",
  );
  const cpu = counter(
    registry,
    "strongroom_process_cpu_seconds_total",
    "Processor time that the process has used.",
  );
  gauge(
    registry,
    "strongroom_process_start_time_seconds",
    "When the process started.",
  ).set(performance.timeOrigin / SECOND_MS);
  const loopLag = gauge(
    registry,
    "strongroom_event_loop_lag_seconds",
    "The event loop's longest delay since the last scrape.",
  );
  new Gauge({
    name: "strongroom_build_info",
    help: "Always 1; the program's version and its runtime's.",
    labelNames: ["version", "deno"],
    registers: [registry],
  }).set({ version: VERSION, deno: Deno.version.deno }, 1);
  return (longestDelay) => {
    resident.set(Deno.memoryUsage().rss);
    const { user, system } = process.cpuUsage();
    setTotal(cpu, (user + system) / 1_000_000);
    loopLag.set(longestDelay / SECOND_MS);
  };
}

/** How late a regular timer comes is how long the loop was held up. */
function watchLoop() {
  let due = performance.now() + LOOP_EVERY_MS;
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - due);
    due = now + LOOP_EVERY_MS;
  }, LOOP_EVERY_MS);
  return {
    takeLongest() {
      const taken = longest;
      longest = 0;
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Makes the metrics of a bucket with the first values, and none where blobs lie
 * in the directory alone; shows the newest.
 */
function objectStoreMetrics(
  registry: Registry,
): (values: ObjectStoreValues | undefined) => void {
  let show: ((values: ObjectStoreValues) => void) | undefined;
  return (values) => {
    if (values === undefined) return;
    show ??= bucketMetrics(registry);
    show(values);
  };
}

/** Makes the metrics of a bucket; shows their values. */
function bucketMetrics(
  registry: Registry,
): (values: ObjectStoreValues) => void {
  const requests = counter(
    registry,
    "strongroom_object_store_requests_total",
    "Requests to the object store, by whether it gave an answer.",
    ["operation", "outcome"],
  );
  const away = gauge(
    registry,
    "strongroom_object_store_away",
    "1 while the object store does not answer and is left alone.",
  );
  const cached = gauge(
    registry,
    "strongroom_object_store_cache_bytes",
    "Memory that small blobs of the object store take.",
  );
  const reads = counter(
    registry,
    "strongroom_object_store_cache_reads_total",
    "Reads of small blobs of the object store.",
    ["outcome"],
  );
  return (values) => {
    requests.reset();
    for (const outcome of ["answered", "failed"] as const) {
      for (const [operation, count] of values[outcome]) {
        requests.inc({ operation, outcome }, count);
      }
    }
    away.set(values.isAway ? 1 : 0);
    cached.set(values.cacheBytes);
    reads.reset();
    reads.inc({ outcome: "hit" }, values.cacheHits);
    reads.inc({ outcome: "miss" }, values.cacheMisses);
  };
}
