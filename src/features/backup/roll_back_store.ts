/**
 * Statements of going back: what the newer database tells, and what of it the
 * older one takes over.
 *
 * @module
 */
import { sql } from "kysely";
import type { OpaqueId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";
import type { Selectable } from "kysely";

/** What the newer database has given out, closed or moved since. */
export interface Since {
  readonly receiptSeq: number;
  readonly revokedLinks: readonly OpaqueId[];
  readonly bucket: Bucket;
}

/** Where blobs lie in an object store, as the newer database knows it. */
interface Bucket {
  readonly blob_bucket: string | null;
  readonly blob_place: string | null;
  readonly claims: readonly Selectable<Schema["bucket_claim"]>[];
  readonly aside: readonly Selectable<Schema["quarantined_blob"]>[];
  readonly stayed: readonly Selectable<Schema["stayed_blob"]>[];
}

/** What an account did since the copy, which going back loses. */
export interface SinceOf {
  readonly user_id: UserId;
  readonly address: string | null;
  /** The account itself was made since. */
  readonly isNew: boolean;
  /** Assets of which the server confirmed a file since. */
  readonly assets: number;
}

/** Reads the newer database; throws where it is not as this program knows. */
export async function readSince(db: Db): Promise<Since> {
  const server = await db.selectFrom("server")
    .select(["receipt_seq_floor", "blob_bucket", "blob_place"])
    .executeTakeFirstOrThrow();
  const shares = await db.selectFrom("share").select("opaque_id")
    .where("revoked_at", "is not", null).execute();
  const uploadLinks = await db.selectFrom("upload_link").select("opaque_id")
    .where("revoked_at", "is not", null).execute();
  const { blob_bucket = null, blob_place = null } = server;
  return {
    receiptSeq: Math.max(server.receipt_seq_floor, await newestReceipt(db)),
    revokedLinks: [...shares, ...uploadLinks].map(({ opaque_id }) => opaque_id),
    bucket: {
      blob_bucket,
      blob_place,
      claims: await db.selectFrom("bucket_claim").selectAll().execute(),
      aside: await db.selectFrom("quarantined_blob").selectAll().execute(),
      stayed: await db.selectFrom("stayed_blob").selectAll().execute(),
    },
  };
}

async function newestReceipt(db: Db): Promise<number> {
  const { newest } = await db.selectFrom("receipt")
    .select(({ fn }) => fn.max("receipt_seq").as("newest"))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/** Who did something since the copy was made, by address. */
export async function lostSince(before: Db, newer: Db): Promise<SinceOf[]> {
  const from = await newestReceipt(before);
  const known = new Set(
    (await before.selectFrom("account").select("user_id").execute())
      .map(({ user_id }) => user_id),
  );
  const stored = await newer.selectFrom("receipt")
    .select(["owner_id", sql<number>`count(distinct asset_id)`.as("assets")])
    .where("receipt_seq", ">", from)
    .groupBy("owner_id")
    .execute();
  const assetsOf = new Map<string, number>(
    stored.map(({ owner_id, assets }) => [owner_id, assets]),
  );
  const accounts = await newer.selectFrom("account")
    .select(["user_id", "address"])
    .orderBy("address").orderBy("user_id")
    .execute();
  return accounts.flatMap(({ user_id, address }) => {
    const assets = assetsOf.get(user_id) ?? 0;
    const isNew = !known.has(user_id);
    return isNew || assets > 0 ? [{ user_id, address, isNew, assets }] : [];
  });
}

/** Revokes links that were revoked since the copy; returns how many live. */
export async function revokeThese(
  tx: Tx,
  links: readonly OpaqueId[],
  now: number,
): Promise<number> {
  const these = sql`(select value from json_each(${JSON.stringify(links)}))`;
  let revoked = 0;
  for (const table of ["share", "upload_link"] as const) {
    const { numUpdatedRows } = await tx.updateTable(table)
      .set({ revoked_at: now, wrapped_secret: null })
      .where("revoked_at", "is", null)
      .where(sql<boolean>`opaque_id in ${these}`)
      .executeTakeFirst();
    revoked += Number(numUpdatedRows);
  }
  await sql`delete from share_blob where opaque_id in ${these}`.execute(tx);
  return revoked;
}

/** Takes over where blobs lie: the object store did not go back. */
export async function adoptBucket(
  tx: Tx,
  { bucket: { blob_bucket, blob_place, claims, aside, stayed } }: Since,
): Promise<void> {
  await tx.updateTable("server").set({ blob_bucket, blob_place }).execute();
  await tx.deleteFrom("bucket_claim").execute();
  for (const row of claims) {
    await tx.insertInto("bucket_claim").values(row).execute();
  }
  await tx.deleteFrom("quarantined_blob").execute();
  for (const row of aside) {
    await tx.insertInto("quarantined_blob").values(row).execute();
  }
  await tx.deleteFrom("stayed_blob").execute();
  for (const row of stayed) {
    await tx.insertInto("stayed_blob").values(row).execute();
  }
}

/**
 * Forgets which blobs were about to be removed: the newer database may hold
 * them again. Their files wait in quarantine.
 */
export async function forgetDoomed(tx: Tx): Promise<void> {
  await tx.deleteFrom("doomed_blob").execute();
}
