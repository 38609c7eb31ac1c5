/**
 * What lets a member of another server into an album
 * (protocol/albums-abroad.md#grant): signed by the album's owner, sealed to the
 * member, and served by the owner's server in the index of a share, the pickup,
 * which the owner rewrites in place.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes, RandomBytes } from "../../core/bytes.ts";
import { encodeCanonical } from "../../core/cbor.ts";
import { signEnvelope } from "../../crypto/envelope.ts";
import type { HybridBackend, HybridSigner } from "../../crypto/hybrid.ts";
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import { date, opaqueId } from "../../wire/fields.ts";
import { xWing } from "../keys/lazy_sealing.ts";
import { exactly, identityKey, serverId } from "./contact_card.ts";
import {
  assertUtc,
  checked,
  count,
  DocumentError,
  hash,
  instant,
  textBetween,
  uuid,
} from "./fields.ts";
import { assertSigned, openDocument } from "./signed.ts";
import { KEY_BYTES } from "./suite.ts";

/** The grant's type, signing domain, and the label that it is sealed under. */
const GRANT_TYPE = "service-album-grant/v1";

/** Most bytes of a grant. */
const GRANT_MAX_BYTES = 16 * 1024;
/** A user id, an `@` and a server id. */
const MEMBER_MAX = 300;

const grantSchema = z.strictObject({
  type: z.literal(GRANT_TYPE),
  seq: z.int().check(z.gte(1)),
  state: z.enum(["live", "ended", "moved"]),
  member: textBetween(1, MEMBER_MAX),
  card_id: exactly(16),
  server_id: serverId,
  album_id: uuid,
  owner: uuid,
  owner_key: identityKey,
  owner_name: z.exactOptional(textBetween(1, 128)),
  roster_version: z.int().check(z.gte(1)),
  amk_epoch: count,
  roster: exactly(32),
  grant: z.exactOptional(z.strictObject({
    token: textBetween(1, 4_096),
    jti: uuid,
    renewal: exactly(32),
    expires_at: instant,
    not_after: instant,
    scope: z.enum(["read", "read-derivative-only"]),
    min_protocol_version: date,
  })),
  /** An upload link of the owner's, for replies. */
  reply: z.exactOptional(z.strictObject({
    opaque_id: opaqueId,
    fingerprint: exactly(32),
    expires_at: instant,
  })),
  /** Key ids of the server's attestation keys, the active one last. */
  keys: z.array(hash).check(z.minLength(1), z.maxLength(16)),
  /** Origin, size and root of a checkpoint of the server's keys log. */
  log: z.exactOptional(
    z.tuple([textBetween(1, 1_024), count, exactly(32)]),
  ),
  successor: z.exactOptional(z.strictObject({
    server_id: z.exactOptional(serverId),
    album_id: z.exactOptional(uuid),
    pickup: z.strictObject({
      opaque_id: opaqueId,
      secret: exactly(KEY_BYTES),
    }),
  })),
  signed_at: instant,
});

/** The token of a grant, and what renews it. */
export interface GrantedToken {
  readonly token: string;
  readonly jti: string;
  /** The secret, 32 bytes. */
  readonly renewal: Uint8Array;
  readonly expires_at: string;
  /** The end of the grant. */
  readonly not_after: string;
  readonly scope: "read" | "read-derivative-only";
  readonly min_protocol_version: string;
}

