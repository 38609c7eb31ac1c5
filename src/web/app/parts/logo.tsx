/**
 * The mark of the program.
 *
 * @module
 */
import { fileAddress } from "../trusted.ts";

/** Beside its name, which is what screen readers read. */
export function Logo() {
  return <img class="logo" src={fileAddress("icon.svg")} alt="" />;
}
