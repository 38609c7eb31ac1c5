/**
 * `strongroom sync`: a folder and the library come to have the same files. What
 * is missing here is reported, and goes to the trash only where that is asked.
 *
 * @module
 */
import { dirname, resolve, sep } from "node:path";
import type { Row } from "../../../library/mod.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { bytesInWords, counted } from "../../../core/sizes.ts";
import { printable } from "../../phrasing.ts";
import { acceptOwn } from "../sharing/accepting_own.ts";
import { rootInfo } from "./files.ts";
import { healFromAlbums } from "./healing.ts";
import { trashWhole } from "./listing.ts";
import { layoutOf } from "./names.ts";
import type { CliContext } from "../cli_context.ts";
import { type Pulled, pullRows, statusOf } from "./pull.ts";
import { followFeed, keepLinks, nameFaults } from "../following.ts";
import { tellUndated } from "./describing.ts";
import { pushFiles } from "./push.ts";

/** The options of `sync`. */
export interface SyncOptions {
  readonly exclude?: readonly string[];
  readonly layout: string;
  readonly dryRun?: true;
  /** Moves photos to the trash whose files were deleted here. */
  readonly delete?: true;
  readonly yes?: true;
}

/** Up to so many photos go to the trash without a question. */
const FEW = 10;

/** Sends what is new here, and writes what is new there. */
export async function sync(
  cli: CliContext,
  folder: string,
  options: SyncOptions,
): Promise<void> {
  const { library, local, tell, endWith } = cli;
  const root = resolve(folder);
  const pathOf = layoutOf(options.layout);
  if (!(await rootInfo(folder)).isDirectory) {
    throw new OperatorFault(`${folder} is not a folder`);
  }
  await followFeed(cli, { asksForMissing: true });
  // What the person's telephone sent is written here, as what is new there.
  const own = options.dryRun ? undefined : await acceptOwn(cli);
  const healed = options.dryRun ? [] : await healFromAlbums(cli);
  if (healed.length > 0) await followFeed(cli);
  const faults = nameFaults(cli);
  const before = local.placedIn(root);
  const { tally, kept } = await pushFiles(cli, [root], options);
  const here = new Set(kept.map(({ assetId }) => assetId));
  if (!options.dryRun) local.place(root, [...here]);
  const placed = local.placedIn(root);
  const missing: Row[] = [];
  const absent: Row[] = [];
  /** Files that this folder has had, and still has. */
  const still = kept.filter(({ assetId }) => before.has(assetId))
    .map(({ path }) => path);
  let had = 0;
  for (const row of library.list()) {
    const isOwn = row.album === undefined ||
      row.album === library.vault.libraryAlbumId;
    if (!isOwn) continue;
    // What went to the trash in an earlier run is in the list no longer.
    if (placed.has(row.id)) had += 1;
    if (here.has(row.id)) continue;
    const path = await pathStillIn(cli, root, row);
    if (!placed.has(row.id)) absent.push(row);
    else if (path === undefined) missing.push(row);
    else still.push(path);
  }
  const pulled = options.dryRun
    ? wouldWrite(cli, absent)
    : await pullRows(cli, absent, {
      root,
      pathOf,
      sidecars: [],
      onFile: ({ id }) => local.place(root, [id]),
    });
  const isUnsure = tally.unread > 0 || tally.failed > 0;
  const trashed = options.delete
    ? await trashMissing(cli, { root, missing, still, had, isUnsure }, options)
    : report(cli, missing);
  if (!options.dryRun) await keepLinks(cli);
  const failed = tally.failed + pulled.failed + faults + (own?.failed ?? 0);
  const status = statusOf({ failed });
  tellUndated(tell, tally.undated);
  tell(
    {
      event: "end",
      status,
      accepted: own?.kept ?? 0,
      kept: tally.kept,
      known: tally.known,
      trashed_elsewhere: tally.trashed,
      sent_bytes: tally.sentBytes,
      written: pulled.written,
      renamed: pulled.renamed,
      missing: missing.length - trashed,
      trashed,
      failed,
    },
    [
      `${counted(tally.kept, "file")} sent ` +
      `(${bytesInWords(tally.sentBytes)}, encrypted)`,
      `${counted(pulled.written, "file")} written`,
      `${counted(tally.known, "file")} on both sides`,
      ...missing.length > trashed
        ? [`${counted(missing.length - trashed, "file")} missing here`]
        : [],
      ...trashed > 0 ? [`${counted(trashed, "file")} to the trash`] : [],
      ...failed > 0 ? [`${counted(failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (status !== 0) endWith(status);
}

/**
 * A file of an asset that is still in the folder. One that was not read this
 * time, or is passed over, is not missing.
 */
async function pathStillIn(
  { local }: CliContext,
  root: string,
  { id }: Row,
): Promise<string | undefined> {
  for (const { path } of local.filesOf(id)) {
    if (!path.startsWith(insideOf(root))) continue;
    try {
      await Deno.lstat(path);
      return path;
    } catch (error) {
      // What cannot be looked at may well be there.
      if (!(error instanceof Deno.errors.NotFound)) return path;
    }
  }
  return undefined;
}

function insideOf(root: string): string {
  return root.endsWith(sep) ? root : `${root}${sep}`;
}

function report({ tell, warn }: CliContext, missing: readonly Row[]): number {
  for (const { id, metadata } of missing) {
    const name = metadata?.name ?? id;
    tell({ event: "missing", asset_id: id, name }, "");
    warn(`missing here: ${printable(name)} (${id})`);
  }
  if (missing.length > 0) {
    warn(
      "`--delete` moves files that are missing here to the trash, " +
        "`strongroom pull` downloads them again",
    );
  }
  return 0;
}

/** What a folder has lost, and what it still has. */
interface Losses {
  readonly root: string;
  readonly missing: readonly Row[];
  /** Paths of files that it had before this run, and has. */
  readonly still: readonly string[];
  /** How many files it should have. */
  readonly had: number;
  /** Something in it could not be read or stored. */
  readonly isUnsure: boolean;
}

async function trashMissing(
  cli: CliContext,
  losses: Losses,
  { dryRun, yes }: SyncOptions,
): Promise<number> {
  const { missing, had, isUnsure } = losses;
  if (missing.length === 0) return 0;
  const isMuch = missing.length > Math.max(FEW, had / 4);
  const folder = lostFolder(cli, losses);
  if (isUnsure || ((isMuch || folder !== undefined) && !yes)) {
    report(cli, missing);
    throw new OperatorFault(
      isUnsure
        ? "not every file here could be stored, so nothing was moved to the " +
          "trash"
        : `${counted(missing.length, "file")} of ${had} would go to the ` +
          "trash" +
          (folder === undefined
            ? ""
            : `: ${folder.why} ${printable(folder.path)}. If that folder is ` +
              "on another disk, mount the disk") +
          ". To confirm, add --yes",
    );
  }
  const said = ({ id, metadata }: Row) =>
    cli.tell(
      { event: "trashed", asset_id: id },
      `${dryRun ? "would go to" : "in"} the trash: ${
        printable(metadata?.name ?? id)
      }`,
    );
  if (dryRun) missing.forEach(said);
  else await trashWhole(cli, missing, said);
  return dryRun ? 0 : missing.length;
}

/**
 * The folder that looks as if its disk were not mounted, if there is one: it
 * has none of its files any more, or it is on another file system than the
 * files that are missing.
 */
function lostFolder(
  { local }: CliContext,
  { root, missing, still }: Losses,
): { readonly path: string; readonly why: string } | undefined {
  const files = missing.flatMap(({ id }) => local.filesOf(id))
    .filter(({ path }) => path.startsWith(insideOf(root)));
  const withFiles = new Set(still.flatMap((path) => foldersOf(root, path)));
  for (const { path } of files) {
    const emptied = foldersOf(root, path).find((one) => !withFiles.has(one));
    if (emptied !== undefined) {
      return { path: emptied, why: "every file is gone from the folder" };
    }
  }
  // A file system may have another number after a restart. Where it is the
  // same one, files that are still here have moved with it.
  const moved = new Set(still.flatMap((path) => {
    const noted = local.knownFile(path)?.device ?? null;
    return noted === null ? [] : [`${noted} ${deviceOf(path)}`];
  }));
  for (const { path, device } of files) {
    if (device === null) continue;
    const now = deviceOf(path);
    if (now !== device && !moved.has(`${device} ${now}`)) {
      return { path: dirname(path), why: "another disk is at the folder" };
    }
  }
  return undefined;
}

/** The folders of a path, from the root on, which is the first of them. */
function foldersOf(root: string, path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== root; at = dirname(at)) folders.push(at);
  return [root, ...folders.reverse()];
}

/** The file system of a path, or of the folder that it would be in. */
function deviceOf(path: string): number | undefined {
  for (let at = path;; at = dirname(at)) {
    try {
      return Deno.lstatSync(at).dev;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) return undefined;
      if (at === dirname(at)) return undefined;
    }
  }
}

function wouldWrite({ tell }: CliContext, rows: readonly Row[]): Pulled {
  for (const { id, metadata } of rows) {
    const name = metadata?.name ?? id;
    tell(
      { event: "file", asset_id: id, name, outcome: "written" },
      `would write ${printable(name)}`,
    );
  }
  const written = rows.length;
  return { written, there: 0, failed: 0, renamed: 0, bytes: 0 };
}
