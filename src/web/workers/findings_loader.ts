/**
 * What devices found in an open library's pictures, which is loaded when it is
 * first needed.
 *
 * @module
 */
import type { Library } from "../../client/library/mod.ts";
import {
  lookingChoice,
  type SharedLooking,
} from "../../client/library/looking_choice.ts";
import {
  openPictureThings,
  type PictureThings,
} from "../../client/library/picture_things.ts";
import {
  openPictureWords,
  type PictureWords,
} from "../../client/library/picture_words.ts";
import { perLibrary } from "./per_library.ts";

/** Something that is looked for, by library. */
export interface FindingsLoader<T> {
  /** Whether the person of a library wants it. */
  isOn(library: Library): boolean;
  /** What was found, as this device has it. */
  of(library: Library): Promise<T>;
  /** The same if it is here; else it comes, and `onHere` is called. */
  held(library: Library, onHere: () => void): T | undefined;
}

function loader<T>(
  setting: SharedLooking,
  open: (library: Library) => Promise<T>,
): FindingsLoader<T> {
  const { of, held } = perLibrary(open);
  const isOn = ({ state }: Library) =>
    lookingChoice(state.held.settings, setting).isOn;
  return {
    isOn,
    of,
    // Without it nothing is found by it.
    held: (library, onHere) =>
      isOn(library) ? held(library, onHere) : undefined,
  };
}

/** The words in pictures. */
export const words: FindingsLoader<PictureWords> = loader(
  "picture-words",
  openPictureWords,
);

/** The things in pictures. */
export const things: FindingsLoader<PictureThings> = loader(
  "picture-things",
  openPictureThings,
);
