/**
 * `strongroom backup` and `backup verify`.
 *
 * @module
 */
import { resolve, sep } from "node:path";
import type { Command } from "commander";
import { OperatorFault } from "../../core/operator.ts";
import { reasonOf } from "../../core/reason.ts";
import { blobsInWords, counted } from "../../core/sizes.ts";
import { parseRfc3339 } from "../../core/time.ts";
import type { BackupReport } from "../../features/backup/backup.ts";
import { backUpIntoDirectory } from "../../features/backup/directory/back_up.ts";
import { writeBackupNote } from "../../features/backup/note.ts";
import { readManifest } from "../../features/backup/directory/place.ts";
import { verifyBackup } from "../../features/backup/directory/verify.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { openToAll } from "../../store/files/file_system.ts";
import { lockFile } from "../../store/files/lock.ts";
import { isRemoteBackup } from "../../store/remote/backup/open.ts";
import {
  damageJson,
  damageLines,
  findingLines,
  repairedLines,
} from "./backup_damage.ts";
import { sourceOf } from "./backup_source.ts";
import {
  blobProgress,
  explained,
  readLock,
  requireLock,
} from "./backup_place.ts";
import { type RemoteBackupOptions, runRemoteBackup } from "./remote/backup.ts";
import {
  addRemoteBackupCommands,
  runRemoteBackupVerify,
} from "./remote/commands.ts";
import { POLICY_OPTIONS, policyOf } from "./remote/policy.ts";
import { withAnyDatabase } from "../operator/own_database.ts";
import { addVerb, type Call, type CommandContext, type Said } from "../verb.ts";
import { tellOperator, tellTrouble } from "../operator/notices.ts";

type BackupOptions = RemoteBackupOptions;

/** Adds `backup` and `backup verify` to the program. */
export function addBackupCommands(
  program: Command,
  context: CommandContext,
): void {
  const backup = addVerb(program, context, {
    usage: "backup",
    arguments: [[
      "<dir>",
      "the place of the backup: a directory, or a remote place " +
      "(s3://BUCKET/PREFIX, sftp://USER@HOST/PATH or file:///DIRECTORY) " +
      "with encrypted generations",
    ]],
    description:
      "back up the database, the blobs and the keys while the server " +
      "runs; the next backup to the same place copies only what is new",
    options: [
      [
        "--copy",
        "copy every blob; without this, a blob on the same file system " +
        "becomes a second name for the server's own file",
      ],
      [
        "--allow-shrink",
        "allow the backup to lose more than a tenth of its contents, if " +
        "people have deleted that much",
      ],
      [
        "--verify",
        "read every blob and receipt, not only those that are due",
      ],
      [
        "--existing",
        "fail if the place has no backup yet, because its disk may not be " +
        "mounted",
      ],
      ...POLICY_OPTIONS,
    ],
    example: "backup /mnt/backup/strongroom",
    run: runToldBackup,
  });
  // The options of `verify` are its own.
  backup.enablePositionalOptions();
  addVerb(backup, context, {
    usage: "verify <dir>",
    description:
      "read a whole backup and report every fault: every byte against " +
      "the manifest, every blob against its hash, the whole receipt chain",
    options: [
      ["--deep", "for remote backups: read every byte, not only the list"],
    ],
    example: "backup verify /mnt/backup/strongroom",
    run: runVerify,
  });
  addRemoteBackupCommands(backup, context);
}

/** Whether a backup succeeds is what its operator most wants to be told. */
async function runToldBackup(
  call: Call<BackupOptions>,
  given: string,
): Promise<Said> {
  let said: Said;
  try {
    said = await runBackup(call, given);
  } catch (error) {
    await tellTrouble(call, "backup_failed");
    throw error;
  }
  if (said.isBad) {
    const damaged = said.warnings?.length ?? 0;
    await tellTrouble(call, "backup_failed", { damaged });
  } else {
    await tellOperator(call, async (notices) => {
      await notices.end("backup_failed");
      await notices.end("backup_old");
    });
  }
  return said;
}

async function runBackup(
  call: Call<BackupOptions>,
  given: string,
): Promise<Said> {
  const { options } = call;
  if (isRemoteBackup(given)) {
    return await runRemoteBackup(
      call,
      given,
      (dataDir, dir, made) => note(call, dataDir, dir, made),
    );
  }
  if (policyOf(options) !== undefined) {
    throw new OperatorFault(
      "a directory contains only one backup: --keep is for remote backups",
    );
  }
  const dir = resolve(given);
  const report = await explained(
    dir,
    () =>
      withAnyDatabase(
        options,
        async (db, config) => {
          const { STRONGROOM_DATA_DIR: dataDir } = config;
          const source = await sourceOf(call, db, config);
          const existing = options.existing === true;
          const place = await placeFor(dir, dataDir, existing);
          // Before a lock is put into a directory that is someone else's.
          const held = await readManifest({ files: denoFiles, dir: place });
          if (existing && (held?.snapshot ?? null) === null) {
            throw noBackup(dir);
          }
          const lock = await requireLock(
            lockFile(`${place}/lock`),
            `another backup to ${dir}, or a restore from it, is running: run ` +
              "this again when it has ended",
          );
          const progress = blobProgress(call, "backing up");
          try {
            const made = await backUpIntoDirectory(
              source,
              place,
              {
                copy: options.copy === true,
                allowShrink: options.allowShrink === true,
                verify: options.verify === true,
                onProgress: progress.show,
              },
            );
            await note(call, dataDir, place, made);
            const open = await openToAll(place);
            if (open !== undefined) call.warn(`${open.what}; ${open.mend}`);
            return made;
          } finally {
            progress.end();
            lock.close();
          }
        },
      ),
  );
  const { snapshot, linked, copied, kept, replaced, removed } = report;
  const { made_at, blobs } = snapshot;
  const warnings = damageLines(report);
  return {
    json: {
      dir,
      made_at,
      blobs,
      linked,
      copied,
      kept,
      replaced,
      removed,
      ...damageJson(report),
    },
    lines: [
      `backed up ${blobsInWords(blobs)} into ${dir}: ${linked} linked, ` +
      `${copied} copied, ${kept} there already, ${removed} removed`,
      ...repairedLines(report),
    ],
    warnings,
    isBad: warnings.length > 0,
  };
}

