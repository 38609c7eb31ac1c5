/**
 * `strongroom gc`: what the server's periodic task does, now.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../../core/operator.ts";
import {
  type Amount,
  bytesInWords,
  counted,
  numberInWords,
} from "../../core/sizes.ts";
import { DAY_MS, HOUR_MS, toRfc3339 } from "../../core/time.ts";
import type { Limits } from "../../features/service_context.ts";
import { believe, judgeInstant } from "../../features/clock/clock.ts";
import { readBackupNote } from "../../features/backup/note.ts";
import { collectGarbage } from "../../features/garbage_collection/collection.ts";
import type { Collected } from "../../features/garbage_collection/run.ts";
import {
  countExpired,
  type Purged,
  purgeExpired,
} from "../../features/purge.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { readRecordedSettings } from "../../store/recorded_settings.ts";
import {
  addVerb,
  type CommandContext,
  type DatabaseCall,
  type Said,
} from "../verb.ts";
import { terminalProgress } from "../progress.ts";

interface GcOptions {
  readonly dryRun?: true;
  readonly clockIsRight?: true;
  readonly manyStrays?: true;
}

/** Adds `gc` to the program. */
export function addGcCommand(program: Command, context: CommandContext): void {
  addVerb(program, context, {
    usage: "gc",
    description:
      "remove expired data and files that nothing references, as the " +
      "server does regularly",
    options: [
      ["--dry-run", "only list what would be removed"],
      [
        "--clock-is-right",
        "delete by this machine's clock though the server last ran long ago",
      ],
      [
        "--many-strays",
        "quarantine unknown files even if they are more than a tenth of all",
      ],
    ],
    example: "gc --dry-run",
    access: "write",
    run: collect,
  });
}

async function collect(
  call: DatabaseCall<GcOptions>,
): Promise<Said> {
  const { platform, streams, options } = call;
  const dryRun = options.dryRun === true;
  const place = { ...call, limits: await limitsOfServer(call) };
  await requireClock(call);
  const purge = dryRun ? countExpired : purgeExpired;
  const progress = terminalProgress(platform.monotonic, streams.stderr);
  try {
    const purged = await purge(place, platform.now());
    const collected = await collectGarbage(place, {
      dryRun,
      manyStrays: options.manyStrays === true,
      onProgress: (so) => progress.show("files", filesOf(so).count),
    });
    const warnings = warningsOf(collected);
    return {
      json: toJson(purged, collected, dryRun),
      lines: toLines(purged, collected, dryRun),
      warnings,
      isBad: warnings.length > 0,
    };
  } finally {
    progress.end();
  }
}

function warningsOf({ suspicious, failed }: Collected): string[] {
  return [
    ...suspicious === 0 ? [] : [
      "the database does not know more than a tenth of the files in " +
      "blobs/, so none was touched. The database may be another " +
      "server's, or an older one: put the right one back. If no " +
      "server needs these files, run strongroom gc --many-strays",
    ],
    ...failed === 0 ? [] : [
      `${counted(failed, "file")} could not be removed and wait for the ` +
      "next run: run this as the server's user, on a working disk",
    ],
  ];
}

/** What decides about deletion here: in whose words, and which setting it is. */
const DECIDING = [
  ["trashMs", "STRONGROOM_TRASH_DAYS", DAY_MS],
  ["uploadTtlMs", "STRONGROOM_UPLOAD_TTL_HOURS", HOUR_MS],
  ["sessionInactivityMs", "STRONGROOM_SESSION_INACTIVITY_DAYS", DAY_MS],
] as const;

/**
 * The limits that the server went by when it was started last: this command
 * may have been given none of its settings, and what it deletes is gone.
 */
async function limitsOfServer(
  { db, limits: own, warn }: DatabaseCall,
): Promise<Limits> {
  const recorded = await readRecordedSettings(db);
  if (recorded === undefined) return own;
  for (const [limit, setting, unitMs] of DECIDING) {
    if (recorded[limit] === own[limit]) continue;
    warn(
      `${setting} is ${own[limit] / unitMs} here and ` +
        `${recorded[limit] / unitMs} at the server, whose value is used: ` +
        "restart the server with the right value, or give this command its " +
        "settings (--env-file)",
    );
  }
  return { ...own, ...recorded };
}

