/**
 * What a failure says of where things are stored, for every operation alike
 * (protocol/transport.md#implied-problems).
 *
 * @module
 */
import type { StorageFault } from "../http/refusal.ts";
import { isDiskFull } from "../store/failure.ts";
import { BlobsUnavailable } from "../store/unavailable.ts";
import { DiskReserved } from "./disk.ts";

/** Causes of causes that are looked at. */
const CAUSES_MAX = 4;

/** Whether a disk was too full, or the object store away; undefined if neither. */
export function storageFaultOf(thrown: unknown): StorageFault | undefined {
  let at = thrown;
  for (let depth = 0; depth < CAUSES_MAX; depth++) {
    if (isDiskFull(at) || at instanceof DiskReserved) return { kind: "full" };
    if (at instanceof BlobsUnavailable) {
      return { kind: "away", retryAfterSeconds: at.retryAfterSeconds };
    }
    if (!(at instanceof Error)) return undefined;
    at = at.cause;
  }
  return undefined;
}
