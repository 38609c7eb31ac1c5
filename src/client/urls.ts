/**
 * Reading links that people paste.
 *
 * @module
 */

/** A text as a URL; undefined where it is none. */
export function urlOf(text: string): URL | undefined {
  // Not URL.parse, which browsers before 2024 and Node.js 20 lack.
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
