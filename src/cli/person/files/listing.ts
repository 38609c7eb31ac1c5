/**
 * `strongroom ls`, `get`, `rm` and `trash`: what is in the library, one of it,
 * and what is thrown away.
 *
 * @module
 */
import { videoOf, withMarks } from "../../../library/showing/export_layout.ts";
import { isUuid } from "../../../core/ids.ts";
import { OperatorFault } from "../../../core/operator.ts";
import {
  ApiProblem,
  hasLinks,
  restoreOrCopy,
  type Row,
  takenAt,
} from "../../../library/mod.ts";
import {
  type Query,
  queryOf,
  searched,
} from "../../../library/finding/search.ts";
import type { Flags } from "../../../library/showing/flags.ts";
import { localDay } from "../../../library/rows/rows.ts";
import { knownOf } from "../../../library/finding/search_known.ts";
import {
  photosAmong,
  returningOf,
  wholeOf,
} from "../../../library/rows/photo_copies.ts";
import { bytesInWords, counted } from "../../../core/sizes.ts";
import { writeOut } from "../../streams.ts";
import { printable } from "../../phrasing.ts";
import { placeNamesFor } from "../place_names.ts";
import type { CliContext } from "../cli_context.ts";
import { STATUS } from "../faults.ts";
import { sidecarKindsOf, sidecarOf } from "./sidecars.ts";
import { followFeed, nameFaults } from "../following.ts";

/**
 * Assets that a query means, newest first; refuses where there are none, and a
 * query without a word: an empty variable of a script would mean everything.
 */
export async function chosen(
  cli: CliContext,
  words: readonly string[],
): Promise<readonly Row[]> {
  const text = words.join(" ").trim();
  if (text === "") throw new OperatorFault("name the files: no word was given");
  await followFeed(cli);
  const rows = photos(cli, meaning(cli, text));
  if (rows.length > 0) return rows;
  throw new OperatorFault(`nothing was found for "${text}"`);
}

/** Photos of the library and of albums, each of one's own once. */
function photos({ library }: CliContext, wanted: Query): readonly Row[] {
  return photosAmong(library.vault, library.list().filter(wanted));
}

/**
 * What a query means, hidden photos among it. It forgives no mistyped word, and
 * neither an album's title, nor a place, nor a person names any photo: some
 * commands delete what it means.
 */
function meaning({ library, platform }: CliContext, text: string): Query {
  const { told: _, people: _names, ...known } = knownOf(
    library,
    platform.now(),
  );
  return queryOf(text, { ...known, showsHidden: true });
}

/** Everything in the library, newest first; refuses an empty one. */
export async function everything(cli: CliContext): Promise<readonly Row[]> {
  await followFeed(cli);
  const rows = photos(cli, () => true);
  if (rows.length > 0) return rows;
  throw new OperatorFault("the library is empty");
}

/** Lists what is looked for. */
export async function list(
  cli: CliContext,
  words: readonly string[],
): Promise<void> {
  await followFeed(cli);
  const { library, platform } = cli;
  const all = library.list();
  const names = words.length > 0 ? await placeNamesFor(all) : undefined;
  const found = searched(all, (row) => row, words.join(" "), {
    ...knownOf(library, platform.now(), names),
    showsHidden: true,
  });
  const rows = photosAmong(library.vault, found);
  for (const row of rows) tellRow(cli, row);
  const faults = words.length === 0 ? nameFaults(cli) : 0;
  const bytes = rows.reduce((sum, row) => sum + (row.metadata?.size ?? 0), 0);
  const status = faults > 0 ? STATUS.someFailed : 0;
  cli.tell(
    { event: "end", status, count: rows.length, bytes },
    `${counted(rows.length, "file")}, ${bytesInWords(bytes)}`,
  );
  if (status !== 0) cli.endWith(status);
}

