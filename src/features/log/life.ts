/**
 * The lives of the logs (protocol/logs.md#a-restore-is-a-fork): after a
 * restore, or under another name of the server's, both go on under another
 * origin, and the keys log says what it follows.
 *
 * @module
 */
import { sha256Hex } from "../../crypto/sha256.ts";
import type { AppFiles } from "../../http/static_file.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import type { LogName } from "../../store/sqlite/schema.ts";
import { appendEntry, appEntry, appManifest, forkEntry } from "./entries.ts";
import {
  checkpointsOf,
  cosignaturesOf,
  hasLife,
  insertLife,
  lastLife,
  noteApp,
  readServer,
} from "./store.ts";

/** A life of both logs. */
export interface Life {
  readonly life: number;
  readonly base: string;
  readonly gen: string;
}

/** The origin of a log. */
export function originOf(
  { base, gen }: Pick<Life, "base" | "gen">,
  name: LogName,
): string {
  return `${base}/${name}/${gen}`;
}

/** Names the web app in the keys log, where another one was named last. */
export function nameApp(db: Db, files: AppFiles): Promise<void> {
  const hash = sha256Hex(appManifest(files));
  return transaction(db, async (tx) => {
    const { log_app_hash: named } = await readServer(tx);
    if (named === hash) return;
    await appendEntry(tx, appEntry(hash));
    await noteApp(tx, hash);
  });
}

/**
 * The life that the logs of a server are in, which begins where the feed has
 * another epoch or the server another name.
 */
export function beginLife(db: Db, serverId: string): Promise<Life> {
  const { host: base } = new URL(serverId);
  return transaction(db, async (tx) => {
    const last = await lastLife(tx);
    const { feed_epoch: epoch } = await readServer(tx);
    if (last?.base === base && last.feed_epoch === epoch) return last;
    // A name that the server had before in this epoch has signed another tree.
    const isTaken = await hasLife(tx, base, epoch);
    const gen = isTaken ? `${epoch}-${(last?.life ?? 0) + 1}` : epoch;
    return await follow(tx, last, { base, gen, feed_epoch: epoch });
  });
}

/**
 * Ends a life that the logs cannot go on in, and begins the next one; where
 * another process did so already, its life.
 */
export function forkLife(
  db: Db,
  life: Life,
  { reason, now }: { readonly reason: string; readonly now: number },
): Promise<Life> {
  return transaction(db, async (tx) => {
    const last = await lastLife(tx);
    if (last === undefined || last.life !== life.life) return last ?? life;
    const { base, feed_epoch } = last;
    const gen = `${feed_epoch}-${last.life + 1}`;
    const because = { reason, begun_at: now };
    return await follow(tx, last, { base, gen, feed_epoch, ...because });
  });
}

async function follow(
  tx: Tx,
  last: Pick<Life, "life"> | undefined,
  next: {
    readonly base: string;
    readonly gen: string;
    readonly feed_epoch: string;
    readonly reason?: string;
    readonly begun_at?: number;
  },
): Promise<Life> {
  const before = last === undefined ? [] : await checkpointsOf(tx, last.life);
  // They come after all entries of the log before, which stay at their places.
  for (const row of before) {
    const note = row.note + await cosignaturesOf(tx, row);
    await appendEntry(tx, forkEntry(row.origin, note));
  }
  const begun = { reason: null, begun_at: null, ...next };
  return { ...begun, life: await insertLife(tx, begun) };
}
