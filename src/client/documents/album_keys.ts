/**
 * The sealed parts of a roster (protocol/client-cryptography.md#key-history):
 * the album keys of earlier epochs, and the album's title and other
 * information. Both are sealed under the key of the roster's epoch, so a member
 * who left can read neither.
 *
 * @module
 */
import * as z from "zod/mini";
import {
  type Bytes,
  concatBytes,
  equalBytes,
  type RandomBytes,
} from "../../core/bytes.ts";
import {
  CborError,
  decodeCanonical,
  encodeCanonical,
} from "../../core/cbor.ts";
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import { sha256 } from "../../crypto/sha256.ts";
import {
  anyBytes,
  checked,
  count,
  DocumentError,
  hash,
  hexId,
  textBetween,
  uuid,
} from "./fields.ts";
import { albumSealKey } from "./file_key.ts";
import type { LazySealingKeys } from "./identity.ts";
import { decodeJson, encodeJson, key } from "./json.ts";
import {
  amkCommitment,
  openAmk,
  type Roster,
  SEALED_MAX_BYTES,
} from "./roster.ts";
import { assertKey, KEY_BYTES, NONCE_BYTES, TAG_BYTES } from "./suite.ts";

const HISTORY_LABEL = "service-amk-history/v1";
const INFO_LABEL = "service-album-info/v1";

/** The album and the epoch that something sealed belongs to. */
export interface AlbumEpoch {
  readonly albumId: string;
  readonly amkEpoch: number;
}

/** Keys of an album, 32 bytes each, by their epochs. */
export type AlbumKeys = ReadonlyMap<number, Uint8Array>;

/** The title of an album and the other information that members see. */
export interface AlbumInfo {
  readonly title: string;
  /** The asset whose picture stands for the album. */
  readonly cover?: string | undefined;
  readonly description?: string | undefined;
  /** The members' names for people, by their names in the roster. */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /**
   * The `key_id`s of those who may add photos, by their user ids, for members
   * of other servers.
   */
  readonly anchors?: Readonly<Record<string, string>> | undefined;
  /** The order of its photos by the day they were taken; default: newest first. */
  readonly order?: "newest" | "oldest" | undefined;
  /** False where the owner turned comments and hearts off. */
  readonly remarks?: boolean | undefined;
  /** The upload link by which viewers say something. */
  readonly viewers?: ViewersLink | undefined;
}

/** An upload link of an album's owner, for what viewers say. */
interface ViewersLink {
  readonly opaque_id: string;
  /** Of its recipient's key, 32 bytes. */
  readonly fingerprint: Uint8Array;
  /** What is sent by it is bound to, 32 bytes that the server does not know. */
  readonly gate: Uint8Array;
  /** The epoch in which it was made: a removed viewer gets no later one. */
  readonly epoch: number;
}

/** Most identities that an album's information names. */
export const ANCHORS_MAX = 400;

/** The keys and the information that a roster gives to a member. */
export interface OpenedAlbum {
  /**
   * The keys of the roster's epoch and of the earlier ones that it contains.
   */
  readonly keys: ReadonlyMap<number, Bytes>;
  readonly info?: AlbumInfo;
}

const historySchema = z.array(z.tuple([
  count,
  anyBytes.check(z.refine((bytes) => bytes.length === KEY_BYTES, "not a key")),
]));

const infoSchema = z.object({
  title: textBetween(0, 1_024),
  cover: z.optional(uuid),
  description: z.optional(textBetween(0, 16_384)),
  names: z.optional(z.record(z.string(), textBetween(0, 1_024))),
  remarks: z.optional(z.boolean()),
  viewers: z.optional(
    z.catch(
      z.optional(
        z.object({
          opaque_id: hexId,
          fingerprint: key,
          gate: key,
          epoch: count,
        }),
      ),
      undefined,
    ),
  ),
  // An order of a newer program is no reason not to open the album.
  order: z.optional(
    z.catch(z.optional(z.enum(["newest", "oldest"])), undefined),
  ),
  anchors: z.optional(
    z.record(z.string(), hash).check(
      z.refine((anchors) => Object.keys(anchors).length <= ANCHORS_MAX),
    ),
  ),
});

/**
 * Makes the `sealed_history` of a roster: the keys of all epochs before its
 * own, sealed under `amk`, the key of its own. A roster of epoch 1 or later
 * always has one. Throws a RangeError for an epoch that is not earlier, and a
 * DocumentError for more than 64 KiB (some 1,700 epochs): no key may be left out,
 * because photos would no longer open.
 */
export function sealHistory(
  amk: Uint8Array,
  of: AlbumEpoch,
  before: AlbumKeys,
  random: RandomBytes,
  primitives: Primitives = portablePrimitives,
): Bytes {
  const epochs = [...before].toSorted(([a], [b]) => a - b);
  for (const [epoch, key] of epochs) {
    assertKey(key, "an album key");
    if (!Number.isSafeInteger(epoch) || epoch < 0 || epoch >= of.amkEpoch) {
      throw new RangeError(`epoch ${epoch} is not before ${of.amkEpoch}`);
    }
  }
  const plaintext = encodeCanonical(epochs.map((one) => [...one]));
  return seal(amk, HISTORY_LABEL, of, plaintext, random, primitives);
}

/** Whether the keys of an album fit into the history of another epoch. */
export function hasRoomForEpoch(keys: AlbumKeys): boolean {
  const plaintext = encodeCanonical([...keys].map((one) => [...one]));
  return NONCE_BYTES + plaintext.length + TAG_BYTES <= SEALED_MAX_BYTES;
}

