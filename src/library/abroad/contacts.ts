/**
 * Contact cards (protocol/albums-abroad.md#contact-card): making one's own, and
 * keeping those of others.
 *
 * @module
 */
import { type Bytes, fromBase64Url, toHex } from "../../core/bytes.ts";
import { DAY_MS, MINUTE_MS, toRfc3339 } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import {
  buildAbroadLink,
  parseAbroadLink,
} from "../../client/documents/abroad_links.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import {
  CARD_MAX_DAYS,
  type ContactCard,
  memberOf,
  signCard,
  verifyCard,
} from "../../client/documents/contact_card.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { newShare } from "../../client/documents/new_share.ts";
import { entryOf, instantOf } from "../base/merging.ts";
import type { Library } from "../library.ts";
import { IdentityChanged } from "../trust/people.ts";
import type { TrustRecord } from "../trust/trust_record.ts";
import {
  anchorInForce,
  decidePerson,
  seePerson,
  seeSealingKey,
} from "../trust/trust_rules.ts";
import {
  endAbroadLink,
  putAbroadIndex,
  readAbroadLink,
} from "./abroad_shares.ts";
import {
  clientOf,
  ownServer,
  ownServerIds,
  serverAbroad,
} from "./other_servers.ts";
import { AbroadError, assertNothingWithheld } from "./abroad_fault.ts";
import { giveToOther } from "./giving.ts";
import { closeBox, openBox } from "./mail.ts";

/** A card of one's own that was just made. */
export interface MadeCard {
  readonly cardId: string;
  /** The link to hand out. Whoever has it reads the card. */
  readonly link: string;
  /** The signed card, for a file. */
  readonly card: Bytes;
  readonly expiresAt: string;
}

/** Someone of another server. */
export interface ContactAbroad {
  /** How albums name them. */
  readonly member: string;
  readonly name: string | undefined;
  readonly safetyNumber: string;
  readonly comparedAt: string | undefined;
}

const MOST_CARDS = 50;
const MOST_CONTACTS = 200;
/** How far clocks may be apart when a card is judged. */
const CLOCK_MS = 10 * MINUTE_MS;
const CARD_ID_BYTES = 16;
/** What the link on a card takes. */
const KNOCKS_MAX_BYTES = 8 * 1024 * 1024;
const KNOCKS_MAX_FILES = 64;

/**
 * Makes a card for so many days. Throws a DocumentError if the server has
 * another address than this program was opened at, or does not share with other
 * servers.
 */
export async function makeCard(
  library: Library,
  { name, days = 7 }: { readonly name?: string; readonly days?: number } = {},
): Promise<MadeCard> {
  const { vault: { session, identity } } = library;
  const { platform, userId } = session;
  const { server_id: serverId, federation_url } = await ownServer(library);
  if (!federation_url) {
    throw new AbroadError(
      "off",
      "your server does not share with other servers: its operator can set " +
        "STRONGROOM_FEDERATION=on",
    );
  }
  if (!Number.isInteger(days) || days < 1 || days > CARD_MAX_DAYS) {
    throw new DocumentError(`a card is good for 1 to ${CARD_MAX_DAYS} days`);
  }
  const slot = await library.abroad();
  await slot.read();
  const now = platform.now();
  const live = slot.cards.list()
    .filter(([, { expires_at }]) => instantOf(expires_at) > now);
  if (live.length >= MOST_CARDS) {
    throw new AbroadError(
      "limit",
      `you have ${MOST_CARDS} cards: withdraw one first`,
    );
  }
  const id = platform.random(CARD_ID_BYTES);
  const cardId = toHex(id);
  const expiresAt = toRfc3339(now + days * DAY_MS);
  const share = newShare(platform.random);
  const { opaqueId: box } = newShare(platform.random);
  // First of all: the account's programs know of the link what it is for.
  await slot.cards.put(cardId, {
    opaque_id: share.opaqueId,
    box,
    expires_at: expiresAt,
  });
  const link = await openBox(library, box, {
    expiresAt,
    maxBytes: KNOCKS_MAX_BYTES,
    maxFiles: KNOCKS_MAX_FILES,
  });
  const card = await signCard(identity.signer, {
    card_id: id,
    server_id: serverId,
    user_id: userId,
    identity_key: identity.signer.publicKey,
    sealing_key: await identity.sealing.publicKey(),
    ...(link === undefined ? {} : { box: link }),
    ...(name === undefined ? {} : { name }),
    made_at: toRfc3339(now),
    expires_at: expiresAt,
  });
  await putAbroadIndex(library, "contact", share, card, { n: 0, expiresAt });
  const to = { kind: "contact", serverId, ...share } as const;
  return { cardId, link: buildAbroadLink(to), card, expiresAt };
}

