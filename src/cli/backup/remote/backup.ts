/**
 * `strongroom backup s3://…`: a generation in a place off the premises.
 *
 * @module
 */
import type { Config } from "../../../config.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { reasonOf } from "../../../core/reason.ts";
import { blobsInWords, bytesInWords, counted } from "../../../core/sizes.ts";
import { MINUTE_MS } from "../../../core/time.ts";
import {
  backUpRemotely,
  type RemoteBackupReport,
} from "../../../features/backup/remote_backup/back_up.ts";
import {
  prune,
  type PruneReport,
  readGenerations,
} from "../../../features/backup/remote_backup/prune.ts";
import type { RemoteLock } from "../../../features/backup/remote_backup/lock.ts";
import type { Policy } from "../../../features/backup/remote_backup/retention.ts";
import {
  identityOf,
  readPublishedKeys,
} from "../../../features/backup/keys.ts";
import { isMuchLess } from "../../../features/backup/directory/loss_guard.ts";
import type { Db } from "../../../store/sqlite/database.ts";
import { denoFiles } from "../../../store/files/deno_files.ts";
import { keyGeneration } from "../../../store/generation.ts";
import type { Remote } from "../../../store/remote/backup/remote.ts";
import { Repository } from "../../../store/remote/backup/repository.ts";
import { damageJson, damageLines, repairedLines } from "../backup_damage.ts";
import { sourceOf } from "../backup_source.ts";
import { blobProgress, explained } from "../backup_place.ts";
import { withAnyDatabase } from "../../operator/own_database.ts";
import type { Call, Said } from "../../verb.ts";
import {
  noRepository,
  secretFor,
  takeOwn,
  withLock,
  withRemote,
} from "./place.ts";
import { policyOf, type PolicyOptions } from "./policy.ts";

/** A short outage does not cost a night's backup (ms). */
const OUTAGE_MS = 5 * MINUTE_MS;

export interface RemoteBackupOptions extends PolicyOptions {
  readonly copy?: true;
  readonly allowShrink?: true;
  readonly verify?: true;
  readonly existing?: true;
}

/** What a run came to. */
interface Ran {
  readonly made: RemoteBackupReport;
  readonly pruned: PruneReport | undefined;
  /** Why nothing was removed though it was asked for. */
  readonly notPruned: string | undefined;
}

export async function runRemoteBackup(
  call: Call<RemoteBackupOptions>,
  name: string,
  note: (
    dataDir: string,
    dir: string,
    made: RemoteBackupReport,
  ) => Promise<void>,
): Promise<Said> {
  const { options } = call;
  if (options.copy === true) {
    throw new OperatorFault(
      `--copy is for a directory: a backup to ${name} is always a copy`,
    );
  }
  const policy = policyOf(options);
  const answer = await explained(name, () =>
    withAnyDatabase(
      options,
      (db, config) =>
        withRemote(call, config, name, async (remote) => {
          const ran = await runIn(call, { db, config, remote, policy });
          await note(config.STRONGROOM_DATA_DIR, name, ran.made);
          return { ...ran, requests: Object.fromEntries(remote.requests) };
        }, OUTAGE_MS),
    ));
  return said(name, answer);
}

async function runIn(
  call: Call<RemoteBackupOptions>,
  { db, config, remote, policy }: {
    readonly db: Db;
    readonly config: Config;
    readonly remote: Remote;
    readonly policy: Policy | undefined;
  },
): Promise<Ran> {
  const { options } = call;
  const own = await takeOwn(config.STRONGROOM_DATA_DIR);
  const progress = blobProgress(call, "backing up");
  try {
    const repository = await openOrBegin(call, db, config, remote);
    const source = await sourceOf(call, db, config);
    return await withLock(call, repository, "write", async (lock) => {
      const made = await backUpRemotely(
        { ...source, own: own.path },
        repository,
        lock,
        { verify: options.verify === true, onProgress: progress.show },
      );
      if (policy === undefined) {
        return { made, pruned: undefined, notPruned: undefined };
      }
      return { made, ...await pruneAfter(repository, lock, policy, options) };
    }, own.owner);
  } finally {
    progress.end();
    own.lock.close();
  }
}

/** The backup that is there, if it is this server's, or a new one. */
async function openOrBegin(
  call: Call<RemoteBackupOptions>,
  db: Db,
  config: Config,
  remote: Remote,
): Promise<Repository> {
  const { platform, options } = call;
  const directory = `${config.STRONGROOM_DATA_DIR}/keys`;
  const generation = await keyGeneration(db);
  const identity = identityOf(
    await readPublishedKeys(denoFiles, directory, generation),
  );
  const secret = secretFor(call, config, false);
  const held = await Repository.open(remote, secret, platform);
  if (held === undefined) {
    if (options.existing === true) throw noRepository(remote);
    const fresh = await secretFor(call, config, true)();
    return await Repository.begin(remote, fresh, identity, platform);
  }
  if (held.attestationKey === identity) return held;
  throw new OperatorFault(
    `${remote.name} is the backup of another server: back this one up ` +
      "to a place of its own",
  );
}

/** The generation is made, whatever becomes of those before. */
async function pruneAfter(
  repository: Repository,
  lock: RemoteLock,
  policy: Policy,
  options: RemoteBackupOptions,
): Promise<Omit<Ran, "made">> {
  try {
    const all = await readGenerations(repository);
    const [before, now] = all.slice(-2).map(({ record }) =>
      record.snapshot.blobs
    );
    if (before !== undefined && now !== undefined) {
      const dropped = {
        count: Math.max(0, before.count - now.count),
        bytes: Math.max(0, before.bytes - now.bytes),
      };
      if (
        options.allowShrink !== true && isMuchLess(before, dropped, now)
      ) {
        return {
          pruned: undefined,
          notPruned:
            `it has ${blobsInWords(dropped)} less than the one before: check ` +
            "that the data directory is the right one and complete; if people " +
            "have deleted that much, run this again with --allow-shrink",
        };
      }
    }
    const pruned = await prune(repository, lock, policy, { sweep: false });
    return { pruned, notPruned: undefined };
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    return { pruned: undefined, notPruned: reasonOf(error) };
  }
}

function said(
  name: string,
  { made, pruned, notPruned, requests }: Ran & {
    readonly requests: Readonly<Record<string, number>>;
  },
): Said {
  const { number, snapshot, kept, replaced } = made;
  const { copied: sent, bytes: sentBytes } = made;
  const damage = damageLines(made);
  const { made_at, blobs } = snapshot;
  return {
    json: {
      target: name,
      generation: number,
      made_at,
      blobs,
      ...{ sent, sent_bytes: sentBytes, kept, replaced },
      ...damageJson(made),
      removed_generations: pruned?.removed.map(({ number }) => number) ?? [],
      removed_objects: pruned?.objects ?? 0,
      not_removed: notPruned ?? null,
      requests,
    },
    lines: [
      `generation ${number} in ${name}: ${blobsInWords(blobs)}, of which ` +
      `${sent} sent (${bytesInWords(sentBytes)}) and ${kept} there already`,
      ...repairedLines(made),
      ...pruned !== undefined && pruned.removed.length > 0
        ? [
          `${counted(pruned.removed.length, "generation")} removed, with ` +
          `${counted(pruned.objects, "object")} that no other needs`,
        ]
        : [],
    ],
    warnings: [
      ...damage,
      ...notPruned === undefined ? [] : [
        `generation ${number} is complete, but nothing was removed after ` +
        "it: " +
        notPruned,
      ],
    ],
    isBad: damage.length > 0 || notPruned !== undefined,
  };
}
