/**
 * The vault's calls about people: their names, and how well they are verified.
 *
 * @module
 */
import { takingTurns } from "../../../core/turns.ts";
import { type Album, ApiProblem, DocumentError } from "../../../library/mod.ts";
import { isAbroad } from "../../../library/trust/members_abroad.ts";
import type { PersonCard } from "./albums/album_cards.ts";
import type { VaultContext } from "../vault/context.ts";

/** Names and cards of people. */
export interface PeopleBook {
  /**
   * The name of a person: the account's own name for them, the album's, or
   * theirs.
   */
  nameOf(userId: string, album?: Album): Promise<string | undefined>;
  named(userId: string, album?: Album): Promise<{ readonly name?: string }>;
  /** Their public handle, which the server vouches for. */
  handleOf(userId: string): Promise<string | undefined>;
  personOf(
    userId: string,
    about: Pick<PersonCard, "name" | "handle">,
  ): Promise<PersonCard>;
}

/** What someone said of themselves is asked for again after this (ms). */
const TOLD_MS = 120_000;

/** The people that an open library knows. */
export function peopleBook(context: VaultContext): PeopleBook {
  interface Told {
    readonly at: number;
    readonly displayName?: string | undefined;
    readonly handle?: string | undefined;
  }
  /** What the server says people call themselves. */
  const told = new Map<string, Told>();
  const asking = new Map<string, Promise<void>>();
  /** One after the other: an album may have many members. */
  const inTurn = takingTurns();
  const ask = (userId: string): Promise<void> => {
    const under = asking.get(userId);
    if (under !== undefined) return under;
    const asked = inTurn(async () => {
      const at = context.platform.now();
      const { people } = context.opened();
      const before = told.get(userId);
      try {
        const { displayName, handle } = await people.find({ user_id: userId });
        told.set(userId, { at, displayName, handle });
        const isSame = before === undefined
          ? displayName === undefined && handle === undefined
          : before.displayName === displayName && before.handle === handle;
        if (!isSame) context.changed();
      } catch {
        // Whoever is in no album with oneself is not told of.
        told.set(userId, { ...before, at });
      }
    }).finally(() => asking.delete(userId));
    asking.set(userId, asked);
    return asked;
  };
  const isFresh = (one: Told | undefined) =>
    one !== undefined && context.platform.now() - one.at < TOLD_MS;
  /**
   * The person's own name for someone, else the one that the album's owner
   * signed: the server's word, which is what they call themselves, comes last.
   */
  const nameOf = async (userId: string, album?: Album) => {
    const own = context.opened().people.nameOf(userId);
    if (own !== undefined && own !== "") return own;
    const { address, userId: me } = context.signedIn();
    if (isAbroad(userId)) {
      const { contacts } = await context.opened().abroad();
      return contacts.get(userId)?.name || album?.info?.names?.[userId];
    }
    const given = album?.info?.names?.[userId] ||
      (userId === me ? address?.split("@")[0] : undefined);
    const isAsked = isFresh(told.get(userId)) ? undefined : ask(userId);
    // Where there is a name, what they say themselves is there the next time.
    if (given === undefined && told.get(userId) === undefined) await isAsked;
    else isAsked?.catch(() => {});
    const { displayName, handle } = told.get(userId) ?? {};
    return given || displayName || handle;
  };
  return {
    nameOf,
    async named(userId, album) {
      const name = await nameOf(userId, album);
      return name === undefined ? {} : { name };
    },
    async handleOf(userId) {
      if (isAbroad(userId)) return undefined;
      if (!isFresh(told.get(userId))) await ask(userId);
      return told.get(userId)?.handle;
    },
    async personOf(userId, about) {
      const { people } = context.opened();
      const me = userId === context.signedIn().userId;
      const bare = { userId, ...about, me, unready: false };
      if (me) return bare;
      try {
        const changed = await people.changed(userId);
        if (changed !== undefined) {
          const { shown, safetyNumber } = changed;
          return { ...bare, changed: { shown, safetyNumber } };
        }
        const { safetyNumber, comparedAt } = await people.known(userId);
        return {
          ...bare,
          safetyNumber,
          ...(comparedAt === undefined ? {} : { comparedAt }),
        };
      } catch (error) {
        if (error instanceof DocumentError) return { ...bare, unready: true };
        throw error;
      }
    },
  };
}

/** The calls of the group `people`. */
export function peopleCalls(context: VaultContext, book: PeopleBook) {
  const albumOf = (albumId: string | undefined) =>
    albumId === undefined ? undefined : context.opened().albums.get(albumId);
  return {
    /** Finds a person by email address or handle. */
    async find(typed: string): Promise<PersonCard | undefined> {
      const text = typed.trim();
      const sought = /.@./.test(text)
        ? { address: text }
        : { handle: text.replace(/^@/, "").toLowerCase() };
      try {
        const { people } = context.opened();
        const { userId, displayName, handle } = await people.find(sought);
        const name = people.nameOf(userId) ?? displayName;
        return await book.personOf(userId, {
          ...(name === undefined ? {} : { name }),
          ...(handle === undefined ? {} : { handle }),
        });
      } catch (error) {
        const unknown = error instanceof ApiProblem &&
          (error.status === 404 || error.status === 422);
        if (unknown) return undefined;
        throw error;
      }
    },
    /** A person, and how well they are verified. */
    async person(userId: string, albumId?: string): Promise<PersonCard> {
      const album = albumOf(albumId);
      return await book.personOf(userId, await book.named(userId, album));
    },
    /** The name of a person, if there is one. */
    nameOf: (userId: string, albumId?: string) =>
      book.nameOf(userId, albumOf(albumId)),
    /** Notes that the two compared their safety number and it was the same. */
    compared: (userId: string) => context.opened().people.compared(userId),
    /** Accepts the shown key, as the person decided. */
    async believe(userId: string, shown: string): Promise<void> {
      await context.opened().people.believe(userId, shown);
      context.changed();
    },
  };
}
