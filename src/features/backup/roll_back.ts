/**
 * Going back to the database from before an upgrade
 * (moving/previous-release.md): a restore in place, of the
 * database alone. The server has lost what came after, and its clients have
 * not; it must not contradict itself.
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import { OperatorFault } from "../../core/operator.ts";
import { toRfc3339 } from "../../core/time.ts";
import { type BlobStore, isPresent } from "../../store/blobs/blob_store.ts";
import { removeTree } from "../../store/files/copies.ts";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import { KEY_PURPOSES, readKeyRing, requireKeyRing } from "../../store/keys.ts";
import { keysPath, logPath } from "../../store/data_paths.ts";
import { dropLease } from "../../store/lease.ts";
import {
  type CopyBefore,
  dropPrepared,
  exchange,
  findCopyBefore,
  openNewer,
  prepareCopy,
} from "../../store/sqlite/rolling_back.ts";
import { openCopy } from "../../store/sqlite/snapshot.ts";
import { requireKeysOf } from "../keys/identity.ts";
import { listNames } from "../keys/store.ts";
import {
  NOTHING_READ,
  readSignings,
  type Signings,
} from "../receipts/signings.ts";
import { publishedKeysOf } from "./keys.ts";
import { retireKey, type Target } from "./restore.ts";
import { type Loss, nameHolders } from "./restored_blobs.ts";
import {
  adoptBucket,
  forgetDoomed,
  lostSince,
  readSince,
  revokeThese,
  type Since,
  type SinceOf,
} from "./roll_back_store.ts";
import { receiptGap } from "./after_restore.ts";
import {
  closeSessions,
  deleteUnheld,
  deleteUploads,
  deleteUploadsOf,
  endCeremonies,
  everyHeld,
  type GivenOut,
  type LiveLink,
  liveShares,
  liveUploadLinks,
  moveOn,
  revokeGrants,
} from "./store.ts";

/** Losses that are named; past them they are only counted. */
const LOSSES_MAX = 10_000;

/** What going back would lose, or has lost. */
export interface RollBackPlan {
  readonly copy: CopyBefore;
  /** Undefined where this program cannot read the newer database. */
  readonly since: readonly SinceOf[] | undefined;
  /** Blobs that the copy knows and whose files were removed since. */
  readonly losses: readonly Loss[];
  readonly lost: number;
}

export interface RolledBack extends RollBackPlan {
  /** Where the newer database is kept. */
  readonly aside: string;
  readonly receiptFloor: number;
  readonly sessionsClosed: number;
  readonly grantsRevoked: number;
  readonly uploadsDropped: number;
  /** Links that were revoked since, and are again. */
  readonly linksRevoked: number;
  /** Where it is not known which were revoked since: all that live. */
  readonly links: readonly LiveLink[];
}

/** A data directory whose lock the caller has. */
interface RollBackTarget extends Target {
  /** What keeps its blobs. */
  readonly openBlobs: (db: Db) => Promise<BlobStore>;
}

/**
 * Looks at what going back loses and, with `really`, goes back. Refuses where
 * there is no copy of this program's schema, and changes nothing then.
 */
export async function rollBack(
  target: RollBackTarget,
  really: boolean,
): Promise<RollBackPlan | RolledBack> {
  const { files, dataDir, platform } = target;
  const copy = await findCopyBefore(dataDir, files);
  const prepared = await prepareCopy(dataDir, copy, files);
  try {
    const db = await openCopy(prepared);
    let done: Omit<RolledBack, "aside"> | RollBackPlan;
    try {
      await requireKeysOf(db, { files, directory: keysPath(dataDir) });
      const newer = await readNewer(dataDir, db);
      const plan: RollBackPlan = {
        copy,
        since: newer?.lost,
        ...await findLosses(db, await target.openBlobs(db)),
      };
      done = really
        ? {
          ...plan,
          ...await settleInPlace(target, db, newer?.receiptSeq ?? 0, newer),
        }
        : plan;
    } finally {
      await db.destroy();
    }
    if (!("receiptFloor" in done)) {
      await dropPrepared(dataDir, files);
      return done;
    }
    const { newerSchema } = copy;
    const now = toRfc3339(platform.now());
    // It tells of the newer database.
    await dropLease(dataDir, files);
    // The tiles of the newer database's logs: the next life may have the
    // number of one of its lives. Every one can be made again.
    await removeTree(files, logPath(dataDir));
    return {
      ...done,
      aside: await exchange(dataDir, prepared, { newerSchema, now }, files),
    };
  } catch (error) {
    await dropPrepared(dataDir, files).catch(() => {});
    throw error;
  }
}

