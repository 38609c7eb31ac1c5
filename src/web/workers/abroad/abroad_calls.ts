/**
 * The vault's calls about people and albums of other servers.
 *
 * @module
 */
import {
  acceptAbroad,
  addContact,
  askOwner,
  type ContactAbroad,
  declineAbroad,
  forgetContact,
  invitationsAbroad,
  inviteAbroad,
  knock,
  leaveAbroad,
  listContacts,
  makeCard,
  pickupLinkOf,
  putAskAway,
  type ReadPickup,
  readPickup,
  withdrawCard,
} from "../../../library/abroad/abroad.ts";
import {
  ConnectionError,
  DocumentError,
  IdentityChanged,
  type Library,
} from "../../../library/mod.ts";
import { buildAbroadLink } from "../../../client/documents/abroad_links.ts";
import { blobOf } from "../../../library/rows/rows.ts";
import {
  descriptionOf,
  type Metadata,
} from "../../../client/documents/metadata.ts";
import { ofGiven } from "../../../library/trust/members_abroad.ts";
import type { VaultContext } from "../vault/context.ts";
import type { PhotoAbroad } from "./abroad_albums.ts";
import {
  type AbroadCard,
  type AsksAgain,
  type CardMade,
  type CardRead,
  type ContactCardShown,
  hostOf,
  type InvitationRead,
  type InvitationWaiting,
  type LetIn,
  type OwnCardShown,
  type PhotoReport,
} from "./abroad_cards.ts";

/** This app's server does not let it talk to another one. */
class NotPinned extends Error {
  override readonly name = "NotPinned";
}
/** Another server does not answer. */
class Away extends Error {
  override readonly name = "AwayAbroad";
}

/** The calls of the group `abroad`. */
export function abroadCalls(context: VaultContext) {
  return {
    /** Takes a page's thread for other servers; false if there is one. */
    lend: async (port: MessagePort): Promise<boolean> =>
      (await context.abroadLine()).lend(port),
    ...contactCalls(context),
    ...lettingInCalls(context),
    ...invitationCalls(context),
    ...albumsAbroadCalls(context),
  };
}

/** The calls about own contact cards, and those of people of other servers. */
function contactCalls(context: VaultContext) {
  return {
    /** Makes a contact card. */
    async makeCard(name: string): Promise<CardMade> {
      const { link, card, expiresAt } = await makeCard(
        context.opened(),
        name === "" ? {} : { name },
      );
      return { link, file: new Blob([card]), expiresAt };
    },
    /** The own cards that are still good. */
    async cards(): Promise<readonly OwnCardShown[]> {
      const slot = await context.opened().abroad();
      await slot.read();
      const now = context.platform.now();
      return slot.cards.list()
        .filter(([, { expires_at }]) => Date.parse(expires_at) > now)
        .map(([id, { expires_at }]) => ({ id, expiresAt: expires_at }))
        .toSorted((a, b) => a.expiresAt < b.expiresAt ? 1 : -1);
    },
    withdraw: (id: string) => withdrawCard(context.opened(), id),
    /** The people of other servers whose cards are kept. */
    contacts: async (): Promise<readonly ContactCardShown[]> =>
      (await listContacts(context.opened())).map(shownContact),
    /** Reads a card: its link or text, or its file. */
    async addContact(
      given: string | Blob,
      believes?: string,
    ): Promise<CardRead> {
      const card = typeof given === "string" ? given : await given.bytes();
      const link = typeof given === "string" ? given : undefined;
      try {
        const { asked, ...contact } = await reaching(
          context,
          link,
          async () =>
            await (await context.abroadAlbums()).alone(() =>
              addContact(
                context.opened(),
                card,
                believes === undefined ? {} : { believes },
              )
            ),
        );
        return { outcome: "read", contact: shownContact(contact), asked };
      } catch (error) {
        if (!(error instanceof IdentityChanged)) throw error;
        const { userId, shown } = error;
        return { outcome: "changed", member: userId, shown };
      }
    },
    forget: (member: string) => forgetContact(context.opened(), member),
  };
}

