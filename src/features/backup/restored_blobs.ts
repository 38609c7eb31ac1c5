/**
 * The blobs of a backup on their way into a data directory, and those that are
 * lost: whose they were, and as what.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";
import type { Amount } from "../../core/sizes.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Files } from "../../store/files/files.ts";
import { BlobDirectories, eachHeld } from "./blobs.ts";
import type { LostBecause } from "./server_blobs.ts";
import { notWhole, type RestoreSource } from "./source.ts";
import { deleteUploadsOf, type Holder, holdersOf } from "./store.ts";

/** Losses that are named; past them they are only counted. */
const LOSSES_MAX = 10_000;
/** Blobs whose holders are asked for together. */
const HOLDERS_AT_ONCE = 200;

/** A blob that is not restored. */
export interface Loss {
  readonly hash: BlobHash;
  readonly size: number;
  /** What the backup has of it; `before`: the server had lost it already. */
  readonly because: LostBecause | "before";
  readonly holders: readonly Holder[];
}

/** What {@link bringBlobs} works with. */
interface BlobsToBring {
  readonly files: Files;
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  /** The database in its new place. */
  readonly db: Db;
  /** Goes around what is damaged or missing. */
  readonly withoutDamaged: boolean;
  readonly onProgress: ((done: Amount, total: Amount) => void) | undefined;
}

/** Blobs that were brought, and those that were gone around. */
interface BlobsBrought {
  readonly restored: { count: number; bytes: number };
  lost: number;
  readonly named: Omit<Loss, "holders">[];
}

/** Copies every blob that is held, each hashed on its way. */
export async function bringBlobs(
  { files, dataDir, db, withoutDamaged, onProgress }: BlobsToBring,
  source: RestoreSource,
): Promise<BlobsBrought> {
  const { snapshot } = source;
  const to = new BlobDirectories(files, dataDir);
  const lost = new Set<string>(snapshot.lost);
  const all: BlobsBrought = {
    restored: { count: 0, bytes: 0 },
    lost: 0,
    named: [],
  };
  await eachHeld(db, async ({ hash, size }) => {
    const path = await to.prepare(hash);
    const brought = await source.bringBlob({ hash, size }, path);
    if (brought === "copied" || brought === "linked") {
      all.restored.count += 1;
      all.restored.bytes += size;
      return;
    }
    if (!lost.has(hash) && !withoutDamaged) {
      throw notWhole(source, source.blobName(hash), HOW[brought], {
        around: true,
      });
    }
    all.lost += 1;
    await deleteUploadsOf(db, hash);
    if (all.named.length === LOSSES_MAX) return;
    const because = lost.has(hash) ? "before" : brought;
    all.named.push({ hash, size, because });
  }, (done) => onProgress?.(done, snapshot.blobs));
  await to.sync();
  return all;
}

const HOW: Readonly<Record<LostBecause, string>> = {
  missing: "is missing",
  damaged: "was changed",
  unreadable: "cannot be read",
};

/** Says whose each of the lost blobs is, in the order of their hashes. */
export async function nameHolders(
  db: Db,
  lost: readonly Omit<Loss, "holders">[],
): Promise<Loss[]> {
  const sorted = lost.toSorted((a, b) => a.hash < b.hash ? -1 : 1);
  const losses: Loss[] = [];
  for (let at = 0; at < sorted.length; at += HOLDERS_AT_ONCE) {
    const some = sorted.slice(at, at + HOLDERS_AT_ONCE);
    const holders = Map.groupBy(
      await holdersOf(db, some.map(({ hash }) => hash)),
      ({ hash }) => hash,
    );
    for (const one of some) {
      losses.push({ ...one, holders: holders.get(one.hash) ?? [] });
    }
  }
  return losses;
}
