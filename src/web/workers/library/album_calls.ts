/**
 * The vault's calls about albums, own ones and those of others.
 *
 * @module
 */
import { readTime } from "../../../core/time.ts";
import {
  type Album,
  type AlbumInfo,
  type AlbumRole,
  ApiProblem,
  changedAt,
  ConnectionError,
  DocumentError,
  IdentityChanged,
  newestFirst,
  type Row,
} from "../../../library/mod.ts";
import {
  type AlbumOrder,
  albumOrderIn,
  inAlbumOrder,
  withAlbumOrder,
} from "../../../library/albums/album_order.ts";
import {
  albumPlaceIn,
  type Beside,
  withAlbumMoved,
  withFirstPlaces,
} from "../../../library/albums/album_places.ts";
import { openFavouriteAlbums } from "../../../library/albums/favourite_albums.ts";
import {
  type FillRule,
  fillRules,
  withFillRule,
} from "../../../library/albums/filling.ts";
import {
  timelineAlbums,
  withTimelineAlbum,
} from "../../../library/albums/timeline_albums.ts";
import { leaveAlbum } from "../../../library/sharing/viewer_saying.ts";
import { inParallel } from "../../../library/base/parallel.ts";
import { isShown } from "../../../library/rows/rows.ts";
import { isAbroad } from "../../../library/trust/members_abroad.ts";
import { hostOf } from "../abroad/abroad_cards.ts";
import type {
  AddedPhotos,
  AlbumCard,
  AlbumPage,
  AlbumsOverview,
  CollectionCard,
  MemberCard,
  RosterOutcome,
} from "./album_cards.ts";
import { favouritesOf, shownOf, takenOf } from "./collection_calls.ts";
import type { VaultContext } from "../vault/context.ts";
import { ownName } from "../vault/own_name.ts";
import { ownChanges } from "./own_changes.ts";
import { nounOfRows } from "./photo_table.ts";
import type { PeopleBook } from "./people_calls.ts";

/** Photos that are copied into an album at a time. */
const AT_ONCE = 4;

const NO_RULE = { persons: [] };

/** Prefix of the settings that mark albums which are to end. */
const ENDING = "ending-album/";

