/** @module */
import { sql } from "kysely";
import type { ReportId } from "../../core/ids.ts";
import { compiledOnce } from "../../store/compiled.ts";
import type { Db, Tx } from "../../store/database.ts";

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

/** Drops a peer; false if it was not pinned. */
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
export interface Report {
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
