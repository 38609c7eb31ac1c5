/**
 * The faces that an account's devices found, as they are kept in state slots
 * (protocol/client-cryptography.md#faces): pages of files, with the faces of
 * each. A file without faces is in a page, too, so that no device looks again.
 *
 * @module
 */
import {
  type Bytes,
  fromHex,
  toBase64Url,
  toHex,
  utf8,
} from "../../core/bytes.ts";
import {
  CborError,
  type CborMap,
  type CborValue,
  decodeCanonical,
  encodeCanonical,
  isCborMap,
} from "../../core/cbor.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { DocumentError, NewerDocumentError } from "../fields.ts";
import type { Metadata } from "../metadata.ts";
import { STATE_MAX_BYTES } from "../state.ts";

/** Numbers that a face is compared by. */
export const VECTOR_LENGTH = 128;
/** Pages that an account fills at most. */
export const MOST_PAGES = 6;
/** From so many bytes on a page takes no further files. */
export const FULL_BYTES: number = STATE_MAX_BYTES - 640 * 1024;
/** Faces of one file; the largest are kept. */
export const MOST_FACES = 24;

const GROUP_BYTES = 8;
const FACE_BYTES = 4 + 1 + GROUP_BYTES + VECTOR_LENGTH;
/** Bytes of a plaintext's hash that name it. */
const FILE_BYTES = 16;
/** What a number of a vector is multiplied by before it is one byte. */
const SCALE = 256;

/** A part of a picture: its corner and its size, as parts of 1. */
export interface FaceBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A face in a file. */
export interface Face {
  /** The file, a dot, and the number of the face in it. */
  readonly id: string;
  /** See {@link fileOf}. */
  readonly file: string;
  readonly box: FaceBox;
  /** How sure the model was, 0 to 1. */
  readonly sure: number;
  /** The group that it was put into when it was found: 16 hex digits. */
  readonly group: string;
  readonly vector: Int8Array;
}

