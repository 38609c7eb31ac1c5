/**
 * What is measured of a bucket; nothing where blobs lie in the directory alone.
 *
 * @module
 */
import { Counter, Gauge, type Registry } from "prom-client";
import type { ObjectStoreValues } from "../features/metrics/gauges.ts";

/** Makes the metrics of a bucket with the first values; shows the newest. */
export function objectStoreMetrics(
  registry: Registry,
): (values: ObjectStoreValues | undefined) => void {
  let show: ((values: ObjectStoreValues) => void) | undefined;
  return (values) => {
    if (values === undefined) return;
    show ??= make(registry);
    show(values);
  };
}

function make(registry: Registry): (values: ObjectStoreValues) => void {
  const registers = [registry];
  const requests = new Counter({
    name: "strongroom_object_store_requests_total",
    help: "Requests to the object store, by whether it gave an answer.",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const away = new Gauge({
    name: "strongroom_object_store_away",
    help: "1 while the object store does not answer and is left alone.",
    registers,
  });
  const cached = new Gauge({
    name: "strongroom_object_store_cache_bytes",
    help: "Memory that small blobs of the object store take.",
    registers,
  });
  const reads = new Counter({
    name: "strongroom_object_store_cache_reads_total",
    help: "Reads of small blobs of the object store.",
    labelNames: ["outcome"],
    registers,
  });
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
