/**
 * `strongroom restore`.
 *
 * @module
 */
import { resolve, sep } from "node:path";
import type { Command } from "commander";
import { OperatorFault } from "../../core/operator.ts";
import { blobsInWords, bytesInWords, counted } from "../../core/sizes.ts";
import {
  chooseGeneration,
  parseGeneration,
  requireGeneration,
} from "../../features/backup/remote_backup/generation.ts";
import { sourceOf } from "../../features/backup/remote_backup/source.ts";
import {
  restoreBackup,
  type RestoreReport,
} from "../../features/backup/restore.ts";
import { sourceIn } from "../../features/backup/directory/source.ts";
import type { RestoreSource } from "../../features/backup/source.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { openToAll } from "../../store/files/file_system.ts";
import type { HeldLock } from "../../store/files/lock.ts";
import { isRemoteBackup } from "../../store/remote/backup/open.ts";
import { lockDirectory } from "../../store/store.ts";
import { refuseUnlessEmpty } from "../../store/restoring.ts";
import { blobProgress, explained, readLock } from "./backup_place.ts";
import { loadConfig } from "../environment.ts";
import { runRestoreKeys } from "./restore_keys.ts";
import { requireRepository, withLock, withRemote } from "./remote/place.ts";
import { addVerb, type Call, type CommandContext, type Said } from "../verb.ts";
import {
  linkJson,
  linkLines,
  lossJson,
  lossLines,
} from "./restore_messages.ts";
import { restoreSettings } from "./restored_settings.ts";

interface RestoreOptions {
  readonly keepSessions?: true;
  readonly revokeShares?: true;
  readonly clockIsRight?: true;
  readonly withoutDamaged?: true;
  readonly generation?: string;
  readonly keysOnly?: true;
}

/** Adds `restore` to the program. */
export function addRestoreCommand(
  program: Command,
  context: CommandContext,
): void {
  addVerb(program, context, {
    usage: "restore <dir>",
    description: "restore a backup, from a directory, s3://BUCKET/PREFIX, " +
      "sftp://USER@HOST/PATH or file:///DIRECTORY, into an empty data " +
      "directory, and verify all of it",
    options: [
      ["--keep-sessions", "keep sessions and capability grants open"],
      ["--revoke-shares", "revoke every share link and upload link"],
      [
        "--clock-is-right",
        "restore even if this machine's clock is behind the backup's",
      ],
      [
        "--without-damaged",
        "skip damaged and missing blobs and damaged receipts, list each, " +
        "and end with status 1",
      ],
      [
        "--generation <number>",
        "for remote backups: an older generation than the newest",
      ],
      [
        "--keys-only",
        "restore only the key files, into keys/ of a data directory that " +
        "lost them or is empty",
      ],
    ],
    example: "restore /mnt/backup/strongroom --data-dir /var/lib/strongroom",
    run: restore,
  });
}

async function restore(
  call: Call<RestoreOptions>,
  given: string,
): Promise<Said> {
  const { options } = call;
  const { STRONGROOM_DATA_DIR: dataDir } = loadConfig(options);
  const revoked = options.revokeShares === true;
  if (options.keysOnly === true) {
    return await withBackup(
      call,
      given,
      dataDir,
      (source) => runRestoreKeys(source, dataDir),
    );
  }
  const report = await withBackup(
    call,
    given,
    dataDir,
    (source) => restoreInto(call, dataDir, source),
  );
  const { receipts, restored: blobs, losses, damagedReceipts } = report;
  const { made_at, settings, server_id } = report.snapshot;
  const restored = restoreSettings(settings, server_id, dataDir, options);
  const isWhole = report.lost + damagedReceipts.length === 0;
  const missing = [
    ...report.lost > 0 ? [counted(report.lost, "blob")] : [],
    ...damagedReceipts.length > 0
      ? [counted(damagedReceipts.length, "receipt")]
      : [],
  ].join(" and ");
  return {
    json: {
      data_dir: dataDir,
      made_at,
      blobs,
      receipts,
      receipts_above: report.receiptFloor,
      sessions_closed: report.sessionsClosed,
      grants_revoked: report.grantsRevoked,
      uploads_dropped: report.uploadsDropped,
      links_revoked: revoked,
      share_links: report.shares.map(linkJson),
      upload_links: report.uploadLinks.map(linkJson),
      lost: losses.map(lossJson),
      lost_count: report.lost,
      damaged_receipts: damagedReceipts.map(({ subject, detail }) => ({
        receipt_seq: Number(subject.split(" ")[1]),
        detail,
      })),
      receipts_misdated: report.misdated,
      server_faults: report.serverFaults,
      settings,
      env_file: restored.envFile ?? null,
      env_file_outcome: restored.outcome,
    },
    lines: [
      `restored the backup of ${made_at} into ${dataDir}: ` +
      `${blobsInWords(blobs)}, ${receipts} receipts, ` +
      (isWhole
        ? "every hash verified"
        : "verified, except what is listed here"),
      options.keepSessions === true
        ? "sessions and capability grants are open as they were then, " +
          "including those that were ended since"
        : `${counted(report.sessionsClosed, "session")} and ` +
          `${counted(report.grantsRevoked, "capability grant")} closed: ` +
          "people sign in again",
      `new receipts are numbered above ${report.receiptFloor}, under a new ` +
      "attestation key",
      ...linkLines("share link", report.shares, revoked),
      ...linkLines("upload link", report.uploadLinks, revoked),
      ...losses.flatMap(lossLines),
      ...report.lost > losses.length
        ? [`and ${report.lost - losses.length} blobs more`]
        : [],
      ...damagedReceipts.map(({ subject, detail }) =>
        `damaged: ${subject} (${detail})`
      ),
      ...report.misdated.length > 0
        ? [
          `${counted(report.misdated.length, "receipt")} ` +
          "dated outside the time of the key that signed it; all else about " +
          "it is right:",
          ...report.misdated.map((one) => `  ${one}`),
        ]
        : [],
      ...report.serverFaults > 0
        ? [
          `the server had ${report.serverFaults} faults when it was backed ` +
          "up: `strongroom check` lists them",
        ]
        : [],
      ...restored.lines,
    ],
    warnings: isWhole ? [] : [
      `restored all but ${missing}, listed above: the server knows that ` +
      "the blobs are gone, and accepts them from anyone who uploads them " +
      "again",
    ],
    isBad: !isWhole,
  };
}

