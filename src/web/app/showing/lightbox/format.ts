/**
 * What people call the format of a file.
 *
 * @module
 */

/** Types whose names say less than their files' endings. */
const NAMES: Readonly<Record<string, string>> = {
  "audio/mpeg": "MP3",
  "text/plain": "TXT",
  "video/quicktime": "MOV",
  "video/x-matroska": "MKV",
  "image/vnd.adobe.photoshop": "PSD",
};

/** Longest name that is taken from a type; longer ones are no names. */
const MOST_LETTERS = 5;

/**
 * The name of a MIME type as people know it, such as `JPEG`; the type itself
 * where it has none.
 */
export function formatText(mime: string): string {
  const [, subtype = ""] = /^\w+\/(?:x-(?:\w+-)?)?([\w.-]+)/.exec(mime) ?? [];
  return NAMES[mime] ??
    (subtype.length <= MOST_LETTERS && subtype !== ""
      ? subtype.toUpperCase()
      : mime);
}
