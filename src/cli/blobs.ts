/**
 * `strongroom blobs`: where blobs lie, and moving them.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../core/operator.ts";
import { blobsInWords, counted } from "../core/sizes.ts";
import { listNames } from "../features/keys/store.ts";
import { moveBlobs, type MoveReport } from "../features/moving/moving.ts";
import { knownBucket } from "../store/object_store.ts";
import { serverOf } from "../store/s3/claim.ts";
import type { CommandContext } from "./operator.ts";
import { terminalProgress } from "./progress.ts";
import { addVerbs, type DatabaseCall, type Said } from "./verb.ts";

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
    description: "move every blob to where STRONGROOM_BLOBS has them placed, " +
      "beside a server that runs; ended at any point, it goes on when it is " +
      "run again",
    options: [["--to <place>", "s3 or directory", "required"]],
    example: "blobs move --to s3",
    access: "write",
    run: move,
  }, {
    usage: "claim",
    description: "say whose the bucket is: of two data directories on one " +
      "each would clear away what the other stores; exit status 1 where it " +
      "is another's",
    options: [[
      "--take",
      "take it for this data directory, whoever has it: that one must not " +
      "be served from now on",
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
          ? `${name} is nobody's: the next start claims it`
          : `${name} is this data directory's since ${owner.since}, as ` +
            serverOf(owner)),
    ],
    isBad: refusal !== undefined,
  };
}

const NO_BUCKET =
  "no bucket is set: set STRONGROOM_S3_ENDPOINT, STRONGROOM_S3_BUCKET and " +
  "the keys, for the server as well, and start it again";

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
      `new blobs are placed in the other place: set STRONGROOM_BLOBS=${to}, ` +
        "start the server again, then run this",
    );
  }
  // Back in the directory, all of them, as an earlier run saw.
  if (name === store.name || (name === null && to === "directory" && place)) {
    return store;
  }
  throw new OperatorFault(
    `no server was started with the bucket ${store.name}, and one that does ` +
      "not know it would miss what is moved: start the server with these " +
      "settings first",
  );
}

function warningsOf({ missing, damaged, waiting, left }: MoveReport): string[] {
  return [
    ...missing.length === 0 ? [] : [
      `${counted(missing.length, "blob")} lie in neither place: strongroom ` +
      "check names every one with its mend",
    ],
    ...damaged.length === 0 ? [] : [
      `${counted(damaged.length, "blob")} have other bytes than they should ` +
      "and stay where they are: strongroom check --deep names every one",
    ],
    ...waiting.count === 0 ? [] : [
      `${
        counted(waiting.count, "blob")
      } were removed from the bucket and came ` +
      "again just now: run this again in half an hour",
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
