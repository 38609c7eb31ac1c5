/**
 * The vault's calls about albums, own ones and those of others.
 *
 * @module
 */
import { ApiProblem, DocumentError } from "../../../../library/mod.ts";
import { openFavouriteAlbums } from "../../../../library/albums/favourite_albums.ts";
import {
  timelineAlbums,
  withTimelineAlbum,
} from "../../../../library/albums/timeline_albums.ts";
import { inParallel } from "../../../../library/base/parallel.ts";
import { isAbroad } from "../../../../library/trust/members_abroad.ts";
import { hostOf } from "../../abroad/abroad_cards.ts";
import type { VaultContext } from "../../vault/context.ts";
import { ownName } from "../../vault/own_name.ts";
import type {
  AddedPhotos,
  AlbumPage,
  MemberCard,
  RosterOutcome,
} from "./album_cards.ts";
import { type EndingAlbums, endingAlbums } from "./ending.ts";
import { memberCalls } from "./member_calls.ts";
import { overviewCalls } from "./overview_calls.ts";
import { type AlbumReading, albumReading } from "./reading.ts";
import { type RosterChanges, rosterChanges } from "./roster_changes.ts";
import { ownChanges } from "../own_changes.ts";
import type { PeopleBook } from "../people_calls.ts";
import { nounOfRows } from "../photo_table.ts";

/** Photos that are copied into an album at a time. */
const AT_ONCE = 4;

/** The calls of the group `albums`. */
export function albumCalls(context: VaultContext, people: PeopleBook) {
  const reading = albumReading(context, people);
  const ending = endingAlbums(context);
  const changes = rosterChanges(context, people);
  return {
    ...overviewCalls(context, reading, ending),
    ...pageCalls(context, people, reading, ending),
    ...contentsCalls(context, changes, ending),
    ...memberCalls(context, changes),
  };
}

/** The calls about one album, as the person sees it. */
function pageCalls(
  context: VaultContext,
  { named }: PeopleBook,
  { cardOf, openOthers, rowsOf }: AlbumReading,
  ending: EndingAlbums,
) {
  const me = () => context.signedIn().userId;
  return {
    /** One album; undefined if the person is not a member. */
    async page(id: string): Promise<AlbumPage | undefined> {
      const album = context.opened().albums.get(id);
      if (album === undefined || ending.isEnding(id)) return undefined;
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
  };
}

/** The calls about what an album says and has in it. */
function contentsCalls(
  context: VaultContext,
  { albumOf, guarded, infoOf }: RosterChanges,
  ending: EndingAlbums,
) {
  return {
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
    /** Ends an own album; its photos stay in the library. */
    async discard(id: string): Promise<void> {
      const { ended } = await context.opened().discardAlbum(id);
      if (!ended) await ending.mark(id);
      context.changed();
    },
  };
}