/**
 * Opens a `sealed_history`: the keys of earlier epochs. Undefined if it belongs
 * to another album or epoch, or was changed. Throws a DocumentError for another
 * shape.
 */
export function openHistory(
  amk: Uint8Array,
  of: AlbumEpoch,
  sealed: Uint8Array,
  primitives: Primitives = portablePrimitives,
): Map<number, Bytes> | undefined {
  const plaintext = open(amk, HISTORY_LABEL, of, sealed, primitives);
  if (plaintext === undefined) return undefined;
  const keys = new Map<number, Bytes>();
  for (const [epoch, key] of readHistory(plaintext)) {
    if (epoch >= of.amkEpoch || keys.has(epoch)) {
      throw new DocumentError(`key history: epoch ${epoch} out of place`);
    }
    keys.set(epoch, new Uint8Array(key));
  }
  return keys;
}

/**
 * Makes the `sealed_info` of a roster. Throws a DocumentError for values out of
 * bounds and for more than 64 KiB.
 */
export function sealAlbumInfo(
  amk: Uint8Array,
  of: AlbumEpoch,
  info: AlbumInfo,
  random: RandomBytes,
  primitives: Primitives = portablePrimitives,
): Bytes {
  const plaintext = encodeJson(infoSchema, info, "album info");
  return seal(amk, INFO_LABEL, of, plaintext, random, primitives);
}

/**
 * Opens a `sealed_info`. Undefined if it belongs to another album or epoch, or
 * was changed. Unknown keys are ignored. Throws a DocumentError for another
 * shape.
 */
export function openAlbumInfo(
  amk: Uint8Array,
  of: AlbumEpoch,
  sealed: Uint8Array,
  primitives: Primitives = portablePrimitives,
): AlbumInfo | undefined {
  const plaintext = open(amk, INFO_LABEL, of, sealed, primitives);
  if (plaintext === undefined) return undefined;
  return decodeJson(infoSchema, plaintext, "album info");
}

/**
 * Opens everything that a verified roster gives to a member, who is named as in
 * the roster and given by their X-Wing pair. Undefined if the roster does not
 * name the member or the album key does not open. Throws a DocumentError if it
 * was sealed to another key than the member's: the owner was shown a false one.
 * Also if the roster commits to another key, or its sealed parts do not open
 * with the album key: then the owner gave this member another key than the
 * others.
 */
export async function openAlbum(
  roster: Roster,
  member: string,
  sealing: LazySealingKeys,
  primitives: Primitives = portablePrimitives,
): Promise<OpenedAlbum | undefined> {
  const own = roster.members.find((one) => one.member === member);
  if (own === undefined) return undefined;
  if (!equalBytes(sha256(await sealing.publicKey()), own.sealed_to)) {
    throw new DocumentError("its owner encrypted for another key than yours");
  }
  const of = { albumId: roster.album_id, amkEpoch: roster.amk_epoch };
  const amk = await openAmk(
    own.wrapped_amk,
    sealing.secretKey,
    { ...of, member },
    primitives,
  );
  if (amk === undefined) return undefined;
  if (!equalBytes(amkCommitment(amk, of, primitives), roster.amk_commitment)) {
    throw new DocumentError("the roster commits to another key");
  }
  const { sealed_history: history, sealed_info: sealedInfo } = roster;
  const before = history === undefined
    ? new Map<number, Bytes>()
    : openHistory(amk, of, history, primitives);
  const info = sealedInfo === undefined
    ? undefined
    : openAlbumInfo(amk, of, sealedInfo, primitives);
  if (before === undefined) {
    throw new DocumentError("key history is not under the album's key");
  }
  if (sealedInfo !== undefined && info === undefined) {
    throw new DocumentError("album info is not under the album's key");
  }
  const keys = before.set(of.amkEpoch, amk);
  return info === undefined ? { keys } : { keys, info };
}

function readHistory(plaintext: Uint8Array): z.output<typeof historySchema> {
  try {
    return checked(
      historySchema,
      decodeCanonical(plaintext, { maxDepth: 2 }),
      "key history",
    );
  } catch (cause) {
    if (!(cause instanceof CborError)) throw cause;
    throw new DocumentError(`key history: ${cause.message}`, { cause });
  }
}

function seal(
  amk: Uint8Array,
  label: string,
  of: AlbumEpoch,
  plaintext: Uint8Array,
  random: RandomBytes,
  primitives: Primitives,
): Bytes {
  const key = albumSealKey(amk, primitives);
  const nonce = random(NONCE_BYTES);
  const bound = boundTo(label, of);
  const sealed = concatBytes(
    nonce,
    primitives.seal(key, nonce, plaintext, bound),
  );
  if (sealed.length > SEALED_MAX_BYTES) {
    throw new DocumentError(
      label === HISTORY_LABEL
        ? "the album cannot change its key again: it has changed it too often. " +
          "Make a new album, and add its photos there"
        : "the album's title, description and names are too long",
    );
  }
  return sealed;
}

function open(
  amk: Uint8Array,
  label: string,
  of: AlbumEpoch,
  sealed: Uint8Array,
  primitives: Primitives,
): Bytes | undefined {
  return primitives.open(
    albumSealKey(amk, primitives),
    sealed.subarray(0, NONCE_BYTES),
    sealed.subarray(NONCE_BYTES),
    boundTo(label, of),
  );
}

function boundTo(label: string, { albumId, amkEpoch }: AlbumEpoch): Bytes {
  return encodeCanonical([label, albumId, amkEpoch]);
}
