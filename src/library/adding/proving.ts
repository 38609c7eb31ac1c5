/**
 * Verifying the receipts of single assets, which another device of the account
 * stored: the custody state `receipted` of rows
 * (protocol/receipts.md#verifying-one).
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import { CustodyError } from "../base/faults.ts";
import type { Row } from "../rows/rows.ts";
import { type Storing, verifyReceipts } from "../trust/asset_receipts.ts";
import type { StoreChange } from "../base/store.ts";

/** What proving works with. */
export interface ProvingContext extends Storing {
  readonly index: AssetIndex;
}

/** What came out. */
export interface ProvingReport {
  /** Ids of assets all of whose receipts were verified. */
  readonly proven: readonly string[];
  /** Receipts that are not what they should be. */
  readonly faults: readonly {
    readonly assetId: string;
    readonly fault: CustodyError["fault"];
    readonly message: string;
  }[];
}

/**
 * Fetches and verifies the receipts of those of the assets that are one's own,
 * live, and not verified on this device; a request for each.
 */
export async function proveAssets(
  context: ProvingContext,
  assetIds: readonly string[],
  signal?: AbortSignal,
): Promise<ProvingReport> {
  const { vault, index } = context;
  const { userId } = vault.session;
  const proven: string[] = [];
  const faults: ProvingReport["faults"][number][] = [];
  for (const assetId of assetIds) {
    signal?.throwIfAborted();
    const row = index.get(assetId);
    const isOpen = row?.owner === userId && row.state === "live" &&
      row.custody === "unverified";
    if (!isOpen) continue;
    try {
      await proveRow(context, row);
      proven.push(assetId);
    } catch (error) {
      if (!(error instanceof CustodyError)) throw error;
      faults.push({ assetId, fault: error.fault, message: error.message });
    }
  }
  return { proven, faults };
}

/**
 * Verifies the receipts of a row and keeps them, and `more` with them, in one
 * write. Throws CustodyError where one is missing or wrong.
 */
export async function proveRow(
  context: ProvingContext,
  row: Row,
  more: readonly StoreChange[] = [],
): Promise<Row> {
  const { vault, index } = context;
  const receipts = await verifyReceipts(context, row.id, row.blobs);
  const now = index.get(row.id);
  // Changed or gone meanwhile: other receipts are asked for.
  if (now === undefined || now.head !== row.head) return row;
  const proven: Row = {
    ...now,
    custody: now.custody === "unverified" ? "receipted" : now.custody,
    custody_at: toRfc3339(vault.session.platform.now()),
  };
  await index.append(proven, [...receipts, ...more]);
  return proven;
}
