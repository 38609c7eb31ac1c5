/**
 * `strongroom album`: albums with other people.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import { openFavouriteAlbums } from "../../../library/albums/favourite_albums.ts";
import { leaveAlbum } from "../../../library/sharing/viewer_saying.ts";
import {
  type ContactAbroad,
  inviteAbroad,
  knock,
  removeAbroad,
} from "../../../library/abroad/abroad.ts";
import {
  type Album,
  ApiProblem,
  bringHome,
  DocumentError,
} from "../../../library/mod.ts";
import { STATUS } from "../faults.ts";
import { counted } from "../../../core/sizes.ts";
import { givenId } from "../../../library/trust/members_abroad.ts";
import { printable, quoted } from "../../phrasing.ts";
import { leaveAlbumAbroad, listAbroad } from "./albums_abroad.ts";
import { contactOf } from "./contacts.ts";
import { listInvitations } from "./invitations.ts";
import type { CliContext } from "../cli_context.ts";
import { tellFrozen } from "./trusting.ts";
import { catchUp } from "../following.ts";

/** Lists them. */
export async function listAlbums(cli: CliContext): Promise<void> {
  await catchUp(cli);
  tellFrozen(cli);
  const favourites = openFavouriteAlbums(cli.library.state, cli.platform.now);
  const albums = favourites.first(
    cli.library.albums.list().filter(({ tombstoned }) => !tombstoned),
  );
  for (const album of albums) {
    const rows = [...cli.library.index.rows()]
      .filter((row) => row.album === album.id && row.state === "live");
    const favourite = favourites.has(album.id);
    cli.tell(
      {
        event: "album",
        album_id: album.id,
        title: album.title,
        role: album.role,
        owner: album.owner,
        members: album.members,
        files: rows.length,
        favourite,
        fault: album.fault,
      },
      [
        album.id.slice(0, 8),
        String(album.role).padEnd(11),
        counted(rows.length, "file").padStart(9),
        counted(album.members.length, "person").replace("persons", "people"),
        printable(album.title ?? album.fault ?? "") +
        (favourite ? "  (favourite)" : ""),
      ].join("  "),
    );
  }
  const abroad = await listAbroad(cli);
  await listInvitations(cli);
  const count = albums.length + abroad;
  cli.tell({ event: "end", status: 0, count }, counted(count, "album"));
}

/** Makes one. */
export async function createAlbum(
  cli: CliContext,
  title: string,
): Promise<void> {
  const album = await cli.library.albums.create({ title });
  cli.tell(
    { event: "album_made", album_id: album.id },
    `the album ${quoted(title)} is created (${album.id.slice(0, 8)})`,
  );
}

/** Marks an album as a favourite, which lists show first, or no longer. */
export async function markFavouriteAlbum(
  cli: CliContext,
  given: string,
  favourite: boolean,
): Promise<void> {
  const { id, title } = await albumOf(cli, given);
  await openFavouriteAlbums(cli.library.state, cli.platform.now)
    .change(id, favourite);
  cli.tell(
    { event: favourite ? "favourite" : "no_favourite", album_id: id },
    `${favourite ? "a favourite" : "no longer a favourite"}: ` +
      printable(title ?? id),
  );
}

