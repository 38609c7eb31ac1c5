/**
 * The vault's calls about the members of albums.
 *
 * @module
 */
import { type AlbumRole } from "../../../../library/mod.ts";
import {
  type FillRule,
  fillRules,
  withFillRule,
} from "../../../../library/albums/filling.ts";
import {
  timelineAlbums,
  withTimelineAlbum,
} from "../../../../library/albums/timeline_albums.ts";
import { isShown } from "../../../../library/rows/rows.ts";
import { leaveAlbum } from "../../../../library/sharing/viewer_saying.ts";
import { isAbroad } from "../../../../library/trust/members_abroad.ts";
import type { VaultContext } from "../../vault/context.ts";
import type { RosterOutcome } from "./album_cards.ts";
import type { RosterChanges } from "./roster_changes.ts";

const NO_RULE = { persons: [] };

/** The calls of the group `albums` about who is in one. */
export function memberCalls(
  context: VaultContext,
  { albumOf, guarded, infoOf }: RosterChanges,
) {
  const me = () => context.signedIn().userId;
  return {
    /**
     * Lets someone in, under a name that all members see who know none of
     * theirs. `isOwnWord`: what the person calls them from now on.
     */
    async invite(
      id: string,
      userId: string,
      role: AlbumRole,
      name: string,
      isOwnWord = false,
    ): Promise<RosterOutcome> {
      const { albums, people: known } = context.opened();
      const album = albumOf(id);
      const { display_name: mine } = await context.signedIn().account.profile();
      const outcome = await guarded(album, async () => {
        await albums.invite(id, userId, role);
        const info = infoOf(albumOf(id));
        const names = {
          ...info.names,
          ...(name === "" ? {} : { [userId]: name }),
          // As the owner is called by now.
          ...(mine ? { [me()]: mine } : {}),
        };
        const isSame = Object.entries(names)
          .every(([one, called]) => info.names?.[one] === called);
        if (!isSame) await albums.describe(id, { ...info, names });
      });
      if (outcome.outcome === "done" && name !== "" && isOwnWord) {
        await known.call(userId, name);
      }
      return outcome;
    },
    changeRole: (
      id: string,
      userId: string,
      role: AlbumRole,
    ): Promise<RosterOutcome> =>
      guarded(
        albumOf(id),
        () => context.opened().albums.invite(id, userId, role),
      ),
    /**
     * Removes a member and gives the album a new key, which they do not get.
     */
    removeMember: (id: string, userId: string): Promise<RosterOutcome> =>
      guarded(albumOf(id), async () => {
        if (!isAbroad(userId)) {
          await context.opened().albums.remove(id, userId);
          return;
        }
        const { removeAbroad } = await import(
          "../../../../library/abroad/abroad.ts"
        );
        const albums = await context.abroadAlbums();
        await albums.alone(() => removeAbroad(context.opened(), id, userId));
      }),
    /** Takes off an album of one's own whoever left it. */
    async settle(id: string): Promise<void> {
      const changed = await context.opened().albums.dropLeavers([id]);
      if (changed.length > 0) context.changed();
    },
    /**
     * Leaves someone else's album; `along`: with the person's own photos, which
     * the others no longer see. Returns the number of those that stay, because
     * they cannot be read here.
     */
    async leave(id: string, along = false): Promise<number> {
      const library = context.opened();
      const now = context.platform.now();
      const { settings } = library.state.held;
      const rule = fillRules(settings).get(id);
      const isIn = timelineAlbums(settings).has(id);
      const follow = (rule: FillRule, isIn: boolean) =>
        library.state.change((held) => {
          const filled = withFillRule(held.settings, id, rule, now);
          const settings = withTimelineAlbum(filled, id, isIn, now);
          return { ...held, settings };
        });
      const isFollowed = rule !== undefined || isIn;
      // Before: another device would fill it again.
      if (isFollowed) await follow(NO_RULE, false);
      let stayed = 0;
      try {
        if (along) stayed = await library.takeOwnAlong(id);
      } catch (error) {
        if (isFollowed) await follow(rule ?? NO_RULE, isIn);
        throw error;
      }
      await leaveAlbum(library, id);
      for (const row of [...library.index.rows()]) {
        if (row.album === id && isShown(row) && row.owner !== me()) {
          library.index.remove(row.id);
        }
      }
      await library.index.commit();
      context.changed();
      return stayed;
    },
  };
}
