/**
 * `strongroom sync`: a folder and the library come to have the same files. What
 * is missing here is reported, and goes to the trash only where that is asked.
 *
 * @module
 */
import { dirname, resolve, sep } from "node:path";
import type { Row } from "../../client/library/mod.ts";
import { OperatorFault } from "../../core/operator.ts";
import { bytesInWords, counted } from "../../core/sizes.ts";
import { printable } from "../words.ts";
import { acceptOwn } from "./accepting_own.ts";
import { rootInfo } from "./files.ts";
import { healFromAlbums } from "./healing.ts";
import { trashWhole } from "./listing.ts";
import { layoutOf } from "./names.ts";
import type { CliContext } from "./cli_context.ts";
import { type Pulled, pullRows, statusOf } from "./pull.ts";
import { followFeed, nameFaults } from "./following.ts";
import { pushFiles } from "./push.ts";

/** The options of `sync`. */
export interface SyncOptions {
  readonly exclude?: readonly string[];
  readonly layout: string;
  readonly dryRun?: true;
  /** What was here and is not any more goes to the trash. */
  readonly delete?: true;
  readonly yes?: true;
}

/** So many may go without a word more. */
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
  await followFeed(cli);
  // What the person's telephone sent is written here, as what is new there.
  const own = options.dryRun ? undefined : await acceptOwn(cli);
  const healed = options.dryRun ? [] : await healFromAlbums(cli);
  if (healed.length > 0) await followFeed(cli);
  const faults = nameFaults(cli);
  const { tally, kept } = await pushFiles(cli, [root], options);
  const here = new Set(kept.map(({ assetId }) => assetId));
  if (!options.dryRun) local.place(root, [...here]);
  const placed = local.placedIn(root);
  const missing: Row[] = [];
  const absent: Row[] = [];
  for (const row of library.list()) {
    const isOwn = row.album === undefined ||
      row.album === library.vault.libraryAlbumId;
    if (!isOwn || here.has(row.id)) continue;
    if (!placed.has(row.id)) absent.push(row);
    else if (!await isStillIn(cli, root, row)) missing.push(row);
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
    ? await trashMissing(cli, root, missing, placed.size, isUnsure, options)
    : report(cli, missing);
  const failed = tally.failed + pulled.failed + faults + (own?.failed ?? 0);
  const status = statusOf({ failed });
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

/** A file that was not read this time, or is passed over, is not missing. */
async function isStillIn(
  { local }: CliContext,
  root: string,
  { id }: Row,
): Promise<boolean> {
  const inside = root.endsWith(sep) ? root : `${root}${sep}`;
  for (const { path } of local.filesOf(id)) {
    if (!path.startsWith(inside)) continue;
    try {
      await Deno.lstat(path);
      return true;
    } catch (error) {
      // What cannot be looked at may well be there.
      if (!(error instanceof Deno.errors.NotFound)) return true;
    }
  }
  return false;
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

async function trashMissing(
  cli: CliContext,
  root: string,
  missing: readonly Row[],
  placed: number,
  isUnsure: boolean,
  { dryRun, yes }: SyncOptions,
): Promise<number> {
  if (missing.length === 0) return 0;
  // A disk that is not mounted looks like a folder that was emptied.
  const isMuch = missing.length === placed ||
    missing.length > Math.max(FEW, placed / 4);
  const folder = await vanishedFolder(cli, root, missing);
  if (isUnsure || ((isMuch || folder !== undefined) && !yes)) {
    report(cli, missing);
    throw new OperatorFault(
      isUnsure
        ? "not every file here could be stored, so nothing was moved to the " +
          "trash"
        : `${counted(missing.length, "file")} of ${placed} would go to the ` +
          "trash" +
          (folder === undefined
            ? ""
            : `, and the whole folder ${printable(folder)} is gone`) +
          ": to confirm, add --yes",
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

/** A folder below the root that is gone with all its files, if there is one. */
async function vanishedFolder(
  { local }: CliContext,
  root: string,
  missing: readonly Row[],
): Promise<string | undefined> {
  const inside = root.endsWith(sep) ? root : `${root}${sep}`;
  const folders = new Set(
    missing.flatMap(({ id }) => local.filesOf(id))
      .map(({ path }) => dirname(path))
      .filter((folder) => folder !== root && folder.startsWith(inside)),
  );
  for (const folder of folders) {
    const isThere = await Deno.lstat(folder).then(
      () => true,
      (error) => !(error instanceof Deno.errors.NotFound),
    );
    if (!isThere) return folder;
  }
  return undefined;
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
  return { written, there: 0, failed: 0, bytes: 0 };
}
