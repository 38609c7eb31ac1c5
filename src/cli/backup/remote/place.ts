/**
 * What the commands on backups off the premises have in common.
 *
 * @module
 */
import { type Config, remoteBackupSettings } from "../../../config.ts";
import { toHex } from "../../../core/bytes.ts";
import { OperatorFault } from "../../../core/operator.ts";
import {
  type Locking,
  type LockKind,
  type RemoteLock,
  takeLock,
} from "../../../features/backup/remote_backup/lock.ts";
import { denoFiles } from "../../../store/files/deno_files.ts";
import { writeDurably } from "../../../store/files/files.ts";
import { type HeldLock, lockFile } from "../../../store/files/lock.ts";
import {
  isRemoteBackup,
  openRemote,
} from "../../../store/remote/backup/open.ts";
import { FIRST_PATIENCE_MS } from "../../../store/remote/backup/s3_remote.ts";
import type { Remote } from "../../../store/remote/backup/remote.ts";
import { Repository } from "../../../store/remote/backup/repository.ts";
import { explained, requireLock } from "../backup_place.ts";
import { loadConfig } from "../../environment.ts";
import type { Call, CommandContext } from "../../verb.ts";
import { credentialsOf, secretOf } from "./secret.ts";

/** Opens a place, hands it to some work, and lets go of it. */
export async function withRemote<T>(
  { platform, environment, streams, warn }: CommandContext,
  config: Config,
  name: string,
  work: (remote: Remote) => Promise<T>,
  firstMs = FIRST_PATIENCE_MS,
): Promise<T> {
  const settings = remoteBackupSettings(config);
  const remote = await openRemote(
    name,
    settings,
    platform,
    credentialsOf(environment),
    {
      firstMs,
      onWait: streams.stderr.isTerminal()
        ? (why) => warn(`${name} does not answer yet (${why}): trying again`)
        : undefined,
    },
  );
  try {
    return await work(remote);
  } finally {
    remote.close();
  }
}

/** How the secret of a backup is come by, once it is needed. */
export function secretFor(
  { streams, environment }: CommandContext,
  config: Config,
  isNew: boolean,
) {
  const settings = remoteBackupSettings(config);
  return () => secretOf({ settings, streams, environment }, { isNew });
}

/** The backup that is there. */
export async function requireRepository(
  context: CommandContext,
  config: Config,
  remote: Remote,
): Promise<Repository> {
  const repository = await Repository.open(
    remote,
    secretFor(context, config, false),
    context.platform,
  );
  if (repository !== undefined) return repository;
  throw noRepository(remote);
}

export function noRepository({ name }: Remote): OperatorFault {
  return new OperatorFault(
    `${name} contains no backup: give the place of one, or begin one ` +
      `there with \`strongroom backup ${name}\``,
  );
}

/** Does some work on a backup that is there. */
export async function onRepository<T>(
  call: Call,
  name: string,
  work: (repository: Repository, config: Config) => Promise<T>,
): Promise<T> {
  if (!isRemoteBackup(name)) {
    throw new OperatorFault(
      `${name} is a directory, which contains only one backup: this is ` +
        "for s3://BUCKET/PREFIX, sftp://USER@HOST/PATH and " +
        "file:///DIRECTORY",
    );
  }
  const config = loadConfig(call.options);
  return await explained(
    name,
    () =>
      withRemote(
        call,
        config,
        name,
        async (remote) =>
          await work(await requireRepository(call, config, remote), config),
      ),
  );
}

/** Does some work under a lock that only one process can have. */
export async function withLock<T>(
  { platform }: CommandContext,
  repository: Repository,
  kind: LockKind,
  work: (lock: RemoteLock, locking: Locking) => Promise<T>,
  owner = toHex(platform.random(16)),
): Promise<T> {
  const locking = { repository, platform, owner };
  const lock = await takeLock(locking, kind);
  try {
    return await work(lock, locking);
  } finally {
    await lock.release();
  }
}

/** Who backs a data directory up: one process at a time. */
interface Own {
  /** A directory for what one backup leaves to the next. */
  readonly path: string;
  readonly owner: string;
  readonly lock: HeldLock;
}

/**
 * Takes the lock of this machine's. Its holder knows that no other process
 * backs up this data directory: what such a one left elsewhere is of the dead.
 */
export async function takeOwn(dataDir: string): Promise<Own> {
  const path = `${dataDir}/off-site`;
  await denoFiles.makeDirectory(path);
  const lock = await requireLock(
    lockFile(`${path}/lock`),
    "another backup of this data directory is running: run this again " +
      "when it has ended",
  );
  try {
    return { path, owner: await ownerIn(path), lock };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** A name that a copy of the directory does not have as well. */
async function ownerIn(path: string): Promise<string> {
  const file = `${path}/owner`;
  if (denoFiles.readWhole(file) === undefined) {
    const name = crypto.getRandomValues(new Uint8Array(16)).toHex();
    await writeDurably(denoFiles, file, new TextEncoder().encode(name));
  }
  const name = new TextDecoder().decode(denoFiles.readWhole(file));
  return `${name} ${(await denoFiles.stat(file))?.inode}`;
}
