/**
 * How long the names of files may be that a library keeps, apart from the
 * schema that holds them to it.
 *
 * @module
 */

/** Most characters of a name. */
export const NAME_MAX = 1_024;

/** Most characters of the folders that a file was in, with `/` between. */
export const FOLDERS_MAX = 4_096;
