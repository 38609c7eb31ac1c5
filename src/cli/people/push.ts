/**
 * `strongroom push`: what is new in folders is kept, and nothing else is done.
 *
 * @module
 */
import { bytesInWords, counted } from "../../core/sizes.ts";
import { printable } from "../words.ts";
import { albumOf } from "./albums.ts";
import { openFile } from "./describing.ts";
import { complaintOf, isDiskFull, STATUS } from "./faults.ts";
import {
  filesOf,
  type FoundFile,
  type Looking,
  type PassedOver,
} from "./files.ts";
import { heldAs, keep, type Outcome, type Place, Room } from "./keeping.ts";
import { type Half, keepFilm, UNTOLD } from "./live_photos.ts";
import type { Meter } from "./meter.ts";
import { type MovedFile, takeAway } from "./moving.ts";
import type { Person } from "./person.ts";
import { watch } from "./watching.ts";

/** The options of `push`. */
export interface PushOptions {
  readonly exclude?: readonly string[];
  readonly dryRun?: true;
  /** An album's title, or the first letters of its id. */
  readonly album?: string;
  /** Files are taken away here once they are proven to be there. */
  readonly move?: true;
  /** Goes on with what appears. */
  readonly watch?: true;
}

/** How many files came to what. */
export interface Tally {
  kept: number;
  known: number;
  trashed: number;
  failed: number;
  passed: number;
  /** Folders that could not be looked into. */
  unread: number;
  sentBytes: number;
}

/** Keeps what is new in files and folders, once or as it appears. */
export async function push(
  person: Person,
  paths: readonly string[],
  options: PushOptions,
): Promise<void> {
  if (!options.watch) return await pushOnce(person, paths, options);
  await watch(person, paths, () => pushOnce(person, paths, options));
}

async function pushOnce(
  person: Person,
  paths: readonly string[],
  options: PushOptions,
): Promise<void> {
  await followFeed(person);
  const { tally, kept } = await pushFiles(person, paths, options);
  const moved = options.move && !options.dryRun
    ? await takeAway(person, kept)
    : undefined;
  if (moved !== undefined) tally.failed += moved.left;
  sayEnd(person, tally, options, moved?.removed);
}

/** What became of files, and which assets they are. */
export interface Pushed {
  readonly tally: Tally;
  readonly kept: readonly MovedFile[];
}

