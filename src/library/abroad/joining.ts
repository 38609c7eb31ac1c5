/**
 * Albums of other servers that people let this account into
 * (protocol/albums-abroad.md#pickup): reading the pickup, and what is
 * remembered of it.
 *
 * @module
 */
import {
  equalBytes,
  fromBase64Url,
  fromUtf8,
  toHex,
} from "../../core/bytes.ts";
import { PROTOCOL_MAX, PROTOCOL_MIN } from "../../core/protocol.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { ReceiptError } from "../../crypto/receipt.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { followSuccession } from "../../crypto/succession.ts";
import type { Client } from "../../client/api/api.ts";
import {
  type AbroadLink,
  parseAbroadLink,
} from "../../client/documents/abroad_links.ts";
import {
  type AlbumGrant,
  type GrantedToken,
  openGrant,
  verifyGrant,
} from "../../client/documents/album_grant.ts";
import { safetyNumber } from "../../client/documents/anchors.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { after, entryOf, instantOf, isLater } from "../base/merging.ts";
import { type LibraryPlatform, primitivesOf } from "../base/platform.ts";
import type { Library } from "../library.ts";
import type { AbroadSlot, Joined } from "../trust/abroad_state.ts";
import { IdentityChanged } from "../trust/people.ts";
import {
  anchorInForce,
  comparePerson,
  seePerson,
} from "../trust/trust_rules.ts";
import type { Trust } from "../trust/trust.ts";
import type { AlbumAbroad, TrustRecord } from "../trust/trust_record.ts";
import {
  AbroadError,
  AlbumLeft,
  assertNothingWithheld,
} from "./abroad_fault.ts";
import { clearAbroadStore } from "./abroad_store.ts";
import { replyOf } from "./replying.ts";
import { readAbroadLink } from "./abroad_shares.ts";
import { clientOf, ownServerIds, serverAbroad } from "./other_servers.ts";

const MOST_JOINED = 200;
const CLOCK_MS = 10 * MINUTE_MS;
/** In place of the SHA-256 of a roster that was not read yet. */
const NO_ROSTER = "0".repeat(64);
/** Attestation keys of a host, and ids that it had. */
const MOST_KEYS = 64;
/** Moves of an album that are followed at once. */
const MOST_HOPS = 4;

/** A grant that was read from its pickup and holds. */
export interface ReadPickup {
  readonly link: AbroadLink;
  readonly grant: AlbumGrant;
  /** SHA-256 of the signed grant. */
  readonly sha256: string;
  /** How everything here names the album: `<album_id>@<server_id>`. */
  readonly id: string;
  /** How everything here names its owner. */
  readonly owner: string;
  /** The attestation keys that its server's line has, with their times. */
  readonly keys: Readonly<Record<string, number>>;
  /** The protocol date of requests to its server. */
  readonly protocol: string;
  /** What the account's holder and the owner compare. */
  readonly safetyNumber: string;
  /** The album that its owner signed to be this one now. */
  readonly movedFrom?: string;
}

/** What an album's owner signed of where it is now. */
interface Moved {
  readonly grant: AlbumGrant;
  /** How often it has moved already, on the way to this. */
  readonly hops: number;
}

/**
 * Reads and verifies a pickup; the person has not accepted it yet. Throws a
 * DocumentError, or {@link IdentityChanged}.
 */
