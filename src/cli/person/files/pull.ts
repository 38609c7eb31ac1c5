/**
 * `strongroom pull`: everything, or what is looked for, as files of this
 * machine. Nothing that is there is ever written over.
 *
 * @module
 */
import type { PlaceNames } from "../../../library/finding/place_names.ts";
import {
  videoName,
  videoOf,
  withMarks,
} from "../../../library/showing/export_layout.ts";
import { join, relative, resolve, sep } from "node:path";
import { type Row, takenAt } from "../../../library/mod.ts";
import { queryOf } from "../../../library/finding/search.ts";
import type { Derivative } from "../../../client/documents/metadata.ts";
import { DEFAULT_CHUNK_SIZE } from "../../../client/documents/suite.ts";
import { plaintextSize } from "../../../client/stream/stream.ts";
import { bytesInWords, counted } from "../../../core/sizes.ts";
import { readTime } from "../../../core/time.ts";
import { printable, quoted } from "../../phrasing.ts";
import { albumOf, albumsCalled } from "../sharing/albums.ts";
import { abroadOf } from "../sharing/albums_abroad.ts";
import { complaintOf, isDiskFull, STATUS } from "../faults.ts";
import {
  layoutOf,
  LONGEST_NAME_BYTES,
  type NameRules,
  namesOf,
  type PathOf,
  rulesFor,
} from "./names.ts";
import type { Meter } from "../meter.ts";
import type { CliContext } from "../cli_context.ts";
import { followFeed, nameFaults } from "../following.ts";
import { placeNamesFor } from "../place_names.ts";
import { type SidecarKind, sidecarKindsOf, writeSidecars } from "./sidecars.ts";
import {
  type Piece,
  place,
  type Placed,
  TakenNames,
  write,
} from "./writing.ts";

/** The options of `pull`. */
export interface PullOptions {
  readonly layout: string;
  readonly query?: string;
  /** A title, or the beginning of an id; also of another server. */
  readonly album?: string;
  /** `json`, `xmp`, or both with a comma between. */
  readonly sidecars?: string;
}

/** Where rows go. */
interface Pulling {
  readonly root: string;
  /** The path of a row below the root. */
  readonly pathOf: PathOf;
  readonly sidecars: readonly SidecarKind[];
  /** The rows' SHA-256 is not that of the files. */
  readonly isSmall?: boolean;
  /** Sidecars of before are renewed. */
  readonly renews?: true;
  /** Told of each file that is there now. */
  readonly onFile?: (row: Row, path: string) => void;
  /** The same for the videos of live photos. */
  readonly onVideo?: (row: Row, path: string) => void;
}

/** What became of them. */
export interface Pulled {
  readonly written: number;
  readonly there: number;
  readonly failed: number;
  /** Of those that were written: under another name than in the library. */
  readonly renamed: number;
  readonly bytes: number;
}

/** Writes what is looked for into a folder. */
export async function pull(
  cli: CliContext,
  folder: string,
  options: PullOptions,
): Promise<void> {
  const pulling = {
    root: resolve(folder),
    pathOf: layoutOf(options.layout),
    sidecars: sidecarKindsOf(options.sidecars),
  };
  const wanted = queryOf(options.query ?? "", { showsHidden: true });
  await followFeed(cli);
  const source = await sourceOf(cli, options.album);
  const rows = source.rows.filter(wanted);
  const isAll = options.query === undefined && options.album === undefined;
  const faults = isAll ? nameFaults(cli) : 0;
  const { isSmall } = source;
  const pulled = await pullRows(source.cli, rows, { ...pulling, isSmall });
  const tally = { ...pulled, failed: pulled.failed + faults };
  const status = statusOf(tally);
  cli.tell({ event: "end", status, ...tally }, pulledInWords(tally));
  if (status !== 0) cli.endWith(status);
}

/** The rows to pull, and the context to do it with. */
async function sourceOf(
  cli: CliContext,
  given: string | undefined,
): Promise<{
  readonly cli: CliContext;
  readonly rows: readonly Row[];
  readonly isSmall: boolean;
}> {
  const { library } = cli;
  const isSmall = false;
  if (given === undefined) return { cli, rows: library.list(), isSmall };
  const isHere = albumsCalled(cli, given).length > 0;
  const abroad = isHere ? undefined : await abroadOf(cli, given);
  if (abroad === undefined) {
    const { id } = await albumOf(cli, given);
    const rows = library.list().filter(({ album }) => album === id);
    return { cli, rows, isSmall };
  }
  if (abroad.paused !== undefined) {
    cli.warn(
      `${quoted(abroad.title ?? given)} is paused: ${
        printable(abroad.paused.text)
      }`,
    );
  }
  // Ids there are its server's choice: none is looked for among one's own.
  const local = {
    ...cli.local,
    filesOf: () => [],
    noteFile: () => {},
    [Symbol.dispose]: () => {},
  };
  const reading = { ...library, ...abroad.reading };
  return { ...abroad, cli: { ...cli, local, library: reading } };
}

