/**
 * Links to what is shared, and links by which others send files.
 *
 * @module
 */
import { words } from "../words.ts";

/** The view at `#/sharing`. */
export function Sharing() {
  return <h1>{words.value.sharing.title}</h1>;
}
