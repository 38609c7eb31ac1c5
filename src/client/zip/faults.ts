/**
 * What is wrong with a zip.
 *
 * @module
 */

/** A zip, or an entry of one, that cannot be what it says. */
export class MalformedZip extends Error {
  override readonly name = "MalformedZip";
}
