/**
 * What a server says of a migration: what comes, whether there is room for it,
 * how far it is, and that it is done.
 *
 * @module
 */
import type { Log, Platform } from "../core/platform.ts";
import { bytesInWords } from "../core/sizes.ts";
import { SECOND_MS } from "../core/time.ts";
import {
  type Migrated,
  type Migrating,
  type Opening,
  StoreFault,
} from "./database.ts";
import type { Files } from "./files.ts";

/** Long work says so often how far it is. */
const TELL_EVERY_MS = 10 * SECOND_MS;

/** Tells of the migration of a data directory, in the log. */
export function tellingMigration(
  root: string,
  files: Files,
  platform: Pick<Platform, "log" | "monotonic">,
): Pick<Opening, "beforeMigration" | "onCopying" | "onMigrated"> {
  return {
    beforeMigration: (coming) => announce(root, coming, files, platform),
    onCopying: tellCopying(platform),
    onMigrated: (done) => tellMigrated(done, platform.log),
  };
}

/** Says what comes, and refuses it where there is too little room for it. */
async function announce(
  root: string,
  { from, to, bytes }: Migrating,
  files: Files,
  { log }: Pick<Platform, "log">,
): Promise<void> {
  // The copy, and what the change itself writes before it is committed.
  const needs = 2 * bytes;
  const free = await files.freeBytes(root);
  if (free < needs) {
    throw new StoreFault(
      `bringing the database from schema ${from} to ${to} needs ` +
        `${bytesInWords(needs)} in ${root}, and ${bytesInWords(free)} are ` +
        "free: make room and start again; nothing was changed",
    );
  }
  log.info(
    "the database is brought to a newer schema: a copy of it is made first, " +
      "then it is changed; nothing is served until then",
    { from, to, bytes, needs, free },
  );
}

/** Long copies say how far they are. */
function tellCopying(
  { log, monotonic }: Pick<Platform, "log" | "monotonic">,
): (done: number, total: number) => void {
  const beganAt = monotonic();
  let toldAt = beganAt;
  return (done, total) => {
    const at = monotonic();
    if (at - toldAt < TELL_EVERY_MS || done === 0) return;
    toldAt = at;
    const leftMs = (at - beganAt) * (total - done) / done;
    log.info("copying the database", {
      percent: Math.floor(100 * done / total),
      seconds_left: Math.ceil(leftMs / SECOND_MS),
    });
  };
}

function tellMigrated(migrated: Migrated, log: Log): void {
  log.info(
    "the database was brought to a newer schema; the copy is what it was " +
      "before: it is for going back to the program of before (strongroom " +
      "rollback), without what is written from now on, and can be removed " +
      "once this one has proved itself",
    { ...migrated },
  );
}
