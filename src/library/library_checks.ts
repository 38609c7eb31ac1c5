/**
 * Whether a library's server still has what was stored: asked, read back, and
 * told by its receipts.
 *
 * @module
 */
import { proveAssets, type ProvingReport } from "./adding/proving.ts";
import type { ConfirmOptions, ConfirmReport } from "./care/confirm.ts";
import type { LossesReport } from "./care/loss_report.ts";
import type { ReceiptsOptions, ReceiptsReport } from "./care/receipts.ts";
import { later, type LibraryContext } from "./library_context.ts";
import { brokenRows } from "./rows/losses.ts";
import type { Row } from "./rows/rows.ts";

/** The functions of a library that check what the server keeps. */
export interface LibraryChecks {
  /** Asks the server whether it still has the assets; see `confirm.ts`. */
  confirm(options?: ConfirmOptions): Promise<ConfirmReport>;
  /** Verifies receipts that another device was given; see `proving.ts`. */
  prove(
    assetIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<ProvingReport>;
  /** Fetches every blob and compares it with its address. */
  readBack(options?: Omit<ConfirmOptions, "deep">): Promise<ConfirmReport>;
  /** Verifies the account's receipts by number; see `receipts.ts`. */
  receipts(options?: ReceiptsOptions): Promise<ReceiptsReport>;
  /** A report of what is missing or damaged; see `loss_report.ts`. */
  lossReport(): Promise<LossesReport>;
}

/** Makes the functions that check; `missing` are the photos that are lost. */
export function openChecks(
  context: LibraryContext,
  missing: () => readonly Row[],
): LibraryChecks {
  const { index, vault: { session: { userId } } } = context;
  return {
    confirm: async (options) =>
      await (await later()).confirmAssets(context, options),
    prove: (assetIds, signal) => proveAssets(context, assetIds, signal),
    readBack: async (options) =>
      await (await later()).readBackAssets(context, options),
    receipts: async (options) =>
      await (await later()).sweepReceipts(context, options),
    lossReport: async () =>
      await (await later()).reportLosses(context, [
        ...missing(),
        ...brokenRows(index, userId),
      ]),
  };
}
