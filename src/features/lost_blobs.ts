/**
 * Blobs that were asked for and are not there as they should be: told in the
 * log, counted, written down for `strongroom doctor` and for verification, and
 * told to the owners in their feed, until they are there again.
 *
 * @module
 */
import { sql } from "kysely";
import type { BlobHash } from "../core/ids.ts";
import type { Platform } from "../core/platform.ts";
import { DAY_MS } from "../core/time.ts";
import {
  type BlobStore,
  isPresent,
  type SizedHash,
} from "../store/blobs/blob_store.ts";
import { promised } from "./references.ts";
import { compiledWrite } from "../store/sqlite/compiled.ts";
import {
  changeCompiled,
  type Db,
  transaction,
  type Tx,
} from "../store/sqlite/database.ts";

/** The number of blobs that are remembered, so that each is told of once. */
const REMEMBERED_MAX = 10_000;
/** Notes that are read at once. */
const NOTES_AT_ONCE = sql.lit(1_000);

/** What is wrong with a blob's file. */
export type Loss =
  /** It is not there, or has another size. */
  | "missing"
  /** It has its size, and other bytes. */
  | "damaged";

export class LostBlobs {
  readonly #told = new Set<BlobHash>();
  /** Since the server started. */
  count = 0;

  constructor(
    private readonly store: { readonly db: Db; readonly blobs: BlobStore },
    private readonly platform: Pick<Platform, "now" | "log">,
    /** Is told when there are entries in the feed. */
    private readonly feedNotifier: { readonly notify: () => void },
  ) {}

  /**
   * Records a blob that a reader could not read. It is read again first: it may
   * have been stored again, or collected, since the reader was admitted.
   */
  async note(hash: BlobHash): Promise<void> {
    try {
      if (this.#told.has(hash) && await isNoted(this.store.db, hash)) return;
      await this.look(hash);
    } catch (cause) {
      // The reader's answer is the same.
      this.platform.log.warn("no note of a lost blob", {
        hash,
        cause: String(cause),
      });
    }
  }

  /**
   * Reads a blob again and writes down what came of it; whether it is lost.
   * False for a blob that there is no row of.
   */
  async look(hash: BlobHash): Promise<boolean> {
    const held = await this.store.db.selectFrom("blob").select(["hash", "size"])
      .where("hash", "=", hash).executeTakeFirst();
    if (held === undefined) return false;
    const loss = await lossOf(this.store.blobs, held);
    if (loss === undefined) {
      if (await isNoted(this.store.db, hash)) {
        await transaction(this.store.db, (tx) => forgetLost(tx, hash));
      }
      return false;
    }
    if (!this.#told.has(hash)) {
      if (this.#told.size >= REMEMBERED_MAX) this.#told.clear();
      this.#told.add(hash);
      this.count += 1;
      this.platform.log.error(
        "a blob is lost: its file is missing, has another size or other " +
          "bytes; strongroom check lists each with its fix",
        { hash },
      );
    }
    if (await noteLost(this.store.db, hash, loss, this.platform.now())) {
      this.feedNotifier.notify();
    }
    return true;
  }
}

/** Looks at a blob's bytes; undefined where they are what they should be. */
async function lossOf(
  blobs: Pick<BlobStore, "sizeOf" | "digest">,
  { hash, size }: SizedHash,
): Promise<Loss | undefined> {
  if (!await isPresent(blobs, hash, size)) return "missing";
  const found = await blobs.digest(hash);
  if (found === undefined) return "missing";
  return found.sha256 === hash ? undefined : "damaged";
}

/** Whether a blob is written down as one whose bytes are others. */
export async function isKnownDamaged(db: Db, hash: BlobHash): Promise<boolean> {
  const row = await db.selectFrom("lost_blob").select("hash")
    .where("hash", "=", hash).where("is_damaged", "=", 1).executeTakeFirst();
  return row !== undefined;
}

/** Those that are written down as such, some thousands at most. */
export async function listKnownDamaged(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("lost_blob").select("hash")
    .where("is_damaged", "=", 1).limit(sql.lit(REMEMBERED_MAX)).execute();
  return new Set<string>(rows.map(({ hash }) => hash));
}

/** Whether a blob is written down as lost. */
async function isNoted(db: Db, hash: BlobHash): Promise<boolean> {
  const row = await db.selectFrom("lost_blob").select("hash")
    .where("hash", "=", hash).executeTakeFirst();
  return row !== undefined;
}

/**
 * Writes down that a blob is lost, and tells every owner of an asset that has
 * it (protocol/feed.md); whether that was news.
 */
export function noteLost(
  db: Db,
  hash: BlobHash,
  loss: Loss,
  now: number,
): Promise<boolean> {
  const is_damaged = loss === "damaged" ? 1 : 0;
  return transaction(db, async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx.insertInto("lost_blob")
      .values({ hash, noticed_at: now, is_damaged })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) {
      await tx.updateTable("lost_blob").set({ is_damaged })
        .where("hash", "=", hash).execute();
      return false;
    }
    await sql`insert into feed
        (user_id, action, album_id, asset_id, chain_head, personal, at)
      select distinct asset.owner_id, 'damaged', asset.album_id,
        asset.asset_id, asset.chain_head, 1, ${now}
      from holding
      join asset on asset.asset_id = holding.asset_id
        and asset.owner_id = holding.owner_id
      where holding.hash = ${hash} and asset.withheld_at is null`.execute(tx);
    return true;
  });
}

