/**
 * The plaintext of a metadata blob (protocol/client-cryptography.md#metadata).
 * The blob is its encryption under `metadataKey(album key, file id)`.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../../core/bytes.ts";
import {
  claimedTime,
  commentText,
  count,
  extent,
  fileName,
  guestName,
  hash,
  hexId,
  mediaType,
  signedRemark,
  textBetween,
  utcInstant,
  uuid,
} from "./fields.ts";
import { base64UpTo, decodeJson, encodeJson, key } from "./json.ts";
import { FOLDERS_MAX } from "./name_limits.ts";

/** The kind of an ordinary file. */
export const FILE_KIND = "file";
/** The kind of an asset whose original is the index of a share link. */
export const SHARE_INDEX_KIND = "share-index";
/** The kind of a comment on a photo of the same album. */
export const COMMENT_KIND = "comment";
/** The kind of a heart for a photo of the same album. */
export const HEART_KIND = "heart";

/** Where an asset was taken, WGS 84. */
export interface Place {
  /** Degrees, north positive. */
  readonly latitude: number;
  /** Degrees, east positive. */
  readonly longitude: number;
  /** Metres above the sea. */
  readonly altitude?: number | undefined;
}

/** The camera that took a picture, as the picture's EXIF names it. */
export interface Camera {
  readonly make?: string | undefined;
  readonly model?: string | undefined;
  readonly lens?: string | undefined;
}

/** A blob that was made from the original or belongs to it. */
export interface Derivative {
  /** Content address of the derivative's blob. */
  readonly hash: string;
  /**
   * `thumbnail` (at most 512 pixels), `preview` (at most 2,048), `motion` (the
   * video of a live photo) or `sidecar`; others are ignored.
   */
  readonly kind: string;
  readonly mime: string;
  /**
   * Of a live photo's video: what its file was called, as hostile as a name.
   */
  readonly name?: string | undefined;
  /** Of a live photo's video: RFC 3339, UTC, `Z`. */
  readonly taken_at?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** 32 random bytes: the file key of its blob. Secret. */
  readonly key: Uint8Array;
  /** Plaintext bytes. */
  readonly size?: number | undefined;
}

/**
 * How a photo was edited: the recipe, next to the original that stays as it is.
 * The thumbnail and the preview are made by it. It is mirrored first, then
 * turned, then straightened, then cut.
 */
export interface PhotoEdit {
  /** Left and right are exchanged. */
  readonly mirrored?: boolean | undefined;
  /** Quarter turns clockwise, 1 to 3. */
  readonly turns?: number | undefined;
  /**
   * Degrees clockwise, -45 to 45; the picture is enlarged until no corner is
   * empty.
   */
  readonly angle?: number | undefined;
  /** The part that is left, in fractions of the turned picture. */
  readonly crop?: CropBox | undefined;
  /** -100 to 100, each of them; absent is 0. */
  readonly brightness?: number | undefined;
  readonly contrast?: number | undefined;
  readonly saturation?: number | undefined;
}

/** A part of a picture, from its upper left corner; 0 to 1. */
export interface CropBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * What a comment or a heart says, of which photo. The asset that has it names
 * its author and its album, by its manifest.
 */
export interface Remark {
  /** The asset that it is about, in the same album. */
  readonly on: string;
  /**
   * SHA-256 of that asset's plaintext in hex: a photo that is put in its place
   * gets none of its remarks.
   */
  readonly of: string;
  /** When it was written: RFC 3339, UTC, `Z`. Its author's claim. */
  readonly at: string;
  /** Of a comment: 1 to `COMMENT_MAX` characters in NFC. */
  readonly text?: string | undefined;
  /** Of what a guest said by a link of the asset's author. */
  readonly guest?: RemarkGuest | undefined;
}

/** A guest who said something; no one verified it but the link's owner. */
export interface RemarkGuest {
  /** What they call themselves: 1 to 100 characters. */
  readonly name: string;
  /** The `opaque_id` of the share link. */
  readonly link: string;
  /** The id of what they said; see `guest.ts`. */
  readonly id: string;
}