/**
 * Tells the server of a backup; a backup whose note cannot be written is still
 * good.
 */
async function note(
  { platform, warn }: Call,
  dataDir: string,
  dir: string,
  { snapshot, lost, faulty, damagedReceipts }: Pick<
    BackupReport,
    "snapshot" | "lost" | "faulty" | "damagedReceipts"
  >,
): Promise<void> {
  try {
    await writeBackupNote(denoFiles, dataDir, {
      dir,
      made_at: parseRfc3339(snapshot.made_at) ?? platform.now(),
      damaged: lost.length + faulty.length + damagedReceipts.length,
      blobs: snapshot.blobs.count,
      bytes: snapshot.blobs.bytes,
    });
  } catch (error) {
    const reason = reasonOf(error);
    warn(
      "the backup is complete, but this could not be recorded for the " +
        `server's metrics and the doctor (${reason})`,
    );
  }
}

function noBackup(dir: string): OperatorFault {
  return new OperatorFault(
    `${dir} contains no backup: mount its disk, or run this once ` +
      "without --existing to begin one there",
  );
}

async function runVerify(
  call: Call<{ readonly deep?: true }>,
  given: string,
): Promise<Said> {
  if (isRemoteBackup(given)) return await runRemoteBackupVerify(call, given);
  const dir = resolve(given);
  const report = await explained(dir, async () => {
    const lock = await readLock(dir);
    const progress = blobProgress(call, "verifying");
    try {
      return await verifyBackup(denoFiles, dir, progress.show);
    } finally {
      progress.end();
      lock.close();
    }
  });
  const { snapshot, findings, found, receipts, leftovers } = report;
  const { made_at, server_id, schema, blobs } = snapshot;
  return {
    json: {
      dir,
      made_at,
      server_id,
      schema,
      blobs,
      receipts,
      leftovers,
      found,
      findings,
    },
    lines: [
      ...findingLines(report),
      ...leftovers > 0
        ? [
          `an interrupted backup left ${leftovers} files: the next one ` +
          "removes them",
        ]
        : [],
      found === 0
        ? `the backup of ${made_at} is whole: ${blobsInWords(blobs)}, ` +
          `${receipts} receipts`
        : `the backup of ${made_at} has ${counted(found, "fault")}`,
    ],
    isBad: found > 0,
  };
}

/** Refuses a directory of someone else's before anything is read. */
async function requireWritable(dir: string): Promise<void> {
  try {
    await Deno.remove(await Deno.makeTempDir({ dir, prefix: ".strongroom-" }));
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) throw shutAway(dir);
    // Whatever else is wrong with it is told by what comes next.
  }
}

/** What makes a place for a backup where only someone else may. */
function shutAway(dir: string): OperatorFault {
  const uid = Deno.uid();
  return new OperatorFault(
    `this user (number ${uid}), who must be the server's, cannot write ` +
      `to ${dir}: give it to that user, sudo install -d -o ${uid} -g ` +
      `${Deno.gid()} -m 0700 ${dir}`,
  );
}

/** Makes the directory of a backup; returns its path without links in it. */
async function placeFor(
  dir: string,
  dataDir: string,
  existing: boolean,
): Promise<string> {
  try {
    // Not those above it: they may be where a disk is to be mounted.
    if (!existing) await Deno.mkdir(dir, { mode: 0o700 });
    else await Deno.stat(dir);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      if (existing) throw noBackup(dir);
      throw new OperatorFault(
        `the directory above ${dir} does not exist: mount the disk for it, ` +
          "or create that directory",
      );
    }
    if (error instanceof Deno.errors.PermissionDenied) throw shutAway(dir);
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  await requireWritable(dir);
  const [place, data] = [
    await Deno.realPath(dir),
    await Deno.realPath(dataDir),
  ];
  if (place === data || place.startsWith(data + sep)) {
    // Only what this made: one that holds something stays.
    if (place !== data) await Deno.remove(dir).catch(() => {});
    throw new OperatorFault(
      `${dir} is inside the data directory: back up to another place, ` +
        "preferably on another disk",
    );
  }
  return place;
}