/** The fields of a grant; the type is added when it is signed. */
export interface AlbumGrant {
  /** One more each time the pickup is written; the first is 1. */
  readonly seq: number;
  readonly state: "live" | "ended" | "moved";
  /** Whom it is for, `<user_id>@<server_id>`, and by which card of theirs. */
  readonly member: string;
  readonly card_id: Uint8Array;
  readonly server_id: string;
  readonly album_id: string;
  /** The owner's user id and identity key. */
  readonly owner: string;
  readonly owner_key: Uint8Array;
  readonly owner_name?: string;
  /** The newest roster that the owner's program has, and its SHA-256. */
  readonly roster_version: number;
  readonly amk_epoch: number;
  readonly roster: Uint8Array;
  /** With `live`. */
  readonly grant?: GrantedToken;
  readonly reply?: {
    readonly opaque_id: string;
    readonly fingerprint: Uint8Array;
    readonly expires_at: string;
  };
  readonly keys: string[];
  readonly log?: [string, number, Uint8Array];
  /** With `moved`: the pickup in its place, and what else is another one. */
  readonly successor?: {
    readonly server_id?: string;
    readonly album_id?: string;
    readonly pickup: {
      readonly opaque_id: string;
      readonly secret: Uint8Array;
    };
  };
  readonly signed_at: string;
}

/** Signs a grant. Throws a DocumentError for fields out of bounds. */
export async function signGrant(
  signer: HybridSigner,
  grant: AlbumGrant,
): Promise<Bytes> {
  const payload = { ...grant, type: GRANT_TYPE };
  const { log, ...checkedGrant } = checked(
    grantSchema,
    payload,
    "album grant",
  );
  assertWhole(checkedGrant);
  const bytes = await signEnvelope(signer, {
    ...checkedGrant,
    ...(log === undefined ? {} : { log: [...log] }),
  });
  if (bytes.length <= GRANT_MAX_BYTES) return bytes;
  throw new DocumentError("album grant: too large");
}

/**
 * Reads a grant and verifies that the owner's key in it signed it; whose that is
 * the caller compares. Throws a DocumentError.
 */
export async function verifyGrant(
  bytes: Uint8Array,
  backend?: HybridBackend,
): Promise<AlbumGrant> {
  if (bytes.length > GRANT_MAX_BYTES) {
    throw new DocumentError("album grant: too large");
  }
  const opened = openDocument(bytes, "album grant");
  const { type: _type, ...grant } = checked(
    grantSchema,
    opened.payload,
    "album grant",
  );
  assertWhole(grant);
  await assertSigned(
    opened,
    "album grant",
    GRANT_TYPE,
    grant.owner_key,
    backend,
  );
  return grant;
}

/** The member and the pickup that a sealed grant is for. */
interface GrantContext {
  readonly member: string;
  /** Of the pickup. */
  readonly opaqueId: string;
}

/**
 * Seals a signed grant to a member's sealing key. Throws a ConnectionError if
 * the code for it cannot be loaded.
 */
export async function sealGrant(
  grant: Uint8Array,
  memberKey: Uint8Array,
  context: GrantContext,
  random: RandomBytes,
  primitives: Primitives = portablePrimitives,
): Promise<Bytes> {
  const { sealTo } = await xWing();
  const bound = boundTo(context);
  return sealTo(memberKey, grant, GRANT_TYPE, bound, random, primitives);
}

/**
 * Opens a sealed grant; undefined if it was sealed to another key, or for
 * another member or pickup.
 */
export async function openGrant(
  sealed: Uint8Array,
  secretKey: Uint8Array,
  context: GrantContext,
  primitives: Primitives = portablePrimitives,
): Promise<Bytes | undefined> {
  const { openSealed } = await xWing();
  const bound = boundTo(context);
  return openSealed(secretKey, sealed, GRANT_TYPE, bound, primitives);
}

function boundTo({ member, opaqueId }: GrantContext): Bytes {
  return encodeCanonical([member, opaqueId]);
}

/** Throws for what the shape of the fields does not show. */
function assertWhole(
  { state, grant, successor, signed_at, reply }: Omit<AlbumGrant, "log">,
): void {
  assertUtc(
    "album grant",
    signed_at,
    ...grant === undefined ? [] : [grant.expires_at, grant.not_after],
    ...reply === undefined ? [] : [reply.expires_at],
  );
  const isWhole = (state === "live") === (grant !== undefined) &&
    (state === "moved") === (successor !== undefined);
  if (!isWhole) throw new DocumentError(`album grant: not whole for ${state}`);
}