/** Forgets that a blob was lost, because it was stored again or found whole. */
export async function forgetLost(tx: Tx, hash: BlobHash): Promise<void> {
  await changeCompiled(tx, forget(tx, { hash }));
}

const forget = compiledWrite((db, { hash }: { hash: BlobHash }) =>
  db.deleteFrom("lost_blob").where("hash", "=", hash)
);

/** Those of some blobs that are written down as lost. */
export async function listLostAmong(
  db: Db,
  hashes: readonly BlobHash[],
): Promise<ReadonlySet<BlobHash>> {
  if (hashes.length === 0) return new Set();
  const rows = await db.selectFrom("lost_blob").select("hash")
    .where("hash", "in", hashes).execute();
  return new Set(rows.map(({ hash }) => hash));
}

/**
 * Those of the blobs that were noticed which are lost still and needed, some
 * of them.
 */
export async function listLost(
  db: Db,
  blobs: BlobStore,
): Promise<BlobHash[]> {
  const lost: BlobHash[] = [];
  for (const one of await listNoted(db)) {
    if (one.is_held === 0) continue;
    if (await isLostStill(blobs, one)) lost.push(one.hash);
  }
  return lost;
}

/** Those of the blobs that were noticed which are whole again, some of them. */
export async function listWholeAgain(
  db: Db,
  blobs: BlobStore,
): Promise<BlobHash[]> {
  const whole: BlobHash[] = [];
  for (const one of await listNoted(db)) {
    if (!await isLostStill(blobs, one)) whole.push(one.hash);
  }
  return whole;
}

/** A blob that was noticed to be lost, and when (ms). */
export interface Noted {
  readonly hash: BlobHash;
  readonly noticed_at: number;
}

/**
 * Checks lost blobs again and forgets those that are whole: an operator may
 * have put the file back. Bytes are read once a day at most. `letGo` may give
 * up a blob that is still lost; it says whether it did.
 */
export async function recheckLost(
  db: Db,
  blobs: BlobStore,
  now: number,
  letGo: (one: Noted) => Promise<boolean>,
): Promise<void> {
  // Most of the time there is nothing.
  const any = await db.selectFrom("lost_blob").select("hash")
    .limit(sql.lit(1)).executeTakeFirst();
  if (any === undefined) return;
  await db.deleteFrom("lost_blob")
    .where("hash", "not in", db.selectFrom("blob").select("hash"))
    .execute();
  for (const one of await listNoted(db)) {
    const { hash, is_damaged, looked_at } = one;
    if (is_damaged === 1 && now - (looked_at ?? 0) < DAY_MS) continue;
    const isLost = await isLostStill(blobs, one);
    if (isLost && await letGo(one)) continue;
    await transaction(db, async (tx) => {
      if (!isLost) return await forgetLost(tx, hash);
      await tx.updateTable("lost_blob").set({ looked_at: now })
        .where("hash", "=", hash).execute();
    });
  }
}

function listNoted(db: Db) {
  return db.selectFrom("lost_blob")
    .innerJoin("blob", "blob.hash", "lost_blob.hash")
    .select([
      "blob.hash",
      "blob.size",
      "is_damaged",
      "noticed_at",
      "looked_at",
      sql<0 | 1>`${promised(sql`blob.hash`)}`.as("is_held"),
    ])
    .orderBy("noticed_at")
    .limit(NOTES_AT_ONCE)
    .execute();
}

/** Bytes are read only where it was them that were wrong. */
async function isLostStill(
  blobs: BlobStore,
  blob: SizedHash & { readonly is_damaged: 0 | 1 },
): Promise<boolean> {
  return blob.is_damaged === 1
    ? await lossOf(blobs, blob) !== undefined
    : !await isPresent(blobs, blob.hash, blob.size);
}
