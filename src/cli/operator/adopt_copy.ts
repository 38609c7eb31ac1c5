/**
 * `strongroom adopt-copy`.
 *
 * @module
 */
import type { Command } from "commander";
import { bucketSettings } from "../../config.ts";
import { counted } from "../../core/sizes.ts";
import { adoptCopy, type Adopted } from "../../features/backup/adopt_copy.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { openStore, requireWhole } from "../../store/store.ts";
import { loadConfig } from "../environment.ts";
import { addVerb, type Call, type CommandContext, type Said } from "../verb.ts";
import {
  linkJson,
  linkLines,
  lossJson,
  lossLines,
} from "../backup/restore_messages.ts";

interface AdoptOptions {
  readonly revokeShares?: true;
}

/** Adds `adopt-copy` to the program. */
export function addAdoptCopyCommand(
  program: Command,
  context: CommandContext,
): void {
  addVerb(program, context, {
    usage: "adopt-copy",
    description:
      "make a file copy of the data directory safe to serve after it was put " +
      "back (cp, rsync, a snapshot of the machine, an image of its disk): a " +
      "restore in place. Run this while no server runs",
    options: [
      ["--revoke-shares", "revoke every share link and upload link"],
    ],
    example: "adopt-copy --data-dir /var/lib/strongroom",
    run: adopt,
  });
}

async function adopt(call: Call<AdoptOptions>): Promise<Said> {
  const { options, platform } = call;
  const config = loadConfig(options);
  const { STRONGROOM_DATA_DIR: dataDir } = config;
  const revoked = options.revokeShares === true;
  requireWhole(dataDir);
  const store = await openStore(dataDir, platform, denoFiles, {
    settings: bucketSettings(config),
    adopts: true,
  });
  try {
    const target = { files: denoFiles, dataDir, platform };
    return said(
      await adoptCopy(store, target, { revokeShares: revoked }),
      dataDir,
      revoked,
    );
  } finally {
    await store.close();
  }
}

function said(done: Adopted, dataDir: string, revoked: boolean): Said {
  const { losses, lost, links } = done;
  return {
    json: {
      data_dir: dataDir,
      receipts_above: done.receiptFloor,
      sessions_closed: done.sessionsClosed,
      grants_revoked: done.grantsRevoked,
      uploads_dropped: done.uploadsDropped,
      links_revoked: revoked,
      live_links: links.map(linkJson),
      lost: losses.map(lossJson),
      lost_count: lost,
    },
    lines: [
      `${dataDir} is safe to serve: start the server`,
      `${counted(done.sessionsClosed, "session")} and ` +
      `${counted(done.grantsRevoked, "capability grant")} closed: people ` +
      "sign in again, and their programs send again what is missing",
      `new receipts are numbered above ${done.receiptFloor}, under a new ` +
      "attestation key",
      ...linkLines("link", links, revoked),
      ...losses.flatMap(lossLines),
      ...lost > losses.length ? [`and ${lost - losses.length} blobs more`] : [],
    ],
    warnings: lost === 0 ? [] : [
      `${counted(lost, "blob")} that the database knows are not in the copy, ` +
      "listed above: the server accepts them from anyone who uploads them " +
      "again",
    ],
  };
}
