/**
 * Blobs that were asked for and are not there as they should be: told in the
 * log, counted, and written down for `strongroom doctor`.
 *
 * @module
 */
import type { BlobHash } from "../core/ids.ts";
import type { Platform } from "../core/platform.ts";
import { sql } from "kysely";
import { type BlobStore, isPresent } from "../store/blob_store.ts";
import type { Db } from "../store/database.ts";

/** The number of blobs that are remembered, so that each is told of once. */
const REMEMBERED_MAX = 10_000;

export class LostBlobs {
  readonly #told = new Set<BlobHash>();
  /** Since the server started. */
  count = 0;

  constructor(
    private readonly db: Db,
    private readonly platform: Pick<Platform, "now" | "log">,
  ) {}

  /** A blob that somebody may read has no file, or one of another size. */
  async note(hash: BlobHash): Promise<void> {
    if (this.#told.has(hash)) return;
    const held = await this.db.selectFrom("blob").select("hash")
      .where("hash", "=", hash).executeTakeFirst();
    // Collected since the reader was let in.
    if (held === undefined) return;
    if (this.#told.size >= REMEMBERED_MAX) this.#told.clear();
    this.#told.add(hash);
    this.count += 1;
    const { log, now } = this.platform;
    log.error(
      "a blob is lost: its file is missing or has another size; strongroom " +
        "check names every one with its mend",
      { hash },
    );
    try {
      await this.db.insertInto("lost_blob")
        .values({ hash, noticed_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } catch (cause) {
      // The reader's answer is the same, and the log has it.
      log.warn("no note of a lost blob", { cause: String(cause) });
    }
  }
}

/** Those of the blobs that were noticed which are lost still, some of them. */
export async function listLost(
  db: Db,
  blobs: BlobStore,
): Promise<BlobHash[]> {
  const noticed = await db.selectFrom("lost_blob")
    .innerJoin("blob", "blob.hash", "lost_blob.hash")
    .select(["blob.hash", "blob.size"])
    .limit(sql.lit(1_000))
    .execute();
  const lost: BlobHash[] = [];
  for (const { hash, size } of noticed) {
    if (!await isPresent(blobs, hash, size)) lost.push(hash);
  }
  return lost;
}
