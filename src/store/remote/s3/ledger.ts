/**
 * The objects of a bucket that are to be removed or are quarantined, as the
 * database notes them.
 *
 * The transaction that finds a blob without a holder does not remove its object
 * itself: the store may take long to answer, and every writer would wait for
 * it. The transaction marks the blob as doomed, and the object is removed after
 * the commit.
 *
 * Nothing is placed in the object of a doomed blob, and the blob stays doomed
 * for 20 minutes after the last removal was tried. A store refuses a request
 * that was signed more than 15 minutes before. So no removal, even one that was
 * delayed or repeated on its way, can hit an object that is in use again.
 *
 * @module
 */
import { sql } from "kysely";
import { type BlobHash, parseBlobHash } from "../../../core/ids.ts";
import { MINUTE_MS } from "../../../core/time.ts";
import type { Quarantine } from "../../blobs/blob_store.ts";
import type { Db, Tx } from "../../sqlite/database.ts";
import type { QuarantinedFile } from "../../blobs/quarantine_directory.ts";

/** A store carries out no removal that was signed longer ago than this. */
const DOOMED_MS = 20 * MINUTE_MS;
/** A removal without an answer is tried again after this time. */
const AGAIN_MS = MINUTE_MS;
/** How many blobs are brought from the directory to the bucket at a time. */
const STAYED_AT_ONCE = 100;

/** Marks a blob as doomed, in the transaction that decides it. */
export async function doom(tx: Tx, hash: BlobHash): Promise<void> {
  await tx.insertInto("doomed_blob")
    .values({ hash, tried_at: null, is_gone: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function isDoomed(db: Db, hash: BlobHash): Promise<boolean> {
  const row = await db.selectFrom("doomed_blob").select("hash")
    .where("hash", "=", hash).executeTakeFirst();
  return row !== undefined;
}

/** The doomed blobs behind a hash whose removal is due, in order. */
export async function pageOfDoomed(
  db: Db,
  after: string,
  now: number,
): Promise<BlobHash[]> {
  const rows = await db.selectFrom("doomed_blob").select("hash")
    .where(sql<boolean>`hash > ${after}`)
    .where("is_gone", "=", 0)
    .where((row) =>
      row.or([
        row("tried_at", "is", null),
        row("tried_at", "<=", now - AGAIN_MS),
        // The clock was ahead when it was tried.
        row("tried_at", ">", now),
      ])
    )
    .orderBy("hash").limit(1_000).execute();
  return rows.map(({ hash }) => hash);
}

/** How many objects are still to go. */
export async function countDoomed(db: Db): Promise<number> {
  const { count } = await db.selectFrom("doomed_blob")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("is_gone", "=", 0).executeTakeFirstOrThrow();
  return count;
}

/**
 * Notes of some blobs that their removals are signed now. Returns those of which
 * no other process has noted it just before.
 */
export async function claimRemovals(
  db: Db,
  hashes: readonly BlobHash[],
  now: number,
): Promise<BlobHash[]> {
  const rows = await db.updateTable("doomed_blob")
    .set({ tried_at: now })
    .where("hash", "in", hashes)
    .where("is_gone", "=", 0)
    .where((row) =>
      row.or([
        row("tried_at", "is", null),
        row("tried_at", "<=", now - AGAIN_MS),
        row("tried_at", ">", now),
      ])
    )
    .returning("hash")
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Notes that objects are gone. They stay doomed for a while all the same. */
export async function noteGone(
  db: Db,
  hashes: readonly BlobHash[],
): Promise<void> {
  await db.updateTable("doomed_blob").set({ is_gone: 1 })
    .where("hash", "in", hashes).execute();
}

/** Forgets the doomed blobs whose removal can no longer arrive late. */
export async function forgetDoomed(db: Db, now: number): Promise<void> {
  const over = now - DOOMED_MS;
  const row = await db.selectFrom("doomed_blob").select("hash")
    .where("is_gone", "=", 1).where("tried_at", "<=", over)
    .limit(1).executeTakeFirst();
  if (row === undefined) return;
  await db.deleteFrom("doomed_blob")
    .where("is_gone", "=", 1).where("tried_at", "<=", over).execute();
}

/**
 * Which of some blobs are doomed or quarantined: their objects are no strays.
 */
export async function spokenFor(
  db: Db,
  hashes: readonly BlobHash[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db.selectFrom("doomed_blob").select("hash")
    .where("hash", "in", hashes)
    .union(
      db.selectFrom("quarantined_blob").select("hash").where(
        "hash",
        "in",
        hashes,
      ),
    )
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}

/** Notes a blob that belongs in the bucket and lies in the directory for now. */
export async function noteStayed(
  db: Db,
  hash: BlobHash,
  size: number,
): Promise<void> {
  await db.insertInto("stayed_blob").values({ hash, size })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Some of those blobs; in random order, so that none holds up the others. */
export async function listStayed(db: Db) {
  return await db.selectFrom("stayed_blob").select(["hash", "size"])
    .orderBy(sql`random()`).limit(STAYED_AT_ONCE).execute();
}

export async function endStay(db: Db, hash: BlobHash): Promise<void> {
  await db.deleteFrom("stayed_blob").where("hash", "=", hash).execute();
}

/**
 * The quarantine of a bucket: objects that the database does not know stay
 * where they are.
 */
export function quarantineOf(
  db: Db,
  sizeOf: (hash: BlobHash) => Promise<number | undefined>,
): Quarantine {
  return {
    isApart: () => false,
    keepsAll: () => Promise.resolve(false),
    add: (tx, { hash }, day) => quarantine(tx, hash, day),
    async *list() {
      let after = "";
      for (;;) {
        const page = await listQuarantined(db, after);
        yield* page;
        const last = page.at(-1);
        if (last === undefined) return;
        after = last.name;
      }
    },
    find: (hash) => findQuarantined(db, hash),
    async bytesOf({ name }: QuarantinedFile) {
      const hash = parseBlobHash(name);
      return hash === undefined ? 0 : await sizeOf(hash) ?? 0;
    },
    async remove(tx, { name }) {
      await endQuarantine(tx, name);
      const hash = parseBlobHash(name);
      if (hash !== undefined) await doom(tx, hash);
    },
    putBack: (tx, { name }) => endQuarantine(tx, name),
  };
}

/** Notes that an object is quarantined. It stays where it is in the bucket. */
async function quarantine(tx: Tx, hash: BlobHash, day: string) {
  await tx.insertInto("quarantined_blob").values({ hash, day })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function listQuarantined(
  db: Db,
  after: string,
): Promise<QuarantinedFile[]> {
  const rows = await db.selectFrom("quarantined_blob").select(["hash", "day"])
    .where(sql<boolean>`hash > ${after}`).orderBy("hash").limit(1_000)
    .execute();
  return rows.map(({ hash, day }) => ({ day, name: hash, isObject: true }));
}

async function findQuarantined(
  db: Db,
  hash: BlobHash,
): Promise<QuarantinedFile | undefined> {
  const row = await db.selectFrom("quarantined_blob").select(["hash", "day"])
    .where("hash", "=", hash).executeTakeFirst();
  return row && { day: row.day, name: row.hash, isObject: true };
}

async function endQuarantine(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom("quarantined_blob").where("hash", "=", name as BlobHash)
    .execute();
}