/** Keeps what is new of files and folders; the feed was followed before. */
export async function pushFiles(
  person: Person,
  paths: readonly string[],
  options: PushOptions,
): Promise<Pushed> {
  const { tell, warn, signal } = person;
  const albumId = options.album === undefined
    ? person.library.vault.libraryAlbumId
    : (await albumOf(person, options.album)).id;
  const tally: Tally = {
    kept: 0,
    known: 0,
    trashed: 0,
    failed: 0,
    passed: 0,
    unread: 0,
    sentBytes: 0,
  };
  const kept: MovedFile[] = [];
  const meter = person.meter();
  const room = new Room();
  const looking = {
    exclude: options.exclude ?? [],
    signal,
    withFilms: true as const,
    onPassedOver: ({ path, why, isUnread }: PassedOver) => {
      tally.passed += 1;
      if (isUnread) tally.unread += 1;
      tell(
        { event: "file", path, outcome: "passed_over", why },
        `passed over ${printable(path)}: ${printable(why)}`,
      );
    },
  };
  const fail = (path: string, error: unknown) => {
    const complaint = complaintOf(error);
    // What ends the one ends them all.
    if (
      complaint?.status === STATUS.tryLater ||
      complaint?.status === STATUS.interrupted ||
      complaint?.status === STATUS.wrong || isDiskFull(error)
    ) throw error;
    tally.failed += 1;
    const why = complaint?.text ??
      (error instanceof Error ? error.message : String(error));
    warn(`${printable(path)}: ${printable(why)}`);
    tell({ event: "file", path, outcome: "failed", why }, "");
  };
  const done = (
    { path }: FoundFile,
    { what, row }: Omit<Outcome, "film">,
    isFilm = false,
  ) => {
    tally[what] += 1;
    if (row !== undefined && what !== "trashed") {
      kept.push({ path, assetId: row.id, isFilm });
    }
    if (what === "known") return;
    tell(
      { event: "file", path, outcome: what, asset_id: row?.id },
      what === "kept"
        ? `${options.dryRun ? "would keep" : "kept"} ${printable(path)}`
        : `in the trash, and left there: ${printable(path)}`,
    );
  };
  const still = async (
    file: FoundFile,
    place?: Place,
  ): Promise<Outcome | undefined> => {
    const held = heldAs(person, file, albumId);
    if (held !== undefined) {
      done(file, held);
      return held;
    }
    const running = meter.begin(file.name, file.size);
    let sent = 0;
    try {
      const outcome = await keep(
        person,
        file,
        { ...options, albumId },
        (bytes) => {
          tally.sentBytes += bytes;
          sent += bytes;
          running.at(sent);
        },
        place,
      );
      if (outcome.what === "kept") running.end();
      else running.skip();
      done(file, outcome);
      return outcome;
    } catch (error) {
      running.end();
      fail(file.path, error);
      return undefined;
    }
  };
  const one = async (file: FoundFile, place: Place) => {
    const { film } = file;
    // One with a film is not through yet.
    const outcome = await still(
      file,
      film === undefined ? place : undefined,
    );
    if (film === undefined) return;
    const { row, what } = outcome ?? {};
    try {
      const became = outcome?.film ??
        (row === undefined || what === "trashed"
          ? "separate"
          : await keepFilm(person, halfOf(file), halfOf(film), row, {
            ...UNTOLD,
            ...(options.dryRun && { dryRun: true }),
          }));
      if (became === "separate") await still(film);
      else {
        if (became === "kept") meter.begin(film.name, film.size).end();
        done(film, { what: became, ...(row && { row }) }, true);
      }
    } catch (error) {
      fail(film.path, error);
    }
  };
  const running = new Set<Promise<void>>();
  let broken: { readonly error: unknown } | undefined;
  const ahead = new AbortController();
  const counting = countAhead(
    person,
    paths,
    { ...looking, signal: ahead.signal, onPassedOver: () => {} },
    { albumId, meter },
  );
  try {
    for (const path of paths) {
      for await (const file of filesOf(path, looking)) {
        const bytes = file.size + (file.film?.size ?? 0);
        const place = await room.enter(bytes);
        if (broken !== undefined) throw broken.error;
        signal.throwIfAborted();
        const work = one(file, place).catch((error) => {
          broken ??= { error };
        }).finally(() => {
          running.delete(work);
          place.leave();
        });
        running.add(work);
      }
    }
  } finally {
    ahead.abort();
    await Promise.all([counting, ...running]);
    await person.library.index.commit();
    meter.end();
  }
  if (broken !== undefined) throw broken.error;
  return { tally, kept };
}

/** Counts what there is to send, while it is being sent already. */
async function countAhead(
  person: Person,
  paths: readonly string[],
  looking: Looking,
  { albumId, meter }: { readonly albumId: string; readonly meter: Meter },
): Promise<void> {
  if (!meter.isSeen) return;
  try {
    for (const path of paths) {
      for await (const { film, ...file } of filesOf(path, looking)) {
        for (const one of film === undefined ? [file] : [file, film]) {
          if (heldAs(person, one, albumId) !== undefined) continue;
          meter.expect({ count: 1, bytes: one.size });
        }
      }
    }
    meter.expectNoMore();
  } catch {
    // Whoever sends meets it too, and tells of it.
  }
}

function halfOf(file: FoundFile): Half {
  return { ...file, open: () => openFile(file.path) };
}

function sayEnd(
  { tell, endWith }: Person,
  { kept, known, trashed, failed, passed, sentBytes }: Tally,
  options: PushOptions,
  moved: number | undefined,
): void {
  tell(
    {
      event: "end",
      status: failed > 0 ? STATUS.someFailed : 0,
      kept,
      known,
      trashed,
      failed,
      passed_over: passed,
      sent_bytes: sentBytes,
      ...(moved === undefined ? {} : { moved }),
    },
    [
      `${counted(kept, "file")} ${options.dryRun ? "to keep" : "kept"}` +
      (options.dryRun ? "" : ` (${bytesInWords(sentBytes)})`),
      `${counted(known, "file")} known`,
      ...moved === undefined ? [] : [`${counted(moved, "file")} moved`],
      ...trashed > 0 ? [`${counted(trashed, "file")} in the trash`] : [],
      ...failed > 0 ? [`${counted(failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (failed > 0) endWith(STATUS.someFailed);
}

/** Follows the feed, and says aloud what the server has lost. */
export async function followFeed(
  { library, signal, warn, tell }: Person,
): Promise<void> {
  const { missing, restored } = await library.sync({ signal });
  if (restored) {
    tell(
      { event: "restored" },
      "the server was restored from a backup: everything was looked at again",
    );
  }
  for (const id of missing) {
    const name = library.index.get(id)?.metadata?.name ?? id;
    warn(`THE SERVER NO LONGER HAS ${printable(name)} (${id}): push it again`);
  }
}
