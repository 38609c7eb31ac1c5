/**
 * Knocking (protocol/albums-abroad.md#knock): an album's owner tells someone of
 * another server where their invitation is, by the upload link on their card.
 *
 * @module
 */
import {
  type Bytes,
  equalBytes,
  fromUtf8,
  toHex,
  utf8,
} from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { ApiProblem } from "../../client/api/api.ts";
import type { AbroadLink } from "../../client/documents/abroad_links.ts";
import {
  type Knock,
  KNOCK_MIME,
  signKnock,
  verifyKnock,
} from "../../client/documents/abroad_mail.ts";
import { verifyCard } from "../../client/documents/contact_card.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { instantOf } from "../base/merging.ts";
import type { Library } from "../library.ts";
import { givenId } from "../trust/members_abroad.ts";
import { isBlocked } from "../trust/trust_rules.ts";
import { AbroadError } from "./abroad_fault.ts";
import { type Haste, ownServer, ownServerIds } from "./other_servers.ts";
import { type ReadPickup, readPickup } from "./joining.ts";
import { isNotSent, readMail, sendMail } from "./mail.ts";
import { replyTo } from "./replying.ts";

/** Invitations by one card that wait for the person; further knocks wait. */
const MOST_INVITED = 20;
/** Knocks that are followed at once: each asks a server that it names. */
const MOST_FOLLOWED = 8;

/**
 * Tells someone who was let into an album where their invitation is. False if
 * their card names no way, or their server takes nothing from here: then the
 * link has to be handed to them.
 */
export async function knock(
  library: Library,
  albumId: string,
  member: string,
): Promise<boolean> {
  const { vault: { session, identity } } = library;
  const { platform, userId } = session;
  const slot = await library.abroad();
  const given = slot.given.get(givenId(albumId, member));
  const contact = slot.contacts.get(member);
  if (given === undefined || given.ended || contact === undefined) return false;
  const { box, card_id, server_id: home, ...card } = await verifyCard(
    contact.card,
  );
  if (box === undefined || instantOf(card.expires_at) < platform.now()) {
    return false;
  }
  const { server_id } = await ownServer(library);
  const bytes = await signKnock(identity.signer, {
    to: member,
    from: `${userId}@${server_id}`,
    from_key: identity.signer.publicKey,
    card_id,
    server_id,
    opaque_id: given.pickup.opaque_id,
    secret: given.pickup.secret,
    sent_at: toRfc3339(platform.now()),
  });
  try {
    await sendMail(platform, home, box, { mime: KNOCK_MIME, bytes });
    return true;
  } catch (error) {
    if (!isNotSent(error)) throw error;
    return false;
  }
}

/** What came of reading knocks. */
interface KnocksRead {
  /** New invitations, `<album_id>@<server_id>`. */
  readonly invited: readonly string[];
  /** Whether a server could not be asked, so that a knock waits. */
  readonly isUnfinished: boolean;
}

/**
 * Reads the knocks under the upload link of an own card. One that does not lead
 * to an invitation of whoever signed it is dropped, and its sender is told
 * nothing.
 */
export async function readKnocks(
  library: Library,
  { cardId, box, haste }: {
    readonly cardId: string;
    readonly box: string;
    readonly haste: Haste;
  },
): Promise<KnocksRead> {
  const invited: string[] = [];
  let followed = 0;
  let isUnfinished = false;
  const servers = await ownServerIds(library);
  const slot = await library.abroad();
  const isFull = () =>
    slot.invited.list().filter(([, { card_id }]) => card_id === cardId)
      .length >= MOST_INVITED;
  const turn = { space: "program", key: `knocks/${box}` } as const;
  const held = await library.store.get(turn.space, turn.key);
  const mail = await readMail(library, box, KNOCK_MIME);
  // Those that waited the last time do not keep the others waiting.
  const start = Number(fromUtf8(held ?? utf8("")) ?? "") % (mail.length || 1);
  let waiting = 0;
  for (
    const { bytes, drop } of [...mail.slice(start), ...mail.slice(0, start)]
  ) {
    const told = bytes === undefined
      ? undefined
      : await knockOf(library, cardId, servers, bytes);
    const isLater = haste.isOver || followed >= MOST_FOLLOWED || isFull();
    if (told !== undefined && isLater) {
      isUnfinished = true;
      continue;
    }
    if (told !== undefined) followed++;
    try {
      const id = told && await follow(library, told, haste);
      if (id !== undefined) invited.push(id);
    } catch (error) {
      if (!isForOne(error)) {
        if (!isNotSent(error)) throw error;
        isUnfinished = true;
        waiting++;
        continue;
      }
    }
    await drop();
  }
  const value = isUnfinished ? utf8(String(start + waiting)) : null;
  if (held !== undefined || value !== null) {
    await library.store.write([{ ...turn, value }]);
  }
  return { invited, isUnfinished };
}

