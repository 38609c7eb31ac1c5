/**
 * What the database knows of the place in a bucket that it has claimed.
 *
 * @module
 */
import { type Db, transaction } from "../../sqlite/database.ts";

export interface ClaimRow {
  /** The bucket and the place in it. */
  readonly name: string;
  /** This data directory; drawn when it claims the place. */
  readonly directory: string;
  /** What it wrote there last. */
  readonly term: string | null;
  /** What it was about to write, and perhaps did. */
  readonly next_term: string | null;
  /** What it wrote before: a request that was delayed may bring it again. */
  readonly last_term: string | null;
}

export async function readClaim(
  db: Db,
  name: string,
): Promise<ClaimRow | undefined> {
  return await db.selectFrom("bucket_claim").selectAll()
    .where("name", "=", name).executeTakeFirst();
}

/** Notes a term before it is written. */
export async function beginTerm(
  db: Db,
  row: Pick<ClaimRow, "name" | "directory"> & { readonly next_term: string },
): Promise<void> {
  await db.insertInto("bucket_claim")
    .values({ ...row, term: null, last_term: null })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ next_term: row.next_term })
    )
    .execute();
}

/** Notes that it was seen there. From now on blobs may lie there. */
export async function endTerm(db: Db, name: string): Promise<void> {
  await transaction(db, async (tx) => {
    await tx.updateTable("bucket_claim")
      .set(({ ref }) => ({
        last_term: ref("term"),
        term: ref("next_term"),
        next_term: null,
      }))
      .where("name", "=", name).execute();
    await tx.updateTable("server").set({ blob_bucket: name }).execute();
  });
}

/**
 * Forgets which objects were unused: they were looked at while the place was
 * another server's, and have a week from now on.
 */
export async function forgetQuarantine(db: Db): Promise<void> {
  await db.deleteFrom("quarantined_blob").execute();
}

/** Forgets a place that was given up. */
export async function endClaim(db: Db, name: string): Promise<void> {
  await db.deleteFrom("bucket_claim").where("name", "=", name).execute();
}
