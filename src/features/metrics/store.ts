import { sql } from "kysely";
import type { Db } from "../../store/sqlite/database.ts";
import { readable } from "../usage.ts";

/** Upload sessions that are open, those of guests included. */
export async function countOpenUploads(db: Db): Promise<number> {
  const { rows: [row] } = await sql<{ open: number }>`
    select ${
    readable(sql`coalesce((select sum(open_uploads) from usage), 0) +
      (select count(*) from guest_upload where state = 'open')`)
  } as open
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

/** How many blobs there are, and their bytes. */
export async function sumBlobs(
  db: Db,
): Promise<{ readonly count: number; readonly bytes: number }> {
  return await db.selectFrom("blob_month")
    .select([
      sql<number>`coalesce(sum("count"), 0)`.as("count"),
      sql<number>`coalesce(sum(bytes), 0)`.as("bytes"),
    ])
    .executeTakeFirstOrThrow();
}

/** Resolves if the database answers. */
export async function ask(db: Db): Promise<void> {
  await db.selectFrom("server").select("singleton").execute();
}
