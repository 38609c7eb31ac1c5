/**
 * Removing generations that no rule keeps, and the objects that only they
 * needed. Their records go first: a generation that is there is whole.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import { parseRfc3339 } from "../../../core/time.ts";
import {
  nameIn,
  OBJECTS,
  type Repository,
} from "../../../store/remote/backup/repository.ts";
import { RemoteUnavailable } from "../../../store/remote/backup/remote.ts";
import { type NameSet, Scratch } from "../../../store/remote/backup/scratch.ts";
import { inParallel } from "../blobs.ts";
import {
  type Generation,
  listGenerations,
  requireGeneration,
} from "./generation.ts";
import { IndexDamaged, indexOf } from "./index_objects.ts";
import type { RemoteLock } from "./lock.ts";
import { type Dated, judge, type Judged, type Policy } from "./retention.ts";

/** A generation with what a policy goes by. */
interface DatedGeneration extends Generation, Dated {}

export interface PruneReport {
  readonly kept: readonly Judged<DatedGeneration>[];
  readonly removed: readonly DatedGeneration[];
  /** Objects that were removed with them, or lay about. */
  readonly objects: number;
}

interface PruneOptions {
  /** Looks for unused objects even if no generation goes. */
  readonly sweep: boolean;
  /** Removes nothing, and says what it would. */
  readonly dryRun?: boolean;
}

/** Every generation with its record; one that cannot be read is refused. */
export async function readGenerations(
  repository: Repository,
): Promise<DatedGeneration[]> {
  const all: DatedGeneration[] = [];
  for (const name of await listGenerations(repository)) {
    const generation = await requireGeneration(repository, name);
    const { made_at } = generation.record.snapshot;
    all.push({ ...generation, madeAt: parseRfc3339(made_at) ?? 0 });
  }
  return all;
}

/** Removes what a policy does not keep. The lock becomes one for removing. */
export async function prune(
  repository: Repository,
  lock: RemoteLock,
  policy: Policy,
  { sweep, dryRun = false }: PruneOptions,
): Promise<PruneReport> {
  const judged = judge(await readGenerations(repository), policy);
  const kept = judged.filter(({ rules }) => rules.length > 0);
  const removed = judged.filter(({ rules }) => rules.length === 0)
    .map(({ generation }) => generation)
    .toSorted((a, b) => a.number - b.number);
  const plan = { kept, removed, objects: 0 };
  if (dryRun || (removed.length === 0 && !sweep)) return plan;
  const scratch = new Scratch();
  try {
    const needed = scratch.newSet();
    for (const { generation } of kept) {
      await noteNeeded(repository, generation, needed);
    }
    await lock.become("prune");
    try {
      await removeGenerations(repository, removed);
      await lock.requireHeld();
      const objects = await removeUnneeded(repository, needed);
      return { ...plan, objects };
    } catch (error) {
      lock.age();
      throw error;
    }
  } finally {
    scratch.close();
  }
}

async function noteNeeded(
  repository: Repository,
  { number, record }: Generation,
  needed: NameSet,
): Promise<void> {
  for (const name of record.database) needed.put({ name, size: 0 });
  for (const { name } of record.index) needed.put({ name, size: 0 });
  try {
    for await (const one of indexOf(repository, record)) needed.put(one);
  } catch (error) {
    if (!(error instanceof IndexDamaged)) throw error;
    throw new OperatorFault(
      `it is not known what generation ${number} of ${repository.name} ` +
        `needs, because ${error.object} of its index is ${error.how}, so ` +
        "nothing was removed: back up with --verify, which sends damaged " +
        "objects again",
    );
  }
}

async function removeGenerations(
  repository: Repository,
  removed: readonly DatedGeneration[],
): Promise<void> {
  for (const { key } of removed) await repository.remote.remove(key);
  if (removed.length === 0) return;
  const left = await listGenerations(repository);
  const stayed = left.find(({ key }) => removed.some((one) => one.key === key));
  if (stayed === undefined) return;
  throw new RemoteUnavailable(
    repository.name,
    `${stayed.key} still exists although it was removed`,
  );
}

/** Removes every object that is not needed; returns how many. */
async function removeUnneeded(
  { remote }: Repository,
  needed: NameSet,
): Promise<number> {
  let removed = 0;
  // A page at a time: what is removed does not come in the next one.
  for await (const page of remote.list(OBJECTS)) {
    const waiting = page.filter(({ key }) => {
      const name = nameIn(key);
      return name === undefined || !needed.has(name);
    }).values();
    await inParallel(async () => {
      for (const { key } of waiting) {
        await remote.remove(key);
        removed += 1;
      }
    });
  }
  return removed;
}
