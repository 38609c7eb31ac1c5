/**
 * The media types of pictures that no browser draws by itself. They are apart
 * from the table of all types, which the app's first load does without.
 *
 * @module
 */

/**
 * Whether a media type is that of a camera's raw files, or of its kin: a claim,
 * as every media type is.
 */
export function isRawType(mime: string): boolean {
  return /^image\/x-(?!mpo$)/.test(mime);
}

/** Whether files of a type have a picture that no browser draws by itself. */
export function isUndrawnType(mime: string): boolean {
  return isRawType(mime) || mime === "image/tiff";
}
