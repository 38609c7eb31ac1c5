/**
 * The vault's calls about private collections, which only the account's own
 * devices know.
 *
 * @module
 */
import { isShown } from "../../client/library/rows.ts";
import type { CollectionPage } from "./album_cards.ts";
import type { VaultContext } from "./context.ts";

/** The calls of the group `collections`. */
export function collectionCalls(context: VaultContext) {
  const changing = async <T>(change: () => Promise<T>): Promise<T> => {
    const made = await change();
    context.changed();
    return made;
  };
  const lists = () => context.opened().collections;
  return {
    /** One collection; undefined if there is none with this id. */
    page(id: string): CollectionPage | undefined {
      const found = lists().get(id);
      if (found === undefined) return undefined;
      const { index } = context.opened();
      const count = found.assets.filter((one) => {
        const row = index.get(one);
        return row !== undefined && isShown(row);
      }).length;
      return { id, title: found.title, count };
    },
    create: (title: string, assets: readonly string[] = []) =>
      changing(async () => (await lists().create(title, assets)).id),
    rename: (id: string, title: string) =>
      changing(() => lists().rename(id, title)),
    add: (id: string, assets: readonly string[]) =>
      changing(() => lists().add(id, assets)),
    takeOut: (id: string, assets: readonly string[]) =>
      changing(() => lists().takeOut(id, assets)),
    /** Moves photos to the beginning of the list, in the given order. */
    moveFirst: (id: string, assets: readonly string[]) =>
      changing(() => {
        const moved = new Set(assets);
        const before = lists().get(id)?.assets.find((one) => !moved.has(one));
        return lists().move(id, assets, before);
      }),
    remove: (id: string) => changing(() => lists().remove(id)),
  };
}
