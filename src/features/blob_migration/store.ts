/**
 * The blobs that there are, in their order.
 *
 * @module
 */
import { sql } from "kysely";
import type { Amount } from "../../core/sizes.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { SizedHash } from "../../store/blobs/blob_store.ts";
import { IN_DATABASE } from "../../store/blobs/small_blobs.ts";

const PAGE = 1_000;

/**
 * Some blobs behind one, in the order of their hashes. Those in the database
 * stay there, wherever the others are.
 */
export async function pageOfBlobs(
  db: Db,
  after: SizedHash | undefined,
): Promise<SizedHash[]> {
  return await db.selectFrom("blob").select(["hash", "size"])
    .where(sql<boolean>`hash > ${after?.hash ?? ""}`)
    .where(sql<boolean>`not ${IN_DATABASE}`)
    .orderBy("hash").limit(PAGE).execute();
}

/** How many there are, and their bytes. */
export async function countBlobs(db: Db): Promise<Amount> {
  const { count, bytes } = await db.selectFrom("blob").select((row) => [
    row.fn.countAll<number>().as("count"),
    row.fn.coalesce(row.fn.sum<number>("size"), sql<number>`0`).as("bytes"),
  ]).where(sql<boolean>`not ${IN_DATABASE}`).executeTakeFirstOrThrow();
  return { count, bytes };
}
