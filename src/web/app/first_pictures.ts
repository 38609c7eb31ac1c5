/**
 * The first pictures of a page. What can wait for them does: on a slow line it
 * would keep them waiting.
 *
 * @module
 */
import { onVault } from "./vault.ts";

const first = Promise.withResolvers<void>();
const all = Promise.withResolvers<void>();

/**
 * Resolves when the first pictures are here, or none are awaited: the list is
 * empty, the page is another, or the server does not answer.
 */
export function firstPictures(): Promise<void> {
  return first.promise;
}

/** The same for all pictures that were in sight. */
export function allPictures(): Promise<void> {
  return all.promise;
}

/** Says that the first pictures are here, and whether others still come. */
export function picturesCame(areAll = true): void {
  first.resolve();
  if (areAll) all.resolve();
}

onVault("sync", ({ state }) => {
  if (state === "offline" || state === "refused") picturesCame();
});