/** Saves the photos of others in an album to one's own library. */
export async function saveAlbum(cli: CliContext, given: string): Promise<void> {
  const { library, session, signal, tell, warn } = cli;
  const { id, title } = await albumOf(cli, given);
  const rows = library.list().filter(({ album, owner }) =>
    album === id && owner !== session.userId
  );
  const done = { kept: 0, known: 0, failed: 0 };
  for (const { id: assetId, metadata } of rows) {
    signal.throwIfAborted();
    try {
      const { outcome } = await library.copyInto(
        assetId,
        library.vault.libraryAlbumId,
      );
      done[outcome] += 1;
    } catch (error) {
      const isItsOwn = error instanceof DocumentError ||
        (error instanceof ApiProblem && error.status === 404);
      if (!isItsOwn) throw error;
      done.failed += 1;
      warn(`cannot be saved: ${printable(metadata?.name ?? assetId)}`);
    }
  }
  tell(
    { event: "saved", album_id: id, ...done },
    [
      `${counted(done.kept, "file")} of ${quoted(title ?? id)} saved to your ` +
      "library",
      ...done.known > 0 ? [`${counted(done.known, "file")} known`] : [],
      ...done.failed > 0 ? [`${counted(done.failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (done.failed > 0) cli.endWith(STATUS.someFailed);
}

/** Lets someone in; the identity that is pinned is told, to be compared. */
export async function invite(
  cli: CliContext,
  given: string,
  address: string,
  { role, small = false }: { readonly role: string; readonly small?: boolean },
): Promise<void> {
  if (role !== "viewer" && role !== "contributor") {
    throw new OperatorFault("--role is viewer or contributor");
  }
  const album = await albumOf(cli, given);
  const contact = await contactOf(cli, address);
  if (contact !== undefined) {
    if (role === "contributor") {
      throw new OperatorFault(
        "people of other servers can see an album, and not add to it",
      );
    }
    return await inviteContact(cli, album, contact, small);
  }
  if (small) {
    throw new OperatorFault(
      "--small is for people of other servers: see `strongroom contact ls`",
    );
  }
  const { userId } = await cli.library.people.find({ address });
  const { safetyNumber } = await cli.library.people.known(userId);
  await cli.library.albums.invite(album.id, userId, role);
  cli.tell(
    {
      event: "invited",
      album_id: album.id,
      user_id: userId,
      safety_number: safetyNumber,
    },
    `${printable(address)} is in. Compare this with them, by voice or in ` +
      `person:\n  ${safetyNumber}`,
  );
}

/** Lets someone of another server in. */
async function inviteContact(
  cli: CliContext,
  { id, title }: Album,
  { member, name, safetyNumber, comparedAt }: ContactAbroad,
  small: boolean,
): Promise<void> {
  const link = await inviteAbroad(cli.library, id, member, { small });
  const isTold = await knock(cli.library, id, member);
  const { given } = await cli.library.abroad();
  const isSmall = given.get(givenId(id, member))?.scope ===
    "read-derivative-only";
  cli.tell(
    {
      event: "invited",
      album_id: id,
      member,
      link,
      told: isTold,
      small: isSmall,
      safety_number: safetyNumber,
    },
    [
      `${printable(name ?? member)} can see ${
        isSmall ? "the small pictures of " : ""
      }${quoted(title ?? id)}. ` +
      (isTold
        ? "Their programs find the invitation by themselves. It is also this " +
          "link, which opens for them alone:"
        : "Send them this link, which opens for them alone:"),
      link,
      ...isSmall
        ? [
          "Your server promises to hand them no original. Their key would " +
          "open it.",
        ]
        : [],
      ...comparedAt === undefined
        ? [
          "Not compared: whoever carried their card could have changed it. " +
          `Compare this with them, by voice or in person:\n  ${safetyNumber}`,
        ]
        : [],
    ].join("\n"),
  );
}

/** Takes someone out; what comes after, they cannot read. */
export async function removeMember(
  cli: CliContext,
  given: string,
  address: string,
): Promise<void> {
  const album = await albumOf(cli, given);
  const member = await memberAbroad(cli, album, address);
  if (member !== undefined) {
    await removeAbroad(cli.library, album.id, member);
    cli.tell(
      { event: "removed", album_id: album.id, member },
      `${printable(address)} is removed, and the album has a new key. They ` +
        "keep what they have seen",
    );
    return;
  }
  const { userId } = await cli.library.people.find({ address });
  const isMember = album.members.some((one) => one.userId === userId);
  if (!isMember || userId === cli.session.userId) {
    throw new OperatorFault(
      isMember
        ? "the owner of an album cannot be removed from it"
        : `${printable(address)} is not in the album`,
    );
  }
  await cli.library.albums.remove(album.id, userId);
  cli.tell(
    { event: "removed", album_id: album.id, user_id: userId },
    `${printable(address)} is removed, and the album has a new key`,
  );
}

/** The member of another server of an album that a text names. */
async function memberAbroad(
  cli: CliContext,
  { members }: Album,
  given: string,
): Promise<string | undefined> {
  const contact = await contactOf(cli, given);
  // Also without a card: then they are named as the album does.
  return members.map(({ userId }) => userId).find((userId) =>
    userId.includes("@") && userId === (contact?.member ?? given)
  );
}

/** Leaves an album of someone's, or ends an empty one of one's own. */
export async function leave(cli: CliContext, given: string): Promise<void> {
  await catchUp(cli);
  const isHere = albumsCalled(cli, given).length > 0;
  if (!isHere && await leaveAlbumAbroad(cli, given)) return;
  const album = await albumOf(cli, given);
  if (album.owner === cli.session.userId) {
    await cli.library.albums.end(album.id);
    cli.tell(
      { event: "album_ended", album_id: album.id },
      "the album is ended",
    );
    return;
  }
  // What lies there alone would depend on keys of this machine.
  const { kept, failed } = await bringHome(cli.library, [album.id]);
  for (const [id, why] of failed) {
    const name = cli.library.index.get(id)?.metadata?.name ?? id;
    cli.warn(`${printable(name)}: ${printable(why.message)}`);
  }
  if (failed.size > 0) {
    throw new OperatorFault(
      `${
        counted(failed.size, "file")
      } of yours could not be copied into your ` +
        "library: you are still in the album",
    );
  }
  await leaveAlbum(cli.library, album.id);
  cli.tell(
    { event: "left", album_id: album.id, brought_home: kept.length },
    "you have left it" +
      (kept.length === 0
        ? ""
        : `; ${
          counted(kept.length, "file")
        } of yours copied into your library`),
  );
}

/** The albums of this server of a title, or of the first letters of an id. */
export function albumsCalled(
  { library }: CliContext,
  given: string,
): readonly Album[] {
  return library.albums.list().filter(({ id, title, tombstoned }) =>
    !tombstoned &&
    (title === given || (given.length >= 4 && id.startsWith(given)))
  );
}

/** The album of a title, or of the first letters of its id. */
export async function albumOf(
  cli: CliContext,
  given: string,
): Promise<Album> {
  await catchUp(cli);
  const meant = albumsCalled(cli, given);
  const [album] = meant;
  if (album !== undefined && meant.length === 1) return album;
  throw new OperatorFault(
    `${meant.length === 0 ? "no album is" : "several albums are"} called ` +
      `${quoted(given)}: see \`strongroom album ls\``,
  );
}
