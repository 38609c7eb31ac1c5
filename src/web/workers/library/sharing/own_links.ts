/**
 * The vault's calls about the share links that there are.
 *
 * @module
 */
import { DocumentError } from "../../../../library/mod.ts";
import { frameLinkOf } from "../../../../client/documents/frame_link.ts";
import { isFrame } from "../../../../library/sharing/link_notes.ts";
import { filmsGiven } from "../../../../library/showing/films.ts";
import type { VaultContext } from "../../vault/context.ts";
import { kindOfMime, nounOf } from "../photo_lists.ts";
import type { LinkCard, LinkChange, LinkContents } from "./sharing_cards.ts";

const following = () =>
  import("../../../../library/sharing/following_links.ts");

/** The calls of the group `sharing` about the account's links. */
export function ownLinks(context: VaultContext) {
  return {
    /** The account's links, the newest first. */
    async links(): Promise<readonly LinkCard[]> {
      const library = context.opened();
      const shares = await library.shares();
      const noted = (id: string) => library.state.held.links[id];
      const livingOf = (id: string) => {
        const { adds, gives } = noted(id) ?? {};
        if (gives === undefined) return {};
        return {
          living: gives.still !== true,
          ...(adds === undefined ? {} : { reacts: gives.reacts === true }),
        };
      };
      return shares.map((one): LinkCard => ({
        opaqueId: one.opaque_id,
        index: one.metadata_hash,
        frame: isFrame(noted(one.opaque_id)),
        ...livingOf(one.opaque_id),
        ...(one.url === undefined
          ? {}
          : !isFrame(noted(one.opaque_id))
          ? { url: one.url }
          // A frame's link has its secret, whatever the server says of it.
          : one.passphrase_protected
          ? {}
          : { url: frameLinkOf(one.url) }),
        ...(one.title === undefined ? {} : { title: one.title }),
        createdAt: one.created_at,
        ...(one.expires_at ? { expiresAt: one.expires_at } : {}),
        passphrase: one.passphrase_protected,
        views: one.views,
        ...(one.last_viewed_at ? { lastViewedAt: one.last_viewed_at } : {}),
      })).toSorted((a, b) => a.createdAt < b.createdAt ? 1 : -1);
    },
    /** The contents of a link; undefined if its key is not here. */
    async contents(
      opaqueId: string,
      index?: string,
    ): Promise<LinkContents | undefined> {
      try {
        const library = context.opened();
        const shown = await library.shareContents(opaqueId, index);
        const isUnread = shown.items.length === 0 && shown.unread.length > 0;
        if (isUnread) return undefined;
        // Not even the names of photos that are locked away here.
        const items = shown.items.filter(({ assetId }) => {
          const row = library.index.get(assetId ?? "");
          return row === undefined || !context.view().isShut(row);
        });
        return {
          title: shown.title ?? "",
          message: shown.message ?? "",
          from: shown.from ?? "",
          // These are of the link, whose viewers see all of it.
          count: shown.items.length,
          noun: nounOf(shown.items.map(({ mime }) => kindOfMime(mime))),
          items: items.map(({ hash, name, assetId }) => ({
            hash,
            name,
            ...(assetId === undefined ? {} : { assetId }),
          })),
          filmIds: items.flatMap(({ film, assetId = [] }) =>
            film === undefined ? [] : assetId
          ),
          films: filmsGiven(items.flatMap(({ film = [] }) => film)),
        };
      } catch (error) {
        if (error instanceof DocumentError) return undefined;
        throw error;
      }
    },
    /** Changes a link; its address stays. */
    async change(
      opaqueId: string,
      { title, message, from, withPlaces, living, reacts, ...rest }: LinkChange,
    ): Promise<void> {
      const library = context.opened();
      const { gives } = library.state.held.links[opaqueId] ?? {};
      if (gives !== undefined) {
        await library.followList(opaqueId, {
          ...(living === undefined ? {} : { still: !living }),
          ...(reacts === undefined ? {} : { reacts }),
          ...(rest.shownFilms === undefined ? {} : { films: rest.shownFilms }),
        });
      }
      await library.changeShare(opaqueId, {
        ...(title === undefined ? {} : { title: title || null }),
        ...(message === undefined ? {} : { message: message || null }),
        ...(from === undefined ? {} : { from: from || null }),
        ...(withPlaces === undefined
          ? {}
          : { places: withPlaces ? "kept" : "left_out" }),
        ...rest,
      });
      if (living === true || reacts !== undefined) {
        await (await following()).followLinks(library);
      }
    },
    end: (opaqueId: string) => context.opened().revokeShare(opaqueId),
  };
}
