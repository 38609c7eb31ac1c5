/**
 * `strongroom push`: what is new in folders is kept, and nothing else is done.
 *
 * @module
 */
import type { Row } from "../../client/library/mod.ts";
import { bytesInWords, counted } from "../../core/sizes.ts";
import { printable } from "../words.ts";
import { albumOf } from "./albums.ts";
import { describe, openFile } from "./describing.ts";
import { complaintOf, STATUS } from "./faults.ts";
import { filesOf, type FoundFile } from "./files.ts";
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

/** Files that are sent at a time; ... */
const AT_ONCE = 4;
/** ... and what they may have together (bytes), unless one alone has more. */
const MOST_AT_ONCE = 32 * 1024 * 1024;

interface Tally {
  kept: number;
  known: number;
  trashed: number;
  failed: number;
  passed: number;
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
  const { tell, warn, signal } = person;
  await followFeed(person);
  const albumId = options.album === undefined
    ? person.library.vault.libraryAlbumId
    : (await albumOf(person, options.album)).id;
  const tally: Tally = {
    kept: 0,
    known: 0,
    trashed: 0,
    failed: 0,
    passed: 0,
    sentBytes: 0,
  };
  const kept: MovedFile[] = [];
  const progress = person.progress();
  const room = new Room();
  const looking = {
    exclude: options.exclude ?? [],
    signal,
    onPassedOver: ({ path, why }: { path: string; why: string }) => {
      tally.passed += 1;
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
      complaint?.status === STATUS.wrong
    ) throw error;
    tally.failed += 1;
    const why = complaint?.text ??
      (error instanceof Error ? error.message : String(error));
    progress.end();
    warn(`${printable(path)}: ${printable(why)}`);
    tell({ event: "file", path, outcome: "failed", why }, "");
  };
  const one = async (file: FoundFile) => {
    try {
      const outcome = await keep(
        person,
        file,
        { ...options, albumId },
        (bytes) => {
          tally.sentBytes += bytes;
          progress.show("sent", tally.sentBytes);
        },
      );
      tally[outcome.what] += 1;
      if (outcome.row !== undefined && outcome.what !== "trashed") {
        kept.push({ path: file.path, assetId: outcome.row.id });
      }
      if (outcome.what === "known") return;
      tell(
        {
          event: "file",
          path: file.path,
          outcome: outcome.what,
          asset_id: outcome.row?.id,
        },
        outcome.what === "kept"
          ? `${options.dryRun ? "would keep" : "kept"} ${printable(file.path)}`
          : `in the trash, and left there: ${printable(file.path)}`,
      );
    } catch (error) {
      fail(file.path, error);
    }
  };
  const running = new Set<Promise<void>>();
  let broken: { readonly error: unknown } | undefined;
  try {
    for (const path of paths) {
      for await (const file of filesOf(path, looking)) {
        await room.enter(file.size);
        if (broken !== undefined) throw broken.error;
        signal.throwIfAborted();
        const work = one(file).catch((error) => {
          broken ??= { error };
        }).finally(() => {
          running.delete(work);
          room.leave(file.size);
        });
        running.add(work);
      }
    }
  } finally {
    await Promise.all(running);
    await person.library.index.commit();
    progress.end();
  }
  if (broken !== undefined) throw broken.error;
  const moved = options.move && !options.dryRun
    ? await takeAway(person, kept)
    : undefined;
  if (moved !== undefined) tally.failed += moved.left;
  sayEnd(person, tally, options, moved?.removed);
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

interface Outcome {
  readonly what: "kept" | "known" | "trashed";
  readonly row?: Row;
}

async function keep(
  { library, local, signal }: Person,
  file: FoundFile,
  { dryRun, albumId }: PushOptions & { readonly albumId: string },
  onSent: (bytes: number) => void,
): Promise<Outcome> {
  const { path, size, modifiedAt, inode } = file;
  const held = local.knownFile(path);
  const isSame = held !== undefined && held.size === size &&
    held.modifiedAt === modifiedAt && held.inode === inode;
  const row = held === undefined ? undefined : library.index.get(held.assetId);
  const isHere = isSame && row?.album === albumId;
  if (isHere && row?.state === "live") return { what: "known", row };
  if (isHere && row?.state === "deleted") return { what: "trashed", row };
  using opened = await openFile(path);
  const sha256 = isSame
    ? held.sha256
    : await library.hash(opened.source, { signal });
  const note = (assetId: string) =>
    local.noteFile({ path, size, modifiedAt, inode, sha256, assetId });
  const known = library.index.byPlaintext(sha256, albumId);
  if (known !== undefined) {
    note(known.id);
    return { what: "known", row: known };
  }
  if (dryRun) return { what: "kept" };
  let sent = 0;
  const kept = await library.take(
    {
      source: opened.source,
      sha256,
      ...await describe(file, opened.source),
    },
    {
      albumId,
      signal,
      onProgress(step, bytes) {
        if (step !== "sending") return;
        onSent(Math.max(0, bytes - sent));
        sent = Math.max(sent, bytes);
      },
    },
  );
  note(kept.row.id);
  return { what: kept.outcome, row: kept.row };
}

/** Lets in as many as there may be at a time, and as many bytes. */
class Room {
  #count = 0;
  #bytes = 0;
  #waiting: (() => void)[] = [];

  async enter(bytes: number): Promise<void> {
    while (
      this.#count >= AT_ONCE ||
      (this.#count > 0 && this.#bytes + bytes > MOST_AT_ONCE)
    ) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#count += 1;
    this.#bytes += bytes;
  }

  leave(bytes: number): void {
    this.#count -= 1;
    this.#bytes -= bytes;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
