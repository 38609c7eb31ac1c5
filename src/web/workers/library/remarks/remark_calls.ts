/**
 * The vault's calls about comments and hearts, and about what is new in albums.
 *
 * @module
 */
import {
  DAY_MS,
  MINUTE_MS,
  readTime,
  toRfc3339,
} from "../../../../core/time.ts";
import { changedAt, type Row } from "../../../../library/mod.ts";
import {
  remarkRights,
  type ShownRemark,
} from "../../../../library/albums/remarks.ts";
import { isShown } from "../../../../library/rows/rows.ts";
import { listOf } from "../../../../library/sharing/link_notes.ts";
import {
  saidOn,
  say,
  takeHeart,
  unsay,
} from "../../../../library/sharing/viewer_saying.ts";
import type { VaultContext } from "../../vault/context.ts";
import type { PeopleBook } from "../people_calls.ts";
import { nounOfRows } from "../photo_table.ts";
import type {
  CommentCard,
  NewsCard,
  PhotoRemarks,
  RemarkAuthor,
} from "./remark_cards.ts";

/** What is older is no news (ms). */
const NEWS_MS = 60 * DAY_MS;
/** How far clocks of the person's devices may be apart (ms). */
const CLOCK_MS = 5 * MINUTE_MS;
/** Most entries of the list. */
const MOST_NEWS = 100;
/** Names of guests that one entry shows. */
const MOST_NAMES = 3;
/** Photos that one entry shows. */
const MOST_PHOTOS = 6;
/** The setting that says up to when the person has seen what is new. */
const SEEN = "news-seen";

