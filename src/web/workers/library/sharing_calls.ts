/**
 * The vault's calls about share links, upload links and guests' files.
 *
 * @module
 */
import { readTime } from "../../../core/time.ts";
import {
  type AcceptOptions,
  DocumentError,
  type Library,
  type OwnRequest,
  type Places,
} from "../../../library/mod.ts";
import { isInHand } from "../../../library/albums/album_rights.ts";
import { filmsGiven, isFilm } from "../../../library/showing/films.ts";
// By itself, so that it is fetched with what makes links.
import { countPlaceless } from "../../../library/sharing/placeless_counts.ts";
import {
  followed,
  type FollowedList,
  isFrame,
  listOf,
} from "../../../library/sharing/link_notes.ts";
import { isShown } from "../../../library/rows/rows.ts";
import { parseShareLink } from "../../../client/documents/share.ts";
import type { SavedShared } from "../../../library/sharing/saving_shared.ts";
import { frameLinkOf } from "../../../client/documents/frame_link.ts";
import { silentLinks } from "../../../library/care/silent_phone.ts";
import { lastAccepted, type OwnCame, OwnFiles } from "./accepting_own.ts";
import type { VaultContext } from "../vault/context.ts";
import { kindOfMime, nounOf } from "./photo_lists.ts";
import { nounOfRows } from "./photo_table.ts";
import type {
  LinkCard,
  LinkChange,
  LinkContents,
  LinkWish,
  PhoneState,
  RequestCard,
  RequestWish,
  Shareable,
  WaitingCard,
} from "./sharing_cards.ts";
import { Moved } from "../../../client/stream/threads/thread_messages.ts";

const following = () => import("../../../library/sharing/following_links.ts");

/** Largest guest's file that can be previewed (bytes). */
const PEEK_MAX_BYTES = 64 * 1024 * 1024;

/** Tells the upload halves of links that are there and have not ended. */
async function halvesOf(
  library: Library,
): Promise<(uploadId: string) => boolean> {
  const now = library.vault.session.platform.now();
  const adds = new Set(
    (await library.shares())
      .filter(({ expires_at }) =>
        (readTime(expires_at ?? undefined) ?? Infinity) > now
      )
      .map(({ opaque_id }) => library.state.held.links[opaque_id]?.adds),
  );
  return (uploadId) => adds.has(uploadId);
}

