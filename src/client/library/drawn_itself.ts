/**
 * What needs no thumbnail.
 *
 * @module
 */

/** Largest picture without a thumbnail that lists show itself (bytes). */
export const MOST_ITSELF_BYTES: number = 512 * 1024;