interface Newer extends Since {
  readonly lost: readonly SinceOf[];
  readonly signings: Signings;
}

/**
 * What the newer database says of the time since. Undefined where it is
 * damaged, or has tables that this program does not know.
 */
async function readNewer(
  dataDir: string,
  before: Db,
): Promise<Newer | undefined> {
  let newer: Db | undefined;
  try {
    newer = openNewer(dataDir);
    return {
      ...await readSince(newer),
      lost: await lostSince(before, newer),
      signings: await readSignings(newer),
    };
  } catch {
    return undefined;
  } finally {
    await newer?.destroy();
  }
}

/** Blobs of a database that are not there any more, with whose they are. */
export async function findLosses(
  db: Db,
  blobs: BlobStore,
): Promise<Pick<RollBackPlan, "losses" | "lost">> {
  const named: Omit<Loss, "holders">[] = [];
  let lost = 0;
  for await (const { hash, size } of everyHeld(db)) {
    if (await isPresent(blobs, hash, size)) continue;
    lost += 1;
    await deleteUploadsOf(db, hash);
    if (named.length < LOSSES_MAX) {
      named.push({ hash, size, because: "missing" });
    }
  }
  return { lost, losses: await nameHolders(db, named) };
}

/** What a restore in place has changed. */
export type SettledInPlace = Omit<RolledBack, "aside" | keyof RollBackPlan>;

/**
 * Does with an older database what a restore does, and keeps from the newer
 * one, where there is one, what must not be taken back: numbers, keys, and
 * links that were revoked. Receipts up to `receiptSeq` were issued.
 */
export async function settleInPlace(
  target: Target,
  db: Db,
  receiptSeq: number,
  newer?: Newer,
): Promise<SettledInPlace> {
  const { platform } = target;
  const now = platform.now();
  const given: GivenOut = {
    receiptSeq,
    keyGeneration: newestGeneration(target),
  };
  const settled = await transaction(db, async (tx) => {
    await endCeremonies(tx);
    const linksRevoked = newer === undefined
      ? 0
      : await revokeThese(tx, newer.revokedLinks, now);
    if (newer !== undefined) await adoptBucket(tx, newer);
    await forgetDoomed(tx);
    const to = {
      feedEpoch: toHex(platform.random(16)),
      receiptGap: receiptGap(platform),
    };
    const moved = {
      receiptFloor: await moveOn(tx, to, given),
      sessionsClosed: await closeSessions(tx),
      grantsRevoked: await revokeGrants(tx, now),
      uploadsDropped: await deleteUploads(tx),
      linksRevoked,
      links: newer === undefined
        ? [...await liveShares(tx, now), ...await liveUploadLinks(tx, now)]
        : [],
    };
    await deleteUnheld(tx);
    return moved;
  });
  await retireKeys(target, db, newer?.signings);
  return settled;
}

/**
 * The highest generation in the key files. Keys that came since the copy have
 * signed what people hold, so all of them stay in force.
 */
function newestGeneration({ files, dataDir }: Target): number {
  const rings = KEY_PURPOSES.flatMap((purpose) =>
    readKeyRing(files, keysPath(dataDir), purpose) ?? []
  );
  return Math.max(0, ...rings.map(({ generation }) => generation));
}

/** Retires the attestation key, after everything that it has signed. */
async function retireKeys(
  target: Target,
  db: Db,
  signings: Signings | undefined,
): Promise<void> {
  const { files, dataDir } = target;
  const ring = requireKeyRing(files, keysPath(dataDir), "attestation");
  const { latest } = signings ??
    await readSignings(db).catch(() => NOTHING_READ);
  const keys = await publishedKeysOf(ring);
  const serverId = (await listNames(db)).at(-1)?.server_id;
  if (keys.length === 0) throw new OperatorFault("no attestation key");
  await retireKey(target, {
    signedUntil: keys.map(({ keyId }) => latest.get(keyId)),
    serverId,
  });
}