function tellRow({ tell, library }: CliContext, row: Row): void {
  const { metadata } = row;
  const { favourite, hidden, archived } = library.flags.of(row);
  const marks = [
    favourite && "favourite",
    hidden && "hidden",
    archived && "archived",
  ].filter((mark) => mark !== false);
  const name = metadata?.name ?? "";
  tell(
    {
      event: "asset",
      asset_id: row.id,
      name,
      mime: metadata?.mime,
      size: metadata?.size,
      sha256: metadata?.sha256,
      taken_at: new Date(takenAt(row)).toISOString(),
      custody: row.custody,
      favourite,
      hidden,
      archived,
    },
    [
      row.id.slice(0, 8),
      localDay(row).toISOString().slice(0, 16).replace("T", " "),
      bytesInWords(metadata?.size ?? 0).padStart(9),
      row.custody.padEnd(10),
      printable(name) + (marks.length > 0 ? `  (${marks.join(", ")})` : ""),
    ].join("  "),
  );
}

/** Marks what is looked for as favourites, or no longer, as the app does. */
export async function markFavourite(
  cli: CliContext,
  words: readonly string[],
  favourite: boolean,
): Promise<void> {
  await mark(
    cli,
    words,
    { favourite },
    favourite
      ? ["favourite", "a favourite"]
      : ["no_favourite", "no longer a favourite"],
  );
}

/** Archives what is looked for, or takes it back, as the app does. */
export async function markArchived(
  cli: CliContext,
  words: readonly string[],
  archived: boolean,
): Promise<void> {
  await mark(
    cli,
    words,
    { archived },
    archived ? ["archived", "archived"] : ["no_archived", "no longer archived"],
  );
}

async function mark(
  cli: CliContext,
  words: readonly string[],
  flags: Flags,
  [event, said]: readonly [event: string, said: string],
): Promise<void> {
  const rows = await chosen(cli, words);
  const ids = rows.flatMap((row) => wholes(cli, row));
  await cli.library.flags.change(ids, flags);
  for (const { id, metadata } of rows) {
    cli.tell(
      { event, asset_id: id },
      `${said}: ${printable(metadata?.name ?? id)}`,
    );
  }
}

/** The ids of a photo and its own copies. */
function wholes(
  { library }: CliContext,
  { id, state }: Row,
): readonly string[] {
  const whole = wholeOf(library, id, state).map((row) => row.id);
  return whole.length > 0 ? whole : [id];
}

/** What `get` writes instead of the original. */
export interface GetOptions {
  readonly video?: true;
  /** `json` or `xmp`. */
  readonly sidecar?: string;
}

/**
 * Writes one file's bytes to standard output: the original, if nothing else is
 * asked for.
 */
export async function get(
  cli: CliContext,
  words: readonly string[],
  { video, sidecar }: GetOptions = {},
): Promise<void> {
  const [kind, ...more] = sidecarKindsOf(sidecar);
  if (more.length > 0 || (video && sidecar !== undefined)) {
    throw new OperatorFault("get writes one file at a time");
  }
  const rows = await chosen(cli, words);
  const { libraryAlbumId } = cli.library.vault;
  // A copy in an album is the same file, and the library's is one's own.
  const row = rows.find(({ album }) => album === libraryAlbumId) ?? rows[0];
  const hash = row?.metadata?.sha256;
  const isOne = rows.length === 1 || (hash !== undefined &&
    rows.every(({ metadata }) => metadata?.sha256 === hash));
  if (row === undefined || !isOne) {
    throw new OperatorFault(
      `that matches ${counted(rows.length, "file")}: give the first ` +
        "letters of an id, as `ls` shows them",
    );
  }
  if (kind !== undefined) {
    const names = await placeNamesFor([row]);
    const told = withMarks(row, cli.library.flags.of(row));
    const text = sidecarOf(told, kind, names) ?? "";
    return writeOut(new TextEncoder().encode(text), cli.streams.stdout);
  }
  if (video && videoOf(row) === undefined) {
    throw new OperatorFault("that is not a live photo: it has no video");
  }
  const wanted = video ? { derivative: "motion" as const } : "original";
  const { signal } = cli;
  for await (const bytes of cli.library.read(row.id, wanted, { signal })) {
    writeOut(bytes, cli.streams.stdout);
  }
}

