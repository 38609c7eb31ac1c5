/**
 * Changes of albums that publish a roster.
 *
 * @module
 */
import {
  type Album,
  type AlbumInfo,
  DocumentError,
  IdentityChanged,
} from "../../../../library/mod.ts";
import type { VaultContext } from "../../vault/context.ts";
import type { RosterOutcome } from "./album_cards.ts";
import type { PeopleBook } from "../people_calls.ts";

/** Makes changes in the library that is open. */
export type RosterChanges = ReturnType<typeof rosterChanges>;

export function rosterChanges(
  context: VaultContext,
  { named, personOf }: PeopleBook,
) {
  const albumOf = (id: string): Album => {
    const album = context.opened().albums.get(id);
    if (album === undefined) throw new DocumentError(`no album ${id}`);
    return album;
  };

  /**
   * Makes a change that publishes a roster; a changed key is returned as an
   * outcome instead of thrown.
   */
  const guarded = async (
    album: Album | undefined,
    change: () => Promise<unknown>,
  ): Promise<RosterOutcome> => {
    try {
      await change();
      context.changed();
      return { outcome: "done" };
    } catch (error) {
      if (!(error instanceof IdentityChanged)) throw error;
      const about = await named(error.userId, album);
      return {
        outcome: "changed_key",
        person: await personOf(error.userId, about),
      };
    }
  };
  const infoOf = (album: Album): AlbumInfo =>
    album.info ?? { title: album.title ?? "" };
  return { albumOf, guarded, infoOf };
}
