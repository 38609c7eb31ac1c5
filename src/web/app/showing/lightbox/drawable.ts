/**
 * Whether this browser can draw a picture, and what it draws in its place.
 *
 * @module
 */
import type { MediaFacts } from "../../../../media/exif/mod.ts";
import { isTooLarge, lookAtBlob } from "../../../../media/exif/extent.ts";
import { sourceOfFile } from "../../../../client/stream/threads/file_source.ts";
import { showingOf } from "../../../workers/media/showing.ts";
import { addressOf, isDecodable } from "../../addresses.ts";
import type { PhotoInfo } from "../../list.ts";
import {
  complete,
  editedWhole,
  jpegOfHeif,
  jpegOfUndrawn,
} from "./decoding.ts";

/** Types that are decoded here where they are too large for the browser. */
const REDUCED = new Set(["image/jpeg", "image/png"]);

/** This browser cannot draw the picture. */
export class UndrawnError extends Error {
  override readonly name = "UndrawnError";
}

/** The picture has more pixels than memory holds. */
export class TooLargeError extends UndrawnError {}

/** The picture is stored in a way that nothing here decodes. */
export class UnknownKindError extends UndrawnError {}

/**
 * Checks that the browser can decode a Blob. Throws an {@link UndrawnError} if
 * it cannot, or if the picture would take too much memory.
 */
export async function drawable(
  blob: Blob,
  mostPixels?: number,
): Promise<Blob> {
  if (!await isDecodable(blob, mostPixels)) throw new UndrawnError();
  const address = addressOf(blob);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return blob;
  } catch {
    throw new UndrawnError();
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * What is shown of an original: as it was edited, and HEIC, raw files and TIFF as
 * a JPEG where need be. Throws an {@link UndrawnError}.
 */
export async function drawableOriginal(
  blob: Blob,
  info: PhotoInfo,
): Promise<Blob> {
  const { edit, mime } = info;
  if (edit === undefined) return await unedited(blob, info);
  try {
    const made = await editedWhole(blob, mime, edit);
    if (made !== undefined) return made;
  } catch {
    // It is too large for this device.
  }
  throw await whyUndrawn(blob, info.mime);
}

/** An original as it was taken. Throws an {@link UndrawnError}. */
export async function unedited(blob: Blob, info: PhotoInfo): Promise<Blob> {
  try {
    return await drawable(blob);
  } catch {
    // Another reader may know it.
  }
  try {
    const jpeg = await drawable(await decoded(blob, info.mime));
    complete(info, jpeg);
    return jpeg;
  } catch {
    throw await whyUndrawn(blob, info.mime);
  }
}

/** Why a picture cannot be drawn, by the sides that its bytes say. */
async function whyUndrawn(blob: Blob, mime: string): Promise<UndrawnError> {
  // Few pictures need it, and a page loads it when one does.
  const { readMediaFacts } = await import("../../../../media/exif/mod.ts");
  const { size } = blob;
  const facts: MediaFacts = await readMediaFacts(sourceOfFile(blob))
    .catch(() => ({}));
  if (isTooLarge({ ...facts, size })) return new TooLargeError();
  const head = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  const kind = TIFF_HEADS.get(String.fromCharCode(...head));
  const isWhole = kind === "big" || facts.width !== undefined;
  return mime === "image/tiff" && kind !== undefined && isWhole
    ? new UnknownKindError()
    : new UndrawnError();
}

/** How a TIFF begins; a big one, whose offsets are longer, is not read. */
const TIFF_HEADS = new Map([
  ["II*\0", "plain"],
  ["MM\0*", "plain"],
  ["II+\0", "big"],
  ["MM\0+", "big"],
]);

async function decoded(blob: Blob, mime: string): Promise<Blob> {
  if (blob.type === "image/heic" && await lookAtBlob(blob) !== undefined) {
    return await jpegOfHeif(blob);
  }
  const isKnown = showingOf(mime) === "undrawn" || REDUCED.has(blob.type);
  if (!isKnown) throw new UndrawnError();
  return await jpegOfUndrawn(blob, mime);
}