/** Moves what is looked for to the trash. */
export async function remove(
  cli: CliContext,
  words: readonly string[],
  { yes }: { readonly yes?: true },
): Promise<void> {
  if (words.length === 0) throw new OperatorFault("name the files to delete");
  const unopened = await unopenedOf(cli, words);
  const rows = unopened.length > 0 ? unopened : await chosen(cli, words);
  if (rows.length > 1 && yes !== true) {
    for (const row of rows.slice(0, 20)) tellRow(cli, row);
    throw new OperatorFault(
      `${counted(rows.length, "file")} would go to the trash: to ` +
        "confirm, add --yes",
    );
  }
  await trashWhole(cli, rows, (row) => {
    cli.tell(
      { event: "trashed", asset_id: row.id },
      `in the trash: ${printable(row.metadata?.name ?? row.id)}`,
    );
  });
}

/** Own photos that do not open here, by their whole ids. */
async function unopenedOf(
  cli: CliContext,
  words: readonly string[],
): Promise<readonly Row[]> {
  if (!words.every((word) => isUuid(word))) return [];
  await followFeed(cli);
  return cli.library.unopened().filter(({ id, owner, metadata }) =>
    owner === cli.session.userId && metadata === undefined &&
    words.some((word) => word === id)
  );
}

/** Moves photos to the trash, with their copies in albums. */
export async function trashWhole(
  cli: CliContext,
  rows: readonly Row[],
  onDone: (row: Row) => void,
): Promise<void> {
  const { library, signal } = cli;
  const ids = rows.map((row) => wholes(cli, row));
  await library.noteDeletions(ids.flat());
  for (const [at, row] of rows.entries()) {
    signal.throwIfAborted();
    for (const id of ids[at] ?? []) {
      // Two of them may be the same photo.
      if (library.index.get(id)?.state === "live") await library.trash(id);
    }
    onDone(row);
  }
  if (rows.length > 0 && hasLinks(library.index)) {
    cli.warn("links no longer show what is in the trash");
  }
}

/** What is in the trash. */
export async function listTrash(cli: CliContext): Promise<void> {
  await followFeed(cli);
  const rows = trashed(cli, "");
  for (const row of rows) tellRow(cli, row);
  cli.tell(
    { event: "end", status: 0, count: rows.length },
    `${counted(rows.length, "file")} in the trash`,
  );
}

/** Takes what is looked for out of the trash. */
export async function restore(
  cli: CliContext,
  words: readonly string[],
): Promise<void> {
  await followFeed(cli);
  const rows = trashed(cli, words.join(" "));
  if (rows.length === 0) {
    throw new OperatorFault("the trash has no such file");
  }
  for (const row of rows) {
    cli.signal.throwIfAborted();
    const back = returningOf(cli.library, row.id).map(({ id }) => id);
    const [first = row.id, ...copies] = back;
    const how = await restoreOrCopy(cli.library, first);
    for (const id of copies) await restoreCopy(cli, id);
    const name = printable(row.metadata?.name ?? row.id);
    cli.tell(
      { event: "restored_asset", asset_id: row.id, how },
      how === "restored"
        ? `back: ${name}`
        : "copied into your library, because someone else moved it to the " +
          `trash: ${name}`,
    );
  }
}

/** A copy in an album that refuses it stays where it is. */
async function restoreCopy({ library, warn }: CliContext, id: string) {
  try {
    await library.restore(id);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    warn(`the copy ${id} in an album stays in the trash: ${error.message}`);
  }
}

/** Ends what is in the trash for good. */
export async function emptyTrash(
  cli: CliContext,
  { yes }: { readonly yes?: true },
): Promise<void> {
  await followFeed(cli);
  const rows = trashed(cli, "");
  if (!yes) {
    throw new OperatorFault(
      `${counted(rows.length, "file")} would be deleted permanently: to ` +
        "confirm, add --yes",
    );
  }
  const { assets, bytes } = await cli.library.emptyTrash();
  cli.tell(
    { event: "trash_emptied", assets, bytes },
    `${counted(assets, "file")} deleted permanently ` +
      `(${bytesInWords(bytes)})`,
  );
}

function trashed({ library }: CliContext, text: string): readonly Row[] {
  const meant = queryOf(text, { showsHidden: true });
  const rows = library.trashed().filter(meant);
  return photosAmong(library.vault, rows);
}
