/**
 * The deep check that a server makes by itself
 * (upkeep/check.md#read-again-by-itself): a slice of the blobs in each round of
 * its upkeep, all of them in a month. A small file in the data directory says
 * how far it is, so that it goes on after a restart and the doctor can tell.
 *
 * @module
 */
import { sql } from "kysely";
import { z } from "zod";
import { type BlobHash, isBlobHash } from "../../core/ids.ts";
import { reasonOf } from "../../core/reason.ts";
import { DAY_MS } from "../../core/time.ts";
import { UnreadableFile } from "../../store/files/copies.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { type Files, writeDurably } from "../../store/files/files.ts";
import { BlobsUnavailable } from "../../store/blobs/unavailable.ts";
import type { App } from "../app.ts";
import { promised } from "../references.ts";
import { noteLost } from "../lost_blobs.ts";

/** All blobs have been read after so long (ms), and the next round begins. */
const ROUND_MS = 30 * DAY_MS;
/** The server's upkeep runs so often in that time. */
const SLICES = 30 * 24 * 6;
/** Even of a small library so much is read in a slice (bytes). */
const LEAST_BYTES = 8 * 1024 * 1024;
/** Finding a file on a disk takes as long as reading so many bytes. */
const OPENING_BYTES = 256 * 1024;
const PAGE = sql.lit(100);

const amount = z.strictObject({ count: z.int().min(0), bytes: z.int().min(0) });

const Round = z.strictObject({
  /** When it began (ms). */
  began_at: z.int(),
  /** When it had read everything; null while it has not. */
  ended_at: z.int().nullable(),
  /** The hash after which it goes on. */
  after: z.string().refine((text) => text === "" || isBlobHash(text)),
  done: amount,
  /** What there was when it began. */
  total: amount,
  /** Blobs that it found missing or damaged. */
  lost: z.int().min(0),
});
export type Round = z.infer<typeof Round>;

const State = z.strictObject({
  version: z.literal(1),
  current: Round,
  /** The last one that came to its end before the current one. */
  last: Round.nullable(),
});
export type RollingState = z.infer<typeof State>;

function pathIn(root: string): string {
  return `${root}/check.json`;
}

/** How far the check is; undefined if none began or it cannot be read. */
export function readRolling(
  files: Files,
  root: string,
): RollingState | undefined {
  try {
    const text = new TextDecoder().decode(files.readWhole(pathIn(root)));
    return State.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Checks a running server's blobs, slice by slice. */
export class RollingCheck {
  constructor(
    private readonly app: Pick<
      App,
      "db" | "blobs" | "objectStore" | "signals" | "platform"
    >,
    private readonly place: { readonly files: Files; readonly root: string },
  ) {}

  /** Reads one slice; ends early when `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { files, root } = this.place;
    const state = await this.#begin();
    if (state === undefined) return;
    const { current } = state;
    const read = await this.#read(current, budgetOf(current.total), signal);
    const { now, log } = this.app.platform;
    const ended = read.isLast ? now() : null;
    const { isLast: _, ...round } = read;
    const next = { ...current, ...round, ended_at: ended };
    await writeDurably(
      files,
      pathIn(root),
      new TextEncoder().encode(
        `${JSON.stringify({ version: 1, current: next, last: state.last })}\n`,
      ),
    );
    if (ended === null) return;
    const told = { ...next.done, lost: next.lost };
    if (next.lost === 0) log.info("every blob was read again", told);
    else log.error("every blob was read again, and some are lost", told);
  }

  /** The round to go on with, or a new one; undefined before it is time. */
  async #begin(): Promise<Pick<RollingState, "current" | "last"> | undefined> {
    const { db, platform } = this.app;
    const { files, root } = this.place;
    const known = readRolling(files, root);
    if (known !== undefined && known.current.ended_at === null) return known;
    const now = platform.now();
    const since = now - (known?.current.began_at ?? -Infinity);
    // A clock that was ahead then is no reason to wait for its time.
    if (since >= 0 && since < ROUND_MS) return undefined;
    const total = await countBlobs(db);
    if (total.count === 0) return undefined;
    return {
      current: {
        began_at: now,
        ended_at: null,
        after: "",
        done: { count: 0, bytes: 0 },
        total,
        lost: 0,
      },
      last: known?.current ?? null,
    };
  }

  async #read(
    { after, done, lost }: Round,
    budget: number,
    signal: AbortSignal,
  ): Promise<Pick<Round, "after" | "done" | "lost"> & { isLast: boolean }> {
    let left = budget;
    const round = { after, done: { ...done }, lost, isLast: false };
    while (left > 0) {
      const page = await pageOfBlobs(this.app.db, round.after);
      if (page.length === 0) return { ...round, isLast: true };
      for (const { hash, size } of page) {
        if (left <= 0 || signal.aborted) return round;
        try {
          if (await this.#isLost(hash, size)) round.lost += 1;
        } catch (error) {
          // A store that does not answer is no loss: later, from here.
          if (error instanceof BlobsUnavailable) return round;
          throw error;
        }
        round.after = hash;
        round.done.count += 1;
        round.done.bytes += size;
        left -= size + OPENING_BYTES;
      }
    }
    return round;
  }

  async #isLost(hash: BlobHash, size: number): Promise<boolean> {
    const { app } = this;
    // Reading all of a bucket costs money: there it is looked for alone.
    if (
      app.objectStore !== undefined && await app.blobs.sizeOf(hash) === size
    ) return false;
    try {
      return await app.signals.lostBlobs.look(hash);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      const { now, log } = app.platform;
      log.error("a blob cannot be read", { hash, cause: reasonOf(error) });
      if (await noteLost(app.db, hash, "damaged", now())) {
        app.signals.feedNotifier.notify();
      }
      return true;
    }
  }
}

/** What a slice may read (bytes). */
function budgetOf({ count, bytes }: Round["total"]): number {
  return Math.max(LEAST_BYTES, (bytes + count * OPENING_BYTES) / SLICES);
}

async function countBlobs(db: Db): Promise<Round["total"]> {
  return await db.selectFrom("blob")
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      sql<number>`coalesce(sum(size), 0)`.as("bytes"),
    ])
    .executeTakeFirstOrThrow();
}

/** Blobs in use: others may lack their file at any time. */
function pageOfBlobs(db: Db, after: string) {
  return db.selectFrom("blob")
    .select(["hash", "size"])
    .where(sql<string>`hash`, ">", after)
    .where(promised(sql`blob.hash`))
    .orderBy("hash")
    .limit(PAGE)
    .execute();
}
