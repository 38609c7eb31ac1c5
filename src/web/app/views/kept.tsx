/**
 * What is proven of what the server keeps.
 *
 * @module
 */
import { words } from "../words.ts";

/** The view at `#/kept`. */
export function Kept() {
  return <h1>{words.value.kept.title}</h1>;
}
