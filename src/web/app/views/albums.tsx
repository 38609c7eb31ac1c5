/**
 * Albums with other people, and private collections.
 *
 * @module
 */
import { words } from "../words.ts";

/** The view at `#/albums`. */
export function Albums() {
  return <h1>{words.value.albums.title}</h1>;
}
