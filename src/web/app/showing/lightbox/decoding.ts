/**
 * Pictures that this browser does not decode: HEIC, raw files of cameras and
 * TIFF. A thread of its own does, which is started for the first one. It also
 * looks for what is in a photo besides its picture.
 *
 * @module
 */
import type { Within } from "../../../../media/exif/within.ts";
import type { PhotoEdit } from "../../../../client/documents/metadata.ts";
import type { PhotoInfo } from "../../list.ts";
import { lacksPictures } from "../../../../library/adding/drawn_itself.ts";
import { askAgain } from "../../thumbs.ts";
import { mediaThread } from "../../upload/media_threads.ts";
import { vault } from "../../vault.ts";

/** One that a picture holds up is ended, and another one begun. */
const decoding = mediaThread("decoding");

/** The picture of a HEIC as a JPEG; rejects if libheif cannot read it. */
export async function jpegOfHeif(file: Blob): Promise<Blob> {
  return await decoding.run(({ heif }) => heif.jpeg(file));
}

/** The picture of a raw file or a TIFF as a JPEG; rejects if it has none. */
export async function jpegOfUndrawn(file: Blob, mime: string): Promise<Blob> {
  return await decoding.run(({ undrawn }) => undrawn.jpeg(file, mime));
}

/**
 * An original as it was edited, as a JPEG; undefined if it cannot be decoded.
 */
export async function editedWhole(
  file: Blob,
  mime: string,
  edit: PhotoEdit,
): Promise<Blob | undefined> {
  return await decoding.run(({ pictures }) =>
    pictures.editedWhole(file, mime, edit)
  );
}

/** How much of a JPEG has its XMP: two segments, and some (bytes). */
const XMP_BYTES = 160 * 1024;
/** What the XMP of a motion photo, or of a sphere, contains. */
const HINTS = /\b(MotionPhoto|MicroVideo|ProjectionType)\b/;
/** What Samsung's trailer ends with. */
const TRAILER = "SEFT";

/**
 * What is in an original besides its picture. The thread is asked only of
 * photos that may have something.
 */
export async function withinOriginal(photo: Blob): Promise<Within> {
  const isBoxed = photo.type === "image/heic" || photo.type === "image/avif";
  if (!isBoxed && photo.type !== "image/jpeg") return {};
  const isAsked = isBoxed ||
    HINTS.test(await photo.slice(0, XMP_BYTES).text()) ||
    await photo.slice(-TRAILER.length).text() === TRAILER;
  return isAsked ? await decoding.run(({ within }) => within.look(photo)) : {};
}

/** What was tried once in this visit: it would fail again. */
const tried = new Set<string>();

/**
 * Gives a photo of one's own the small pictures that the program which added it
 * could not make, or made of its EXIF. Never rejects: it stays as it was.
 */
export async function complete(info: PhotoInfo, jpeg: Blob): Promise<void> {
  if (!info.mine || !lacksPictures(info) || tried.has(info.id)) return;
  tried.add(info.id);
  try {
    const made = await decoding.run(({ pictures }) => pictures.reduce(jpeg));
    if (made === undefined) return;
    await vault().viewing.complete(info.id, made);
    askAgain(info.id);
  } catch {
    // Whoever looks next tries again.
  }
}
