/**
 * Paths inside a data directory.
 *
 * @module
 */

/** Path of the database file. */
export function databasePath(root: string): string {
  return `${root}/db/strongroom.sqlite`;
}

/** Path of the directory of key files. */
export function keysPath(root: string): string {
  return `${root}/keys`;
}

/** Path of the directory of the public logs' tiles. */
export function logPath(root: string): string {
  return `${root}/log`;
}
