/**
 * The album roster (protocol/albums.md#roster): a signed envelope of type
 * `service-album-roster/v1` that gives each member the album's key (AMK) of an
 * epoch, sealed to the member's X-Wing key.
 *
 * The AMK is sealed under the label `service-album-key/v1` (`sealing.ts`) with
 * the canonical CBOR of `[album_id, amk_epoch, member]` as associated data, so
 * that a server cannot hand one album's or one epoch's key out as another's.
 * The roster commits to the AMK, so that an owner cannot give two members two
 * keys.
 * The owner is listed among the members too, because the payload has no other
 * place for the owner's sealed key.
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
import { sha256 } from "../../crypto/sha256.ts";
import {
  anyBytes,
  assertUtc,
  checked,
  count,
  DocumentError,
  instant,
  more,
  uuid,
  withoutMore,
} from "./fields.ts";
import { xWing } from "../keys/lazy_sealing.ts";
import { assertSigned, openDocument } from "./signed.ts";
import { assertKey, deriveKey, KEY_BYTES, uuidBytes } from "./suite.ts";

/** The roster's type and signing domain. */
export const ROSTER_TYPE = "service-album-roster/v1";

const AMK_LABEL = "service-album-key/v1";
const COMMITMENT_LABEL = "service-amk-commitment/v1";

/** Largest `sealed_history` and largest `sealed_info` (bytes). */
export const SEALED_MAX_BYTES: number = 64 * 1024;
const sealed = anyBytes.check(
  z.refine((bytes) => bytes.length <= SEALED_MAX_BYTES),
);

const hashBytes = anyBytes.check(z.refine((bytes) => bytes.length === 32));

const rosterSchema = z.strictObject({
  type: z.literal(ROSTER_TYPE),
  album_id: uuid,
  owner: z.string().check(z.minLength(1)),
  roster_version: z.int().check(z.gte(1)),
  amk_epoch: count,
  amk_commitment: hashBytes,
  members: z.array(z.strictObject({
    member: z.string().check(z.minLength(1)),
    role: z.enum(["viewer", "contributor"]),
    wrapped_amk: anyBytes,
    sealed_to: hashBytes,
    // 5,000 members and the owner.
  })).check(z.maxLength(5_001)),
  /** The keys of earlier epochs, sealed under this epoch's key. */
  sealed_history: z.exactOptional(sealed),
  /** The album's title and other information, sealed under this epoch's key. */
  sealed_info: z.exactOptional(sealed),
  signed_at: instant,
  more,
});

/** A member of an album. */
export interface RosterMember {
  /** A user id, or `<user_id>@<server_id>` of another server. */
  readonly member: string;
  readonly role: "viewer" | "contributor";
  /**
   * The album's key of this epoch, sealed to the member; see {@link sealAmk}.
   */
  readonly wrapped_amk: Uint8Array;
  /** SHA-256 of the sealing key that it was sealed to. */
  readonly sealed_to: Uint8Array;
}

/** The fields of a roster; the type is added when it is signed. */
export interface Roster {
  readonly album_id: string;
  /** The owner's user id. */
  readonly owner: string;
  readonly roster_version: number;
  readonly amk_epoch: number;
  /** What commits to the epoch's key; see {@link amkCommitment}. */
  readonly amk_commitment: Uint8Array;
  readonly members: readonly RosterMember[];
  /** The keys of earlier epochs, see `album_keys.ts`. */
  readonly sealed_history?: Uint8Array;
  /** The album's title and other information, see `album_keys.ts`. */
  readonly sealed_info?: Uint8Array;
  readonly signed_at: string;
}

/** The album, the epoch and the member to which a sealed AMK belongs. */
export interface AmkContext {
  readonly albumId: string;
  readonly amkEpoch: number;
  /** As the roster names the member. */
  readonly member: string;
}

/**
 * Seals an album's key (32 bytes) to a member; returns the `wrapped_amk`. Throws
 * a ConnectionError if the code for it cannot be loaded.
 */
export async function sealAmk(
  amk: Uint8Array,
  memberKey: Uint8Array,
  context: AmkContext,
  random: RandomBytes,
  primitives: Primitives = portablePrimitives,
): Promise<Bytes> {
  assertKey(amk, "an album key");
  const bound = boundTo(context);
  const { sealTo } = await xWing();
  return sealTo(memberKey, amk, AMK_LABEL, bound, random, primitives);
}

/**
 * Makes a member's entry: the album's key sealed to their sealing key. Throws as
 * {@link sealAmk} does.
 */
export async function sealMember(
  amk: Uint8Array,
  memberKey: Uint8Array,
  { role, ...context }: AmkContext & Pick<RosterMember, "role">,
  random: RandomBytes,
  primitives: Primitives = portablePrimitives,
): Promise<RosterMember> {
  return {
    member: context.member,
    role,
    wrapped_amk: await sealAmk(amk, memberKey, context, random, primitives),
    sealed_to: sha256(memberKey),
  };
}

/**
 * What commits a roster to the album's key of its epoch: HKDF(AMK, album_id
 * bytes, `service-amk-commitment/v1/<epoch>`).
 */
export function amkCommitment(
  amk: Uint8Array,
  { albumId, amkEpoch }: Pick<AmkContext, "albumId" | "amkEpoch">,
  primitives: Primitives = portablePrimitives,
): Bytes {
  assertKey(amk, "an album key");
  const label = `${COMMITMENT_LABEL}/${amkEpoch}`;
  return deriveKey(primitives, amk, uuidBytes(albumId), label);
}

/**
 * Opens the album's key in a member's `wrapped_amk`; undefined if it was sealed
 * to another key or for another album, epoch or member. Throws a
 * ConnectionError if the code for it cannot be loaded.
 */
export async function openAmk(
  wrappedAmk: Uint8Array,
  secretKey: Uint8Array,
  context: AmkContext,
  primitives: Primitives = portablePrimitives,
): Promise<Bytes | undefined> {
  const { openSealed } = await xWing();
  const amk = openSealed(
    secretKey,
    wrappedAmk,
    AMK_LABEL,
    boundTo(context),
    primitives,
  );
  return amk?.length === KEY_BYTES ? amk : undefined;
}

/**
 * Signs a roster with the owner's identity key; returns the bytes of
 * `roster_cbor`. Throws a DocumentError for fields out of bounds, and for a
 * roster of epoch 1 or later without `sealed_history`, from which new members
 * get the earlier keys.
 */
export async function signRoster(
  signer: HybridSigner,
  roster: Roster,
): Promise<Bytes> {
  if (roster.amk_epoch > 0 && roster.sealed_history === undefined) {
    throw new DocumentError("roster /sealed_history: wanted from epoch 1 on");
  }
  assertUtc("roster", roster.signed_at);
  const payload = { ...roster, type: ROSTER_TYPE };
  return await signEnvelope(signer, {
    ...checked(rosterSchema, payload, "roster"),
  });
}

/**
 * Reads a roster and verifies that the owner's identity key (1,984 bytes)
 * signed it. Throws a DocumentError.
 */
export async function verifyRoster(
  bytes: Uint8Array,
  ownerKey: Uint8Array,
  backend?: HybridBackend,
): Promise<Roster> {
  const opened = openDocument(bytes, "roster");
  await assertSigned(opened, "roster", ROSTER_TYPE, ownerKey, backend);
  const { type: _type, ...roster } = withoutMore(
    checked(rosterSchema, opened.payload, "roster"),
    "roster",
  );
  return roster;
}

function boundTo(context: AmkContext): Bytes {
  return encodeCanonical([
    context.albumId,
    context.amkEpoch,
    context.member,
  ]);
}
