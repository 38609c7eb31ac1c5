/**
 * Invitations to albums of others: accepting and declining them, and blocking
 * people.
 *
 * @module
 */
import { type Album, ApiProblem } from "../../../library/mod.ts";
import { askOwner, pickupLinkOf } from "../../../library/abroad/abroad.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { counted } from "../../../core/sizes.ts";
import { printable, quoted } from "../../phrasing.ts";
import type { CliContext } from "../cli_context.ts";
import { catchUp } from "../following.ts";
import {
  abroadOf,
  acceptLink,
  answerAbroad,
  listInvitationsAbroad,
} from "./albums_abroad.ts";

/** The fewest characters of an id that name it. */
const FEWEST = 4;

/** Lists the invitations that wait for an answer. */
export async function listInvitations(cli: CliContext): Promise<void> {
  for (const { id, title, owner, members } of invitationsOf(cli)) {
    const from = await nameOf(cli, owner);
    cli.tell(
      { event: "invitation", album_id: id, title, owner, from },
      [
        id.slice(0, 8),
        "invitation ",
        counted(members.length, "person").replace("persons", "people"),
        `${printable(title ?? "")}, from ${printable(from ?? owner)}`,
      ].join("  "),
    );
  }
  await listInvitationsAbroad(cli);
}

/** Accepts or declines an invitation. */
export async function answerInvitation(
  cli: CliContext,
  given: string,
  answer: "accept" | "decline",
): Promise<void> {
  const { library, tell } = cli;
  await catchUp(cli);
  if (answer === "accept" && given.includes("/#/")) {
    return await acceptLink(cli, pickupLinkOf(given));
  }
  const meant = invitationsOf(cli).filter(({ id, title }) =>
    title === given || (given.length >= FEWEST && id.startsWith(given))
  );
  const [album] = meant;
  if (album === undefined && await answerAbroad(cli, given, answer)) return;
  if (album === undefined || meant.length > 1) {
    const none = meant.length === 0;
    throw new OperatorFault(
      `${none ? "no invitation is" : "several invitations are"} called ` +
        `${quoted(given)}: see \`strongroom album ls\``,
    );
  }
  const { id, owner } = album;
  const title = quoted(album.title ?? id.slice(0, 8));
  if (answer === "decline") {
    await library.albums.leave(id);
    tell({ event: "declined", album_id: id }, `you declined ${title}`);
    return;
  }
  const { safetyNumber } = await library.people.known(owner);
  await library.albums.accept(id);
  await catchUp(cli);
  const from = await nameOf(cli, owner) ?? owner;
  tell(
    { event: "accepted", album_id: id, owner, safety_number: safetyNumber },
    `you are in ${title}. Compare this with ${printable(from)}, by voice or ` +
      `in person:\n  ${safetyNumber}`,
  );
}

/** Asks the owner of an album to go on seeing it. */
export async function askForAlbum(
  cli: CliContext,
  given: string,
  { text }: { readonly text?: string },
): Promise<void> {
  await catchUp(cli);
  const album = await abroadOf(cli, given);
  if (album === undefined) {
    throw new OperatorFault(
      `no album of another server is called ${quoted(given)}: see ` +
        "`strongroom album ls`",
    );
  }
  await askOwner(cli.library, album.id, text === undefined ? {} : { text });
  cli.tell(
    { event: "asked", album_id: album.id },
    "its owner is asked. If they let you go on, the album does so by itself",
  );
}

/** Blocks someone, or unblocks them. */
export async function block(
  cli: CliContext,
  given: string,
  blocked: boolean,
): Promise<void> {
  const { library, tell } = cli;
  await catchUp(cli);
  const userId = await userOf(cli, given);
  await library.people.block(userId, blocked);
  tell(
    { event: blocked ? "blocked" : "unblocked", user_id: userId },
    blocked
      ? `${printable(given)} is blocked: you see no invitations from them`
      : `${printable(given)} is unblocked`,
  );
}

function invitationsOf({ library }: CliContext): readonly Album[] {
  return library.albums.invitations();
}

/** What the account calls someone, or what they call themselves. */
async function nameOf(
  { library: { people } }: CliContext,
  userId: string,
): Promise<string | undefined> {
  const own = people.nameOf(userId);
  if (own !== undefined) return own;
  try {
    const { displayName, handle } = await people.find({ user_id: userId });
    return displayName ?? handle;
  } catch (error) {
    if (error instanceof ApiProblem) return undefined;
    throw error;
  }
}

/** The user of an address, or of the first characters of a user id. */
async function userOf({ library }: CliContext, given: string): Promise<string> {
  const { albums, people } = library;
  if (given.includes("@")) {
    return (await people.find({ address: given })).userId;
  }
  const known = new Set([
    ...people.blocked(),
    ...[...albums.invitations(), ...albums.list()].map(({ owner }) => owner),
  ]);
  const meant = [...known].filter((userId) =>
    given.length >= FEWEST && userId.startsWith(given)
  );
  const [userId] = meant;
  if (userId !== undefined && meant.length === 1) return userId;
  throw new OperatorFault(
    `no one you know here is called ${quoted(given)}: give an address, ` +
      "or a user id from `strongroom album ls --json`",
  );
}