/** A page of files. */
export interface FacesPage {
  readonly v: 1;
  /** When faces were turned on, or off (ms): a later one deletes all before. */
  readonly era: number;
  /** By {@link fileOf}. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/**
 * What stands for the picture of a photo (hex): the SHA-256 of its plaintext, or
 * where the photo is edited so that faces lie elsewhere, one of both.
 */
export function pictureHash(
  { sha256, edit }: Pick<Metadata, "sha256" | "edit">,
): string {
  const { mirrored = false, turns = 0, angle = 0, crop } = edit ?? {};
  if (!mirrored && turns === 0 && angle === 0 && crop === undefined) {
    return sha256;
  }
  const { x = 0, y = 0, width = 1, height = 1 } = crop ?? {};
  const moved = [sha256, mirrored, turns, angle, x, y, width, height];
  return sha256Hex(utf8(JSON.stringify(moved)));
}

/** The name of a picture in pages, of its {@link pictureHash}. */
export function fileOf(hash: string): string {
  return toBase64Url(bytesOf(hash.slice(0, FILE_BYTES * 2)));
}

/** The state slot of a page, from 1 on. */
export function slotOfPage(number: number): string {
  return `faces-${number}`;
}

/** Whether a state slot is one of a page. */
export function isOfFaces(slot: string): boolean {
  return slot.startsWith("faces-");
}

/** A page of an era without files. */
export function emptyPage(era = 0): FacesPage {
  return { v: 1, era, files: {} };
}

/** A vector as it is kept, in whole numbers. */
export function keptVector(vector: ArrayLike<number>): Int8Array {
  return Int8Array.from(
    { length: VECTOR_LENGTH },
    (_, at) => clamped(Math.round((vector[at] ?? 0) * SCALE), -127, 127),
  );
}

/** How far apart two vectors are, in the model's own measure. */
export function ofModel(distance: number): number {
  return distance * SCALE;
}

/** The bytes of a file's faces. */
export function encodeFaces(faces: readonly Omit<Face, "id" | "file">[]) {
  const bytes = new Uint8Array(faces.length * FACE_BYTES);
  for (const [at, { box, sure, group, vector }] of faces.entries()) {
    const start = at * FACE_BYTES;
    const parts = [box.x, box.y, box.width, box.height, sure];
    bytes.set(
      parts.map((part) => clamped(Math.round(part * 255), 0, 255)),
      start,
    );
    bytes.set(bytesOf(group), start + 5);
    bytes.set(
      new Uint8Array(vector.buffer, vector.byteOffset, vector.length),
      start + 5 + GROUP_BYTES,
    );
  }
  return bytes;
}

/** The faces of a file. */
export function decodeFaces(file: string, bytes: Uint8Array): readonly Face[] {
  return Array.from(
    { length: Math.floor(bytes.length / FACE_BYTES) },
    (_, at) => {
      const start = at * FACE_BYTES;
      const part = (offset: number) => (bytes[start + offset] ?? 0) / 255;
      const from = start + 5 + GROUP_BYTES;
      return {
        id: `${file}.${at}`,
        file,
        box: { x: part(0), y: part(1), width: part(2), height: part(3) },
        sure: part(4),
        group: toHex(bytes.subarray(start + 5, from)),
        vector: new Int8Array(
          bytes.buffer,
          bytes.byteOffset + from,
          VECTOR_LENGTH,
        ),
      };
    },
  );
}

/** The group that a face alone begins, by its picture and its number in it. */
export function groupBegun(hash: string, number: number): string {
  const begin = hash.slice(0, (GROUP_BYTES - 1) * 2);
  return begin + clamped(number, 0, 255).toString(16).padStart(2, "0");
}

/** The bytes of a page. */
export function encodePage({ v, era, files }: FacesPage): Bytes {
  return encodeCanonical({ v, era, files: { ...files } });
}

/** Roughly how many bytes a page has. */
export function sizeOfPage({ files }: FacesPage): number {
  let size = 64;
  for (const name in files) {
    if (Object.hasOwn(files, name)) {
      size += name.length + 6 + (files[name]?.length ?? 0);
    }
  }
  return size;
}

/**
 * Reads a page. Throws NewerDocumentError for a later version, and DocumentError
 * for what is none.
 */
export function decodePage(bytes: Uint8Array): FacesPage {
  const { v, era, files } = mapIn(bytes);
  if (typeof v === "number" && v > 1) throw new NewerDocumentError("faces");
  if (v !== 1 || typeof era !== "number" || !isCborMap(files)) {
    throw new DocumentError("faces: no page");
  }
  const kept: Record<string, Uint8Array> = {};
  for (const [name, value] of Object.entries(files)) {
    const isFile = value instanceof Uint8Array &&
      value.length % FACE_BYTES === 0 &&
      value.length <= MOST_FACES * FACE_BYTES;
    if (!isFile) throw new DocumentError("faces: no file");
    kept[name] = value;
  }
  return { v: 1, era, files: kept };
}

function mapIn(bytes: Uint8Array): CborMap {
  let value: CborValue;
  try {
    value = decodeCanonical(bytes);
  } catch (error) {
    if (error instanceof CborError) throw new DocumentError("faces: no CBOR");
    throw error;
  }
  if (!isCborMap(value)) throw new DocumentError("faces: no map");
  return value;
}

/**
 * Merges two pages: that of the later era wins whole; of one era all files are
 * kept. Of a file that both have, the greater bytes win.
 */
export function mergePages(one: FacesPage, other: FacesPage): FacesPage {
  if (one.era !== other.era) return one.era > other.era ? one : other;
  const files = { ...one.files };
  let changed = false;
  for (const [name, theirs] of Object.entries(other.files)) {
    const ours = files[name];
    if (ours !== undefined && compared(ours, theirs) >= 0) continue;
    files[name] = theirs;
    changed = true;
  }
  return changed ? { v: 1, era: one.era, files } : one;
}

function compared(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return one.length - other.length;
  const at = one.findIndex((byte, i) => byte !== other[i]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function bytesOf(hex: string): Bytes {
  const bytes = fromHex(hex);
  if (bytes === undefined) throw new DocumentError("faces: not hex");
  return bytes;
}

function clamped(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
