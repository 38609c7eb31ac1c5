/**
 * How the files of the tests' bucket are called.
 *
 * @module
 */

/** Behind an object's key. */
export const OBJECT_SUFFIX = "._S3rver_object";
