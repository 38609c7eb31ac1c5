/**
 * What the server asks of passwords, said before anything is sent.
 *
 * @module
 */

/** The fewest characters of a password. */
export const LEAST_CHARS = 12;