/** The calls of the group `remarks`. */
export function remarkCalls(context: VaultContext, people: PeopleBook) {
  const me = () => context.signedIn().userId;
  const authorOf = async (
    userId: string,
    albumId: string,
  ): Promise<RemarkAuthor> => ({
    me: userId === me(),
    ...await people.named(userId, context.opened().albums.get(albumId)),
  });
  const authorOfRemark = async (
    { author, album, guest }: Pick<ShownRemark, "author" | "album"> & {
      readonly guest?: ShownRemark["guest"];
    },
  ): Promise<RemarkAuthor> => {
    const member = await authorOf(author, album);
    return guest === undefined
      ? member
      : { me: false, name: guest.name, guestOf: member };
  };
  const isVisible = (row: Row) => isShown(row) && !context.view().isShut(row);
  const seenAt = () => {
    const { value } = context.opened().state.held.settings[SEEN] ?? {};
    const at = typeof value === "string" ? readTime(value) ?? 0 : 0;
    // A time to come would keep all that is new until then from being seen.
    return at > context.platform.now() + CLOCK_MS ? 0 : at;
  };

  /** What others did lately, newest first, without their names. */
  const events = async () => {
    const library = context.opened();
    const { albums, index } = library;
    const now = context.platform.now();
    const since = now - NEWS_MS;
    const titles = new Map(
      albums.list().filter(({ tombstoned, fault }) =>
        !tombstoned && fault === undefined
      ).map(({ id, title = "" }) => [id, title]),
    );
    /** Where someone did something; undefined if that is no news. */
    const placeOf = (
      { album: id, guest }: Pick<Event, "album" | "guest">,
    ): NewsCard["album"] | undefined => {
      const title = titles.get(id);
      if (title !== undefined) return { kind: "album", id, title };
      const link = library.state.held.links[guest?.link ?? ""];
      const list = listOf(link?.follows ?? "");
      if (list?.kind !== "collection") return undefined;
      const { kind } = list;
      const held = library.collections.get(list.id);
      return held && { kind, id: list.id, title: held.title };
    };
    interface Event {
      readonly what: NewsCard["what"];
      readonly album: string;
      readonly author: string;
      readonly guest?: ShownRemark["guest"];
      at: number;
      readonly rows: Set<Row>;
      /** The names of guests. */
      readonly names: Set<string>;
      readonly remark?: ShownRemark;
    }
    const found = new Map<string, Event>();
    const note = (event: Omit<Event, "rows" | "names">, row: Row, own = "") => {
      const { what, author, guest } = event;
      const isOwn = author === me() && guest === undefined;
      if (isOwn || event.at < since) return;
      const place = placeOf(event);
      if (place === undefined || !isVisible(row)) return;
      // A server may say a time to come.
      const at = Math.min(event.at, now);
      // What someone did within a day is told together.
      const day = Math.floor(at / DAY_MS);
      // Guests and links are as many as their member likes.
      const by = guest === undefined ? "member" : "guests";
      const key = [what, place.id, author, day, own, by].join(" ");
      const held = found.get(key);
      if (held === undefined) {
        const names = new Set(guest === undefined ? [] : [guest.name]);
        found.set(key, { ...event, at, rows: new Set([row]), names });
      } else {
        held.rows.add(row);
        held.at = Math.max(held.at, at);
        if (guest !== undefined) held.names.add(guest.name);
      }
    };
    for (const row of index.rows()) {
      const { album, owner: author } = row;
      if (album === undefined) continue;
      note({ what: "added", album, author, at: readTime(row.at) ?? 0 }, row);
    }
    for (const remark of await saidOn(library)) {
      const { id, kind: what, album, author, at, on, guest } = remark;
      const row = index.get(on);
      if (row === undefined) continue;
      const own = what === "comment" ? id : "";
      const by = guest === undefined ? {} : { guest };
      note({ what, album, author, at, remark, ...by }, row, own);
    }
    return [...found].flatMap(([key, event]) => {
      const place = placeOf(event);
      if (place === undefined) return [];
      const { guest, names } = event;
      const name = [...names].slice(0, MOST_NAMES).join(", ") +
        (names.size > MOST_NAMES ? ", …" : "");
      const by = guest === undefined ? {} : { guest: { ...guest, name } };
      return [{ key, place, ...event, ...by, rows: [...event.rows] }];
    }).sort((a, b) => b.at - a.at).slice(0, MOST_NEWS);
  };

  return {
    /** What is said of a photo. */
    async of(photoId: string): Promise<PhotoRemarks> {
      const library = context.opened();
      const said = await saidOn(library, photoId);
      const rights = remarkRights(library, photoId);
      // Of a photo outside of albums, guests alone say something.
      const isOfGuests = rights === "none" && said.length > 0;
      const isSent = rights === "send";
      const may = isOfGuests ? "guests" : isSent ? "write" : rights;
      const hearts: RemarkAuthor[] = [];
      const comments: CommentCard[] = [];
      for (const one of said) {
        const { id, at, text, removable } = one;
        const card = await authorOfRemark(one);
        if (one.kind === "heart") hearts.push(card);
        else comments.push({ ...card, id, at, text: text ?? "", removable });
      }
      return { may, isSent, hearts, comments };
    },
    /** Gives a photo the person's heart, or takes it back. */
    async heart(photoId: string, isGiven: boolean): Promise<void> {
      const library = context.opened();
      if (isGiven) await say(library, photoId);
      else await takeHeart(library, photoId);
      context.changed();
    },
    async comment(photoId: string, text: string): Promise<void> {
      await say(context.opened(), photoId, text);
      context.changed();
    },
    async remove(id: string): Promise<void> {
      await unsay(context.opened(), [id]);
      context.changed();
    },
    /** What others added, liked and said, newest first. */
    async news(): Promise<readonly NewsCard[]> {
      const seen = seenAt();
      return await Promise.all(
        (await events()).map(async ({ key, what, album, place, ...event }) => {
          const { at, rows, remark } = event;
          const { text } = remark ?? {};
          return {
            key,
            what,
            album: place,
            ...await authorOfRemark({ ...event, album }),
            at,
            photos: rows.slice(0, MOST_PHOTOS).map(({ id }) => id),
            count: rows.length,
            noun: nounOfRows(rows),
            ...(text === undefined ? {} : { text }),
            fresh: at > seen,
          };
        }),
      );
    },
    /** The number of entries that the person has not seen. */
    async fresh(): Promise<number> {
      const seen = seenAt();
      return (await events()).filter(({ at }) => at > seen).length;
    },
    /** Notes that the person has seen what is new, on all devices. */
    async seen(): Promise<void> {
      const [newest] = await events();
      if (newest === undefined || newest.at <= seenAt()) return;
      const value = toRfc3339(newest.at);
      await context.opened().state.change((held) => {
        const at = changedAt(held.settings[SEEN], context.platform.now());
        const settings = { ...held.settings, [SEEN]: { value, at } };
        return { ...held, settings };
      });
      context.changed();
    },
  };
}
