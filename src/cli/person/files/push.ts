/**
 * `strongroom push`: what is new in folders is kept, and nothing else is done.
 *
 * @module
 */
import { bringOwnHome, copyAll } from "./into_album.ts";
import { bytesInWords, counted } from "../../../core/sizes.ts";
import { printable } from "../../phrasing.ts";
import { albumOf } from "../sharing/albums.ts";
import { isUndated } from "../../../media/exif/mod.ts";
import { ODDITIES, openFile, tellUndated } from "./describing.ts";
import { complaintOf, isDiskFull, STATUS } from "../faults.ts";
import {
  followFeed,
  keepLinks,
  keepLinksAfter,
  nameFaults,
} from "../following.ts";
import {
  filesOf,
  type FoundFile,
  HiddenFiles,
  type Looking,
  type PassedOver,
} from "./files.ts";
import { healFromAlbums } from "./healing.ts";
import {
  heldAs,
  keep,
  type Outcome,
  type Place,
  UploadSlots,
} from "./keeping.ts";
import { type Half, keepVideo, pairsBy } from "./live_photos.ts";
import { UNTOLD } from "../../../media/exports/live_photos.ts";
import type { Meter } from "../meter.ts";
import { type Moved, type MovedFile, takeAway } from "./delete_after_upload.ts";
import type { CliContext } from "../cli_context.ts";
import { spanOf } from "../span.ts";
import { watch } from "./watching.ts";

/** The options of `push`. */
export interface PushOptions {
  readonly exclude?: readonly string[];
  readonly dryRun?: true;
  /** An album's title, or the first letters of its id. */
  readonly album?: string;
  /** Files are deleted here once they are proven to be kept. */
  readonly move?: true;
  /** How long a file that is moved must have been unchanged. */
  readonly moveAfter?: string;
  /** What was deleted from the library on purpose, too. */
  readonly again?: true;
  /** Goes on with what appears. */
  readonly watch?: true;
}

/** How many files came to what. */
interface Tally {
  kept: number;
  known: number;
  trashed: number;
  failed: number;
  passed: number;
  /** Of those that failed: files and folders that could not be looked at. */
  unread: number;
  /** Of those that were kept: photos and videos that state no date. */
  undated: number;
  sentBytes: number;
}

/** Keeps what is new in files and folders, once or as it appears. */
export async function push(
  cli: CliContext,
  paths: readonly string[],
  options: PushOptions,
): Promise<void> {
  if (!options.watch) return await pushOnce(cli, paths, options);
  await watch(
    cli,
    paths,
    () => pushOnce(cli, paths, options),
    options.dryRun ? undefined : () => keepLinks(cli),
  );
}

async function pushOnce(
  cli: CliContext,
  paths: readonly string[],
  options: PushOptions,
): Promise<void> {
  const ageMs = moveAfterOf(options.moveAfter ?? "5m");
  await followFeed(cli, { asksForMissing: true });
  if (!options.dryRun) {
    await bringOwnHome(cli);
    // What another copy gives back is no fault any more.
    if ((await healFromAlbums(cli)).length > 0) await followFeed(cli);
  }
  const faults = nameFaults(cli);
  const { tally, kept } = await pushFiles(cli, paths, options);
  // Another device may have stored the same files at the same moment.
  if (tally.kept > 0 && !options.dryRun) await followFeed(cli);
  const moved = options.move && !options.dryRun
    ? await takeAway(cli, kept, ageMs)
    : undefined;
  if (moved !== undefined) tally.failed += moved.left;
  if (!options.dryRun) await keepLinksAfter(cli);
  sayEnd(cli, tally, { ...options, faults }, moved);
}

/** An age as it is typed: `0`, or a span of time (ms). */
function moveAfterOf(text: string): number {
  return text === "0" ? 0 : spanOf(text);
}

/** What became of files, and which assets they are. */
interface Pushed {
  readonly tally: Tally;
  readonly kept: readonly MovedFile[];
}

