/**
 * The error of malformed zips.
 *
 * @module
 */

/** A zip, or an entry of one, contradicts itself. */
export class MalformedZip extends Error {
  override readonly name = "MalformedZip";
}
