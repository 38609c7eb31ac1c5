/**
 * Albums of an export as private collections: lists that only the account's own
 * programs read, in the shared state.
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import { changedAt, present } from "../../client/documents/state.ts";
import type { Library } from "../library.ts";
import { type LibraryPlatform, newId } from "../base/platform.ts";

/** An album of an export. */
interface Exported {
  readonly folder: string;
  readonly title: string;
  readonly ids: readonly string[];
}

/** Most characters of a title; who knows what an export says. */
const MOST_TITLE = 1_000;

/** A folder of an album whose title another one has, too. */
const NUMBERED = /\(\d{1,6}\)$/;

/** Adds what was taken in to the collections of its albums. Returns how many. */
export async function keepAlbums(
  { library, platform }: {
    readonly library: Pick<Library, "state">;
    readonly platform: LibraryPlatform;
  },
  /** Titles by folders. */
  titles: ReadonlyMap<string, string>,
  /** Asset ids by folders. */
  assets: ReadonlyMap<string, readonly string[]>,
): Promise<number> {
  const wanted = [...titles].map(([folder, title]): Exported => ({
    folder,
    // One that the state cannot hold would cost all albums of the export.
    title: [...title].slice(0, MOST_TITLE).join(""),
    ids: assets.get(folder) ?? [],
  })).filter(({ ids }) => ids.length > 0)
    .sort((a, b) => a.folder < b.folder ? -1 : 1);
  if (wanted.length === 0) return 0;
  const fresh = new Map(wanted.map(({ folder }) => [folder, newId(platform)]));
  await library.state.change((state) => {
    const collections = { ...state.collections };
    const places = placesOf(present(state.collections), wanted);
    for (const { folder, title, ids } of wanted) {
      const id = places.get(folder) ?? fresh.get(folder) ?? "";
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
  return wanted.length;
}

/**
 * The collections that albums are already, by their folders. Two albums may
 * have one title: each is the collection that has photos of it, and one that is
 * found so is no other's.
 */
function placesOf(
  held: readonly (readonly [
    string,
    { readonly title: string; readonly assets: readonly string[] },
  ])[],
  wanted: readonly Exported[],
): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const free = new Map(held);
  const claim = (
    { folder, title }: Exported,
    common: (assets: readonly string[]) => number,
  ) => {
    if (places.has(folder)) return;
    const [best] = [...free].filter(([, one]) => one.title === title)
      .map(([id, one]) => ({ id, common: common(one.assets) }))
      .filter((one) => one.common > 0)
      .sort((a, b) => b.common - a.common);
    if (best === undefined) return;
    places.set(folder, best.id);
    free.delete(best.id);
  };
  for (const album of wanted) {
    const ids = new Set(album.ids);
    claim(album, (assets) => assets.filter((id) => ids.has(id)).length);
  }
  for (const album of wanted) {
    if (!NUMBERED.test(album.folder)) claim(album, () => 1);
  }
  return places;
}
