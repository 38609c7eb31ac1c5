/**
 * The proofs that this program writes next to photos.
 *
 * @module
 */

/** How the name of a proof ends (protocol/receipts.md). */
export const PROOF_ENDING = ".tlog-proof";

/**
 * Whether a file is a proof by its name. Adding a folder passes it over: it is
 * about a photo, and anybody can have it made again.
 */
export function isOwnProof(name: string): boolean {
  return name.toLowerCase().endsWith(PROOF_ENDING);
}
