/**
 * The plaintext of a metadata blob (protocol/client-cryptography.md#metadata).
 * The blob is its encryption under `partKey(file key, "metadata", 0)`.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../core/bytes.ts";
import {
  count,
  extent,
  fileName,
  hash,
  mediaType,
  textBetween,
  utcInstant,
  uuid,
} from "./fields.ts";
import { base64UpTo, decodeJson, encodeJson } from "./json.ts";

/** The kinds of assets that this version knows. */
export const FILE_KIND = "file";
/** The kind of an asset whose original is the index of a share link. */
export const SHARE_INDEX_KIND = "share-index";

/** Where an asset was taken, WGS 84. */
export interface Place {
  /** Degrees, north positive. */
  readonly latitude: number;
  /** Degrees, east positive. */
  readonly longitude: number;
  /** Metres above the sea. */
  readonly altitude?: number | undefined;
}

/** What took a picture, as its EXIF names it. */
export interface Camera {
  readonly make?: string | undefined;
  readonly model?: string | undefined;
  readonly lens?: string | undefined;
}

/** A blob made of the original, or beside it. */
export interface Derivative {
  /** Content address of the derivative's blob. */
  readonly hash: string;
  /**
   * `thumbnail` (at most 512 pixels), `preview` (at most 2,048), `motion` (the
   * film of a live photo) or `sidecar`; any other is passed over.
   */
  readonly kind: string;
  readonly mime: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Index of its part key. */
  readonly part: number;
  /** Plaintext bytes. */
  readonly size?: number | undefined;
}

/** What an asset is. */
export interface Metadata {
  readonly v?: 1 | undefined;
  /**
   * `file` where it is absent; {@link SHARE_INDEX_KIND} for the index of a share
   * link. A gallery shows files alone, see {@link isFile}.
   */
  readonly kind?: string | undefined;
  readonly name: string;
  readonly mime: string;
  /** Plaintext bytes of the original. */
  readonly size: number;
  /** SHA-256 of the original's plaintext in hex. */
  readonly sha256: string;
  /** RFC 3339, UTC, `Z`. */
  readonly taken_at?: string | undefined;
  /** Minutes that local time was ahead of UTC where it was taken. */
  readonly taken_offset?: number | undefined;
  /** `exif`, `sidecar`, `name`, `mtime` or `person`: where `taken_at` is from. */
  readonly taken_source?: string | undefined;
  readonly modified_at?: string | undefined;
  /** Where the file lay, its folders with `/` between: hostile like a name. */
  readonly path?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly duration_ms?: number | undefined;
  readonly place?: Place | undefined;
  readonly camera?: Camera | undefined;
  readonly caption?: string | undefined;
  readonly favourite?: boolean | undefined;
  readonly hidden?: boolean | undefined;
  /** Base64 in the JSON. */
  readonly thumbhash?: Uint8Array | undefined;
  /** The asset of which this one is an edited version. */
  readonly edited_of?: string | undefined;
  readonly derivatives: readonly Derivative[];
}

const word = textBetween(1, 32);
const label = z.optional(textBetween(0, 255));

type ObjectOf = <T extends z.core.$ZodShape>(shape: T) => z.ZodMiniObject<T>;

function schemaOf(object: ObjectOf): z.ZodMiniType<Metadata> {
  return object({
    v: z.optional(z.literal(1)),
    kind: z.optional(word),
    name: fileName,
    mime: mediaType,
    size: count,
    sha256: hash,
    taken_at: z.optional(utcInstant),
    // A day and night either way, as far as any calendar ever was.
    taken_offset: z.optional(z.int().check(z.gte(-1_440), z.lte(1_440))),
    taken_source: z.optional(word),
    modified_at: z.optional(utcInstant),
    path: z.optional(textBetween(1, 4_096)),
    width: z.optional(extent),
    height: z.optional(extent),
    duration_ms: z.optional(count),
    place: z.optional(object({
      latitude: z.number().check(z.gte(-90), z.lte(90)),
      longitude: z.number().check(z.gte(-180), z.lte(180)),
      altitude: z.optional(z.number()),
    })),
    camera: z.optional(object({ make: label, model: label, lens: label })),
    caption: z.optional(textBetween(0, 16_384)),
    favourite: z.optional(z.boolean()),
    hidden: z.optional(z.boolean()),
    thumbhash: z.optional(base64UpTo(64)),
    edited_of: z.optional(uuid),
    derivatives: z.readonly(
      z.array(object({
        hash,
        kind: word,
        mime: mediaType,
        width: z.optional(extent),
        height: z.optional(extent),
        part: count,
        size: z.optional(count),
      })).check(z.maxLength(64)),
    ),
  });
}

/**
 * The shape of metadata, for what carries it along; what is not known is passed
 * over.
 */
export const metadataSchema = schemaOf(z.object);
/** The same, and what is not known is kept. */
const keepingSchema = schemaOf(z.looseObject);

/** The JSON bytes of metadata. Throws DocumentError for values out of bounds. */
export function encodeMetadata(metadata: Metadata): Bytes {
  return encodeJson(metadataSchema, metadata, "metadata");
}

/**
 * Metadata out of decrypted bytes; keys that are not known are passed over.
 * Throws NewerDocumentError for a later version, DocumentError for another
 * shape.
 */
export function decodeMetadata(bytes: Uint8Array): Metadata {
  return decodeJson(metadataSchema, bytes, "metadata");
}

/**
 * Metadata with some fields changed, as bytes to encrypt anew. What this version
 * does not know of it is kept: a newer program wrote it. A field that is given
 * as undefined is taken out. Throws as {@link decodeMetadata} and
 * {@link encodeMetadata} do.
 */
export function amendMetadata(
  bytes: Uint8Array,
  change: Partial<Metadata>,
): Bytes {
  const held = decodeJson(keepingSchema, bytes, "metadata");
  return encodeJson(keepingSchema, { ...held, ...change }, "metadata");
}

/** Whether a gallery shows it: not an index, nor what is not known here. */
export function isFile({ kind = FILE_KIND }: Metadata): boolean {
  return kind === FILE_KIND;
}