/** Withdraws a card: its link ends, and no grant that names it is taken. */
export async function withdrawCard(
  library: Library,
  cardId: string,
): Promise<void> {
  const slot = await library.abroad();
  await slot.read();
  const card = slot.cards.get(cardId);
  if (card === undefined) throw new DocumentError("there is no such card");
  if (card.box !== undefined) await closeBox(library, card.box);
  await endAbroadLink(library, card.opaque_id);
  await slot.cards.put(cardId, undefined);
}

/** A card that was read, and how. */
export interface ReadCard extends ContactAbroad {
  /** Whether the card's server could be asked whether it is that server. */
  readonly asked: boolean;
}

/**
 * Reads a card and keeps it: a link, the bytes of a file, or its text. Throws a
 * DocumentError for one that does not count, and {@link IdentityChanged} for
 * another identity than before; with `believes` that is the person's decision.
 */
export async function addContact(
  library: Library,
  given: string | Uint8Array,
  { believes }: { readonly believes?: string } = {},
): Promise<ReadCard> {
  const { vault: { session }, trust, people } = library;
  const { platform } = session;
  const link = typeof given === "string" ? parseAbroadLink(given) : undefined;
  if (link !== undefined && link.kind !== "contact") {
    throw new AbroadError(
      "no_card",
      "this is an invitation to an album, no card",
    );
  }
  const own = await ownServerIds(library);
  if (link !== undefined) assertNotOwn(link.serverId, own);
  const bytes = link === undefined
    ? bytesOf(given)
    : await readAbroadLink(library, link);
  const card = await verifyCard(bytes, platform.hybrid);
  const { server_id: serverId } = card;
  if (link !== undefined && serverId !== link.serverId) {
    throw new DocumentError("the card is of another server than its link");
  }
  assertNotOwn(serverId, own);
  const asked = await isServer(library, serverId, link !== undefined);
  if (instantOf(card.expires_at) + CLOCK_MS < platform.now()) {
    throw new AbroadError(
      "expired",
      "the card has expired: ask for a new one",
    );
  }
  const member = memberOf(card);
  const slot = await library.abroad();
  await slot.read();
  const before = slot.contacts.get(member);
  if (!trust.fresh) await trust.read();
  const keys = {
    keyId: keyId(card.identity_key),
    sealing: sha256Hex(card.sealing_key),
  };
  await assertSameKey(trust.record, member, keys, before?.card);
  await pin(library, member, card, believes);
  if (before === undefined && slot.contacts.list().length >= MOST_CONTACTS) {
    throw new AbroadError(
      "limit",
      `you have ${MOST_CONTACTS} contacts: remove one`,
    );
  }
  await trust.change((record) => seeSealingKey(record, member, keys));
  await slot.contacts.put(member, {
    card: bytes,
    ...(card.name === undefined ? {} : { name: card.name }),
  });
  await trust.settle();
  await giveToOther(library, member);
  const { safetyNumber, comparedAt } = await people.known(member);
  return { member, name: card.name, safetyNumber, comparedAt, asked };
}

