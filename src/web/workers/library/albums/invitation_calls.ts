/**
 * Invitations to albums of others.
 *
 * @module
 */
import { changedAt } from "../../../../library/mod.ts";
import type { AlbumInvitation } from "./album_cards.ts";
import type { VaultContext } from "../../vault/context.ts";
import type { PeopleBook } from "../people_calls.ts";

/** The setting that says of an invitation that it waits for another time. */
const LATER = "seen-album/";

/** The calls about them; they belong to the group `albums`. */
export function invitationCalls(context: VaultContext, people: PeopleBook) {
  const isForLater = (id: string) =>
    context.opened().state.held.settings[`${LATER}${id}`]?.value === true;
  return {
    /** The invitations, each with who sent it. */
    async invitations(): Promise<readonly AlbumInvitation[]> {
      const asked = context.opened().albums.invitations();
      return await Promise.all(
        asked.map(async (album): Promise<AlbumInvitation> => {
          const by = await people.nameOf(album.owner, album);
          const handle = await people.handleOf(album.owner);
          return {
            id: album.id,
            title: album.title ?? "",
            people: album.members.length,
            isForLater: isForLater(album.id),
            ...(by === undefined ? {} : { by }),
            ...(handle === undefined || handle === by ? {} : { handle }),
          };
        }),
      );
    },
    async accept(id: string): Promise<void> {
      await context.opened().albums.accept(id);
      context.changed();
    },
    async decline(id: string): Promise<void> {
      await context.opened().albums.leave(id);
      context.changed();
    },
    /** Shows no more invitations of whoever sent this one. */
    async block(id: string): Promise<void> {
      const { albums, people } = context.opened();
      const album = albums.invitations().find((one) => one.id === id);
      if (album !== undefined) await people.block(album.owner, true);
      context.changed();
    },
    /** The home tells no more of it; the albums do, on all devices. */
    async later(id: string): Promise<void> {
      if (isForLater(id)) return;
      await context.opened().state.change((held) => {
        const name = `${LATER}${id}`;
        const at = changedAt(held.settings[name], context.platform.now());
        const settings = { ...held.settings, [name]: { value: true, at } };
        return { ...held, settings };
      });
      context.changed();
    },
  };
}
