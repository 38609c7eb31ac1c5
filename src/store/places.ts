/**
 * Where a data directory has its things.
 *
 * @module
 */

/** The database. */
export function databasePath(root: string): string {
  return `${root}/db/strongroom.sqlite`;
}

/** The key files, in a directory of their own. */
export function keysPath(root: string): string {
  return `${root}/keys`;
}
