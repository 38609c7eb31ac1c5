/**
 * Reading links that people paste.
 *
 * @module
 */

/** Reads a text as a URL; undefined if it is not one. */
export function urlOf(text: string): URL | undefined {
  // Browsers before 2024 and Node.js 20 lack URL.parse.
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
