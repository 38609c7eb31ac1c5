/**
 * Paths inside a data directory.
 *
 * @module
 */

/** Path of the database file. */
export function databasePath(root: string): string {
  return `${root}/db/strongroom.sqlite`;
}

/** What the path of a newer database begins with that a rollback kept. */
export function keptPrefix(root: string): string {
  return `${databasePath(root)}.rolled-back-`;
}

/** Path of the directory of key files. */
export function keysPath(root: string): string {
  return `${root}/keys`;
}

/** Path of the directory of the public logs' tiles. */
export function logPath(root: string): string {
  return `${root}/log`;
}