/** The people of other servers whose cards are kept. */
export async function listContacts(
  library: Library,
): Promise<readonly ContactAbroad[]> {
  const slot = await library.abroad();
  await slot.read();
  return await Promise.all(
    slot.contacts.list().map(async ([member, { name }]) => {
      const { safetyNumber, comparedAt } = await library.people.known(member);
      return { member, name, safetyNumber, comparedAt };
    }),
  );
}

/**
 * Forgets someone's card. What is known of their identity stays. Throws a
 * DocumentError while they are in an album, whose next key needs the card.
 */
export async function forgetContact(
  library: Library,
  member: string,
): Promise<void> {
  const slot = await library.abroad();
  await slot.read();
  const isIn = library.albums.list().some(({ members, tombstoned }) =>
    !tombstoned && members.some(({ userId }) => userId === member)
  );
  if (isIn) {
    throw new AbroadError(
      "in_album",
      `${member} is in an album of yours: remove them from it first`,
    );
  }
  await slot.contacts.put(member, undefined);
}

function assertNotOwn(serverId: string, own: readonly string[]): void {
  if (!own.includes(serverId)) return;
  throw new AbroadError(
    "own_server",
    "the card is from your own server: invite this person by their address",
  );
}

function bytesOf(given: string | Uint8Array): Uint8Array {
  if (typeof given !== "string") return given;
  const bytes = fromBase64Url(given.trim());
  if (bytes !== undefined && bytes.length > 0) return bytes;
  throw new AbroadError("no_card", "this is no contact card");
}

/**
 * Asks a card's server whether it is the one; false where it is not reached,
 * which a link may not.
 */
async function isServer(
  { vault: { session: { platform } } }: Library,
  serverId: string,
  isLink: boolean,
): Promise<boolean> {
  try {
    await serverAbroad(clientOf(platform, serverId), serverId);
    return true;
  } catch (error) {
    if (isLink || !(error instanceof ConnectionError)) throw error;
    return false;
  }
}

async function pin(
  { trust, vault: { session: { platform } } }: Library,
  member: string,
  card: ContactCard,
  believes: string | undefined,
): Promise<void> {
  if (!trust.fresh) await trust.read();
  const shown = keyId(card.identity_key);
  const person = entryOf(trust.record.people, member);
  const pinned = person === undefined ? undefined : anchorInForce(person);
  if (pinned === shown) return;
  if (pinned === undefined) assertNothingWithheld(trust);
  if (pinned !== undefined && believes !== shown) {
    await trust.change((record) =>
      seePerson(record, member, shown, platform.now())
    );
    throw new IdentityChanged(member, pinned, shown);
  }
  await trust.change((record) =>
    pinned === undefined
      ? seePerson(record, member, shown, platform.now())
      : decidePerson(record, member, shown, platform.now())
  );
}

/**
 * Both keys come from one master key, so one of them never changes alone, not
 * even for a person whose card was forgotten meanwhile.
 */
async function assertSameKey(
  record: TrustRecord,
  member: string,
  { keyId: identity, sealing }: SeenKeys,
  held: Uint8Array | undefined,
): Promise<void> {
  const seen = entryOf(record.people, member)?.sealing ?? {};
  const known = entryOf(seen, identity) ?? await sealingOf(held, identity);
  if (known === undefined || known === sealing) return;
  throw new AbroadError(
    "other_key",
    "the card has another key under the same identity",
  );
}

/** That of a card that was kept before the trust record had it. */
async function sealingOf(
  held: Uint8Array | undefined,
  identity: string,
): Promise<string | undefined> {
  if (held === undefined) return undefined;
  const card = await verifyCard(held);
  return keyId(card.identity_key) === identity
    ? sha256Hex(card.sealing_key)
    : undefined;
}

interface SeenKeys {
  readonly keyId: string;
  /** SHA-256 in hex. */
  readonly sealing: string;
}
