/**
 * `strongroom rollback`.
 *
 * @module
 */
import type { Command } from "commander";
import { counted } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import {
  rollBack,
  type RollBackPlan,
  type RolledBack,
} from "../../features/backup/roll_back.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { refuseLeased } from "../../store/lease.ts";
import { refuseUnfinished } from "../../store/restoring.ts";
import { lockDirectory, requireWhole } from "../../store/store.ts";
import { loadConfig } from "../environment.ts";
import { openBlobsOf } from "../operator/own_database.ts";
import { addVerb, type Call, type CommandContext, type Said } from "../verb.ts";
import { linkJson, lossJson, lossLines } from "./restore_messages.ts";
import { refuseUnsaid } from "../phrasing.ts";

interface RollbackOptions {
  readonly yes?: true;
}

/** Adds `rollback` to the program. */
export function addRollbackCommand(
  program: Command,
  context: CommandContext,
): void {
  addVerb(program, context, {
    usage: "rollback",
    description:
      "go back to the database from before an upgrade: run this with the " +
      "previous release while no server runs. The newer database is kept " +
      "next to it",
    options: [["--yes", "do it; without this, only list what would be lost"]],
    example: "rollback --yes",
    run: rollback,
  });
}

async function rollback(call: Call<RollbackOptions>): Promise<Said> {
  const { options, platform } = call;
  const config = loadConfig(options);
  const { STRONGROOM_DATA_DIR: dataDir } = config;
  requireWhole(dataDir);
  const lock = await lockDirectory(dataDir);
  try {
    await refuseUnfinished(dataDir, denoFiles);
    await refuseLeased({ root: dataDir, files: denoFiles, platform });
    const done = await rollBack({
      files: denoFiles,
      dataDir,
      platform,
      openBlobs: async (db) => (await openBlobsOf(db, config, platform)).blobs,
    }, options.yes === true);
    if ("aside" in done) return said(done, dataDir);
    throw refuseUnsaid(
      `the database would go back to how it was ${when(done)}, without ` +
        `everything since (${inShort(done)}); nothing was changed`,
    );
  } finally {
    lock.close();
  }
}

function when({ copy }: RollBackPlan): string {
  return copy.madeAt === undefined
    ? "before the upgrade"
    : `at ${toRfc3339(copy.madeAt)}`;
}

/** Accounts that the refusal names; the others are counted. */
const NAMED_MAX = 10;

/** What would be lost, for the one line of a refusal. */
function inShort({ since, lost }: RollBackPlan): string {
  if (since === undefined) {
    return "which this program cannot read in the newer database";
  }
  const some = since.slice(0, NAMED_MAX).map(({ address, user_id, ...of }) =>
    (of.isNew ? "the account " : "") + (address ?? user_id) +
    (of.assets > 0 ? `: ${counted(of.assets, "photo")}` : "")
  );
  return [
    ...some,
    ...since.length > some.length
      ? [`${counted(since.length - some.length, "account")} more`]
      : [],
    ...lost > 0 ? [`${counted(lost, "file")} removed since`] : [],
  ].join(", ") || "no account and no photo";
}

/** What is lost, a line each. */
function planLines({ since, losses, lost }: RollBackPlan): string[] {
  return [
    ...since === undefined
      ? [
        "lost: everything since, which this program cannot read in the " +
        "newer database",
      ]
      : since.length === 0
      ? ["lost: no account and no photo, because none was added since"]
      : since.map(({ address, user_id, isNew, assets }) =>
        `lost: of ${address ?? user_id}` +
        [
          ...isNew ? [", an account made since"] : [],
          ...assets > 0
            ? [`, ${counted(assets, "photo")} stored or changed since`]
            : [],
        ].join("")
      ),
    ...losses.flatMap(lossLines),
    ...lost > losses.length ? [`and ${lost - losses.length} blobs more`] : [],
  ];
}

function said(done: RolledBack, dataDir: string): Said {
  const { copy, since, losses, lost, links } = done;
  return {
    json: {
      data_dir: dataDir,
      newer_schema: copy.newerSchema,
      copy: copy.path,
      copied_at: copy.madeAt === undefined ? null : toRfc3339(copy.madeAt),
      kept: done.aside,
      receipts_above: done.receiptFloor,
      sessions_closed: done.sessionsClosed,
      grants_revoked: done.grantsRevoked,
      uploads_dropped: done.uploadsDropped,
      links_revoked: done.linksRevoked,
      live_links: links.map(linkJson),
      since: since?.map(({ user_id, address, isNew, assets }) => ({
        user_id,
        address,
        is_new: isNew,
        assets,
      })) ?? null,
      lost: losses.map(lossJson),
      lost_count: lost,
    },
    lines: [
      `went back from schema ${copy.newerSchema} to the database as it was ${
        when(done)
      }`,
      ...planLines(done),
      "anything suspended, taken down or deleted since is as it was then",
      `${counted(done.sessionsClosed, "session")} and ` +
      `${counted(done.grantsRevoked, "capability grant")} closed: people ` +
      "sign in again, and their programs send again what is missing",
      ...done.linksRevoked > 0
        ? [`${counted(done.linksRevoked, "link")} revoked since: again`]
        : [],
      ...links.length > 0
        ? [
          `${counted(links.length, "link")} live, including those that were ` +
          "revoked since",
        ]
        : [],
      `new receipts are numbered above ${done.receiptFloor}, under a new ` +
      "attestation key",
      `the newer database is kept: ${done.aside}`,
      "as long as it exists, files that only it knows are kept, in " +
      "blobs/ or lost/; remove it when everyone has their photos",
    ],
  };
}