/** The calls about who of other servers is in own albums. */
function lettingInCalls(context: VaultContext) {
  return {
    /**
     * Lets a person of another server into an album, or only see its small
     * pictures, and tells their server. Without a choice they see as much as
     * before. A member gets the same link again.
     */
    async invite(
      albumId: string,
      member: string,
      small?: boolean,
    ): Promise<LetIn> {
      const how = small === undefined ? {} : { small };
      const link = await invite(context, albumId, member, how);
      return { link, isTold: await knock(context.opened(), albumId, member) };
    },
    /** The link of a member of an album; it lets no removed person in again. */
    linkAgain: (albumId: string, member: string): Promise<string> =>
      invite(context, albumId, member, { again: true }),
    /** Who is no longer in an own album and asks to see it again. */
    async askers(albumId: string): Promise<readonly AsksAgain[]> {
      const { contacts, given } = await context.opened().abroad();
      return given.list().flatMap(([id, { ended, reply }]) => {
        const of = ofGiven(id);
        const { member } = of;
        const isAsking = of.albumId === albumId && ended === true &&
          reply?.text !== undefined;
        const name = contacts.get(member)?.name;
        return !isAsking ? [] : [{
          member,
          host: hostOf(member),
          ...(name === undefined ? {} : { name }),
          ...(reply?.text ? { text: reply.text } : {}),
        }];
      });
    },
    /** Dismisses a person's question until they ask again. */
    async notNow(albumId: string, member: string): Promise<void> {
      await putAskAway(context.opened(), { albumId, member });
      context.changed();
    },
  };
}

/** The calls about invitations to albums of other servers. */
function invitationCalls(context: VaultContext) {
  /** Invitations that were read, by their links. */
  const read = new Map<string, ReadPickup>();
  return {
    /** Reads an invitation. */
    async readInvitation(link: string): Promise<InvitationRead> {
      const library = context.opened();
      const found = await reaching(
        context,
        link,
        () => readPickup(library, pickupLinkOf(link.trim())),
      );
      read.set(link, found);
      const { grant, owner, safetyNumber } = found;
      const { owner_name, state } = grant;
      return {
        link,
        host: hostOf(owner),
        safetyNumber,
        ...(owner_name === undefined ? {} : { name: owner_name }),
        isEnded: state !== "live",
      };
    },
    /** Accepts an invitation that was read; resolves to the album's id. */
    async accept(link: string): Promise<string> {
      const library = context.opened();
      const found = read.get(link);
      if (found === undefined) throw new DocumentError("it was not read");
      await acceptAbroad(library, found);
      read.delete(link);
      await (await context.abroadAlbums()).follow(found.id);
      context.changed();
      return found.id;
    },
    /** The invitations that came by themselves. */
    async invitations(): Promise<readonly InvitationWaiting[]> {
      const waiting = await invitationsAbroad(context.opened());
      return waiting.map(({ id, name, link }) => ({
        id,
        link: buildAbroadLink(link),
        host: hostOf(id),
        ...(name === undefined ? {} : { name }),
      }));
    },
    async decline(id: string): Promise<void> {
      const library = context.opened();
      const meant = (await invitationsAbroad(library))
        .find((one) => one.id === id);
      if (meant !== undefined) await declineAbroad(library, meant);
      context.changed();
    },
  };
}