export async function readPickup(
  library: Library,
  link: AbroadLink,
  { moved, platform = library.vault.session.platform }: {
    readonly moved?: Moved;
    /** To ask other servers with. */
    readonly platform?: LibraryPlatform;
  } = {},
): Promise<ReadPickup> {
  const { vault: { session: { userId }, identity }, trust } = library;
  const slot = await library.abroad();
  await slot.read();
  if (!trust.fresh) await trust.read();
  const own = await ownServerIds(library);
  if (own.includes(link.serverId)) {
    throw new AbroadError(
      "own_server",
      "this is an invitation of your own server",
    );
  }
  const sealed = await readAbroadLink(library, link, platform);
  const primitives = primitivesOf(platform);
  const { opaqueId, serverId } = link;
  for (const server of own) {
    const member = `${userId}@${server}`;
    const bytes = await openGrant(
      sealed,
      identity.sealing.secretKey,
      { member, opaqueId },
      primitives,
    );
    if (bytes === undefined) continue;
    const grant = await verifyGrant(bytes, platform.hybrid);
    assertMeant(slot, link, grant, member, platform.now(), moved?.grant);
    const owner = `${grant.owner}@${serverId}`;
    assertOwner(trust, owner, grant);
    const sha256 = sha256Hex(bytes);
    if (grant.state === "moved") {
      assertNewest(trust.record, grant, sha256);
      const hops = (moved?.hops ?? 0) + 1;
      return await readSuccessor(library, { grant, hops }, platform);
    }
    const client = clientOf(platform, serverId);
    const info = await serverAbroad(client, serverId);
    const protocol = protocolWith(info.protocol_version, grant);
    const before = moved?.grant.server_id;
    const keys = await followedKeys(client, grant, trust.record, before);
    assertNewest(trust.record, grant, sha256);
    if (grant.grant !== undefined) assertToken(grant.grant, grant);
    const id = `${grant.album_id}@${serverId}`;
    const number = safetyNumber(
      identity.signer.keyId,
      keyId(grant.owner_key),
      primitives,
    );
    return {
      ...{ link, grant, sha256, id, owner, keys, protocol },
      safetyNumber: number,
    };
  }
  throw new AbroadError("not_yours", "this invitation is not for you");
}

/**
 * Reads the pickup that takes the place of another one, which its owner signed:
 * nothing that its server says leads to it.
 */
async function readSuccessor(
  library: Library,
  moved: Moved,
  platform: LibraryPlatform,
): Promise<ReadPickup> {
  const { grant: { server_id, album_id, successor }, hops } = moved;
  if (successor === undefined || hops > MOST_HOPS) {
    throw new DocumentError("the album has moved too often");
  }
  const { opaque_id: opaqueId, secret } = successor.pickup;
  const read = await readPickup(library, {
    kind: "pickup",
    serverId: successor.server_id ?? server_id,
    opaqueId,
    secret: new Uint8Array(secret),
  }, { moved, platform });
  return { ...read, movedFrom: `${album_id}@${server_id}` };
}

/** Reads a link to a pickup. Throws a DocumentError. */
export function pickupLinkOf(text: string): AbroadLink {
  const link = parseAbroadLink(text);
  if (link?.kind === "pickup") return link;
  throw new AbroadError(
    "no_invitation",
    link === undefined
      ? "this is no invitation to an album of another server"
      : "this is a contact card, no invitation",
  );
}

/**
 * Accepts an invitation. Throws a DocumentError if it has ended, and AlbumLeft
 * if it is to an album that has moved, and that the person has left meanwhile.
 */
export async function acceptAbroad(
  library: Library,
  read: ReadPickup,
): Promise<void> {
  const { grant: { grant, member, owner }, link, id, movedFrom } = read;
  if (grant === undefined) {
    throw new AbroadError("ended", "this invitation has ended");
  }
  const slot = await library.abroad();
  const assertIn = (get: typeof slot.joined.get) => {
    if (movedFrom === undefined || get(movedFrom) !== undefined) return;
    throw new AlbumLeft(movedFrom);
  };
  if (movedFrom !== undefined) await slot.read({ again: true });
  assertIn(slot.joined.get);
  const isNew = slot.joined.get(id) === undefined;
  // One that has moved takes the place of itself.
  const isMore = isNew && movedFrom === undefined;
  if (isMore && slot.joined.list().length >= MOST_JOINED) {
    throw new AbroadError(
      "limit",
      `you are in ${MOST_JOINED} albums abroad already`,
    );
  }
  // What is known may have come since it was read.
  assertOwner(library.trust, read.owner, read.grant);
  await noteRead(library, read, { accepted: true });
  const { min_protocol_version: _, ...token } = grant;
  const { opaqueId: opaque_id, secret } = link;
  const pickup = { opaque_id, secret };
  await slot.joined.change(id, (present, get) => {
    assertIn(get);
    return {
      ...present,
      ...{ member, owner, pickup, ...token },
      ...replyIn(read.grant),
    };
  });
  if (slot.invited.get(id) !== undefined) {
    await slot.invited.put(id, undefined);
  }
  if (movedFrom !== undefined) {
    await slot.joined.put(movedFrom, undefined);
    await clearAbroadStore(library.store, movedFrom);
  }
  await library.trust.settle();
  if (isNew) await replyOf(library, id, { kind: "accepted" });
}

