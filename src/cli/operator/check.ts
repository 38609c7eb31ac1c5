/**
 * `strongroom check`: whether everything that was stored is still there, and
 * how to fix what is not.
 *
 * @module
 */
import type { Command } from "commander";
import { reasonOf } from "../../core/reason.ts";
import { counted, numberInWords } from "../../core/sizes.ts";
import type { BlobHash } from "../../core/ids.ts";
import {
  forgetLost,
  listWholeAgain,
  type Loss,
  noteLost,
} from "../../features/lost_blobs.ts";
import { attestationKeysAt, type KeyPlace } from "../../features/keys/rings.ts";
import {
  type CheckReport,
  checkStore,
  publishedKeys,
  reportOfDamage,
} from "../../features/verification/check.ts";
import { recountMonths } from "../../features/verification/check_store.ts";
import {
  type Finding,
  type FindingKind,
} from "../../features/verification/findings.ts";
import { recountAll } from "../../features/usage.ts";
import { isDamaged } from "../../store/failure.ts";
import { transaction } from "../../store/sqlite/database.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { keyGeneration } from "../../store/generation.ts";
import { keysPath } from "../../store/data_paths.ts";
import { loadConfig } from "../environment.ts";
import { openBlobsOf, openOwn } from "./own_database.ts";
import { addVerb, type Call, type CommandContext } from "../verb.ts";
import { lookAtBlobs } from "../../features/notices/conditions.ts";
import { tellOperator } from "./notices.ts";
import { terminalProgress } from "../progress.ts";

interface CheckOptions {
  readonly deep?: true;
  readonly recount?: true;
}

/** Findings of one kind that are named to people; JSON has more of them. */
const NAMED_PER_KIND = 20;

/** Lost blobs that are written down. */
const NOTED_MAX = 10_000;

/** Adds `check` to the program. */
export function addCheckCommand(
  program: Command,
  context: CommandContext,
): void {
  addVerb(program, context, {
    usage: "check",
    description:
      "check the database, the blobs and the receipts; ends with status " +
      "1 if something is wrong",
    options: [
      ["--deep", "also read and hash every blob"],
      [
        "--recount",
        "first count again what accounts store and what came in each month",
      ],
    ],
    example: "check --deep",
    async run(call: Call<CheckOptions>) {
      const recounted = call.options.recount === true
        ? await recountOrNothing(call)
        : [];
      const report = await checkOrDamage(call);
      await tellOperator(call, async (notices, db) => {
        const { blob_missing, blob_damaged } = await lookAtBlobs(db);
        await notices.judge("blob_missing", blob_missing);
        await notices.judge("blob_damaged", blob_damaged);
        await notices.announce("check_done", { found: report.summary.found });
      });
      return {
        json: toJson(report),
        lines: [...recounted, ...toLines(report)],
        isBad: report.summary.found > 0,
      };
    },
  });
}

/**
 * What was counted again; nothing in a damaged database, which the check says.
 */
async function recountOrNothing(
  call: Call<CheckOptions>,
): Promise<readonly string[]> {
  try {
    return await recount(call);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return [];
  }
}

async function recount(
  { options }: Call<CheckOptions>,
): Promise<readonly string[]> {
  const { STRONGROOM_DATA_DIR: root } = loadConfig(options);
  const db = await openOwn(root, "write");
  try {
    const accounts = counted(await recountAll(db), "account");
    const months = counted(await recountMonths(db), "month");
    return [`corrected the counts of ${accounts} and ${months}`];
  } finally {
    await db.destroy();
  }
}

/** A database that cannot be opened, or not even asked, is a finding too. */
async function checkOrDamage(call: Call<CheckOptions>): Promise<CheckReport> {
  try {
    return await check(call);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return reportOfDamage(reasonOf(error), call.options.deep === true);
  }
}

async function check(
  { options, platform, streams }: Call<CheckOptions>,
): Promise<CheckReport> {
  const config = loadConfig(options);
  const root = config.STRONGROOM_DATA_DIR;
  const deep = options.deep === true;
  const db = await openOwn(root, "read");
  const place: KeyPlace = { files: denoFiles, directory: keysPath(root) };
  const lost = new Map<BlobHash, Loss>();
  let whole: readonly BlobHash[] = [];
  const progress = terminalProgress(platform.monotonic, streams.stderr);
  try {
    const opened = await openBlobsOf(db, config, platform);
    const report = await checkStore({
      db,
      ...opened,
      tiles: config.STRONGROOM_LOGS === "off"
        ? undefined
        : { files: denoFiles, root },
      keys: async () =>
        publishedKeys(await attestationKeysAt(place, await keyGeneration(db))),
    }, {
      deep,
      onProgress: ({ step, done, total }) => progress.show(step, done, total),
      onLost: (hash, loss) => {
        if (lost.size < NOTED_MAX) lost.set(hash, loss);
      },
    });
    // Someone may have put a file back.
    whole = await listWholeAgain(db, opened.blobs);
    return report;
  } finally {
    progress.end();
    await db.destroy();
    await tellOwners(root, { lost, whole }, platform);
  }
}

/**
 * Writes down which blobs are lost, so that verification says so and their
 * owners are told, and forgets those that are whole again.
 */
async function tellOwners(
  root: string,
  { lost, whole }: {
    readonly lost: ReadonlyMap<BlobHash, Loss>;
    readonly whole: readonly BlobHash[];
  },
  { now, log }: Call<CheckOptions>["platform"],
): Promise<void> {
  if (lost.size + whole.length === 0) return;
  try {
    const db = await openOwn(root, "write");
    try {
      for (const [hash, loss] of lost) await noteLost(db, hash, loss, now());
      for (const hash of whole) {
        await transaction(db, (tx) => forgetLost(tx, hash));
      }
    } finally {
      await db.destroy();
    }
  } catch (cause) {
    // The report names them all the same.
    log.warn("lost blobs were not written down", { cause: String(cause) });
  }
}

function toJson({ findings, summary }: CheckReport) {
  const { deep, checked, found, kinds } = summary;
  return { deep, checked, found, kinds, findings };
}

function toLines({ findings, summary }: CheckReport): string[] {
  const { deep, checked, found } = summary;
  const lines = [...Map.groupBy(findings, ({ kind }) => kind)]
    .flatMap(([kind, some]) =>
      linesOfKind(some, summary.kinds[kind] ?? some.length, kind)
    );
  const blobs = counted(checked.blobs, "blob");
  return [
    ...lines,
    `checked ${counted(checked.assets, "asset")}, ${blobs} ` +
    `${deep ? "byte for byte" : "by size"}, ` +
    `${counted(checked.receipts, "receipt")} and ` +
    counted(checked.files, "file"),
    found === 0
      ? "nothing is wrong"
      : `${counted(found, "finding")}: something is wrong`,
  ];
}

function linesOfKind(
  findings: readonly Finding[],
  found: number,
  kind: FindingKind,
): string[] {
  const named = findings.slice(0, NAMED_PER_KIND);
  const left = found - named.length;
  return [
    `${kind} (${numberInWords(found)})`,
    ...named.map(({ subject, detail }) => `  ${subject}: ${detail}`),
    ...(left > 0 ? [`  and ${numberInWords(left)} more`] : []),
    `  fix: ${findings[0]?.mend ?? ""}`,
  ];
}
