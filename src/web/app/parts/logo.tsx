/**
 * The logo of the program.
 *
 * @module
 */
import { fileAddress } from "../trusted.ts";

/** The logo. It is always next to the name, which screen readers read. */
export function Logo() {
  return <img class="logo" src={fileAddress("icon.svg")} alt="" />;
}