/** Whether an error says of a knock that it leads to nothing. */
function isForOne(error: unknown): boolean {
  if (error instanceof AbroadError) return error.fault !== "withheld";
  return error instanceof DocumentError ||
    error instanceof ApiProblem && error.status === 404;
}

/** A knock for this account that answers this card. */
async function knockOf(
  { vault: { session } }: Library,
  cardId: string,
  servers: readonly string[],
  bytes: Bytes,
): Promise<Knock | undefined> {
  const { platform, userId } = session;
  let told: Knock;
  try {
    told = await verifyKnock(bytes, platform.hybrid);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return undefined;
  }
  const { to, from, card_id, server_id } = told;
  const isMeant = toHex(card_id) === cardId &&
    servers.some((one) => to === `${userId}@${one}`) &&
    from.endsWith(`@${server_id}`) && !servers.includes(server_id);
  return isMeant ? told : undefined;
}

/** Reads what a knock leads to; keeps it as an invitation. */
async function follow(
  library: Library,
  told: Knock,
  haste: Haste,
): Promise<string | undefined> {
  const slot = await library.abroad();
  const { opaque_id, server_id: serverId } = told;
  const isKnown = [...slot.joined.list(), ...slot.invited.list()]
    .some(([, { pickup }]) => pickup.opaque_id === opaque_id);
  if (isKnown) return undefined;
  const secret = new Uint8Array(told.secret);
  const link = {
    kind: "pickup",
    serverId,
    opaqueId: opaque_id,
    secret,
  } as const;
  const { grant, id, owner } = await haste.within((platform) =>
    readPickup(library, link, { platform })
  );
  const agrees = grant.state === "live" && grant.member === told.to &&
    owner === told.from && equalBytes(grant.owner_key, told.from_key) &&
    equalBytes(grant.card_id, told.card_id);
  if (!agrees || isBlocked(library.trust.record, owner)) return undefined;
  const { owner_name: name } = grant;
  await slot.invited.put(id, {
    owner: grant.owner,
    ...(name === undefined ? {} : { name }),
    pickup: { opaque_id, secret },
    card_id: toHex(told.card_id),
  });
  return id;
}

/** An invitation that a knock led to. */
interface InvitationAbroad {
  /** `<album_id>@<server_id>`. */
  readonly id: string;
  /** What the owner calls themselves. */
  readonly name: string | undefined;
  readonly link: AbroadLink;
}

/** The invitations that wait for the person. */
export async function invitationsAbroad(
  library: Library,
): Promise<readonly InvitationAbroad[]> {
  const slot = await library.abroad();
  await slot.read();
  return slot.invited.list().map(([id, { name, pickup }]) => ({
    id,
    name,
    link: {
      kind: "pickup",
      serverId: id.slice(id.indexOf("@") + 1),
      opaqueId: pickup.opaque_id,
      secret: new Uint8Array(pickup.secret),
    },
  }));
}

/** Declines an invitation; its owner's program takes the person off the list. */
export async function declineAbroad(
  library: Library,
  { id, link }: InvitationAbroad,
): Promise<void> {
  const slot = await library.abroad();
  // Whatever its server shows, it is no longer asked about.
  await slot.invited.put(id, undefined);
  let read: ReadPickup;
  try {
    read = await readPickup(library, link);
  } catch (error) {
    if (!isNotSent(error)) throw error;
    return;
  }
  const { grant: { reply, member, owner } } = read;
  if (reply === undefined) return;
  await replyTo(library, { id, member, owner, reply }, { kind: "declined" });
}