/** The exit status of what became of rows. */
export function statusOf({ failed }: Pick<Pulled, "failed">): number {
  return failed > 0 ? STATUS.someFailed : 0;
}

/** The last line. */
export function pulledInWords(
  { written, there, failed, bytes }: Pulled,
): string {
  return [
    `${counted(written, "file")} written (${bytesInWords(bytes)})`,
    `${counted(there, "file")} already there`,
    ...failed > 0 ? [`${counted(failed, "file")} FAILED`] : [],
  ].join(", ");
}

/** Files that are fetched at a time. */
const AT_ONCE = 6;

/**
 * Writes rows as files, several at a time; what ends all of them is thrown.
 * Names are given in the order of the rows, whichever is written first.
 */
export async function pullRows(
  cli: CliContext,
  rows: readonly Row[],
  pulling: Pulling,
): Promise<Pulled> {
  const names = pulling.sidecars.length > 0
    ? await placeNamesFor(rows)
    : undefined;
  const meter = cli.meter();
  const found = await rulesFor(pulling.root, rows, pulling.pathOf);
  const rules = pulling.sidecars.length > 0 ? withSidecarRoom(found) : found;
  const taken = new TakenNames(rules);
  const tally = { written: 0, there: 0, failed: 0, renamed: 0, bytes: 0 };
  const renamed: Renamed[] = [];
  meter.expect({
    count: rows.length,
    bytes: rows.reduce((sum, row) => sum + sizeOf(row), 0),
  });
  meter.expectNoMore();
  const running = new Set<Promise<void>>();
  let broken: { readonly error: unknown } | undefined;
  /** Those that found no room next to others: each may have it alone. */
  const crowdedOut: Row[] = [];
  let isAlone = false;
  const fail = (row: Row, error: unknown) => {
    if (isDiskFull(error) && !isAlone) {
      crowdedOut.push(row);
      return;
    }
    try {
      failed(cli, tally, row, error);
    } catch (thrown) {
      broken ??= { error: thrown };
    }
  };
  const pullAll = async (wanted: readonly Row[]) => {
    const atOnce = isAlone ? 1 : AT_ONCE;
    for (const row of wanted) {
      while (running.size >= atOnce) await Promise.race(running);
      if (broken !== undefined) break;
      cli.signal.throwIfAborted();
      const still = stillOf(row, takenAt(row), pulling);
      try {
        const { path, wanted } = namesOf(row, pulling.pathOf, rules);
        const placed = await place(
          cli,
          still,
          join(pulling.root, path),
          taken,
        );
        const onRenamed = (to: string) => {
          tally.renamed += 1;
          if (renamed.length < NAMED) renamed.push({ from: wanted, to });
        };
        const context = {
          pulling,
          tally,
          taken,
          meter,
          names,
          wanted,
          onRenamed,
        };
        const work = pullRow(cli, row, { still, placed }, context)
          .catch((error) => fail(row, error))
          .finally(() => running.delete(work));
        running.add(work);
      } catch (error) {
        fail(row, error);
      }
    }
    await Promise.all(running);
  };
  try {
    await pullAll(rows);
    isAlone = true;
    await pullAll(crowdedOut);
  } finally {
    await Promise.all(running);
    meter.end();
  }
  if (broken !== undefined) throw broken.error;
  tellRenamed(cli, tally.renamed, renamed);
  return tally;
}

/**
 * Rules under which a file's sidecar has a name, too, and while it is written.
 */
function withSidecarRoom(rules: NameRules): NameRules {
  const room = "..json.part".length;
  const maxBytes = Math.min(rules.maxBytes, LONGEST_NAME_BYTES - room);
  return { ...rules, maxBytes };
}

/** A file that has another path than its name and layout ask for. */
interface Renamed {
  readonly from: string;
  readonly to: string;
}

/** So many names are listed. */
const NAMED = 10;

