/**
 * Another program at the same database: a worker that writes to the feed on a
 * connection of its own, pairs of an account's own entry and one of an album.
 *
 * @module
 */
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";

/** What the worker is told to write. */
export interface FeedOrder {
  readonly path: string;
  /** Whose own entry comes second in each pair. */
  readonly reader: string;
  /** Of whose album's entry comes first. */
  readonly owner: string;
  readonly albumId: string;
  readonly pairs: number;
}

/** The part of a worker's scope that is used; the types are a page's. */
interface Scope {
  onmessage: ((event: MessageEvent<FeedOrder>) => void) | null;
  postMessage(message: string): void;
}
const scope = globalThis as unknown as Scope;

scope.onmessage = ({ data }) => {
  const { path, reader, owner, albumId, pairs } = data;
  const sqlite = openSqlite(path);
  // So that many entries come while one page is read.
  sqlite.exec("pragma synchronous = off");
  const insert = sqlite.prepare(
    "insert into feed (user_id, action, album_id, at) values (?, ?, ?, 0)",
  );
  for (let pair = 0; pair < pairs; pair++) {
    insert.run(owner, "roster", albumId);
    insert.run(reader, "album", null);
  }
  sqlite.close();
  scope.postMessage("written");
};
