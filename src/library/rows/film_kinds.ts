/**
 * The kinds of copies of films, apart from what is done with them: every page
 * reads derivatives.
 *
 * @module
 */

/** Of up to 1080 lines, and of up to 720. */
export type FilmKind = "playable" | "playable-720";

/** Whether a derivative is a copy of a film. */
export function isFilmKind(kind: string): kind is FilmKind {
  return /^playable(-720)?$/.test(kind);
}