function tellRenamed(
  { tell }: CliContext,
  count: number,
  names: readonly Renamed[],
): void {
  if (count === 0) return;
  tell(
    { event: "renamed", count, names },
    [
      `${counted(count, "file")} written under another name, because this ` +
      "folder does not take the name or has a file of it:",
      ...names.map(({ from, to }) => `  ${printable(from)}: ${printable(to)}`),
      ...count > names.length ? [`  and ${count - names.length} more`] : [],
    ].join("\n"),
  );
}

/** What the rows of one pull have together. */
interface Context {
  readonly pulling: Pulling;
  readonly tally: { -readonly [K in keyof Pulled]: Pulled[K] };
  readonly taken: TakenNames;
  readonly meter: Meter;
  /** Of places, for sidecars. */
  readonly names: PlaceNames | undefined;
  /** The path below the root that the row asks for. */
  readonly wanted: string;
  /** Told of the path that it was written under, if that is another. */
  readonly onRenamed: (path: string) => void;
}

async function pullRow(
  cli: CliContext,
  row: Row,
  { still, placed }: { readonly still: Piece; readonly placed: Placed },
  { pulling, tally, taken, meter, names, wanted, onRenamed }: Context,
): Promise<void> {
  const wrote = (path: string) =>
    cli.tell(
      { event: "file", path, outcome: "written", asset_id: row.id },
      `wrote ${printable(path)}`,
    );
  const running = meter.begin(row.metadata?.name ?? row.id, sizeOf(row));
  try {
    const done = await write(cli, still, placed, taken, running.at);
    tally[done.what] += 1;
    pulling.onFile?.(row, done.path);
    if (done.what === "there") running.skip();
    const beside = videoBeside(row, done.path);
    if (beside !== undefined) {
      const [video, at] = beside;
      const name = await place(cli, video, at, taken);
      const { what, path } = await write(cli, video, name, taken);
      tally[what] += 1;
      pulling.onVideo?.(row, path);
      if (what === "written") wrote(path);
    }
    const { sidecars, renews } = pulling;
    const told = withMarks(row, cli.library.flags.of(row));
    await writeSidecars(told, done.path, sidecars, { renews, names });
    if (done.what === "there") return;
    tally.bytes += sizeOf(row);
    wrote(done.path);
    const inside = relative(pulling.root, done.path).split(sep).join("/");
    if (inside !== wanted) onRenamed(inside);
  } finally {
    running.end();
  }
}

function sizeOf({ metadata }: Row): number {
  return metadata?.size ?? 0;
}

/** Names a row that failed; throws what the others would meet as well. */
function failed(
  { tell, warn }: CliContext,
  tally: Context["tally"],
  { id, metadata }: Row,
  error: unknown,
): void {
  const complaint = complaintOf(error);
  if (
    complaint?.status === STATUS.tryLater ||
    complaint?.status === STATUS.interrupted
  ) throw error;
  tally.failed += 1;
  const why = complaint?.text ??
    (error instanceof Error ? error.message : String(error));
  warn(`${printable(metadata?.name ?? id)} (${id}): ${printable(why)}`);
  tell({ event: "file", asset_id: id, outcome: "failed", why }, "");
}

/** The video of a live photo goes next to its still, under the same name. */
function videoBeside(row: Row, still: string): [Piece, string] | undefined {
  const motion = videoOf(row);
  if (motion === undefined) return undefined;
  const path = videoName(still, motion, row.metadata?.name);
  const end = path.replace(/.*(?=\.)/, "");
  return [{
    assetId: row.id,
    wanted: { derivative: "motion" },
    ...knownOf(row, motion),
    at: readTime(motion.taken_at) ?? takenAt(row),
    isHeld: (held) =>
      held.sha256 !== row.metadata?.sha256 && held.path.endsWith(end),
  }, path];
}

/** The size of a derivative: a file that has it is compared. */
function knownOf({ blobs }: Row, { hash }: Derivative): Pick<Piece, "known"> {
  const blob = blobs.find((one) => one.hash === hash);
  const size = plaintextSize(blob?.size ?? 0, DEFAULT_CHUNK_SIZE);
  return size === undefined ? {} : { known: { size } };
}

function stillOf(
  { id, metadata }: Row,
  at: number,
  { isSmall = false }: Pick<Pulling, "isSmall">,
): Piece {
  return {
    assetId: id,
    wanted: "original",
    at,
    ...(metadata === undefined ? {} : {
      known: {
        size: metadata.size,
        ...(isSmall ? {} : { sha256: metadata.sha256 }),
      },
    }),
    isHeld: (held) => held.sha256 === metadata?.sha256,
  };
}