/** The description of an asset. */
export interface Metadata {
  readonly v?: 1 | undefined;
  /**
   * Absent means `file`; {@link SHARE_INDEX_KIND} is the index of a share link,
   * {@link COMMENT_KIND} and {@link HEART_KIND} are what members say of photos.
   * A gallery shows only files, see {@link isFile}.
   */
  readonly kind?: string | undefined;
  readonly name: string;
  readonly mime: string;
  /** Plaintext bytes of the original. */
  readonly size: number;
  /** SHA-256 of the original's plaintext in hex. */
  readonly sha256: string;
  /**
   * The original has a derived key and the default chunk size: its owner's
   * programs can open it without the manifest.
   */
  readonly derived?: boolean | undefined;
  /** That of the manifest, for its owner's programs, as `derived` is. */
  readonly revision?: number | undefined;
  /** RFC 3339, UTC, `Z`. */
  readonly taken_at?: string | undefined;
  /** Offset of the local time where it was taken, in minutes east of UTC. */
  readonly taken_offset?: number | undefined;
  /**
   * The source of `taken_at`: `exif`, `sidecar`, `name`, `mtime` or `person`.
   */
  readonly taken_source?: string | undefined;
  readonly modified_at?: string | undefined;
  /**
   * The file's folders on the device that uploaded it, separated by `/`; as
   * hostile as a name.
   */
  readonly path?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly duration_ms?: number | undefined;
  /**
   * What the original has besides its picture, or is: `video` (a motion photo),
   * `sphere` (an equirectangular panorama), and `place` if it may tell where it
   * was taken; others may come.
   */
  readonly inside?: readonly string[] | undefined;
  readonly place?: Place | undefined;
  readonly camera?: Camera | undefined;
  readonly caption?: string | undefined;
  /** Stars, 1 to 5; -1 means rejected. */
  readonly rating?: number | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly favourite?: boolean | undefined;
  readonly hidden?: boolean | undefined;
  readonly archived?: boolean | undefined;
  /** Base64 in the JSON. */
  readonly thumbhash?: Uint8Array | undefined;
  /** The asset of which this one is an edited version. */
  readonly edited_of?: string | undefined;
  /** How it was edited. */
  readonly edit?: PhotoEdit | undefined;
  /** Of a comment or a heart. Absent if it is not one that a reader takes. */
  readonly remark?: Remark | undefined;
  /**
   * Instead of `remark`, in an asset of the album's owner: what a viewer said
   * and signed, in base64; see `album_remark.ts`.
   */
  readonly signed?: string | undefined;
  /** Of a share's index: the `opaque_id` of its link. */
  readonly link?: string | undefined;
  /**
   * The same, of a link with a passphrase: the 32 bytes of its fragment, by
   * which it is handed out again. Secret.
   */
  readonly fragment?: Uint8Array | undefined;
  readonly derivatives: readonly Derivative[];
}

const word = textBetween(1, 32);
const label = z.optional(textBetween(0, 255));
const fraction = z.number().check(z.gte(0), z.lte(1));
const level = z.optional(z.int().check(z.gte(-100), z.lte(100)));

type ObjectOf = <T extends z.core.$ZodShape>(shape: T) => z.ZodMiniObject<T>;

