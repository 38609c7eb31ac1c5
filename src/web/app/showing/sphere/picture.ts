/**
 * The picture of a sphere: the original as the browser decodes it, or its
 * preview, no larger than the graphics take.
 *
 * @module
 */
import { MOST_SMALL_PIXELS } from "../../../../media/exif/extent.ts";
import type { Sphere } from "../../../../media/exif/within.ts";
import { fittedSides } from "../../../../media/pictures/sphere_view.ts";
import { addressOf } from "../../addresses.ts";
import { blobOf, type Fetching } from "../lightbox/bytes.ts";
import { withinOriginal } from "../lightbox/decoding.ts";
import {
  drawable,
  drawableOriginal,
  UndrawnError,
} from "../lightbox/drawable.ts";
import type { PhotoInfo } from "../../list.ts";

/** A picture, and how it is spread. */
interface SpherePicture {
  readonly bitmap: ImageBitmap;
  readonly sphere: Sphere;
}

/** The file is no sphere, whatever was noted of it. */
export class NoSphereError extends Error {
  override readonly name = "NoSphereError";
}

/**
 * Loads the picture of a sphere, with no side longer than `most` pixels. Throws
 * a {@link NoSphereError}, an {@link UndrawnError}, or what a fetch throws.
 */
export async function loadSphere(
  info: PhotoInfo,
  most: number,
  fetching: Fetching,
): Promise<SpherePicture> {
  const original = await blobOf(info.id, "original", fetching);
  const { sphere } = await withinOriginal(original);
  if (sphere === undefined) throw new NoSphereError();
  const picture = await largest(info, original, fetching);
  return { sphere, bitmap: await bitmapOf(picture, most) };
}

/** The original, or the preview where the original is too large to decode. */
async function largest(
  info: PhotoInfo,
  original: Blob,
  fetching: Fetching,
): Promise<Blob> {
  try {
    return await drawableOriginal(original, info);
  } catch (error) {
    const hasPreview = info.derivatives.some(({ kind }) => kind === "preview");
    if (!(error instanceof UndrawnError) || !hasPreview) throw error;
  }
  const preview = await blobOf(info.id, "preview", fetching);
  return await drawable(preview, MOST_SMALL_PIXELS);
}

async function bitmapOf(picture: Blob, most: number): Promise<ImageBitmap> {
  const address = addressOf(picture);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const fitted = fittedSides({ width, height }, most);
    if (fitted.width === width) return await createImageBitmap(image);
    return await createImageBitmap(image, {
      resizeWidth: fitted.width,
      resizeHeight: fitted.height,
      resizeQuality: "high",
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
