/**
 * What the account's links show, for the groups of similar photos.
 *
 * @module
 */
import {
  ApiProblem,
  ConnectionError,
  DocumentError,
  type Library,
} from "../../../library/mod.ts";
import { isOfEverything } from "../../../library/base/faults.ts";
import { hasLinks } from "../../../library/rows/rows.ts";
import { isFollowing } from "../../../library/sharing/link_notes.ts";

type Linking = Pick<Library, "index" | "shares" | "shareContents" | "state">;

/**
 * Tells the blobs that links show which stay as they are, also in items that
 * this program cannot read.
 */
export function linkedBlobs(
  context: { opened(): Linking },
): () => Promise<ReadonlySet<string>> {
  /** By the hashes of the links' indexes. */
  const shownBy = new Map<string, readonly string[]>();
  return async () => {
    const { index, shares, shareContents, state } = context.opened();
    if (!hasLinks(index)) return new Set();
    const blobsOf = async (id: string, hash: string) => {
      try {
        const { items, unread } = await shareContents(id, hash);
        return [
          ...items.map((item) => item.hash),
          ...unread.flatMap(({ named }) => [...named]),
        ];
      } catch (error) {
        if (isOfEverything(error) || !(error instanceof Error)) throw error;
        return undefined;
      }
    };
    const linked: string[] = [];
    try {
      for (const { opaque_id: id, metadata_hash: hash } of await shares()) {
        // What such a link shows follows an album or the favourites.
        if (isFollowing(state.held.links[id])) continue;
        const shown = shownBy.get(hash) ?? await blobsOf(id, hash);
        if (shown === undefined) continue;
        shownBy.set(hash, shown);
        linked.push(...shown);
      }
    } catch (error) {
      // Links are only named here; deleting says of all links what happens.
      const isUnread = error instanceof ConnectionError ||
        error instanceof ApiProblem || error instanceof DocumentError;
      if (!isUnread) throw error;
    }
    return new Set(linked);
  };
}
