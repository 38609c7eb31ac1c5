/**
 * Strays: files in `blobs/` without a row, which a crash or a refused write
 * leaves behind. So would a database that is not the one of these blobs, and a
 * single file does not show the difference. Therefore strays are quarantined in
 * `lost/` and removed a week later; too many of them at once are left where
 * they are; and what the database knows again by then is put back. As long as
 * a newer database is kept after a rollback, nothing in `lost/` is removed.
 *
 * @module
 */
import { parseBlobHash } from "../../core/ids.ts";
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import type { QuarantinedFile } from "../../store/blobs/quarantine_directory.ts";
import { type BlobFile, blobFileOf } from "../../store/blobs/inventory.ts";
import { transaction } from "../../store/sqlite/database.ts";
import { BATCH_FILES, removeBatch } from "./files.ts";
import { add, type Run, settleBlobs } from "./run.ts";
import { countBlobs, isFileWanted, knownHashes } from "./store.ts";

/** What is in quarantine is kept for so long, its own day not counted. */
const KEPT_MS = 7 * DAY_MS;
/** This many strays are quarantined, however small the server is. */
const STRAYS_TRUSTED = 10;
/** Of all blobs no larger share than one of so many is. */
const STRAYS_SHARE = 10;

type Stray = BlobFile & { readonly size: number };

/** Quarantines files that have no row and that no write expects. */
export async function quarantineStrays(run: Run): Promise<void> {
  const { db, blobs, collected, manyStrays } = run;
  const rows = await countBlobs(db);
  const most = manyStrays
    ? Infinity
    : Math.max(STRAYS_TRUSTED, rows / (STRAYS_SHARE - 1));
  const day = toRfc3339(run.horizon.now).slice(0, "2026-11-21".length);
  let strays: Stray[] = [];
  const settle = async () => {
    for (let at = 0; at < strays.length; at += BATCH_FILES) {
      const aside = await removeBatch(run, strays.slice(at, at + BATCH_FILES), {
        isGarbage: async (tx, file) => !await isFileWanted(tx, file),
        remove: (tx, file) => blobs.quarantine.add(tx, file, day),
      });
      collected.strayFiles = add(collected.strayFiles, aside);
      await run.pause();
    }
    strays = [];
  };
  for await (const some of straysOf(run)) {
    strays.push(...some);
    if (strays.length > most) return refuse(run, strays.length, rows);
    // If the operator confirmed all of them, nothing needs counting first.
    if (manyStrays) await settle();
  }
  await settle();
}

function refuse({ log, collected }: Run, strays: number, rows: number): void {
  collected.suspicious = strays;
  log.error(
    "collection has stopped: more than a tenth of all files in blobs/ have no " +
      "row in the database, and none was touched. It may be another server's " +
      "database, or an older one: put the right one back. If no server " +
      "needs these files: strongroom gc --many-strays",
    { strays_at_least: strays, blobs_known: rows },
  );
}

async function* straysOf(run: Run): AsyncGenerator<Stray[]> {
  const { db, blobs, horizon, dryRun } = run;
  let part = "";
  for await (const leaf of blobs.list()) {
    const of = leaf.directory.slice(0, "blobs/ab".length);
    if (of !== part) await run.pause();
    part = of;
    const files = leaf.names.flatMap((name) => blobFileOf(leaf, name) ?? []);
    const known = await knownHashes(db, files.map(({ hash }) => hash));
    const strays: Stray[] = [];
    for (const file of files) {
      if (file.uploadId === undefined && known.has(file.hash)) continue;
      const at = dryRun ? horizon : undefined;
      if (await isFileWanted(db, file, at)) continue;
      strays.push({ ...file, size: await blobs.bytesOf(file) });
    }
    if (strays.length > 0) yield strays;
  }
  await run.pause();
}

/** Puts back what is a blob's again, and removes what has had its week. */
export async function settleQuarantine(run: Run): Promise<void> {
  let seen = 0;
  const keepsAll = await run.blobs.quarantine.keepsAll();
  for await (const file of run.blobs.quarantine.list()) {
    try {
      await settleOne(run, file, keepsAll);
    } catch (cause) {
      run.collected.failed += 1;
      run.log.warn("a file in lost/ not cleared", { cause: String(cause) });
    }
    seen += 1;
    if (seen % BATCH_FILES === 0) await run.pause();
  }
}

async function settleOne(
  run: Run,
  file: QuarantinedFile,
  keepsAll: boolean,
): Promise<void> {
  const { db, blobs, collected, dryRun, horizon } = run;
  const { quarantine } = blobs;
  const amount = { count: 1, bytes: await quarantine.bytesOf(file) };
  const hash = parseBlobHash(file.name);
  const known = hash !== undefined && (await knownHashes(db, [hash])).has(hash);
  if (
    known &&
    !(quarantine.isApart(file) && await blobs.sizeOf(hash) !== undefined)
  ) {
    if (!dryRun) {
      // Nothing removes the row meanwhile.
      await transaction(db, async (tx) => {
        if (!(await knownHashes(tx, [hash])).has(hash)) return;
        await quarantine.putBack(tx, file, hash);
      });
    }
    collected.putBack = add(collected.putBack, amount);
    run.log.warn("a file that had been set aside is a blob's again", { hash });
    return;
  }
  if (keepsAll) return;
  if (Date.parse(file.day) + DAY_MS + KEPT_MS > horizon.now) return;
  if (!dryRun) {
    await transaction(db, async (tx) => {
      // Where it lies in its place, a write may have come to expect it there.
      const isWanted = !quarantine.isApart(file) && hash !== undefined &&
        await isFileWanted(tx, { hash });
      if (!isWanted) await quarantine.remove(tx, file);
    });
    await settleBlobs(run);
  }
  collected.lostFiles = add(collected.lostFiles, amount);
}