/** The calls about albums of other servers that the account is in. */
function albumsAbroadCalls(context: VaultContext) {
  return {
    /** The albums of other servers, as this device has them. */
    async overview(): Promise<readonly AbroadCard[]> {
      const albums = await context.abroadAlbums();
      const ids = await albums.open();
      return await Promise.all(ids.map((id) => albums.card(id)));
    },
    /** One of them; undefined if the person is not in it. */
    async page(id: string): Promise<AbroadCard | undefined> {
      const albums = await context.abroadAlbums();
      const ids = await albums.open();
      return ids.includes(id) ? await albums.card(id) : undefined;
    },
    /** Follows an album that is looked at. */
    follow: async (id: string): Promise<void> =>
      await (await context.abroadAlbums()).follow(id),
    async leave(id: string): Promise<void> {
      await leaveAbroad(context.opened(), id);
      (await context.abroadAlbums()).drop(id);
      context.changed();
    },
    /** Asks the owner of an album to let the person see it again. */
    ask: (id: string): Promise<void> =>
      reaching(
        context,
        id.slice(id.indexOf("@") + 1),
        () => askOwner(context.opened(), id),
      ),
    /** What a report about a photo names. */
    async report(id: string): Promise<PhotoReport | undefined> {
      const photo = (await context.abroadAlbums()).photo(id);
      if (photo === undefined) return undefined;
      const { row, host, album } = photo;
      const at = album.indexOf("@");
      // Whoever sees small pictures alone reports one of those.
      const [first] = row.blobs;
      const blob = blobOf(row, "original") ?? first;
      if (blob === undefined) return undefined;
      return {
        host,
        to: album.slice(at + 1),
        user: row.owner,
        album: album.slice(0, at),
        assetHash: blob.hash,
      };
    },
    /** Copies photos into the own library; resolves to how many. */
    async copy(ids: readonly string[]): Promise<number> {
      const library = context.opened();
      const albums = await context.abroadAlbums();
      let copied = 0;
      for (const id of ids) {
        const photo = albums.photo(id);
        if (photo?.row.metadata === undefined) continue;
        await copyPhoto(library, photo, photo.row.metadata);
        copied += 1;
        context.changed();
      }
      return copied;
    },
  };
}

/** Says of which server it is that it cannot be reached, and why. */
async function reaching<T>(
  context: VaultContext,
  link: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const url = link === undefined ? null : URL.parse(link.trim());
    if (url === null || !(error instanceof ConnectionError)) throw error;
    if (url.origin === context.server) throw error;
    const { isBlocked } = await context.abroadLine();
    throw isBlocked(url.origin) ? new NotPinned(url.host) : new Away(url.host);
  }
}

function shownContact(
  { member, name, safetyNumber, comparedAt }: ContactAbroad,
): ContactCardShown {
  return {
    member,
    ...(name === undefined ? {} : { name }),
    host: hostOf(member),
    safetyNumber,
    ...(comparedAt === undefined ? {} : { comparedAt }),
  };
}

/** Lets a member in and names them in the album; resolves to their link. */
async function invite(
  context: VaultContext,
  albumId: string,
  member: string,
  how: { readonly again?: boolean; readonly small?: boolean },
): Promise<string> {
  const { albums } = context.opened();
  const link = await (await context.abroadAlbums()).alone(() =>
    inviteAbroad(context.opened(), albumId, member, how)
  );
  const { contacts } = await context.opened().abroad();
  const name = contacts.get(member)?.name;
  const info = albums.get(albumId)?.info;
  if (
    name !== undefined && info !== undefined && info.names?.[member] !== name
  ) {
    const names = { ...info.names, [member]: name };
    await albums.describe(albumId, { ...info, names });
  }
  context.changed();
  return link;
}

/** Copies a photo and its small pictures into the own library. */
async function copyPhoto(
  library: Library,
  { assetId, reading }: PhotoAbroad,
  metadata: Metadata,
): Promise<void> {
  const pictures = await Promise.all(
    metadata.derivatives.filter(({ kind }) =>
      kind === "thumbnail" || kind === "preview"
    ).map(async ({ kind, mime, width, height }) => ({
      ...{ kind, mime, width, height },
      bytes: await joined(reading.read(assetId, { derivative: kind })),
    })),
  );
  const ranges = await reading.ranges(assetId);
  await library.take({
    source: {
      size: ranges.size,
      read: (offset, length) =>
        ranges.read({ first: offset, last: offset + length - 1 }),
    },
    about: descriptionOf(metadata),
    derivatives: pictures,
  });
}

async function joined(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) all.push(piece);
  return await new Blob(all).bytes();
}
