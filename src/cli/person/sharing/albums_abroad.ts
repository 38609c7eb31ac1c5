/**
 * Albums with people of other servers, from the command line.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import {
  type AbroadAlbum,
  acceptAbroad,
  declineAbroad,
  followAbroad,
  invitationsAbroad,
  joinedAbroad,
  keepGiven,
  leaveAbroad,
  type MailRead,
  readMailbox,
  readPickup,
} from "../../../library/abroad/abroad.ts";
import { isNotSent } from "../../../library/abroad/mail.ts";
import type { AbroadLink } from "../../../client/documents/abroad_links.ts";
import { counted } from "../../../core/sizes.ts";
import { printable, quoted } from "../../phrasing.ts";
import type { CliContext } from "../cli_context.ts";
import { complaintOf } from "../faults.ts";

const FEWEST = 4;

/** Accepts the invitation of a link of another server. */
export async function acceptLink(
  cli: CliContext,
  link: AbroadLink,
): Promise<void> {
  const { library, tell } = cli;
  const read = await readPickup(library, link);
  await acceptAbroad(library, read);
  const { id, owner } = read;
  const { safetyNumber } = await library.people.known(owner);
  const album = await followAbroad(library, id);
  const title = quoted(album.title ?? id.slice(0, 8));
  tell(
    { event: "accepted", album_id: id, owner, safety_number: safetyNumber },
    `you are in ${title} on ${album.serverId}. Its server sees when you look. ` +
      `Compare this with its owner, by voice or in person:\n  ${safetyNumber}`,
  );
}

/** Lists the albums of other servers; how many. */
export async function listAbroad(cli: CliContext): Promise<number> {
  const ids = await joinedAbroad(cli.library);
  for (const id of ids) {
    const album = await followed(cli, id);
    if (album === undefined) continue;
    const { serverId, owner, title, paused, doubt, rows, members, isSmall } =
      album;
    const { host } = new URL(serverId);
    cli.tell(
      {
        event: "album",
        album_id: id,
        title,
        role: "viewer",
        owner,
        server_id: serverId,
        files: rows.length,
        small: isSmall,
        paused: paused?.text,
        doubt,
      },
      [
        id.slice(0, 8),
        "viewer".padEnd(11),
        counted(rows.length, "file").padStart(9),
        counted(members, "person").replace("persons", "people"),
        `${printable(title ?? "")} (on ${host}${isSmall ? ", small" : ""})`,
      ].join("  "),
    );
    if (doubt !== undefined) {
      cli.warn(`${quoted(title ?? id.slice(0, 8))} on ${host}: ${doubt}`);
    }
    if (paused === undefined) continue;
    cli.warn(
      `${quoted(title ?? id.slice(0, 8))} on ${host} is paused: ` +
        printable(paused.text),
    );
  }
  return ids.length;
}

/** Follows an album; what keeps its server away is told. */
async function followed(
  cli: CliContext,
  id: string,
): Promise<AbroadAlbum | undefined> {
  try {
    return await followAbroad(cli.library, id);
  } catch (error) {
    const complaint = complaintOf(error);
    if (complaint === undefined) throw error;
    cli.tell({ event: "album", album_id: id, away: complaint.text }, "");
    cli.warn(`${id}: ${printable(complaint.text)}`);
    return undefined;
  }
}

/** The album of another server of a title, or of the beginning of its id. */
export async function abroadOf(
  cli: CliContext,
  given: string,
): Promise<AbroadAlbum | undefined> {
  const ids = await joinedAbroad(cli.library);
  const albums: AbroadAlbum[] = [];
  for (const id of ids) {
    const isId = given.length >= FEWEST && id.startsWith(given);
    // A server that does not answer does not hide the others.
    const album = isId
      ? await followAbroad(cli.library, id)
      : await followed(cli, id);
    if (album !== undefined && (isId || album.title === given)) {
      albums.push(album);
    }
  }
  if (albums.length > 1) {
    throw new OperatorFault(
      `several albums are called ${quoted(given)}: see \`strongroom album ls\``,
    );
  }
  return albums[0];
}

