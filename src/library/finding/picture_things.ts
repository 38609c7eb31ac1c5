/**
 * The things in a library's pictures (protocol/client-cryptography.md#things).
 *
 * @module
 */
import {
  type KindOfLooking,
  type Looking,
  type LookingIn,
  openLooking,
} from "./finder_options.ts";
import { MOST_THINGS, THING_COUNT } from "../../media/pictures/things.ts";

/** The numbers of things, the surest first, a byte each, in one page. */
export const THINGS: KindOfLooking<Uint8Array> = {
  name: "things",
  pages: 1,
  isOfFile: (bytes) =>
    bytes.length <= MOST_THINGS && bytes.every((thing) => thing < THING_COUNT),
  setting: "picture-things",
  encode: (things) => things,
  decode: (bytes) => bytes,
};

/** The things in the pictures of a library, by their numbers. */
export type PictureThings = Looking<Uint8Array>;

/** Opens the things of a vault's account, with this device's copy of them. */
export function openPictureThings(library: LookingIn): Promise<PictureThings> {
  return openLooking(library, THINGS);
}