/** Keeps what is new of files and folders; the feed was followed before. */
export async function pushFiles(
  cli: CliContext,
  paths: readonly string[],
  options: PushOptions,
): Promise<Pushed> {
  const album = options.album === undefined
    ? undefined
    : await albumOf(cli, options.album);
  const { libraryAlbumId } = cli.library.vault;
  // What lies in someone else's album alone is gone with the membership.
  const isOthers = album !== undefined &&
    album.owner !== cli.session.userId;
  const albumId = isOthers ? libraryAlbumId : album?.id ?? libraryAlbumId;
  const pushing = new Pushing(cli, options, albumId);
  await pushing.run(paths);
  const { tally, found } = pushing;
  if (album === undefined || !isOthers || options.dryRun) {
    return { tally, kept: found };
  }
  const kept = await copyAll(cli, found, album.id, pushing.fail);
  return { tally, kept };
}

/** One push into an album of one's own. */
class Pushing {
  readonly tally: Tally = {
    kept: 0,
    known: 0,
    trashed: 0,
    failed: 0,
    passed: 0,
    unread: 0,
    undated: 0,
    sentBytes: 0,
  };
  readonly found: MovedFile[] = [];
  readonly #hidden = new HiddenFiles();
  readonly #meter: Meter;
  readonly #slots = new UploadSlots();

  constructor(
    private readonly cli: CliContext,
    private readonly options: PushOptions,
    private readonly albumId: string,
  ) {
    this.#meter = cli.meter();
  }

  /** Looks for files, and sends as many at a time as there is room for. */
  async run(paths: readonly string[]): Promise<void> {
    const { cli, albumId } = this;
    const looking = this.#looking();
    // Each half counts by itself.
    const { pairs: _, ...single } = looking;
    const running = new Set<Promise<void>>();
    let broken: { readonly error: unknown } | undefined;
    const ahead = new AbortController();
    const counting = countAhead(
      cli,
      paths,
      { ...single, signal: ahead.signal, onPassedOver() {}, onHidden() {} },
      { albumId, meter: this.#meter },
    );
    try {
      for (const path of paths) {
        for await (const file of filesOf(path, looking)) {
          const bytes = file.size + (file.video?.size ?? 0);
          const place = await this.#slots.enter(bytes);
          if (broken !== undefined) throw broken.error;
          cli.signal.throwIfAborted();
          const work = this.#one(file, place).catch((error) => {
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
      await cli.library.index.commit();
      this.#meter.end();
    }
    if (broken !== undefined) throw broken.error;
    this.tally.passed += this.#hidden.count;
    this.#hidden.tell(cli.tell);
  }

  #looking(): Looking {
    const { exclude = [], dryRun } = this.options;
    return {
      exclude,
      signal: this.cli.signal,
      onHidden: this.#hidden.add,
      pairs: pairsBy(this.cli, this.albumId),
      ...(!dryRun && { putsBack: true }),
      onPassedOver: (passed) => this.#passOver(passed),
    };
  }

  #passOver({ path, why, isUnread }: PassedOver): void {
    const { tally, cli: { tell, warn } } = this;
    if (isUnread) {
      tally.unread += 1;
      tally.failed += 1;
      warn(`cannot be read: ${printable(path)}: ${printable(why)}`);
      tell({ event: "file", path, outcome: "failed", why }, "");
      return;
    }
    tally.passed += 1;
    tell(
      { event: "file", path, outcome: "passed_over", why },
      `passed over ${printable(path)}: ${printable(why)}`,
    );
  }

  /** Keeps a file, and the video that lies next to it. */
  async #one(file: FoundFile, place: Place): Promise<void> {
    const { video } = file;
    // One with a video is not through yet.
    const outcome = await this.#still(
      file,
      video === undefined ? place : undefined,
    );
    if (video !== undefined) await this.#video(file, video, outcome);
  }

  /** Keeps a file by itself. */
  async #still(
    file: FoundFile,
    place?: Place,
  ): Promise<Outcome | undefined> {
    const { cli, options, albumId, tally } = this;
    const held = heldAs(cli, file, albumId);
    if (held !== undefined) {
      const noted = cli.local.knownFile(file.path);
      const sha256 = held.row?.metadata?.sha256;
      // The still of a live photo is gone from here, and its video is not.
      this.#done(file, held, sha256 !== undefined && noted?.sha256 !== sha256);
      return held;
    }
    const running = this.#meter.begin(file.name, file.size);
    let sent = 0;
    try {
      const outcome = await keep(
        cli,
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
      this.#done(file, outcome);
      return outcome;
    } catch (error) {
      running.end();
      this.fail(file.path, error);
      return undefined;
    }
  }

  /** Keeps the video of a still: with it, or by itself. */
  async #video(
    file: FoundFile,
    video: FoundFile,
    outcome: Outcome | undefined,
  ): Promise<void> {
    const { row, what } = outcome ?? {};
    try {
      const became = outcome?.video ??
        (row === undefined || what === "trashed"
          ? "separate"
          : await keepVideo(this.cli, halfOf(file), halfOf(video), row, {
            ...UNTOLD,
            ...(this.options.dryRun && { dryRun: true }),
          }));
      if (became === "separate") await this.#still(video);
      else {
        if (became === "kept") this.#meter.begin(video.name, video.size).end();
        this.#done(video, { what: became, ...(row && { row }) }, true);
      }
    } catch (error) {
      this.fail(video.path, error);
    }
  }

  #done(
    { path, isBesidePair }: FoundFile,
    { what, row, odd }: Omit<Outcome, "video">,
    isVideo = false,
  ): void {
    const { tally, options, cli: { tell, warn } } = this;
    if (what === "kept" && odd !== undefined) {
      warn(`kept, but ${ODDITIES[odd]}: ${printable(path)}`);
    }
    tally[what] += 1;
    if (what === "kept" && !isVideo && isUndated(row?.metadata)) {
      tally.undated += 1;
    }
    if (row !== undefined && what !== "trashed") {
      this.found.push({ path, assetId: row.id, isVideo });
    }
    if (what === "known") return;
    tell(
      { event: "file", path, outcome: what, asset_id: row?.id, odd },
      what === "kept"
        ? `${options.dryRun ? "would keep" : "kept"} ${printable(path)}` +
          (isBesidePair ? ", as a separate photo next to a live photo" : "")
        : row === undefined
        ? `left out, because you deleted it: ${printable(path)}`
        : `in the trash, and left there: ${printable(path)}`,
    );
  }

  /** Notes a file that failed; throws what ends them all. */
  readonly fail = (path: string, error: unknown): void => {
    const { tally, cli: { tell, warn } } = this;
    const complaint = complaintOf(error);
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
}

