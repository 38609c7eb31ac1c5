/**
 * `strongroom blobs`: where blobs lie, and moving them.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../../core/operator.ts";
import { blobsInWords, counted, countedAre } from "../../core/sizes.ts";
import { listNames } from "../../features/keys/store.ts";
import {
  moveBlobs,
  type MoveReport,
} from "../../features/blob_migration/migration.ts";
import { knownBucket } from "../../store/blobs/object_store.ts";
import { serverOf } from "../../store/remote/s3/claim.ts";
import {
  addVerbs,
  type CommandContext,
  type DatabaseCall,
  type Said,
} from "../verb.ts";
import { terminalProgress } from "../progress.ts";

interface MoveOptions {
  readonly to: string;
}

/** Adds the family to the program. */
export function addBlobCommands(
  program: Command,
  context: CommandContext,
): void {
  const family = program.command("blobs")
    .description("blobs in the data directory and in a bucket");
  addVerbs(family, context, [{
    usage: "move",
    description:
      "move every blob to the place that STRONGROOM_BLOBS names, while " +
      "the server runs; if it is interrupted, run it again to continue",
    options: [["--to <place>", "s3 or directory", "required"]],
    example: "blobs move --to s3",
    access: "write",
    run: move,
  }, {
    usage: "claim",
    description:
      "show which data directory owns the bucket, because two on one " +
      "bucket would remove each other's blobs; ends with status 1 if " +
      "another one owns it",
    options: [[
      "--take",
      "make this data directory the owner; never start a server on the " +
      "previous owner again",
    ]],
    example: "blobs claim",
    access: "write",
    run: claim,
  }]);
}

interface ClaimOptions {
  readonly take?: true;
}

async function claim(
  { db, objectStore: store, config, options }: DatabaseCall<ClaimOptions>,
): Promise<Said> {
  if (store === undefined) throw new OperatorFault(NO_BUCKET);
  const { name } = store;
  if (options.take) {
    const former = (await listNames(db)).at(-1)?.server_id;
    await store.claim.take(config.STRONGROOM_BASE_URL ?? former ?? "");
  }
  const holder = await store.claim.holder();
  const refusal = store.claim.refusalOf(holder);
  const owner = "claim" in holder ? holder.claim : undefined;
  return {
    json: {
      bucket: name,
      holder: holder.kind,
      server: owner?.server ?? null,
      since: owner?.since ?? null,
    },
    lines: [
      refusal ??
        (owner === undefined
          ? `${name} has no owner: the next start claims it`
          : `${name} is this data directory's since ${owner.since}, as ` +
            serverOf(owner)),
    ],
    isBad: refusal !== undefined,
  };
}

const NO_BUCKET = "no bucket is set: set STRONGROOM_S3_ENDPOINT, " +
  "STRONGROOM_S3_BUCKET and the keys, also for the server, and " +
  "restart it";

async function move(call: DatabaseCall<MoveOptions>): Promise<Said> {
  const { options, platform, streams } = call;
  const store = await requireStore(call, options.to);
  const progress = terminalProgress(platform.monotonic, streams.stderr);
  try {
    const report = await moveBlobs(call, store, {
      onProgress: (done, total) =>
        progress.show("bytes", done.bytes, total.bytes),
    });
    const warnings = warningsOf(report);
    return {
      json: toJson(report, options.to),
      lines: toLines(report, store.name, options.to),
      warnings,
      isBad: warnings.length > 0,
    };
  } finally {
    progress.end();
  }
}

/** The bucket, where the server that runs places blobs as this is to move them. */
async function requireStore(
  { db, objectStore: store, config }: DatabaseCall<MoveOptions>,
  to: string,
) {
  if (to !== "s3" && to !== "directory") {
    throw new OperatorFault(`--to ${to}: wants s3 or directory`);
  }
  if (store === undefined) throw new OperatorFault(NO_BUCKET);
  const { name, place } = await knownBucket(db);
  if (place !== null && place !== to || config.STRONGROOM_BLOBS !== to) {
    throw new OperatorFault(
      "new blobs are still stored in the other place: set " +
        `STRONGROOM_BLOBS=${to}, restart the server, then run this`,
    );
  }
  // Back in the directory, all of them, as an earlier run saw.
  if (name === store.name || (name === null && to === "directory" && place)) {
    return store;
  }
  throw new OperatorFault(
    `no server was started with the bucket ${store.name}, and a server ` +
      "without it could not find moved blobs: start the server with " +
      "these settings first",
  );
}

function warningsOf({ missing, damaged, waiting, left }: MoveReport): string[] {
  return [
    ...missing.length === 0 ? [] : [
      `${countedAre(missing.length, "blob")} in neither place: ` +
      "strongroom check lists each with its fix",
    ],
    ...damaged.length === 0 ? [] : [
      `${countedAre(damaged.length, "blob")} damaged and not moved: ` +
      "strongroom check --deep lists each",
    ],
    ...waiting.count === 0 ? [] : [
      `${
        countedAre(waiting.count, "blob", ["was", "were"])
      } just removed from the ` +
      "bucket and stored again: run this again in half an hour",
    ],
    ...left === 0 ? [] : [
      `${counted(left, "object")} could not be removed from the bucket yet: ` +
      "run this again in a minute",
    ],
  ];
}

function toJson(report: MoveReport, to: string) {
  return { to, ...report };
}

function toLines(
  { moved, there, missing, damaged }: MoveReport,
  name: string,
  to: string,
): string[] {
  const where = to === "s3" ? name : "the data directory";
  return [
    ...missing.slice(0, 20).map((hash) => `missing: ${hash}`),
    ...damaged.slice(0, 20).map((hash) => `damaged: ${hash}`),
    `moved ${blobsInWords(moved)} to ${where}; ${
      blobsInWords(there)
    } were there already`,
  ];
}