/** The calls of the group `sharing`. */
export function sharingCalls(context: VaultContext) {
  const ownFiles = new OwnFiles(context);
  /** The account's upload links, the newest first. */
  const requests = async (
    given?: readonly OwnRequest[],
  ): Promise<readonly RequestCard[]> => {
    const library = context.opened();
    const all = given ?? await library.requests();
    // Those of links both ways are no links to hand out, unless one outlives
    // its link: who has its address could add still.
    const isOfLink = all.some(({ into }) => into !== undefined)
      ? await halvesOf(library)
      : () => false;
    const requests = all.filter((one) =>
      one.into === undefined || !isOfLink(one.opaque_id)
    );
    return requests.map((one): RequestCard => ({
      opaqueId: one.opaque_id,
      url: one.url,
      ...(one.note === undefined ? {} : { note: one.note }),
      createdAt: one.created_at,
      expiresAt: one.expires_at,
      maxFiles: one.max_files,
      filesUsed: one.files_used,
      maxBytes: one.max_bytes,
      bytesUsed: one.bytes_used,
      ...(one.last_received_at ? { lastReceivedAt: one.last_received_at } : {}),
      mine: one.isMine,
    })).toSorted((a, b) => a.createdAt < b.createdAt ? 1 : -1);
  };
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
          "../../../library/sharing/both_ways.ts"
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
    /**
     * Saves what a link of this server shows to the library. `fragment` is what
     * follows `#` in its address.
     */
    async saveShared(
      opaqueId: string,
      fragment: string,
      passphrase: string | undefined,
      port: MessagePort,
    ): Promise<SavedShared> {
      const address = `${location.origin}/s/${opaqueId}#${fragment}`;
      const link = parseShareLink(address);
      if (link === undefined) throw new DocumentError("no link");
      const { saveShared } = await import(
        "../../../library/sharing/saving_shared.ts"
      );
      try {
        return await saveShared(
          context.opened(),
          passphrase === undefined ? link : { ...link, passphrase },
          { onFile: (_, __, at) => port.postMessage(at) },
        );
      } finally {
        port.close();
        context.changed();
      }
    },
    end: (opaqueId: string) => context.opened().revokeShare(opaqueId),

    /** Makes an upload link. */
    async request(wish: RequestWish): Promise<
      { readonly opaqueId: string; readonly url: string }
    > {
      const { note, ...rest } = wish;
      const { opaqueId, url } = await context.opened().request({
        ...rest,
        ...(note === "" ? {} : { note }),
      });
      return { opaqueId, url };
    },
    requests: () => requests(),
    /** What comes from the person's own phone. */
    async phone(): Promise<PhoneState> {
      const library = context.opened();
      const all = await library.requests();
      const links = (await requests(all)).filter(({ mine }) => mine);
      const silent = silentLinks(all, context.platform.now());
      const inbox = await library.inbox(links.map((one) => one.opaqueId));
      const [oldest] = inbox.map(({ receivedAt }) => receivedAt).toSorted();
      const last = await lastAccepted(library);
      return {
        links,
        waits: inbox.length,
        silent: silent.map((one) => one.opaque_id),
        ...(oldest === undefined ? {} : { oldest }),
        ...(last === undefined ? {} : { last }),
      };
    },
    endRequest: (opaqueId: string) => context.opened().revokeRequest(opaqueId),
    /** Number of files that wait: guests', and the person's own. */
    async waiting(): Promise<
      { readonly guests: number; readonly own: number }
    > {
      const inbox = await context.opened().inbox();
      const own = inbox.filter((one) => ownFiles.isOwn(one)).length;
      return { guests: inbox.length - own, own };
    },
    /**
     * Accepts what came by links that are marked as the person's own. The page
     * behind the port makes the small pictures.
     */
    acceptOwn: (port: MessagePort): Promise<OwnCame> => ownFiles.accept(port),
    /** The guests' files that wait, the newest first. */
    async inbox(): Promise<readonly WaitingCard[]> {
      const library = context.opened();
      const waiting = await library.inbox();
      return waiting.map((one): WaitingCard => {
        const { file } = one;
        const { title: note, into } = library.state.held.links[one.opaqueId] ??
          {};
        const list = listOf(into ?? "");
        return {
          opaqueId: one.opaqueId,
          uploadId: one.uploadId,
          size: file?.size ?? one.size,
          receivedAt: one.receivedAt,
          ...(note === undefined ? {} : { note }),
          ...(list === undefined ? {} : { into: list }),
          ...(file?.from === undefined ? {} : { from: file.from }),
          ...(file === undefined ? {} : {
            name: file.name,
            mime: file.mime,
            ...(file.taken_at === undefined ? {} : { takenAt: file.taken_at }),
            ...(file.thumbnail === undefined
              ? {}
              : { thumbnail: new Uint8Array(file.thumbnail) }),
          }),
        };
      }).toSorted((a, b) => a.receivedAt < b.receivedAt ? 1 : -1);
    },
    /** Opens a guest's file to look at it. */
    async peek(opaqueId: string, uploadId: string): Promise<
      Moved<{ readonly bytes: Uint8Array<ArrayBuffer> }>
    > {
      const { bytes } = await context.opened()
        .peek(opaqueId, uploadId, PEEK_MAX_BYTES);
      return new Moved({ bytes }, [bytes.buffer]);
    },
    /** Takes a guest's file in; `known` where it is here already. */
    async accept(
      opaqueId: string,
      uploadId: string,
      options: AcceptOptions = {},
      collectionId?: string,
    ): Promise<"kept" | "known"> {
      const library = context.opened();
      const { outcome, row } = await library.accept(
        opaqueId,
        uploadId,
        options,
      );
      if (collectionId !== undefined) {
        await library.collections.add(collectionId, [row.id]);
      }
      context.changed();
      context.tell("guests", {});
      return outcome;
    },
    async refuse(opaqueId: string, uploadId: string): Promise<void> {
      await context.opened().refuse(opaqueId, uploadId);
      context.tell("guests", {});
    },
  };
}
