/**
 * A client that follows the sync feed and makes a picture of the server's state
 * of it (protocol/feed.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { listAlbums, readFeed } from "./albums.ts";
import type { Sender, TestApp } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import { listContributions } from "./guests.ts";
import type { Person } from "./people.ts";

/** All that a client keeps: its position, and what it makes of the entries. */
interface Memory {
  after: number;
  readonly seen: Set<number>;
  albums: Record<string, Json>;
  /** By asset: what it last heard, and from which position that is. */
  readonly assets: Map<string, Json>;
  contributions: Json[];
}

/**
 * Which entries it asks for: every one, the newest of each asset and album, or
 * now these and now those.
 */
type Reading = "all" | "newest" | "either";

export class SyncClient {
  memory: Memory = {
    after: 0,
    seen: new Set(),
    albums: {},
    assets: new Map(),
    contributions: [],
  };
  #stored = structuredClone(this.memory);

  #pages = 0;

  constructor(
    readonly person: Person,
    readonly link: string,
    readonly reading: Reading = "all",
  ) {}

  /** What it adds to the query of a page. */
  #latest(): string {
    this.#pages += 1;
    const isNewest = this.reading === "newest" ||
      (this.reading === "either" && this.#pages % 2 === 0);
    return isNewest ? "&latest=true" : "";
  }

  /** Puts away what it knows, `next_after` included. */
  store(): void {
    this.#stored = structuredClone(this.memory);
  }

  restart(): void {
    this.memory = structuredClone(this.#stored);
  }

  /** Reads a few pages at most, the first of them twice if it gets lost. */
  async readPages(
    app: TestApp,
    { pages, limit, lost }: {
      readonly pages: number;
      readonly limit: number;
      readonly lost: boolean;
    },
  ): Promise<void> {
    if (lost) await this.readPage(app, limit, true);
    for (let n = 0; n < pages; n++) {
      if (!await this.readPage(app, limit)) return;
    }
  }

  /** Reads a page and takes it in; returns whether there are more. */
  async readPage(app: TestApp, limit: number, lost = false): Promise<boolean> {
    const { memory, person } = this;
    const latest = this.#latest();
    const query = `?after=${memory.after}&limit=${limit}${latest}`;
    const page = await readFeed(app, person.token, query);
    if (lost) return true;
    for (const entry of page.entries) {
      assert(entry.sync_seq > memory.after, "an entry from before");
      assert(!memory.seen.has(entry.sync_seq), "an entry for the second time");
      memory.seen.add(entry.sync_seq);
      await this.#take(app, entry, limit);
    }
    memory.after = page.next_after;
    return page.more;
  }

  async #take(app: TestApp, entry: Json, limit: number): Promise<void> {
    const { action, album_id: albumId } = entry;
    if (action === "contribution") {
      const { person, link } = this;
      this.memory.contributions = await listContributions(app, person, link);
    } else if (action === "album") {
      this.memory.albums = await listAlbums(app, this.person);
    } else if (action === "roster") await this.#enter(app, albumId, limit);
    else await this.#hear(app, entry);
  }

  /** A roster has changed: an album may be new here, or gone. */
  async #enter(app: TestApp, albumId: string, limit: number): Promise<void> {
    const { memory, person } = this;
    memory.albums = await listAlbums(app, person);
    const role = memory.albums[albumId]?.role;
    if (role === "owner") return;
    for (const [assetId, known] of memory.assets) {
      if (known.album_id !== albumId) continue;
      // One's own stay one's own.
      await this.#look(app, assetId);
    }
    if (role === undefined) return;
    for (let after = 0, more = true; more;) {
      const query = `?album_id=${albumId}&after=${after}&limit=${limit}` +
        this.#latest();
      const answer = await app.send("GET", `/v1/sync${query}`, person);
      // Removed again: that is told by a roster entry still to come.
      if (answer.status === 404) return await answer.body?.cancel();
      const page = await expectJson(answer, 200);
      for (const entry of page.entries) {
        if (entry.asset_id !== undefined) await this.#hear(app, entry);
      }
      after = page.next_after;
      more = page.more;
    }
  }

  /** What an entry tells of an asset, unless something newer is known. */
  async #hear(app: TestApp, entry: Json): Promise<void> {
    const { action, asset_id: assetId, album_id, chain_head, sync_seq } = entry;
    const { assets } = this.memory;
    if ((assets.get(assetId)?.sync_seq ?? 0) >= sync_seq) return;
    if (action === "purge") return void assets.delete(assetId);
    // An entry does not say in which state it was reinstated.
    if (action === "reinstated") return await this.#look(app, assetId);
    const state = action === "withheld"
      ? action
      : action === "delete"
      ? "deleted"
      : "live";
    assets.set(assetId, { state, album_id, chain_head, sync_seq });
  }

  async #look(app: TestApp, assetId: string): Promise<void> {
    const known = await assetOf(app, this.person, assetId);
    if (known === undefined) this.memory.assets.delete(assetId);
    else this.memory.assets.set(assetId, known);
  }
}

/** An asset as the server shows it to a person; undefined where it does not. */
export async function assetOf(
  app: Sender,
  { token }: Person,
  assetId: string,
): Promise<Json> {
  const answer = await app.send("GET", `/v1/assets/${assetId}`, { token });
  const { state, album_id, chain_head, sync_seq } = await answer.json();
  if (answer.status === 404) return undefined;
  assert.equal(answer.status, 200);
  return { state, album_id, chain_head, sync_seq };
}
