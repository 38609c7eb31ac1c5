/**
 * What a failure says of where things are stored, for every operation alike
 * (protocol/transport.md#implied-problems).
 *
 * @module
 */
import type { StorageFault } from "../http/refusal.ts";
import { failureOf } from "../store/failure.ts";
import { LeaseLost } from "../store/lease.ts";
import { BlobsUnavailable } from "../store/blobs/unavailable.ts";
import { DiskReserved } from "./disk.ts";

/** Causes of causes that are looked at. */
const CAUSES_MAX = 4;

/**
 * Whether a disk was too full, the object store away, or the database locked by
 * another program or unreadable; undefined if none of these.
 */
export function storageFaultOf(thrown: unknown): StorageFault | undefined {
  let at = thrown;
  for (let depth = 0; depth < CAUSES_MAX; depth++) {
    if (at instanceof DiskReserved) return { kind: "full" };
    // This process ends; whoever serves now answers.
    if (at instanceof LeaseLost) return { kind: "away", retryAfterSeconds: 60 };
    if (at instanceof BlobsUnavailable) {
      return { kind: "away", retryAfterSeconds: at.retryAfterSeconds };
    }
    const failure = failureOf(at);
    if (failure === "full") return { kind: "full" };
    if (failure === "busy") return { kind: "away" };
    if (failure !== undefined) return { kind: "unreadable" };
    if (!(at instanceof Error)) return undefined;
    at = at.cause;
  }
  return undefined;
}