/** Counts what there is to send, while it is being sent already. */
async function countAhead(
  cli: CliContext,
  paths: readonly string[],
  looking: Looking,
  { albumId, meter }: { readonly albumId: string; readonly meter: Meter },
): Promise<void> {
  if (!meter.isSeen) return;
  try {
    for (const path of paths) {
      for await (const file of filesOf(path, looking)) {
        if (heldAs(cli, file, albumId) !== undefined) continue;
        meter.expect({ count: 1, bytes: file.size });
      }
    }
    meter.expectNoMore();
  } catch {
    // The upload meets the same fault and reports it.
  }
}

function halfOf(file: FoundFile): Half {
  return { ...file, open: () => openFile(file.path) };
}

function sayEnd(
  { tell, endWith }: CliContext,
  { kept, known, trashed, failed, passed, undated, sentBytes }: Tally,
  options: PushOptions & { readonly faults: number },
  moved: Moved | undefined,
): void {
  const status = failed + options.faults > 0 ? STATUS.someFailed : 0;
  tellUndated(tell, undated);
  tell(
    {
      event: "end",
      status,
      kept,
      known,
      trashed,
      failed,
      passed_over: passed,
      sent_bytes: sentBytes,
      ...(moved && { moved: moved.removed, young: moved.young }),
    },
    [
      `${counted(kept, "file")} ${options.dryRun ? "to keep" : "kept"}` +
      (options.dryRun ? "" : ` (${bytesInWords(sentBytes)} sent, encrypted)`),
      `${counted(known, "file")} known`,
      ...moved === undefined ? [] : [`${counted(moved.removed, "file")} moved`],
      ...moved?.young
        ? [`${counted(moved.young, "file")} too new to move`]
        : [],
      ...trashed > 0
        ? [`${counted(trashed, "file")} in the trash or deleted before`]
        : [],
      ...passed > 0 ? [`${counted(passed, "file")} passed over`] : [],
      ...failed > 0 ? [`${counted(failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (status !== 0) endWith(status);
}