/** The way to the owner that a grant names, as the state has it. */
export function replyIn({ reply }: AlbumGrant): Pick<Joined, "reply"> {
  return reply === undefined ? {} : { reply };
}

/**
 * Notes in the trust record what a pickup showed. Only accepting it puts an
 * entry.
 */
export async function noteRead(
  { trust, vault: { session: { platform } } }: Library,
  { grant, keys, sha256, owner, movedFrom }: ReadPickup,
  { accepted = false }: { readonly accepted?: boolean } = {},
): Promise<void> {
  const anchor = keyId(grant.owner_key);
  await trust.change((record) => {
    const held = abroadOf(record, grant.server_id, grant.album_id);
    const { accepted_at, left_at, decided_at } = held ?? {};
    // The numbers of someone else say nothing of this owner's.
    const isSame = held === undefined || isOf(held, grant);
    const before = isSame ? held : undefined;
    const now = platform.now();
    const seen: AlbumAbroad = {
      ...held,
      ...(isSame ? {} : { decided_at: after(now, decided_at) }),
      owner: grant.owner,
      anchor,
      // Of the rosters that were read; the grant's own is only told.
      roster_version: before?.roster_version ?? 0,
      amk_epoch: before?.amk_epoch ?? 0,
      roster: before?.roster ?? NO_ROSTER,
      pickup_seq: grant.seq,
      pickup: sha256,
      told_version: grant.roster_version,
      told_epoch: grant.amk_epoch,
      told_roster: toHex(grant.roster),
      ...(accepted ? { accepted_at: after(now, accepted_at, left_at) } : {}),
    };
    const seenNow = seePerson(record, owner, anchor, now);
    const from = movedFrom?.slice(movedFrom.indexOf("@"));
    const former = from === undefined
      ? undefined
      : entryOf(record.people, `${grant.owner}${from}`);
    // The number that they compared is of the identity, not of its server.
    const known = former?.compared?.key_id === anchor
      ? comparePerson(seenNow, owner, { key_id: anchor }, now)
      : seenNow;
    return withAlbumAbroad(known, grant, seen, keys);
  });
}

/** What is remembered of an album abroad. */
export function abroadOf(
  record: TrustRecord,
  serverId: string,
  albumId: string,
): AlbumAbroad | undefined {
  const server = entryOf(record.abroad ?? {}, serverId);
  return server === undefined ? undefined : entryOf(server.albums, albumId);
}

/** A record with what was seen of an album abroad. */
export function withAlbumAbroad(
  record: TrustRecord,
  { server_id, album_id }: Pick<AlbumGrant, "server_id" | "album_id">,
  seen: AlbumAbroad,
  keys: Readonly<Record<string, number>> = {},
): TrustRecord {
  const before = entryOf(record.abroad ?? {}, server_id);
  return {
    ...record,
    abroad: {
      ...record.abroad,
      [server_id]: {
        ...before,
        keys: { ...before?.keys, ...keys },
        albums: { ...before?.albums, [album_id]: seen },
      },
    },
  };
}

