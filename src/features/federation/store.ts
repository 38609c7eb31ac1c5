import { sql } from "kysely";
import type { AssetId, ReportId } from "../../core/ids.ts";
import { compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";

/** The key that is pinned for a server now; the next request asks again. */
export const findPeer = compiledOnce((db, serverId: string) =>
  db.selectFrom("peer")
    .select("public_key")
    .where("server_id", "=", serverId)
);

/** Pins a key, in place of any other that was pinned for the server. */
export async function putPeer(
  tx: Tx,
  serverId: string,
  publicKey: Uint8Array<ArrayBuffer>,
  now: number,
): Promise<void> {
  const values = { public_key: publicKey, pinned_at: now };
  await tx.insertInto("peer")
    .values({ server_id: serverId, ...values })
    .onConflict((conflict) =>
      conflict.column("server_id").doUpdateSet(values)
        .where("peer.public_key", "!=", publicKey)
    )
    .execute();
}

/** Deletes a peer; false if it was not pinned. */
export async function deletePeer(db: Db, serverId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("peer")
    .where("server_id", "=", serverId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export function selectPeers(db: Db) {
  return db.selectFrom("peer")
    .select(["server_id", "public_key", "pinned_at"])
    .orderBy("server_id")
    .execute();
}

/** A report as it was received; instants in milliseconds. */
interface Report {
  readonly reportId: ReportId;
  readonly reportingServer: string;
  readonly reportedUser: string;
  readonly assetHash: string;
  readonly albumId: string;
  readonly reason: string | null;
  readonly reportedAt: string;
  readonly receivedAt: number;
}

/**
 * Counts a report and files it if its account is here. The same statements run
 * and something is written in either case, so that taking a report about an
 * account that is not here costs a commit as well.
 */
export async function takeReport(tx: Tx, report: Report): Promise<void> {
  await sql`update server set reports_accepted = reports_accepted + 1`
    .execute(tx);
  await sql`insert into federated_report (
      report_id, reporting_server, reported_user, asset_hash, album_id,
      reason, reported_at, received_at
    ) select
      ${report.reportId}, ${report.reportingServer}, user_id,
      ${report.assetHash}, ${report.albumId}, ${report.reason},
      ${report.reportedAt}, ${report.receivedAt}
    from account where user_id = ${report.reportedUser}`
    .execute(tx);
}

/** Reports that are read at once. */
const PAGE = sql.lit(500);

function reports(db: Db) {
  return db.selectFrom("federated_report as report")
    .leftJoin(
      "account",
      (join) => join.on(sql<boolean>`account.user_id = report.reported_user`),
    )
    .selectAll("report")
    .select([
      "account.address",
      "account.suspended_at",
      sql<0 | 1>`account.user_id is not null`.as("is_here"),
    ]);
}

/** A page of the reports, oldest first: the open ones, or all of them. */
export function pageOfReports(
  db: Db,
  which: "open" | "all",
  after: { readonly received_at: number; readonly report_id: string },
) {
  const query = reports(db)
    .where(
      sql<boolean>`(received_at, report_id)
        > (${after.received_at}, ${after.report_id})`,
    )
    .orderBy("received_at")
    .orderBy("report_id")
    .limit(PAGE);
  return (which === "open" ? query.where("closed_at", "is", null) : query)
    .execute();
}

export function findReport(db: Db, reportId: ReportId) {
  return reports(db).where("report_id", "=", reportId).executeTakeFirst();
}

/** An account's assets that hold a blob, whatever their state. */
export async function listAssetsWith(
  db: Db,
  userId: string,
  hash: string,
): Promise<AssetId[]> {
  const { rows } = await sql<{ asset_id: AssetId }>`
    select distinct asset_id from holding join asset using (asset_id, owner_id)
    where hash = ${hash} and owner_id = ${userId} order by asset_id
  `.execute(db);
  return rows.map(({ asset_id }) => asset_id);
}

/** Closes an open report; false if it is not open. */
export async function setClosed(
  tx: Tx,
  reportId: ReportId,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("federated_report")
    .set({ closed_at: now })
    .where("report_id", "=", reportId)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