function schemaOf(object: ObjectOf): z.ZodMiniType<Metadata> {
  return object({
    v: z.optional(z.literal(1)),
    kind: z.optional(word),
    name: fileName,
    mime: mediaType,
    size: count,
    sha256: hash,
    derived: z.optional(z.boolean()),
    revision: z.optional(count),
    taken_at: claimedTime,
    // At most 24 hours either way; no calendar ever had more.
    taken_offset: z.optional(z.int().check(z.gte(-1_440), z.lte(1_440))),
    taken_source: z.optional(word),
    modified_at: claimedTime,
    path: z.optional(textBetween(1, FOLDERS_MAX)),
    width: z.optional(extent),
    height: z.optional(extent),
    duration_ms: z.optional(count),
    inside: z.optional(z.readonly(z.array(word).check(z.maxLength(16)))),
    place: z.optional(object({
      latitude: z.number().check(z.gte(-90), z.lte(90)),
      longitude: z.number().check(z.gte(-180), z.lte(180)),
      altitude: z.optional(z.number()),
    })),
    camera: z.optional(object({ make: label, model: label, lens: label })),
    caption: z.optional(textBetween(0, 16_384)),
    rating: z.optional(z.int().check(z.gte(-1), z.lte(5))),
    keywords: z.optional(
      z.readonly(z.array(textBetween(1, 255)).check(z.maxLength(256))),
    ),
    favourite: z.optional(z.boolean()),
    hidden: z.optional(z.boolean()),
    archived: z.optional(z.boolean()),
    thumbhash: z.optional(base64UpTo(64)),
    edited_of: z.optional(uuid),
    edit: z.optional(object({
      mirrored: z.optional(z.boolean()),
      turns: z.optional(z.int().check(z.gte(0), z.lte(3))),
      angle: z.optional(z.number().check(z.gte(-45), z.lte(45))),
      crop: z.optional(object({
        x: fraction,
        y: fraction,
        width: fraction,
        height: fraction,
      })),
      brightness: level,
      contrast: level,
      saturation: level,
    })),
    // What others write wrongly is no remark, rather than a photo that does not
    // open.
    remark: z.catch(
      z.optional(object({
        on: uuid,
        of: hash,
        at: utcInstant,
        text: z.optional(commentText),
        guest: z.optional(object({
          name: guestName,
          link: hexId,
          id: hexId,
        })),
      })),
      undefined,
    ),
    signed: z.catch(z.optional(signedRemark), undefined),
    link: z.optional(textBetween(1, 64)),
    fragment: z.optional(key),
    derivatives: z.readonly(
      z.array(object({
        hash,
        kind: word,
        mime: mediaType,
        name: z.optional(fileName),
        taken_at: claimedTime,
        width: z.optional(extent),
        height: z.optional(extent),
        key,
        size: z.optional(count),
      })).check(z.maxLength(64)),
    ),
  });
}

/**
 * The schema of metadata, for documents that contain it; unknown keys are
 * ignored.
 */
const metadataSchema = schemaOf(z.object);
/** The same schema, but unknown keys are kept. */
export const keepingSchema = schemaOf(z.looseObject);

/**
 * The JSON bytes of metadata, with the unknown keys that it was read with.
 * Throws DocumentError for values out of bounds.
 */
export function encodeMetadata(metadata: Metadata): Bytes {
  return encodeJson(keepingSchema, metadata, "metadata");
}

/**
 * Reads metadata from decrypted bytes; unknown keys are ignored. Throws
 * NewerDocumentError for a later version, DocumentError for another shape.
 */
export function decodeMetadata(bytes: Uint8Array): Metadata {
  return decodeJson(metadataSchema, bytes, "metadata");
}

/**
 * Reads metadata to be changed: unknown keys are kept, because a newer program
 * wrote them. Throws as {@link decodeMetadata} does.
 */
export function decodeOwnMetadata(bytes: Uint8Array): Metadata {
  return decodeJson(keepingSchema, bytes, "metadata");
}

/**
 * What describes a photo, for another person's copy of it: not the marks and
 * ids that mean something only in its owner's library, nor its blobs.
 */
export function descriptionOf(
  metadata: Metadata,
): Omit<Metadata, "size" | "sha256" | "derivatives"> {
  const { name, mime } = metadata;
  const held = DESCRIBING.flatMap((field) =>
    metadata[field] === undefined ? [] : [[field, metadata[field]]]
  );
  return { name, mime, ...Object.fromEntries(held) };
}

const DESCRIBING = [
  "taken_at",
  "taken_offset",
  "taken_source",
  "modified_at",
  "width",
  "height",
  "duration_ms",
  "inside",
  "place",
  "camera",
  "caption",
  "rating",
  "keywords",
  "thumbhash",
  "edit",
] as const satisfies readonly (keyof Metadata)[];

/** Metadata without keys that this program does not know. */
export function withoutUnknown(metadata: Metadata): Metadata {
  return decodeMetadata(encodeMetadata(metadata));
}

/**
 * Changes some fields of metadata and returns the bytes to encrypt again.
 * Unknown keys are kept, because a newer program wrote them. A field given as
 * undefined is removed. Throws as {@link decodeMetadata} and
 * {@link encodeMetadata} do.
 */
export function amendMetadata(
  bytes: Uint8Array,
  change: Partial<Metadata>,
): Bytes {
  const held = decodeJson(keepingSchema, bytes, "metadata");
  return encodeJson(keepingSchema, { ...held, ...change }, "metadata");
}

/**
 * Whether a gallery shows the asset: not if it is an index or of an unknown
 * kind.
 */
export function isFile({ kind = FILE_KIND }: Metadata): boolean {
  return kind === FILE_KIND;
}