/**
 * Refuses to delete by a clock that is far ahead of the server's last look at
 * it, or behind anything that is recorded.
 */
async function requireClock(
  { db, config, platform, options, warn }: DatabaseCall<GcOptions>,
): Promise<void> {
  const now = platform.now();
  const { dryRun, clockIsRight } = options;
  if (clockIsRight === true) {
    return dryRun === true ? undefined : await believe(db, now);
  }
  const backup = readBackupNote(denoFiles, config.STRONGROOM_DATA_DIR);
  const { verdict, recorded } = await judgeInstant(
    db,
    now,
    backup === undefined
      ? []
      : [{ what: "the last backup", at: backup.made_at }],
  );
  if (verdict === "believed" || recorded === undefined) return;
  const clock = `this machine's clock says ${toRfc3339(now)}, but `;
  const then = toRfc3339(Math.round(recorded.at));
  const why = verdict === "ahead"
    ? `${clock}the server last ran at ${then}. A clock that is ahead deletes ` +
      "too much, so set it right. If it is right and the server was off for " +
      "so long, run this with --clock-is-right"
    : `${clock}${recorded.what} is from ${then}. What is old enough to go ` +
      "cannot be told by a clock that was set back, so set it right. If it " +
      "is right and was ahead then, run this with --clock-is-right";
  // To look is no harm.
  if (dryRun === true) return warn(why);
  throw new OperatorFault(why);
}

/** Files that are removed: what becomes free on the disk. */
function filesOf({ blobs, strayUploads, lostFiles }: Collected): Amount {
  return [blobs, strayUploads, lostFiles].reduce(
    (sum, { count, bytes }) => ({
      count: sum.count + count,
      bytes: sum.bytes + bytes,
    }),
    { count: 0, bytes: 0 },
  );
}

function toJson(purged: Purged, collected: Collected, dryRun: boolean) {
  return {
    dry_run: dryRun,
    expired: {
      sign_in_records: purged.signInRecords,
      enrollments: purged.enrollments,
      sessions: purged.sessions,
      grants: purged.grants,
      upload_sessions: collected.sessions,
    },
    assets: collected.assets,
    unapplied: collected.unapplied,
    blobs: collected.blobs,
    stray_uploads: collected.strayUploads,
    stray_files: collected.strayFiles,
    lost_files: collected.lostFiles,
    put_back: collected.putBack,
    suspicious_strays: collected.suspicious,
    failed: collected.failed,
    freed_bytes: filesOf(collected).bytes,
  };
}

function toLines(
  purged: Purged,
  collected: Collected,
  dryRun: boolean,
): string[] {
  const amounts: readonly [string, Amount][] = [
    ["assets whose time in the trash is over", collected.assets],
    ["uploads that no manifest named", collected.unapplied],
    ["blobs that nothing references", collected.blobs],
    ["files in uploads/ without a session", collected.strayUploads],
    ["files in lost/ for a week", collected.lostFiles],
    [
      "files in lost/ put back, because they are blobs again",
      collected.putBack,
    ],
    ["unknown files in blobs/, moved to lost/", collected.strayFiles],
  ];
  const counts: readonly [string, number][] = [
    ["sign-in records", purged.signInRecords],
    ["enrollments", purged.enrollments],
    ["sessions", purged.sessions],
    ["grants", purged.grants],
    ["upload sessions", collected.sessions],
  ];
  const files = filesOf(collected);
  const verb = dryRun ? "would be removed" : "removed";
  return [
    ...counts.filter(([, count]) => count > 0)
      .map(([what, count]) => `expired ${what}: ${numberInWords(count)}`),
    ...amounts.filter(([, { count }]) => count > 0)
      .map(([what, { count, bytes }]) =>
        `${what}: ${numberInWords(count)}, ${bytesInWords(bytes)}`
      ),
    `${counted(files.count, "file")} ${verb}, ${bytesInWords(files.bytes)} ` +
    (dryRun ? "would be freed" : "freed"),
  ];
}
