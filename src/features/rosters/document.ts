/**
 * Reading a signed roster (protocol/albums.md#roster). The signature is judged
 * elsewhere, against the owner's identity anchor.
 *
 * @module
 */
import { z } from "zod";
import { type AlbumId, isUuid, type UserId } from "../../core/ids.ts";
import { parseRfc3339 } from "../../core/time.ts";
import {
  EnvelopeError,
  type OpenedEnvelope,
  openEnvelope,
} from "../../crypto/envelope.ts";
import { More } from "../../wire/more.ts";
import { isMember } from "../albums/members.ts";

export const ROSTER_TYPE = "service-album-roster/v1";

/** Members, not counting the owner. */
const MEMBERS_MAX = 5_000;
/** A roster of 5,000 members has fewer than 50,000. */
const MAX_ITEMS = 60_000;

/** What the members alone can open; the server keeps it with the rest. */
const SEALED_MAX_BYTES = 64 * 1024;
const sealed = z.instanceof(Uint8Array)
  .refine((bytes) => bytes.length <= SEALED_MAX_BYTES);

const hash = z.instanceof(Uint8Array).refine((bytes) => bytes.length === 32);

const Payload = z.strictObject({
  type: z.literal(ROSTER_TYPE),
  album_id: z.string().refine((text) => isUuid<AlbumId>(text)),
  owner: z.string().refine((text) => isUuid<UserId>(text)),
  roster_version: z.int().min(1),
  amk_epoch: z.int().min(0),
  amk_commitment: hash.optional(),
  members: z.array(z.strictObject({
    member: z.string(),
    role: z.enum(["viewer", "contributor"]),
    wrapped_amk: z.instanceof(Uint8Array),
    sealed_to: hash.optional(),
  })),
  sealed_history: sealed.optional(),
  sealed_info: sealed.optional(),
  signed_at: z.string().refine((text) => parseRfc3339(text) !== undefined),
  more: More.optional(),
});

/** What the server reads of a roster. */
export interface RosterDocument {
  readonly opened: OpenedEnvelope;
  readonly albumId: string;
  readonly owner: string;
  readonly version: number;
  readonly amkEpoch: number;
  /** Without the owner, who may be listed and has no role to get. */
  readonly members: readonly {
    readonly member: string;
    readonly role: "viewer" | "contributor";
  }[];
}

/** Why bytes are no roster; for the log. */
export class RosterFault extends Error {
  override readonly name = "RosterFault";
}

/** Reads a roster's bytes; throws a {@link RosterFault} for anything else. */
export function readRoster(
  bytes: Uint8Array,
  ownServerId: string,
): RosterDocument {
  const opened = open(bytes);
  const parsed = Payload.safeParse(opened.payload);
  if (!parsed.success) {
    throw new RosterFault(z.prettifyError(parsed.error));
  }
  const { album_id, owner, roster_version, amk_epoch, members } = parsed.data;
  const seen = new Set<string>();
  for (const { member } of members) {
    if (!isMember(member, ownServerId)) throw new RosterFault("no member");
    if (seen.has(member)) throw new RosterFault("a member twice");
    seen.add(member);
  }
  const others = members.filter(({ member }) => member !== owner);
  if (others.length > MEMBERS_MAX) throw new RosterFault("too many members");
  return {
    opened,
    albumId: album_id,
    owner,
    version: roster_version,
    amkEpoch: amk_epoch,
    members: others.map(({ member, role }) => ({ member, role })),
  };
}

function open(bytes: Uint8Array): OpenedEnvelope {
  try {
    return openEnvelope(bytes, { maxItems: MAX_ITEMS });
  } catch (cause) {
    if (!(cause instanceof EnvelopeError)) throw cause;
    throw new RosterFault(cause.message, { cause });
  }
}
