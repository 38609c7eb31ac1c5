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
    const before = last === undefined ? [] : await checkpointsOf(tx, last.life);
    const first_entries = encodeBundle(
      before.map(({ origin, note }) => forkEntry(origin, note)),
    );
    const begun = { base, gen, feed_epoch: epoch, first_entries };
    return { ...begun, life: await insertLife(tx, begun) };
  });
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
