/**
 * The order of albums and private collections, and the folders that their
 * titles make: "Trips / Italy" is "Italy" in the folder "Trips". The chosen order
 * is in the account's state, so all devices have it.
 *
 * @module
 */
import {
  changedAt,
  type LibraryState,
  type Setting,
} from "../../client/documents/state.ts";
import { favouritesFirst } from "./favourite_albums.ts";

/** The orders that a person can choose; the first one is the usual one. */
export const ALBUM_ORDERS = [
  "changed",
  "name",
  "newest",
  "oldest",
  "hand",
] as const;
/**
 * `changed`: last changed first; `newest`, `oldest`: by the newest and the
 * oldest photo; `hand`: as the person placed them (`album_places.ts`).
 */
export type AlbumOrder = typeof ALBUM_ORDERS[number];

/** What albums are sorted by. */
export interface Sorted {
  readonly title: string;
  /** Whether the person marked it; see `favourite_albums.ts`. */
  readonly favourite?: boolean;
  readonly count: number;
  /** When it was last changed (ms). */
  readonly changed: number;
  /** When its first and its last photo were taken (ms), if that is known. */
  readonly taken: {
    readonly from?: number | undefined;
    readonly until?: number | undefined;
  };
  /** Where the person placed it; see `album_places.ts`. */
  readonly place?: number | undefined;
}

type Settings = LibraryState["settings"];
const SETTING = "album-order";

/** The order that a person chose. */
export function albumOrderIn(settings: Settings): AlbumOrder {
  const value = settings[SETTING]?.value;
  return ALBUM_ORDERS.find((order) => order === value) ?? ALBUM_ORDERS[0];
}

/** The settings with another order. */
export function withAlbumOrder(
  settings: Settings,
  order: AlbumOrder,
  now: number,
): Settings {
  const entry: Setting = {
    value: order,
    at: changedAt(settings[SETTING], now),
  };
  return { ...settings, [SETTING]: entry };
}

/**
 * Albums in an order, the favourites before the others; those of equal rank by
 * their titles. But for the titles' own order, what nothing is in yet comes
 * before the rest: it was made just now. The order by hand is the person's
 * alone: no favourite comes first, and what has no place yet is before the rest.
 */
export function inAlbumOrder<T extends Sorted>(
  albums: readonly T[],
  order: AlbumOrder,
): readonly T[] {
  if (order === "hand") {
    return inOneOrder(albums, "changed").toSorted((a, b) =>
      compared(a.place ?? -Infinity, b.place ?? -Infinity)
    );
  }
  return favouritesFirst(
    inOneOrder(albums, order),
    ({ favourite = false }) => favourite,
  );
}

function inOneOrder<T extends Sorted>(
  albums: readonly T[],
  order: Exclude<AlbumOrder, "hand">,
): readonly T[] {
  const byName = (a: T, b: T) =>
    a.title.localeCompare(b.title, undefined, { numeric: true });
  if (order === "name") return albums.toSorted(byName);
  const rank = ({ changed, taken }: T) =>
    order === "changed"
      ? -changed
      : order === "newest"
      ? -(taken.until ?? -Infinity)
      : taken.from ?? Infinity;
  return albums.toSorted((a, b) =>
    Number(a.count > 0) - Number(b.count > 0) ||
    compared(rank(a), rank(b)) || byName(a, b)
  );
}

/** Infinities are equal; their difference is no number. */
function compared(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * The folders of a title, and the name in them. Only a slash between spaces
 * makes a folder: `AC/DC` and `24/12` are names.
 */
export function partsOfTitle(title: string): readonly string[] {
  const parts = title.split(/\s+\/\s+/).map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length === 0 ? [title.trim()] : parts;
}

/** What is in a folder. */
interface Folder<T> {
  readonly name: string;
  /** Everything in it, also in its own folders. */
  readonly all: readonly T[];
}

/**
 * The folders in a folder and what is directly in it, in the order of what was
 * given. The outermost one has the path `[]`.
 */
export function inFolder<T extends Pick<Sorted, "title">>(
  albums: readonly T[],
  path: readonly string[],
): { readonly folders: readonly Folder<T>[]; readonly direct: readonly T[] } {
  const folders = new Map<string, T[]>();
  const direct: T[] = [];
  for (const album of albums) {
    const parts = partsOfTitle(album.title);
    if (!path.every((name, at) => parts[at] === name)) continue;
    const [name = "", ...more] = parts.slice(path.length);
    if (parts.length === path.length) continue;
    if (more.length === 0) direct.push(album);
    else folders.set(name, [...folders.get(name) ?? [], album]);
  }
  return {
    folders: [...folders].map(([name, all]) => ({ name, all })),
    direct,
  };
}
