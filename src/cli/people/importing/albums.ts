/**
 * Albums of an export as private collections: lists that only the account's own
 * programs read, in the shared state.
 *
 * @module
 */
import { toRfc3339 } from "../../../core/time.ts";
import { newId } from "../../../client/library/platform.ts";
import { changedAt, present } from "../../../client/state.ts";
import type { Person } from "../person.ts";

/** Adds what was taken in to the collections of its albums. Returns how many. */
export async function keepAlbums(
  { library, platform }: Person,
  /** Titles by folders. */
  titles: ReadonlyMap<string, string>,
  /** Asset ids by folders. */
  assets: ReadonlyMap<string, readonly string[]>,
): Promise<number> {
  const wanted = new Map<string, string[]>();
  for (const [folder, title] of titles) {
    const ids = assets.get(folder) ?? [];
    if (ids.length === 0) continue;
    wanted.set(title, [...wanted.get(title) ?? [], ...ids]);
  }
  if (wanted.size === 0) return 0;
  const fresh = new Map(
    [...wanted.keys()].map((title) => [
      title,
      newId(platform),
    ]),
  );
  await library.state.change((state) => {
    const collections = { ...state.collections };
    const held = new Map(
      present(state.collections).map(([id, { title }]) => [title, id]),
    );
    for (const [title, ids] of wanted) {
      const id = held.get(title) ?? fresh.get(title) ?? "";
      const before = collections[id];
      const all = [...new Set([...before?.assets ?? [], ...ids])];
      if (all.length === before?.assets.length) continue;
      collections[id] = {
        ...before,
        title,
        assets: all,
        at: before === undefined
          ? toRfc3339(platform.now())
          : changedAt(before, platform.now()),
      };
    }
    return { ...state, collections };
  });
  return wanted.size;
}
