/**
 * Identifiers: each is parsed once, where it enters, and carries its type from
 * there on.
 *
 * @module
 */
import { toHex } from "./bytes.ts";
import type { Platform } from "./platform.ts";

type Branded<B extends string> = string & { readonly brand: B };

export type UserId = Branded<"UserId">;
export type SessionId = Branded<"SessionId">;
export type AlbumId = Branded<"AlbumId">;
/** The manifest's `file_id`. */
export type AssetId = Branded<"AssetId">;
export type ChallengeId = Branded<"ChallengeId">;
export type InvitationId = Branded<"InvitationId">;
export type UploadId = Branded<"UploadId">;
/** Names a grant: the same for a capability and all its successors. */
export type GrantId = Branded<"GrantId">;
/** A capability token's own id (`jti`), by which its grant is revoked. */
export type CapabilityId = Branded<"CapabilityId">;
/** A signed upgrade intent's id, chosen by its client. */
export type IntentId = Branded<"IntentId">;
export type ReportId = Branded<"ReportId">;
/** An enrollment channel's handle: 16 random bytes in lowercase hex. */
export type ChannelId = Branded<"ChannelId">;
/** A content address: SHA-256 in lowercase hex. */
export type BlobHash = Branded<"BlobHash">;
/** A share link's id: 32 lowercase hex characters. */
export type OpaqueId = Branded<"OpaqueId">;
/** The name of a state slot: 1 to 32 of `a-z 0-9 -`. */
export type StateSlot = Branded<"StateSlot">;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_V4 =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** The form of a content address, and of any other SHA-256. */
export const BLOB_HASH: RegExp = /^[0-9a-f]{64}$/;
/** The form of a link's id, and of a channel's handle. */
export const HEX_16_BYTES: RegExp = /^[0-9a-f]{32}$/;
const SLOT = /^[a-z0-9-]{1,32}$/;

/** Every kind of id that is a UUID. */
export type Uuid =
  | UserId
  | SessionId
  | AlbumId
  | AssetId
  | ChallengeId
  | InvitationId
  | UploadId
  | GrantId
  | CapabilityId
  | IntentId
  | ReportId;

/** Whether the text is a UUID in its canonical lowercase hyphenated form. */
export function isUuid<T extends Uuid>(text: string): text is T {
  return UUID.test(text);
}

/** Reads a canonical lowercase UUID of any version. */
export function parseUuid<T extends Uuid>(text: string): T | undefined {
  return isUuid<T>(text) ? text : undefined;
}

/** Whether the text is a canonical lowercase UUID of version 4. */
export function isUuidV4(text: string): boolean {
  return UUID_V4.test(text);
}

/** Whether the text is a content address. */
export function isBlobHash(text: string): text is BlobHash {
  return BLOB_HASH.test(text);
}

/** Reads a content address: 64 lowercase hex characters. */
export function parseBlobHash(text: string): BlobHash | undefined {
  return isBlobHash(text) ? text : undefined;
}

/** Whether the text has the shape of a share link's id. */
export function isOpaqueId(text: string): text is OpaqueId {
  return HEX_16_BYTES.test(text);
}

/** Reads a share link's id: 32 lowercase hex characters. */
export function parseOpaqueId(text: string): OpaqueId | undefined {
  return isOpaqueId(text) ? text : undefined;
}

/** Reads the name of a state slot: 1 to 32 of `a-z 0-9 -`. */
export function parseStateSlot(text: string): StateSlot | undefined {
  return isStateSlot(text) ? text : undefined;
}

function isStateSlot(text: string): text is StateSlot {
  return SLOT.test(text);
}

/** Reads an enrollment channel's handle: 32 lowercase hex characters. */
export function parseChannelId(text: string): ChannelId | undefined {
  return isChannelId(text) ? text : undefined;
}

/** A new channel's handle. Everybody who knows it may read and append. */
export function newChannelId(random: Platform["random"]): ChannelId {
  const channelId = parseChannelId(toHex(random(16)));
  if (channelId === undefined) throw new RangeError("a handle has 16 bytes");
  return channelId;
}

function isChannelId(text: string): text is ChannelId {
  return HEX_16_BYTES.test(text);
}

function formatUuid<T extends Uuid>(bytes: Uint8Array): T {
  const hex = toHex(bytes);
  const text = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
  const uuid = parseUuid<T>(text);
  if (uuid === undefined) throw new RangeError("a UUID has 16 bytes");
  return uuid;
}

/**
 * A random UUID (version 4, RFC 9562 section 5.4), which reveals nothing, not
 * even a time.
 */
export function uuidV4<T extends Uuid>(random: Platform["random"]): T {
  const bytes = random(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return formatUuid(bytes);
}

/**
 * Makes a source of UUIDs of version 7, each above the one before even when the
 * clock goes back: within a millisecond the 12 bits of `rand_a` count up (RFC
 * 9562 section 6.2, method 1). If `after` is given, a UUID of version 7 from
 * any process, the new one is above that as well.
 */
export function uuidV7Source(
  platform: Pick<Platform, "now" | "random">,
): <T extends Uuid>(after?: string) => T {
  let lastMs = 0;
  let counter = 0;
  return <T extends Uuid>(after = ""): T => {
    const floor = after === "" ? undefined : positionOf(after);
    if (
      floor !== undefined &&
      (floor.ms > lastMs || (floor.ms === lastMs && floor.counter > counter))
    ) [lastMs, counter] = [floor.ms, floor.counter];
    const bytes = platform.random(16);
    const now = platform.now();
    if (now > lastMs) {
      lastMs = now;
      // The top bit starts at 0 so that the counter has room to grow.
      counter = (((bytes[6] ?? 0) << 8) | (bytes[7] ?? 0)) & 0x7ff;
    } else if (++counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
    const view = new DataView(bytes.buffer);
    view.setUint32(0, Math.floor(lastMs / 0x1_0000));
    view.setUint16(4, lastMs % 0x1_0000);
    view.setUint16(6, 0x7000 | counter);
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return formatUuid(bytes);
  };
}

/** The millisecond and the counter of a UUID of version 7. */
function positionOf(uuid: string): { ms: number; counter: number } {
  const hex = uuid.replaceAll("-", "");
  return {
    ms: Number.parseInt(hex.slice(0, 12), 16),
    counter: Number.parseInt(hex.slice(13, 16), 16),
  };
}