/** The link of the pickup of an album that was joined. */
export function linkOfJoined(
  id: string,
  { pickup }: { readonly pickup: Joined["pickup"] },
): AbroadLink {
  return {
    kind: "pickup",
    serverId: id.slice(id.indexOf("@") + 1),
    opaqueId: pickup.opaque_id,
    secret: new Uint8Array(pickup.secret),
  };
}

/** Throws for a grant for someone else, or by no card of this account. */
function assertMeant(
  slot: AbroadSlot,
  { opaqueId, serverId }: AbroadLink,
  grant: AlbumGrant,
  member: string,
  now: number,
  before?: AlbumGrant,
): void {
  if (grant.member !== member || grant.server_id !== serverId) {
    throw new AbroadError("not_yours", "this invitation is not for you");
  }
  if (before !== undefined) return assertSucceeds(grant, before);
  const joined = slot.joined.get(`${grant.album_id}@${serverId}`);
  if (joined?.pickup.opaque_id === opaqueId) return;
  const card = slot.cards.get(toHex(grant.card_id));
  const isLive = card !== undefined &&
    instantOf(card.expires_at) + CLOCK_MS >= now;
  // Only an album that the person is in can have moved.
  if (isLive && grant.state !== "moved") return;
  throw new AbroadError(
    "no_card_of_yours",
    "this invitation answers no card of yours that is still good: make a new " +
      "card",
  );
}

/** Throws unless a grant is what its owner signed to come after another one. */
function assertSucceeds(grant: AlbumGrant, before: AlbumGrant): void {
  const { album_id, owner, owner_key, card_id, successor } = before;
  const succeeds = grant.owner === owner &&
    equalBytes(grant.owner_key, owner_key) &&
    equalBytes(grant.card_id, card_id) &&
    grant.album_id === (successor?.album_id ?? album_id);
  if (succeeds) return;
  throw new DocumentError("the album has moved to what its owner did not sign");
}

function assertOwner(
  trust: Pick<Trust, "record" | "status">,
  owner: string,
  grant: AlbumGrant,
): void {
  const { record } = trust;
  const person = entryOf(record.people, owner);
  const shown = keyId(grant.owner_key);
  const pinned = person === undefined ? undefined : anchorInForce(person);
  if (pinned === undefined) assertNothingWithheld(trust);
  if (pinned !== undefined && pinned !== shown) {
    throw new IdentityChanged(owner, pinned, shown);
  }
  const before = abroadOf(record, grant.server_id, grant.album_id);
  const isOther = before !== undefined && before.owner !== grant.owner &&
    isLater(before.accepted_at, before.left_at);
  if (!isOther) return;
  throw new DocumentError(
    "the invitation is to an album that belongs to someone else",
  );
}

/** Whether what is remembered is of the owner of a grant. */
function isOf({ owner, anchor }: AlbumAbroad, grant: AlbumGrant): boolean {
  return owner === grant.owner && anchor === keyId(grant.owner_key);
}

function assertNewest(
  record: TrustRecord,
  grant: AlbumGrant,
  sha256: string,
): void {
  const { server_id, album_id, seq } = grant;
  const before = abroadOf(record, server_id, album_id);
  if (before !== undefined && !isOf(before, grant)) return;
  const isOlder = before !== undefined && (seq < before.pickup_seq ||
    (seq === before.pickup_seq && sha256 !== before.pickup));
  if (isOlder) {
    throw new AbroadError(
      "older",
      "the server shows an older invitation than before",
    );
  }
}

/**
 * Throws a DocumentError for a token that says of itself that it is for
 * something else; its server alone verifies it.
 */
