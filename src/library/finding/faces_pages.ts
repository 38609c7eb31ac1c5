/**
 * The faces of files as they are kept among an account's findings
 * (protocol/client-cryptography.md#faces).
 *
 * @module
 */
import { type Bytes, fromHex, toHex } from "../../core/bytes.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import type { KindOfFindings } from "./findings_pages.ts";

/** Numbers that a face is compared by. */
export const VECTOR_LENGTH = 128;
/** Faces of one file; the largest are kept. */
export const MOST_FACES = 24;

const GROUP_BYTES = 8;
const FACE_BYTES = 4 + 1 + GROUP_BYTES + VECTOR_LENGTH;
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

/** Faces, in six pages. */
export const FACES: KindOfFindings = {
  name: "faces",
  pages: 6,
  isOfFile: (bytes) =>
    bytes.length % FACE_BYTES === 0 && bytes.length <= MOST_FACES * FACE_BYTES,
};

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

function bytesOf(hex: string): Bytes {
  const bytes = fromHex(hex);
  if (bytes === undefined) throw new DocumentError("faces: not hex");
  return bytes;
}

function clamped(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
