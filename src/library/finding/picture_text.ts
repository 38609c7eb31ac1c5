/**
 * The words in a library's pictures (protocol/client-cryptography.md#words).
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../core/bytes.ts";
import { areWords } from "../../media/pictures/read_text.ts";
import {
  type KindOfLooking,
  type Looking,
  type LookingIn,
  openLooking,
} from "./finder_options.ts";

/** Words as `wordsRead` makes them, one a line, in two pages. */
export const PICTURE_TEXT: KindOfLooking<string> = {
  name: "words",
  pages: 2,
  isOfFile: areWords,
  setting: "picture-words",
  encode: utf8,
  decode: (bytes) => fromUtf8(bytes) ?? "",
};

/** The words in the pictures of a library. */
export type PictureText = Looking<string>;

/** Opens the words of a vault's account, with this device's copy of them. */
export function openPictureText(library: LookingIn): Promise<PictureText> {
  return openLooking(library, PICTURE_TEXT);
}