export function assertToken(
  { token, scope, not_after }: Pick<
    GrantedToken,
    "token" | "scope" | "not_after"
  >,
  { album_id, server_id, member }: Pick<
    AlbumGrant,
    "album_id" | "server_id" | "member"
  >,
): void {
  const { header, claims } = partsOf(token);
  const peer = member.slice(member.indexOf("@") + 1);
  const expires = claims["exp"];
  const holds = header["typ"] === "service-capability+jwt" &&
    claims["iss"] === server_id && claims["aud"] === peer &&
    claims["sub"] === member && claims["album"] === album_id &&
    claims["scope"] === scope && typeof expires === "number" &&
    expires * SECOND_MS <= instantOf(not_after);
  if (!holds) throw new DocumentError("the token is for something else");
}

type Json = Readonly<Record<string, unknown>>;

/** The `jti` of a token. */
export function jtiOf(token: string): unknown {
  return partsOf(token).claims["jti"];
}

/** How long a token lives by its server's clock (ms). */
export function lifeOf(token: string): number {
  const { claims: { iat, exp } } = partsOf(token);
  return typeof iat === "number" && typeof exp === "number"
    ? (exp - iat) * SECOND_MS
    : 0;
}

function partsOf(
  token: string,
): { readonly header: Json; readonly claims: Json } {
  const [header, claims] = token.split(".").slice(0, 2).map((part): Json => {
    try {
      const bytes = fromBase64Url(part);
      const json: unknown = JSON.parse(
        (bytes === undefined ? undefined : fromUtf8(bytes)) ?? "",
      );
      return typeof json === "object" && json !== null ? { ...json } : {};
    } catch (error) {
      if (error instanceof SyntaxError) return {};
      throw error;
    }
  });
  return { header: header ?? {}, claims: claims ?? {} };
}

/** The newest date that both speak. */
export function protocolWith(
  { min, max }: { readonly min: string; readonly max: string },
  { grant }: Pick<AlbumGrant, "grant"> = {},
): string {
  const wanted = grant?.min_protocol_version ?? min;
  if (wanted > PROTOCOL_MAX || min > PROTOCOL_MAX) {
    throw new AbroadError(
      "newer_program",
      "the album needs a newer program",
    );
  }
  if (max < PROTOCOL_MIN) {
    throw new AbroadError(
      "older_server",
      "the album's server is too old for this program",
    );
  }
  return max < PROTOCOL_MAX ? max : PROTOCOL_MAX;
}

/**
 * The attestation keys of a server along the line of those that the owner
 * follows, and of those that were seen before, also under a former id of it.
 */
async function followedKeys(
  client: Client,
  { keys, server_id }: AlbumGrant,
  record: TrustRecord,
  former = server_id,
): Promise<Readonly<Record<string, number>>> {
  const published = await publishedKeys(client);
  const seen = [server_id, former].flatMap((id) =>
    Object.keys(entryOf(record.abroad ?? {}, id)?.keys ?? {})
  );
  // All of it is the host's choice, and each key is verified for each id.
  const { keys: shown, formerIds = [] } = published;
  if (shown.length > MOST_KEYS || formerIds.length > MOST_KEYS) {
    throw new DocumentError("the album's server shows too many keys");
  }
  if (former !== server_id && !formerIds.includes(former)) {
    throw new DocumentError("the album has moved to another server");
  }
  const pinned = new Set([keys.at(-1) ?? "", ...seen]);
  const earliest = shown.find(({ keyId }) => pinned.has(keyId))?.keyId ?? "";
  const followed = await followSuccession(published, earliest);
  const line = new Map(
    followed?.published.keys.map((
      { keyId, activeFrom },
    ) => [keyId, activeFrom]),
  );
  const isWhole = followed !== undefined &&
    followed.endsBefore === undefined &&
    [...pinned].every((one) => line.has(one));
  if (isWhole) return Object.fromEntries(line);
  throw new DocumentError("the album's server shows other keys than before");
}

async function publishedKeys(client: Client) {
  try {
    return await client.attestationKeys();
  } catch (cause) {
    if (!(cause instanceof ReceiptError)) throw cause;
    throw new DocumentError("the album's server shows no keys", { cause });
  }
}
