/**
 * What is opened of a library when it is first needed, once for each library.
 *
 * @module
 */
import type { Library } from "../../../library/mod.ts";

/** What is opened of libraries. */
export interface PerLibrary<T> {
  /** That of a library; it is tried again if it failed. */
  of(library: Library): Promise<T>;
  /** The same if it is here; else it comes, and `onHere` is called. */
  held(library: Library, onHere: () => void): T | undefined;
}

/** What `open` makes, once for each library. */
export function perLibrary<T>(
  open: (library: Library) => Promise<T>,
): PerLibrary<T> {
  const opening = new WeakMap<Library, Promise<T>>();
  const opened = new WeakMap<Library, { readonly it: T }>();
  const of = (library: Library): Promise<T> => {
    const known = opening.get(library);
    if (known !== undefined) return known;
    const coming = open(library);
    opening.set(library, coming);
    coming.then(
      (it) => opened.set(library, { it }),
      () => opening.delete(library),
    );
    return coming;
  };
  return {
    of,
    held(library, onHere) {
      const known = opened.get(library);
      if (known === undefined) of(library).then(onHere, () => {});
      return known?.it;
    },
  };
}
