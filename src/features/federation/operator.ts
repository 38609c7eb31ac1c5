/**
 * What the operator does about the reports of peers
 * (accounts-and-moderation/moderation.md#reports-from-other-servers). A report
 * changes nothing by itself, and neither does closing one.
 *
 * @module
 */
import { parseUuid, type ReportId } from "../../core/ids.ts";
import { OperatorFault } from "../../core/operator.ts";
import { toRfc3339 } from "../../core/time.ts";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import {
  findReport,
  listAssetsWith,
  pageOfReports,
  setClosed,
} from "./store.ts";

/** A report as it lies there, with its account; instants in milliseconds. */
export type ReportRow = NonNullable<Awaited<ReturnType<typeof findReport>>>;

/** The reports, oldest first, a page at a time: the open ones, or all. */
export async function* listReports(
  db: Db,
  which: "open" | "all",
): AsyncGenerator<readonly ReportRow[]> {
  let after = { received_at: -1, report_id: "" };
  for (;;) {
    const rows = await pageOfReports(db, which, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = { received_at: last.received_at, report_id: last.report_id };
  }
}

/**
 * A report, and the assets of the reported account that hold the blob it
 * names. Throws an {@link OperatorFault} where there is no such report.
 */
export async function readReport(db: Db, text: string) {
  const report = await requireReport(db, text);
  const assets = await listAssetsWith(
    db,
    report.reported_user,
    report.asset_hash,
  );
  return { report, assets };
}

/**
 * Closes a report, so that the list leaves it out; returns its id. Throws an
 * {@link OperatorFault} for an unknown or closed report.
 */
export async function closeReport(
  db: Db,
  text: string,
  now: number,
): Promise<ReportId> {
  return await transaction(db, async (tx) => {
    const { report_id, closed_at } = await requireReport(tx, text);
    if (await setClosed(tx, report_id, now)) return report_id;
    throw new OperatorFault(
      `report ${report_id} was closed at ${toRfc3339(closed_at ?? now)}: ` +
        "there is nothing to do",
    );
  });
}

async function requireReport(db: Db, text: string): Promise<ReportRow> {
  const reportId = parseUuid<ReportId>(text);
  const report = reportId === undefined
    ? undefined
    : await findReport(db, reportId);
  if (report !== undefined) return report;
  throw new OperatorFault(
    `there is no report ${JSON.stringify(text)}: strongroom report ` +
      "list --all shows them",
  );
}
