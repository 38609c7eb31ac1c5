/**
 * What it takes to delete an original: owned by the person, in their library,
 * receipts of its blobs verified on this machine, and its bytes read again.
 *
 * @module
 */
import type { ConfirmReport } from "../../../library/care/confirm.ts";
import type { ReceiptsReport } from "../../../library/care/receipts.ts";
import type { CliContext } from "../cli_context.ts";

/** Why an asset is not proven to be kept; undefined if it is. */
type WhyUnproven = (assetId: string) => string | undefined;

/**
 * Holds against each asset what the account's receipts prove and what the server
 * said afterwards; the receipts come first, for without them nothing counts as
 * read again.
 */
export function provenBy(
  { library, session }: CliContext,
  receipts: ReceiptsReport,
  { damaged, missing, unexamined }: ConfirmReport,
): WhyUnproven {
  const without = new Set(receipts.without);
  const lost = new Set([...damaged, ...missing]);
  const unread = new Set(unexamined);
  return (assetId) => {
    const row = library.index.get(assetId);
    return row === undefined || row.state !== "live"
      ? "it is not in the library"
      : row.owner !== session.userId
      ? "it belongs to someone else"
      : without.has(assetId) || receipts.faults.length > 0
      ? "its receipts do not prove it"
      : lost.has(assetId)
      ? "the server does not have all of it"
      : unread.has(assetId) || row.custody !== "read_back"
      ? "the server has not read it again yet: run this in an hour"
      : undefined;
  };
}
