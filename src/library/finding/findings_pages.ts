/**
 * What an account's devices found in its pictures, as it is kept in state slots
 * (protocol/client-cryptography.md#findings): pages of files, with the bytes
 * that say what is in each. A file with nothing in it is in a page, too, so
 * that no device looks again.
 *
 * @module
 */
import { type Bytes, fromHex, toBase64Url, utf8 } from "../../core/bytes.ts";
import {
  CborError,
  type CborMap,
  type CborValue,
  decodeCanonical,
  encodeCanonical,
  isCborMap,
} from "../../core/cbor.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import {
  DocumentError,
  NewerDocumentError,
} from "../../client/documents/fields.ts";
import type { Metadata } from "../../client/documents/metadata.ts";
import { STATE_MAX_BYTES } from "../../client/documents/state.ts";

/** From so many bytes on a page takes no further files. */
export const FULL_BYTES: number = STATE_MAX_BYTES - 640 * 1024;

/** Bytes of a plaintext's hash that name it. */
const FILE_BYTES = 16;

/** What is looked for in pictures. */
export interface KindOfFindings {
  /** Its slots begin with it. */
  readonly name: string;
  /** Pages that an account fills at most. */
  readonly pages: number;
  /** Whether bytes can be what was found in a file. */
  readonly isOfFile: (bytes: Uint8Array) => boolean;
}

/** A page of files. */
export interface FindingsPage {
  readonly v: 1;
  /** When it was turned on, or off (ms): a later one deletes all before. */
  readonly era: number;
  /** By {@link fileOf}. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/**
 * What stands for the picture of a photo (hex): the SHA-256 of its plaintext,
 * or where the photo is edited so that things lie elsewhere, one of both.
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
  const bytes = fromHex(hash.slice(0, FILE_BYTES * 2));
  if (bytes === undefined) throw new DocumentError("findings: not hex");
  return toBase64Url(bytes);
}

/** The state slot of a page, from 1 on. */
export function slotOfPage(
  { name }: Pick<KindOfFindings, "name">,
  number: number,
): string {
  return `${name}-${number}`;
}

/** Whether a state slot is one of a page. */
export function isSlotOf(
  { name }: Pick<KindOfFindings, "name">,
  slot: string,
): boolean {
  return slot.startsWith(`${name}-`);
}

/** A page of an era without files. */
export function emptyPage(era = 0): FindingsPage {
  return { v: 1, era, files: {} };
}

/** The bytes of a page. */
export function encodePage({ v, era, files }: FindingsPage): Bytes {
  return encodeCanonical({ v, era, files: { ...files } });
}

/** Roughly how many bytes a page has. */
export function sizeOfPage({ files }: FindingsPage): number {
  let size = 64;
  for (const name in files) {
    if (Object.hasOwn(files, name)) {
      size += name.length + 6 + (files[name]?.length ?? 0);
    }
  }
  return size;
}

/**
 * Reads a page. Throws NewerDocumentError for a later version, and
 * DocumentError for anything else.
 */
export function decodePage(
  { name: kind, isOfFile }: Pick<KindOfFindings, "name" | "isOfFile">,
  bytes: Uint8Array,
): FindingsPage {
  const { v, era, files } = mapIn(kind, bytes);
  if (typeof v === "number" && v > 1) throw new NewerDocumentError(kind);
  if (v !== 1 || typeof era !== "number" || !isCborMap(files)) {
    throw new DocumentError(`${kind}: no page`);
  }
  const kept: Record<string, Uint8Array> = {};
  for (const [name, value] of Object.entries(files)) {
    if (!(value instanceof Uint8Array) || !isOfFile(value)) {
      throw new DocumentError(`${kind}: no file`);
    }
    kept[name] = value;
  }
  return { v: 1, era, files: kept };
}

function mapIn(kind: string, bytes: Uint8Array): CborMap {
  let value: CborValue;
  try {
    value = decodeCanonical(bytes);
  } catch (error) {
    if (error instanceof CborError) throw new DocumentError(`${kind}: no CBOR`);
    throw error;
  }
  if (!isCborMap(value)) throw new DocumentError(`${kind}: no map`);
  return value;
}

/**
 * Merges two pages: that of the later era wins whole; of one era all files are
 * kept. Of a file that both have, the longer bytes win, or else the greater.
 */
export function mergePages(
  one: FindingsPage,
  other: FindingsPage,
): FindingsPage {
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
