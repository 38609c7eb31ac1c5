/**
 * Whose the photos of a list are that are not the person's own.
 *
 * @module
 */
import type { VaultContext } from "../vault/context.ts";
import type { PeopleBook } from "./people_calls.ts";
import type { LibraryView } from "./library_view.ts";
import { FLAGS } from "./photo_lists.ts";
import type { Flagged, Whose } from "./photo_table.ts";

/** People who are told apart in a list. */
const MOST_OWNERS = 255;

/** Names that are known, by the opened library. */
const held = new WeakMap<LibraryView, Map<string, string>>();

/**
 * Opens the owners of an open library. The first list does not wait for names:
 * once one is known, the pages are told of a change.
 */
export function openWhose(
  context: VaultContext,
  { nameOf }: Pick<PeopleBook, "nameOf">,
): (rows: readonly Flagged[]) => Whose {
  const view = context.view();
  const known = held.get(view) ?? new Map<string, string>();
  held.set(view, known);
  const find = async (owner: string, albumId: string | undefined) => {
    const album = context.opened().albums.get(albumId ?? "");
    const name = await nameOf(owner, album) ?? "";
    if (known.get(owner) === name) return;
    known.set(owner, name);
    if (name !== "") context.changed();
  };
  return (rows) => {
    const { albums, people } = context.opened();
    const places = new Map<string, number>();
    for (const [{ owner, album }, flags] of rows) {
      if ((flags & FLAGS.mine) !== 0 || places.has(owner)) continue;
      if (places.size === MOST_OWNERS) break;
      places.set(owner, places.size + 1);
      const name = people.nameOf(owner) ||
        albums.get(album ?? "")?.info?.names?.[owner];
      if (name !== undefined && !known.has(owner)) known.set(owner, name);
      // Without a connection the photo stays without a name.
      find(owner, album).catch(() => {});
    }
    return {
      names: [...places.keys()].map((owner) => known.get(owner) ?? ""),
      of: ({ owner }) => places.get(owner) ?? 0,
    };
  };
}
