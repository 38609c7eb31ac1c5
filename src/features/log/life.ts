/**
 * The lives of the logs (protocol/logs.md#a-restore-is-a-fork): after a
 * restore, or under another name of the server's, both begin anew, and the
 * keys log says first what it follows.
 *
 * @module
 */
import { encodeBundle } from "../../crypto/merkle.ts";
import { type Db, transaction, type Tx } from "../../store/database.ts";
import type { LogName } from "../../store/schema.ts";
import {
  appendEntry,
  appEntry,
  directoryEntry,
  forkEntry,
  rosterEntry,
} from "./entries.ts";
import {
  checkpointsOf,
  cosignaturesOf,
  hasLife,
  insertLife,
  lastLife,
  noteApp,
  publishedBefore,
  readServer,
} from "./store.ts";

/** A life of both logs. */
export interface Life {
  readonly life: number;
  readonly base: string;
  readonly gen: string;
  readonly first_entries: Uint8Array;
}

/** The origin of a log. */
export function originOf(
  { base, gen }: Pick<Life, "base" | "gen">,
  name: LogName,
): string {
  return `${base}/${name}/${gen}`;
}

/**
 * The life that the logs of a server are in, which begins where the feed has
 * another epoch or the server another name; and notes the web app, where it is
 * another than was named last.
 */
export function beginLife(
  db: Db,
  serverId: string,
  appHash: string,
): Promise<Life> {
  const { host: base } = new URL(serverId);
  return transaction(db, async (tx) => {
    const last = await lastLife(tx);
    if (last === undefined) await takeUpPublished(tx);
    const { feed_epoch: epoch, log_app_hash: named } = await readServer(tx);
    if (named !== appHash) {
      await appendEntry(tx, appEntry(appHash));
      await noteApp(tx, appHash);
    }
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
  const entries: Uint8Array[] = [];
  for (const row of before) {
    const note = row.note + await cosignaturesOf(tx, row);
    entries.push(forkEntry(row.origin, note));
  }
  const first_entries = encodeBundle(entries);
  const begun = { reason: null, begun_at: null, ...next, first_entries };
  return { ...begun, life: await insertLife(tx, begun) };
}

/** What a server of an earlier program has published is what it begins with. */
async function takeUpPublished(tx: Tx): Promise<void> {
  const { directories, rosters } = await publishedBefore(tx);
  for (const { user_id, version, body_hash } of directories) {
    await appendEntry(tx, directoryEntry(user_id, version, body_hash));
  }
  for (const { album_id, roster_version, body_hash } of rosters) {
    await appendEntry(tx, rosterEntry(album_id, roster_version, body_hash));
  }
}
