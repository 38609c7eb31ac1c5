/**
 * Slideshows that begin elsewhere than at a photo shown large: in the menu of an
 * album, a collection or a memory, or with selected photos.
 *
 * @module
 */
import { listHref, type ListSource } from "./list.ts";
import { go } from "./routes.ts";

/** A slideshow that is about to begin. */
export interface BegunSlideshow {
  /** The photos to show; without them, all of the list. */
  readonly only?: ReadonlySet<string>;
}

let begun: BegunSlideshow | undefined;

/** Shows photos of a list one after the other, from one of them on. */
export function beginSlideshow(
  source: ListSource,
  firstId: string,
  only?: readonly string[],
): void {
  begun = only === undefined ? {} : { only: new Set(only) };
  go(listHref(source, firstId));
}

/** What the viewer that opens is to begin with, once. */
export function takeSlideshow(): BegunSlideshow | undefined {
  const taken = begun;
  begun = undefined;
  return taken;
}
