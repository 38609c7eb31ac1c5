/**
 * The vault's calls that make share links.
 *
 * @module
 */
import type { Places } from "../../../../library/mod.ts";
import { frameLinkOf } from "../../../../client/documents/frame_link.ts";
import { isInHand } from "../../../../library/albums/album_rights.ts";
import { isShown } from "../../../../library/rows/rows.ts";
import {
  followed,
  type FollowedList,
} from "../../../../library/sharing/link_notes.ts";
// By itself, so that it is fetched with what makes links.
import { countPlaceless } from "../../../../library/sharing/placeless_counts.ts";
import { isFilm } from "../../../../library/showing/films.ts";
import type { VaultContext } from "../../vault/context.ts";
import { nounOfRows } from "../photo_table.ts";
import type { LinkWish, Shareable } from "./sharing_cards.ts";

const following = () =>
  import("../../../../library/sharing/following_links.ts");

/** The calls of the group `sharing` that make links. */
export function makingLinks(context: VaultContext) {
  return {
    /** Which of some photos, perhaps all of a list, a link can show. */
    shareable(assetIds: readonly string[], list?: FollowedList): Shareable {
      const library = context.opened();
      const { userId } = library.vault.session;
      const album = list?.kind === "album"
        ? library.albums.get(list.id)
        : undefined;
      const rows = assetIds.flatMap((id) => {
        const row = library.index.get(id);
        return row !== undefined && isShown(row) && !context.view().isShut(row)
          ? [row]
          : [];
      });
      const able = rows.filter((row) => isInHand(library, row));
      return {
        ids: able.map(({ id }) => id),
        noun: nounOfRows(able),
        others: rows.length - able.length,
        films:
          able.filter(({ metadata }) =>
            metadata !== undefined && isFilm(metadata)
          ).length,
        ...countPlaceless(able),
        othersAdd:
          album?.members.some((one) =>
            one.userId !== userId && one.role !== "viewer"
          ) === true,
      };
    },
    /** The person's display name, for links. */
    async ownName(): Promise<string> {
      const { display_name } = await context.signedIn().account.profile();
      return display_name ?? "";
    },
    /** Makes a link. */
    async share(wish: LinkWish): Promise<
      { readonly opaqueId: string; readonly url: string }
    > {
      const { title, message, from, withPlaces, ...given } = wish;
      const { assetIds, list, isLiving = false, takesMore, reacts, ...rest } =
        given;
      const library = context.opened();
      const { assetsOf } = await following();
      const places: Places = withPlaces ? "kept" : "left_out";
      // As it is from now on, and not as it was when the dialog was opened.
      const all = list !== undefined && isLiving
        ? await assetsOf(library, list, { gives: { places } })
        : undefined;
      const share = {
        assetIds: all ?? assetIds,
        ...(title === "" ? {} : { title }),
        ...(message === "" ? {} : { message }),
        ...(from === "" ? {} : { from }),
        places,
        ...rest,
      };
      const make = async () => {
        if (list === undefined) return await library.share(share);
        const gives = { still: !isLiving };
        const follows = { ...share, follows: followed(list), gives };
        if (takesMore !== true) return await library.share(follows);
        const { shareBothWays } = await import(
          "../../../../library/sharing/both_ways.ts"
        );
        return await shareBothWays(library, {
          ...follows,
          gives: { ...gives, reacts: reacts !== false },
        });
      };
      // The row of the index has keys, which no page needs.
      const { opaqueId, url } = await make();
      return { opaqueId, url };
    },
    /**
     * Makes a link for a picture frame, which follows a list; undefined if
     * nothing in the list can be shown.
     */
    async frame(
      source: FollowedList,
      title: string,
    ): Promise<
      { readonly opaqueId: string; readonly url: string } | undefined
    > {
      const library = context.opened();
      const { assetsOf } = await following();
      const assetIds = await assetsOf(library, source);
      if (assetIds === undefined || assetIds.length === 0) return undefined;
      const { opaqueId, url } = await library.share({
        assetIds,
        title,
        follows: followed(source),
      });
      return { opaqueId, url: frameLinkOf(url) };
    },
  };
}