/** Leaves an album of another server; whether there was one. */
export async function leaveAlbumAbroad(
  cli: CliContext,
  given: string,
): Promise<boolean> {
  const ids = await joinedAbroad(cli.library);
  // By its id also when its server does not answer.
  const [byId, ...more] = ids.filter((id) =>
    given.length >= FEWEST && id.startsWith(given)
  );
  const id = byId !== undefined && more.length === 0
    ? byId
    : (await abroadOf(cli, given))?.id;
  if (id === undefined) return false;
  const isTold = await leaveAbroad(cli.library, id);
  cli.tell(
    { event: "left", album_id: id, told: isTold },
    "you have left it, and nothing of it is kept here. " +
      (isTold
        ? "Its owner's program takes you off the list"
        : "Its owner could not be told"),
  );
  return true;
}

/** Lists the invitations from other servers that wait for an answer. */
export async function listInvitationsAbroad(cli: CliContext): Promise<void> {
  for (const { id, name, link } of await invitationsAbroad(cli.library)) {
    const { host } = new URL(link.serverId);
    cli.tell(
      { event: "invitation", album_id: id, server_id: link.serverId, name },
      `${id.slice(0, 8)}  invitation from ${printable(name ?? "someone")} on ` +
        host,
    );
  }
}

/** Answers an invitation from another server; whether there is that one. */
export async function answerAbroad(
  cli: CliContext,
  given: string,
  answer: "accept" | "decline",
): Promise<boolean> {
  const [invitation, ...more] = (await invitationsAbroad(cli.library))
    .filter(({ id }) => given.length >= FEWEST && id.startsWith(given));
  if (invitation === undefined || more.length > 0) return false;
  const { id, link } = invitation;
  if (answer === "accept") {
    await acceptLink(cli, link);
    return true;
  }
  await declineAbroad(cli.library, invitation);
  cli.tell({ event: "declined", album_id: id }, "you declined it");
  return true;
}

/**
 * Keeps what this account gave to people of other servers alive, and reads what
 * they sent. `heard` is whether the feed told of a guest's file.
 */
export async function keepAlive(
  cli: CliContext,
  heard: boolean,
): Promise<void> {
  const { library, warn } = cli;
  const { given } = await library.abroad();
  const isGiving = given.list().some(([, { ended }]) => !ended) ||
    library.albums.list().some(({ role, members }) =>
      role === "owner" && members.some(({ userId }) => userId.includes("@"))
    );
  const orWarn = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!isNotSent(error)) throw error;
      warn(`people of other servers: ${printable(error.message)}`);
    }
  };
  // First: whoever has left is given nothing more.
  await orWarn(async () =>
    tellMail(cli, await readMailbox(library, { heard }))
  );
  if (isGiving) await orWarn(() => keepGiven(library));
}

/** Says what came from other servers. */
function tellMail(
  { library, tell, warn }: CliContext,
  { invited, left, asked }: MailRead,
): void {
  for (const id of invited) {
    const { host } = new URL(id.slice(id.indexOf("@") + 1));
    tell({ event: "invitation", album_id: id }, "");
    warn(
      `you are invited to an album on ${host}: \`strongroom album accept ` +
        `${id.slice(0, 8)}\``,
    );
  }
  const titleOf = (albumId: string) =>
    quoted(library.albums.get(albumId)?.info?.title ?? albumId.slice(0, 8));
  for (const { albumId, member } of left) {
    tell({ event: "member_left", album_id: albumId, member }, "");
    warn(`${member} has left ${titleOf(albumId)}`);
  }
  for (const { albumId, member, text } of asked) {
    tell({ event: "member_asks", album_id: albumId, member, text }, "");
    warn(
      `${member} asks to see ${titleOf(albumId)} again` +
        (text === undefined ? "" : `: ${quoted(text)}`),
    );
  }
}
