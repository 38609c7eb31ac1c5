/**
 * What was deleted and can be brought back.
 *
 * @module
 */
import { words } from "../words.ts";

/** The view at `#/trash`. */
export function Trash() {
  return <h1>{words.value.trash.title}</h1>;
}
