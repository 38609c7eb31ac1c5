/**
 * Albums of others that the person was let into and has not looked at yet.
 *
 * @module
 */
import { changedAt } from "../../client/library/mod.ts";
import type { AlbumNews } from "./album_cards.ts";
import type { VaultContext } from "./context.ts";
import type { PeopleBook } from "./people_calls.ts";

/** The setting that says of an album that it was looked at. */
const SEEN = "seen-album/";

/** The calls about them; they belong to the group `albums`. */
export function albumNewsCalls(context: VaultContext, people: PeopleBook) {
  const isSeen = (id: string) =>
    context.opened().state.held.settings[`${SEEN}${id}`]?.value === true;
  return {
    /** The albums, each with who let the person in. */
    async news(): Promise<readonly AlbumNews[]> {
      const fresh = context.opened().albums.list().filter((one) =>
        one.role !== "owner" && !one.tombstoned && one.fault === undefined &&
        !isSeen(one.id)
      );
      return await Promise.all(fresh.map(async (album): Promise<AlbumNews> => {
        const by = await people.nameOf(album.owner, album);
        return {
          id: album.id,
          title: album.title ?? "",
          ...(by === undefined ? {} : { by }),
        };
      }));
    },
    /** They were looked at, or are not to be told of: on all devices. */
    async seen(ids: readonly string[]): Promise<void> {
      const fresh = ids.filter((id) => !isSeen(id));
      if (fresh.length === 0) return;
      await context.opened().state.change((held) => {
        const settings = { ...held.settings };
        for (const id of fresh) {
          const name = `${SEEN}${id}`;
          const at = changedAt(settings[name], context.platform.now());
          settings[name] = { value: true, at };
        }
        return { ...held, settings };
      });
      context.changed();
    },
  };
}
