import { sql } from "kysely";
import type { BlobHash } from "../../core/ids.ts";
import type { Db } from "../../store/database.ts";

/** Upload sessions that are open, those of guests included. */
export async function countOpenUploads(db: Db): Promise<number> {
  const { rows: [row] } = await sql<{ open: number }>`
    select coalesce((select sum(open_uploads) from usage), 0) +
      (select count(*) from guest_upload where state = 'open') as open
  `.execute(db);
  return row?.open ?? 0;
}

/** Bytes of the database's pages, without its write-ahead log. */
export async function readDatabaseBytes(db: Db): Promise<number> {
  const { rows: [row] } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes
    from pragma_page_count(), pragma_page_size()
  `.execute(db);
  return row?.bytes ?? 0;
}

/** How many of the next blobs there are, their bytes, and the last of them. */
export async function sumBlobs(
  db: Db,
  after: BlobHash | "",
  limit: number,
): Promise<{ count: number; bytes: number; last: BlobHash | null }> {
  return await db.selectFrom((from) =>
    from.selectFrom("blob")
      .select(["hash", "size"])
      .where("hash", ">", after as BlobHash)
      .orderBy("hash")
      .limit(limit)
      .as("part")
  ).select(({ fn }) => [
    fn.countAll<number>().as("count"),
    fn.coalesce(fn.sum<number>("size"), sql<number>`0`).as("bytes"),
    fn.max("hash").as("last"),
  ]).executeTakeFirstOrThrow();
}

/** Resolves if the database answers. */
export async function ask(db: Db): Promise<void> {
  await db.selectFrom("server").select("singleton").execute();
}
