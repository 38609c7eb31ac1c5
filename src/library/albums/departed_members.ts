/**
 * Members who leave an album (protocol/albums.md#leaving-and-ending). The
 * signed roster stands as it was signed, so the owner's program finds out who
 * left and publishes the next one without them, and the program of whoever left
 * stays out of the album until a key newer than theirs invites them again.
 *
 * @module
 */
import { isUuid } from "../../core/ids.ts";
import type { AlbumEntry } from "../../wire/answers/albums.ts";
import { type Account, ApiProblem } from "../../client/api/api.ts";
import type { FeedEntry } from "../../client/api/asset_calls.ts";
import { changedAt } from "../../client/documents/state.ts";
import type { People } from "../trust/people.ts";
import type { SharedState } from "../vault/shared_state.ts";

/** Lookups are limited (60 a minute): only so many members are asked for. */
const MOST_ASKED = 20;
/** Members are not asked for again within this time (ms). */
const ASKED_FOR_MS = 30_000;
/** The setting that names an album that the account left. */
const LEFT = "left-album/";

/** The members of own albums who left them. */
export interface Leavers {
  /**
   * Publishes a roster, which the feed will tell: perhaps before the server has
   * answered, so it is noted first.
   */
  publishes<T>(albumId: string, publish: () => Promise<T>): Promise<T>;
  /**
   * Notes entries of the feed about rosters: of those that this program did not
   * publish, some tell that a member left. From its beginning, a feed does not
   * tell what is new.
   */
  heard(entries: readonly FeedEntry[], fromStart: boolean): void;
  /** Albums that someone may have left; they are not returned again. */
  suspected(): readonly string[];
  /**
   * Those members whom the server no longer names, because they left or have no
   * account any more. The server names people of all albums that they share
   * with the account, so someone who is in another one is not found.
   */
  among(albumId: string, members: Iterable<string>): Promise<Set<string>>;
  /** Forgets the answers about an album. */
  forget(albumId: string): void;
}

/** Opens the leavers of the albums of one account. */
export function openLeavers(
  people: Pick<People, "find">,
  { now, own }: { readonly now: () => number; readonly own: string },
): Leavers {
  const awaited = new Map<string, number>();
  const heard = new Set<string>();
  const asked = new Map<
    string,
    { readonly at: number; readonly names: ReadonlySet<string> }
  >();
  return {
    async publishes(albumId, publish) {
      awaited.set(albumId, (awaited.get(albumId) ?? 0) + 1);
      try {
        return await publish();
      } catch (error) {
        // If the server took it nevertheless, its members are asked for once
        // more; an entry of someone who leaves must not be taken for it.
        const due = awaited.get(albumId) ?? 0;
        if (due > 0) awaited.set(albumId, due - 1);
        throw error;
      }
    },
    heard(entries, fromStart) {
      for (const { action, album_id: albumId } of entries) {
        if (action !== "roster" || !albumId) continue;
        const due = awaited.get(albumId) ?? 0;
        if (fromStart) awaited.delete(albumId);
        else if (due > 0) awaited.set(albumId, due - 1);
        else heard.add(albumId);
      }
    },
    suspected() {
      const all = [...heard];
      heard.clear();
      for (const albumId of all) asked.delete(albumId);
      return all;
    },
    async among(albumId, members) {
      const gone = new Set<string>();
      const here = new Set<string>();
      const before = asked.get(albumId);
      const fresh = before !== undefined && now() < before.at + ASKED_FOR_MS;
      let left = MOST_ASKED;
      for (const userId of members) {
        if (userId === own || !isUuid(userId)) continue;
        if (fresh && before.names.has(userId)) continue;
        if (left-- === 0) break;
        try {
          await people.find({ user_id: userId });
          here.add(userId);
        } catch (error) {
          if (!(error instanceof ApiProblem)) throw error;
          if (error.status !== 404) break;
          gone.add(userId);
        }
      }
      if (!fresh) asked.set(albumId, { at: now(), names: here });
      return gone;
    },
    forget(albumId) {
      asked.delete(albumId);
    },
  };
}

/**
 * Notes, for all programs of the account, that it left an album, and under
 * which epoch.
 */
export async function noteLeft(
  state: SharedState,
  { album_id, amk_epoch }: AlbumEntry,
  now: number,
): Promise<void> {
  const name = `${LEFT}${album_id}`;
  const change = state.change((held) => {
    const at = changedAt(held.settings[name], now);
    const settings = { ...held.settings, [name]: { value: amk_epoch, at } };
    return { ...held, settings };
  });
  // A suspended account may leave and may not write this.
  await change.catch((error) => {
    if (!(error instanceof ApiProblem)) throw error;
  });
}

/**
 * Whether the account left an album and a roster of the same epoch names it
 * again: its owner did not know yet. An invitation has a newer epoch.
 */
export function isLeft(
  state: SharedState,
  { album_id, amk_epoch }: AlbumEntry,
): boolean {
  const left = state.held.settings[`${LEFT}${album_id}`]?.value;
  return typeof left === "number" && left >= amk_epoch;
}

/** Leaves an album whose owner named the account again without knowing that. */
export async function leaveAgain(
  account: Pick<Account, "leaveAlbum">,
  { album_id }: AlbumEntry,
): Promise<void> {
  try {
    await account.leaveAlbum(album_id);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
  }
}
