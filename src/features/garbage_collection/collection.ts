/**
 * Collecting garbage (protocol/manifests.md#collection;
 * upkeep/gc.md): by the server now and then, and by
 * the operator meanwhile, in another process. Both go by the database alone, in
 * batches. Each can be killed at any point: the next one finds what is left.
 *
 * @module
 */
import { chunks } from "../../core/chunks.ts";
import type { Amount } from "../../core/sizes.ts";
import { transaction } from "../../store/sqlite/database.ts";
import { BlobsUnavailable } from "../../store/blobs/unavailable.ts";
import type { ServiceContext } from "../service_context.ts";
import { recheckLost } from "../lost_blobs.ts";
import { letGoOfHistory } from "./lost_history.ts";
import { purgeUploads } from "../uploads/uploads.ts";
import { removeBlobs, removeStrayUploads } from "./files.ts";
import { quarantineStrays, settleQuarantine } from "./quarantine.ts";
import { horizonAt } from "./references.ts";
import {
  add,
  type Collected,
  NOTHING,
  type Run,
  settleBlobs,
  Stopped,
} from "./run.ts";
import {
  countExpired,
  countIdle,
  countLeftTrash,
  deleteIdleHoldings,
  deleteStalePending,
  endTrashedAsset,
  pageOfTrash,
  pageOfUnapplied,
  type Trashed,
  type Unapplied,
} from "./store.ts";

/** The most that one transaction deletes before others may write. */
const ASSETS_AT_ONCE = 20;
const SHELVES_AT_ONCE = 50;
/** Rests no longer than this between two steps (ms). */
const REST_MAX_MS = 200;

export interface CollectOptions {
  /** Only counts what it would remove. */
  readonly dryRun?: boolean;
  /**
   * Whether to walk through `blobs/` for files without a row, which only a
   * crash or a refused write leaves behind; walked if not said.
   */
  readonly walk?: boolean;
  /** Quarantines strays however many they are. */
  readonly manyStrays?: boolean;
  /** Called with what was removed so far, after every batch. */
  readonly onProgress?: (collected: Collected) => void;
  /** Ends the collection after the batch that it is at. */
  readonly signal?: AbortSignal;
}

/**
 * Removes expired sessions, what has left the trash, blobs that were never
 * applied, and the files of all that nothing references any more. Returns what
 * was removed. A file that cannot be removed is counted and stays for the next
 * collection; a database that fails, or a directory, is thrown.
 */
export async function collectGarbage(
  context: ServiceContext,
  options: CollectOptions = {},
): Promise<Collected> {
  const { dryRun = false, walk = true, manyStrays = false } = options;
  const { db, staging, blobs, platform, limits } = context;
  const signal = options.signal ?? new AbortController().signal;
  let began = platform.monotonic();
  // As long as it worked: whoever waits for the event loop, or asks for the
  // write lock now and then, has a turn, whatever else the machine has to do.
  const rest = async () => {
    const worked = platform.monotonic() - began;
    await platform.sleep(Math.min(worked, REST_MAX_MS), signal);
    began = platform.monotonic();
  };
  const run: Run = {
    db,
    staging,
    blobs,
    log: platform.log,
    horizon: horizonAt(platform.now(), limits),
    dryRun,
    manyStrays,
    collected: { ...NOTHING },
    unsettled: 0,
    monotonic: platform.monotonic,
    rest,
    pause: async () => {
      options.onProgress?.({ ...run.collected });
      await rest();
      if (signal.aborted) throw new Stopped();
    },
  };
  try {
    if (!dryRun) await settleBlobs(run);
    await endSessions(run, context);
    await emptyTrash(run);
    await deleteIdle(run);
    if (!dryRun) await deleteStalePending(db, run.horizon);
    await removeBlobs(run);
    await removeStrayUploads(run);
    if (!dryRun) await lookAgain(context);
    if (walk) {
      await settleQuarantine(run);
      await quarantineStrays(run);
    }
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) throw thrown;
  }
  return run.collected;
}

/** Looks again at the blobs that are said to be lost. */
async function lookAgain(
  { db, blobs, platform }: ServiceContext,
): Promise<void> {
  try {
    await recheckLost(
      db,
      blobs,
      platform.now(),
      (one) => letGoOfHistory(db, blobs, one, platform),
    );
  } catch (cause) {
    // They are unknown while the store does not answer.
    if (!(cause instanceof BlobsUnavailable)) throw cause;
  }
}

/** Whether there was nothing to remove. */
export function isNothing(collected: Collected): boolean {
  return Object.values(collected).every((amount: number | Amount) =>
    (typeof amount === "number" ? amount : amount.count) === 0
  );
}

async function endSessions(run: Run, context: ServiceContext): Promise<void> {
  const { db, horizon, collected } = run;
  if (run.dryRun) {
    collected.sessions += await countExpired(db, horizon.now);
    return;
  }
  for (;;) {
    const ended = await purgeUploads(context);
    if (ended === 0) return;
    collected.sessions += ended;
    await run.pause();
  }
}

async function emptyTrash(run: Run): Promise<void> {
  const { db, horizon, collected } = run;
  if (run.dryRun) {
    collected.assets = add(collected.assets, await countLeftTrash(db, horizon));
    return;
  }
  let after: Trashed | undefined;
  for (;;) {
    const page = await pageOfTrash(db, horizon, after);
    after = page.at(-1);
    if (after === undefined) return;
    const aged = page.filter((one) => one.aged === 1);
    for (const some of chunks(aged, ASSETS_AT_ONCE)) {
      await transaction(db, async (tx) => {
        for (const asset of some) {
          const forgotten = await endTrashedAsset(tx, asset, horizon);
          collected.assets = add(collected.assets, forgotten);
        }
      });
      await run.pause();
    }
    await run.pause();
  }
}

async function deleteIdle(run: Run): Promise<void> {
  const { db, horizon, collected } = run;
  if (run.dryRun) {
    collected.unapplied = add(
      collected.unapplied,
      await countIdle(db, horizon),
    );
    return;
  }
  let after: Unapplied | undefined;
  for (;;) {
    const page = await pageOfUnapplied(db, horizon, after);
    after = page.at(-1);
    if (after === undefined) return;
    const idle = page.filter((one) => one.idle === 1);
    for (const some of chunks(idle, SHELVES_AT_ONCE)) {
      await transaction(db, async (tx) => {
        for (const asset of some) {
          const forgotten = await deleteIdleHoldings(tx, asset, horizon);
          collected.unapplied = add(collected.unapplied, forgotten);
        }
      });
      await run.pause();
    }
    await run.pause();
  }
}
