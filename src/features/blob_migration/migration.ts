/**
 * Moving blobs from the directory into a bucket, or back, while a server runs
 * (object-store/moving-blobs.md#moving-blobs). The place of each blob shows
 * what is done, so that an interrupted move resumes there.
 *
 * @module
 */
import { sql } from "kysely";
import type { BlobHash } from "../../core/ids.ts";
import type { Amount } from "../../core/sizes.ts";
import type { SizedHash } from "../../store/blobs/blob_store.ts";
import type { Moved } from "../../store/blobs/layered_blobs.ts";
import {
  forgetBucket,
  type ObjectStore,
} from "../../store/blobs/object_store.ts";
import { IN_DATABASE } from "../../store/blobs/small_blobs.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { ServiceContext } from "../service_context.ts";

/** Blobs that move at the same time: each waits for the network. */
const AT_ONCE = 16;
/** So many of those that did not are named. */
const NAMED_MAX = 1_000;

export interface MoveReport {
  readonly moved: Amount;
  /** Were where they are to be. */
  readonly there: Amount;
  /** Were removed from the bucket and came again, less than half an hour ago. */
  readonly waiting: Amount;
  /** Are in neither place. */
  readonly missing: readonly BlobHash[];
  /** Have other bytes than those of their hash; they stay where they are. */
  readonly damaged: readonly BlobHash[];
  /** Objects of the bucket that could not be removed yet. */
  readonly left: number;
}

interface MoveOptions {
  readonly onProgress?: (done: Amount, total: Amount) => void;
}

/** Moves every blob to where blobs are placed. */
export async function moveBlobs(
  { db, blobs }: Pick<ServiceContext, "db" | "blobs">,
  store: ObjectStore,
  { onProgress = () => {} }: MoveOptions = {},
): Promise<MoveReport> {
  const total = await countBlobs(db);
  const amounts = new Map<Moved, Amount>();
  const missing: BlobHash[] = [];
  const damaged: BlobHash[] = [];
  let done: Amount = { count: 0, bytes: 0 };
  const visit = async ({ hash, size }: SizedHash) => {
    const moved = await store.blobs.move(hash, size);
    amounts.set(moved, add(amounts.get(moved), size));
    const named = moved === "missing"
      ? missing
      : moved === "damaged"
      ? damaged
      : undefined;
    if (named !== undefined && named.length < NAMED_MAX) named.push(hash);
    done = add(done, size);
    onProgress(done, total);
  };
  let page = await pageOfBlobs(db, undefined);
  while (page.length > 0) {
    const waiting = page.values();
    const work = async () => {
      for (const blob of waiting) await visit(blob);
    };
    await all(Array.from({ length: AT_ONCE }, work));
    await blobs.settle();
    page = await pageOfBlobs(db, page.at(-1));
  }
  const left = await store.blobs.left();
  const of = (moved: Moved) => amounts.get(moved) ?? { count: 0, bytes: 0 };
  // The bucket is no longer needed once every blob was seen in the directory.
  const isDone = missing.length === 0 && damaged.length === 0 && left === 0;
  if (store.place === "directory" && isDone) await forgetBucket(db, store);
  return {
    moved: of("moved"),
    there: of("there"),
    waiting: of("waits"),
    missing,
    damaged,
    left,
  };
}

function add(to: Amount = { count: 0, bytes: 0 }, size: number): Amount {
  return { count: to.count + 1, bytes: to.bytes + size };
}

/** Throws once all of them have ended. */
async function all(works: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(works)) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

const PAGE = 1_000;

/**
 * Some blobs behind one, in the order of their hashes. Those in the database
 * stay there, wherever the others are.
 */
async function pageOfBlobs(
  db: Db,
  after: SizedHash | undefined,
): Promise<SizedHash[]> {
  return await db.selectFrom("blob").select(["hash", "size"])
    .where(sql<boolean>`hash > ${after?.hash ?? ""}`)
    .where(sql<boolean>`not ${IN_DATABASE}`)
    .orderBy("hash").limit(PAGE).execute();
}

/** How many there are, and their bytes. */
async function countBlobs(db: Db): Promise<Amount> {
  const { count, bytes } = await db.selectFrom("blob").select((row) => [
    row.fn.countAll<number>().as("count"),
    row.fn.coalesce(row.fn.sum<number>("size"), sql<number>`0`).as("bytes"),
  ]).where(sql<boolean>`not ${IN_DATABASE}`).executeTakeFirstOrThrow();
  return { count, bytes };
}
