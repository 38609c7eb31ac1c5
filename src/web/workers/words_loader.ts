/**
 * The words in an open library's pictures, which are loaded when they are first
 * needed.
 *
 * @module
 */
import type { Library } from "../../client/library/mod.ts";
import { lookingChoice } from "../../client/library/looking_choice.ts";
import {
  openPictureWords,
  type PictureWords,
} from "../../client/library/picture_words.ts";
import { perLibrary } from "./per_library.ts";

/** Whether a library has its words read. */
export function isOn({ state }: Library): boolean {
  return lookingChoice(state.held.settings, "picture-words").isOn;
}

const words = perLibrary(openPictureWords);

/** The words of a library, as this device has them. */
export const wordsOf = words.of;

/** The same if they are here; else they come, and `onHere` is called. */
export function heldWords(
  library: Library,
  onHere: () => void,
): PictureWords | undefined {
  // Without them nothing is found by its words.
  return isOn(library) ? words.held(library, onHere) : undefined;
}

/** Takes over what other devices read, or that they deleted all of it. */
export async function readAgain(
  library: Library,
  slots: readonly string[],
): Promise<void> {
  await (await wordsOf(library)).read(slots);
}