/** Does some work with a backup, which stays as it is meanwhile. */
async function withBackup<T>(
  call: Call<RestoreOptions>,
  given: string,
  dataDir: string,
  work: (source: RestoreSource) => Promise<T>,
): Promise<T> {
  if (isRemoteBackup(given)) {
    return await explained(given, () => withGeneration(call, given, work));
  }
  if (call.options.generation !== undefined) {
    throw new OperatorFault(
      "a directory contains only one backup: --generation is for remote " +
        "backups",
    );
  }
  const dir = resolve(given);
  if (`${dataDir}${sep}`.startsWith(dir + sep)) {
    throw new OperatorFault(
      `${dataDir} is inside the backup: restore into another directory, ` +
        "given with --data-dir",
    );
  }
  return await explained(dir, async () => {
    const lock = await readLock(dir);
    try {
      return await work(await sourceIn({ files: denoFiles, dir }));
    } finally {
      lock.close();
    }
  });
}

/** The same with a generation, which is not removed meanwhile. */
async function withGeneration<T>(
  call: Call<RestoreOptions>,
  name: string,
  work: (source: RestoreSource) => Promise<T>,
): Promise<T> {
  const { generation } = call.options;
  const asked = generation === undefined
    ? undefined
    : parseGeneration(generation);
  const config = loadConfig(call.options);
  return await withRemote(call, config, name, async (remote) => {
    const repository = await requireRepository(call, config, remote);
    return await withLock(call, repository, "read", async () => {
      const chosen = await requireGeneration(
        repository,
        await chooseGeneration(repository, asked),
      );
      return await work(sourceOf(denoFiles, repository, chosen));
    });
  });
}

/** Restores into the data directory, whose lock it takes. */
async function restoreInto(
  call: Call<RestoreOptions>,
  dataDir: string,
  source: RestoreSource,
): Promise<RestoreReport> {
  const { platform, options } = call;
  const progress = blobProgress(call, "restoring");
  try {
    const lock = await openTarget(dataDir);
    const open = await openToAll(dataDir);
    if (open !== undefined) call.warn(`${open.what}; ${open.mend}`);
    try {
      return await restoreBackup(
        { files: denoFiles, dataDir, platform },
        source,
        {
          keepSessions: options.keepSessions === true,
          revokeShares: options.revokeShares === true,
          clockIsRight: options.clockIsRight === true,
          withoutDamaged: options.withoutDamaged === true,
          onBegin: ({ needs, free }) =>
            progress.tell(
              `restoring ${bytesInWords(needs)} into ${dataDir}, where ` +
                `${bytesInWords(free)} are free`,
            ),
          onProgress: progress.show,
        },
      );
    } finally {
      lock.close();
    }
  } finally {
    progress.end();
  }
}

/** Makes the data directory to restore into, if need be, and locks it. */
async function openTarget(dataDir: string): Promise<HeldLock> {
  await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
  await refuseUnlessEmpty(dataDir, denoFiles);
  return await lockDirectory(dataDir);
}
