/**
 * The decisions of a lifecycle write: pure, so that every row of the
 * specification is a row of a table in the test.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";

/** What the server holds of an asset when a manifest wants to be applied. */
export interface ChainFacts {
  /** Undefined while no manifest was ever applied. */
  readonly asset: {
    readonly state: "live" | "deleted" | "withheld";
    readonly chainHead: BlobHash;
  } | undefined;
  /** Finalized originals of the caller under this file_id, oldest first. */
  readonly originals: readonly BlobHash[];
  /** Finalized metadata blobs of the caller under this file_id. */
  readonly metadata: readonly BlobHash[];
}

/** The parts of a manifest that decide. */
export interface ManifestClaims {
  readonly action: "create" | "replace";
  readonly priorHash: BlobHash | null;
  readonly originalHash: BlobHash | null;
  readonly metadataHash: BlobHash | null;
}

export type Decision =
  | { readonly kind: "apply"; readonly originalHash: BlobHash }
  /** The chain is elsewhere: at `chainHead`, null before the first manifest. */
  | { readonly kind: "chain_conflict"; readonly chainHead: BlobHash | null }
  | { readonly kind: "deleted" }
  | { readonly kind: "missing"; readonly hashes: readonly BlobHash[] };

/** Decides a manifest (protocol/manifests.md#applying-a-manifest). */
export function decideManifest(
  facts: ChainFacts,
  claims: ManifestClaims,
): Decision {
  if (facts.asset?.state === "deleted") return { kind: "deleted" };
  if (facts.asset?.state === "withheld") {
    // Refused as if there were no such asset; and where there being none would
    // let it come to life, as a deleted one: nothing lifts a take-down.
    const decision = decideManifest({ ...facts, asset: undefined }, claims);
    return decision.kind === "apply" ? { kind: "deleted" } : decision;
  }
  const chainHead = facts.asset?.chainHead ?? null;
  // A create starts a chain, a replace continues one.
  const starts = claims.action === "create";
  if (starts !== (chainHead === null) || claims.priorHash !== chainHead) {
    return { kind: "chain_conflict", chainHead };
  }
  // Without a named original a create takes the newest that was uploaded.
  const originalHash = claims.originalHash ?? facts.originals.at(-1) ?? null;
  const missing: BlobHash[] = [];
  if (claims.originalHash !== null) {
    if (!facts.originals.includes(claims.originalHash)) {
      missing.push(claims.originalHash);
    }
  }
  if (
    claims.metadataHash !== null &&
    !facts.metadata.includes(claims.metadataHash)
  ) missing.push(claims.metadataHash);
  if (originalHash === null || missing.length > 0) {
    return { kind: "missing", hashes: missing };
  }
  return { kind: "apply", originalHash };
}
