/**
 * The lock that a tab holds for as long as it is adding files, so that the
 * browser's other tabs know.
 *
 * @module
 */

/** The lock's name; absent locks mean an insecure context. */
export const ADDING = "adding";

/** The browser's locks, where it has them. */
export const { locks } = navigator as { readonly locks?: LockManager };