/** The calls of the group `albums`. */
export function albumCalls(context: VaultContext, people: PeopleBook) {
  const { nameOf, named, personOf } = people;
  const me = () => context.signedIn().userId;
  const isEnding = (id: string) =>
    context.opened().state.held.settings[`${ENDING}${id}`]?.value === true;

  /** The place of an album, if they are sorted by hand. */
  const placeOf = (id: string) => {
    const { settings } = context.opened().state.held;
    const place = albumOrderIn(settings) === "hand"
      ? albumPlaceIn(settings, id)
      : undefined;
    return place === undefined ? {} : { place };
  };
  const cardOf = async (
    album: Album,
    rows: readonly Row[],
  ): Promise<AlbumCard> => {
    const own = album.role === "owner";
    const cover = rows.find(({ id }) => id === album.info?.cover) ?? rows[0];
    const owner = own ? undefined : await nameOf(album.owner, album);
    return {
      id: album.id,
      title: album.title ?? "",
      own,
      ...(owner === undefined ? {} : { owner }),
      favourite: favouritesOf(context).has(album.id),
      others: album.members.filter(({ userId }) => userId !== me()).length,
      count: rows.length,
      noun: nounOfRows(rows),
      taken: takenOf(context, rows),
      ...(cover === undefined ? {} : { cover: cover.id }),
      ...placeOf(album.id),
      changed: Math.max(0, ...rows.map(({ at }) => readTime(at) ?? 0)),
      broken: album.fault !== undefined,
      unopened: album.isUnopened,
    };
  };
  const isVisible = (row: Row) => isShown(row) && !context.view().isShut(row);
  const rowsOf = (albumId: string): readonly Row[] =>
    newestFirst(
      [...context.opened().index.rows()]
        .filter((row) => row.album === albumId && isVisible(row)),
    );
  /** Albums that could not be opened yet are shown without waiting for it. */
  const openOthers = (): void => {
    context.opened().albums.reopen().then(
      (isNews) => isNews && context.changed(),
      () => {},
    );
  };
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
  const markEnding = (id: string) =>
    context.opened().state.change((held) => {
      const name = `${ENDING}${id}`;
      const at = changedAt(held.settings[name], context.platform.now());
      const settings = { ...held.settings, [name]: { value: true, at } };
      return { ...held, settings };
    });
  /**
   * Albums whose ending was tried again since the start; others' trash may be
   * empty by now.
   */
  const tried = new Set<string>();
  const endAgain = async () => {
    const { albums } = context.opened();
    for (const { id, role } of albums.list()) {
      if (role !== "owner" || !isEnding(id) || tried.has(id)) continue;
      tried.add(id);
      await albums.end(id).catch((error) => {
        const later = error instanceof ApiProblem ||
          error instanceof ConnectionError;
        if (!later) throw error;
      });
    }
  };

  /** One order after the other: arrow keys choose several in a moment. */
  let sorting: Promise<unknown> = Promise.resolve();
  const afterSorting = <T>(change: () => Promise<T>): Promise<T> => {
    const sorted = sorting.catch(() => {}).then(change);
    sorting = sorted;
    return sorted;
  };

  /** The ids of all albums and collections, in the order that they are in. */
  const idsShown = async (): Promise<readonly string[]> => {
    const { albums, collections, order } = await calls.overview();
    return inAlbumOrder([...albums, ...collections], order)
      .map(({ id }) => id);
  };

  const calls = {
    /**
     * Albums and collections in the order that the person chose: favourites
     * first, unless they are sorted by hand.
     */
    async overview(): Promise<AlbumsOverview> {
      const library = context.opened();
      // On a new device nothing is there yet: that is not to have none.
      if (library.index.size === 0) await context.caughtUp.promise;
      openOthers();
      await endAgain();
      const byAlbum = Map.groupBy(
        newestFirst([...library.index.rows()].filter(isVisible)),
        ({ album }) => album,
      );
      const listed = library.albums.list()
        .filter(({ id, tombstoned }) => !tombstoned && !isEnding(id));
      const albums = await Promise.all(
        listed.map((album) => cardOf(album, byAlbum.get(album.id) ?? [])),
      );
      const favourites = favouritesOf(context);
      const collections = library.collections.list().map(
        ({ id, title, assets, at }): CollectionCard => {
          const shown = shownOf(context, assets);
          const [cover] = shown;
          return {
            id,
            title,
            favourite: favourites.has(id),
            count: shown.length,
            noun: nounOfRows(shown),
            taken: takenOf(context, shown),
            changed: readTime(at) ?? 0,
            ...placeOf(id),
            ...(cover ? { cover: cover.id } : {}),
          };
        },
      );
      const order = albumOrderIn(library.state.held.settings);
      return {
        order,
        albums: inAlbumOrder(albums, order),
        collections: inAlbumOrder(collections, order),
      };
    },
    /**
     * Sorts albums and collections in another order, on all devices. Sorting by
     * hand begins with the order before it.
     */
    sortBy(order: AlbumOrder): Promise<void> {
      return afterSorting(async () => {
        const now = context.platform.now();
        const ids = order === "hand" ? await idsShown() : [];
        await context.opened().state.change((held) => {
          const settings = withAlbumOrder(held.settings, order, now);
          return { ...held, settings: withFirstPlaces(settings, ids, now) };
        });
        context.changed();
      });
    },
    /**
     * Moves an album or a collection next to another one, in the order by hand.
     */
    async move(id: string, beside: Beside): Promise<void> {
      const changes = await ownChanges(context);
      const send = await afterSorting(async () => {
        const now = context.platform.now();
        const { albums, collections } = await calls.overview();
        const all = [...albums, ...collections];
        return await changes.note((held) => ({
          ...held,
          settings: withAlbumMoved(held.settings, all, id, beside, now),
        }));
      });
      await send();
    },
    /** One album; undefined if the person is not a member. */
    async page(id: string): Promise<AlbumPage | undefined> {
      const album = context.opened().albums.get(id);
      if (album === undefined || isEnding(id)) return undefined;
      openOthers();
      const rows = rowsOf(id);
      const theirs = Map.groupBy(rows, ({ owner }) => owner);
      // The members include the owner and the person.
      const members = await Promise.all(
        album.members.map(async ({ userId, role }): Promise<MemberCard> => ({
          userId,
          ...await named(userId, album),
          role,
          ...(isAbroad(userId) ? { host: hostOf(userId) } : {}),
          me: userId === me(),
          owner: userId === album.owner,
          count: theirs.get(userId)?.length ?? 0,
          noun: nounOfRows(theirs.get(userId) ?? []),
        })),
      );
      const leftOut = await Promise.all(
        album.leftOut.map(async (userId) => ({
          userId,
          ...await named(userId, album),
        })),
      );
      const description = album.info?.description;
      return {
        ...await cardOf(album, rows),
        leftOut,
        ...(description === undefined ? {} : { description }),
        remarks: album.info?.remarks !== false,
        order: album.info?.order ?? "newest",
        inTimeline: timelineAlbums(
          context.opened().state.held.settings,
        ).has(id),
        writable: album.role !== "viewer" && album.fault === undefined,
        members: members.toSorted((a, b) =>
          Number(b.owner) - Number(a.owner) || b.count - a.count
        ),
      };
    },
    /** Marks an album or a collection as a favourite, or no longer. */
    async favourite(id: string, isFavourite: boolean): Promise<void> {
      const { state } = await ownChanges(context);
      await openFavouriteAlbums(state, context.platform.now)
        .change(id, isFavourite);
    },
    /** Shows the photos of an album in the person's timeline, or no longer. */
    async showInTimeline(id: string, isIn: boolean): Promise<void> {
      const now = context.platform.now();
      await context.opened().state.change((held) => ({
        ...held,
        settings: withTimelineAlbum(held.settings, id, isIn, now),
      }));
      context.changed();
    },
    /** Creates an own album. */
    async create(
      title: string,
      description?: string,
    ): Promise<string> {
      const album = await context.opened().albums.create({
        title,
        ...(description ? { description } : {}),
        ...await ownName(context),
      });
      context.changed();
      return album.id;
    },
    /**
     * Changes title, description or cover, where an empty text removes one, the
     * order of the photos, or whether members may comment.
     */
    describe(
      id: string,
      change: {
        readonly title?: string;
        readonly description?: string;
        readonly cover?: string;
        readonly remarks?: boolean;
        readonly order?: AlbumPage["order"];
      },
    ): Promise<RosterOutcome> {
      const album = albumOf(id);
      const { description, remarks, order, ...rest } = {
        ...infoOf(album),
        ...change,
      };
      const info = {
        ...rest,
        ...(order === "oldest" ? { order } : {}),
        ...(description ? { description } : {}),
        ...(remarks === false ? { remarks } : {}),
      };
      return guarded(
        album,
        () => context.opened().albums.describe(id, info),
      );
    },
    /**
     * Puts photos into an album, without sending them again: into the person's
     * own library if none is given.
     */
    async add(
      albumId: string | undefined,
      assetIds: readonly string[],
    ): Promise<AddedPhotos> {
      const library = context.opened();
      const id = albumId ?? library.vault.libraryAlbumId;
      const done = { added: 0, known: 0, failed: 0 };
      await inParallel(assetIds, AT_ONCE, async (assetId) => {
        try {
          const { outcome } = await library.copyInto(assetId, id);
          if (outcome === "known") done.known += 1;
          else done.added += 1;
        } catch (error) {
          // An error of one photo does not stop the others.
          const own = error instanceof DocumentError ||
            (error instanceof ApiProblem && error.status === 404);
          if (!own) throw error;
          done.failed += 1;
        }
      });
      context.changed();
      return done;
    },
    /** Takes photos out of their album. */
    async takeOut(assetIds: readonly string[]): Promise<void> {
      await context.opened().takeOutOf(assetIds);
      context.changed();
    },
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
          "../../../library/abroad/abroad.ts"
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
    /** Ends an own album; its photos stay in the library. */
    async discard(id: string): Promise<void> {
      const { ended } = await context.opened().discardAlbum(id);
      if (!ended) await markEnding(id);
      context.changed();
    },
  };
  return calls;
}
