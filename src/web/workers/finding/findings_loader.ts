/**
 * What devices found in an open library's pictures, which is loaded when it is
 * first needed.
 *
 * @module
 */
import type { FindingsChoice } from "../../../library/finding/findings.ts";
import type {
  KindOfLooking,
  Looking,
} from "../../../library/finding/finder_options.ts";
import type { Library } from "../../../library/mod.ts";
import { lookingChoice } from "../../../library/finding/looking_choice.ts";
import {
  openPictureThings,
  type PictureThings,
  THINGS,
} from "../../../library/finding/picture_things.ts";
import {
  openPictureText,
  PICTURE_TEXT,
  type PictureText,
} from "../../../library/finding/picture_text.ts";
import { perLibrary } from "../vault/per_library.ts";

/** Something that is looked for, by library. */
export interface FindingsLoader<T> {
  readonly name: string;
  /** Whether the person of a library wants it. */
  choice(library: Library): FindingsChoice;
  /** What was found, as this device has it. */
  of(library: Library): Promise<T>;
  /** The same if it is here; else it comes, and `onHere` is called. */
  held(library: Library, onHere: () => void): T | undefined;
}

function loader<T>(
  { name, setting }: KindOfLooking<T>,
  open: (library: Library) => Promise<Looking<T>>,
): FindingsLoader<Looking<T>> {
  const { of, held } = perLibrary(open);
  const choice = ({ state }: Library) =>
    lookingChoice(state.held.settings, setting);
  return {
    name,
    choice,
    of,
    // Without it nothing is found by it.
    held: (library, onHere) =>
      choice(library).isOn ? held(library, onHere) : undefined,
  };
}

/** The words in pictures. */
export const pictureText: FindingsLoader<PictureText> = loader(
  PICTURE_TEXT,
  openPictureText,
);

/** The things in pictures. */
export const things: FindingsLoader<PictureThings> = loader(
  THINGS,
  openPictureThings,
);
