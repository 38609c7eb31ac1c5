/**
 * The vault's calls about people: their names, and how well they are verified.
 *
 * @module
 */
import {
  type Album,
  ApiProblem,
  DocumentError,
} from "../../client/library/mod.ts";
import type { PersonCard } from "./album_cards.ts";
import type { VaultContext } from "./context.ts";

/** Names and cards of people. */
export interface PeopleBook {
  /**
   * The name of a person: the account's own name for them, the album's, or
   * theirs.
   */
  nameOf(userId: string, album?: Album): Promise<string | undefined>;
  named(userId: string, album?: Album): Promise<{ readonly name?: string }>;
  personOf(
    userId: string,
    about: Pick<PersonCard, "name" | "handle">,
  ): Promise<PersonCard>;
}

/** Makes the names and cards from an open library. */
export function peopleBook(context: VaultContext): PeopleBook {
  /** The people's own names according to the server; each is asked for once. */
  const told = new Map<string, Promise<string | undefined>>();
  const askName = async (userId: string): Promise<string | undefined> => {
    try {
      const found = await context.opened().people.find({ user_id: userId });
      return found.displayName ?? found.handle;
    } catch {
      told.delete(userId);
      return undefined;
    }
  };
  const nameOf = async (userId: string, album?: Album) => {
    const known = context.opened().people.nameOf(userId) ??
      album?.info?.names?.[userId];
    if (known !== undefined && known !== "") return known;
    const asked = told.get(userId) ?? askName(userId);
    told.set(userId, asked);
    return await asked;
  };
  return {
    nameOf,
    async named(userId, album) {
      const name = await nameOf(userId, album);
      return name === undefined ? {} : { name };
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
