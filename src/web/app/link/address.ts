/**
 * Tidying the address of a link that was pasted.
 *
 * @module
 */

const LINK = /^\/[su]\/[0-9a-f]{32}$/;

/** Removes a slash from the end, which some programs add to clickable links. */
export function tidyAddress(): void {
  const { pathname, hash } = location;
  const tidy = pathname.slice(0, -1);
  if (!LINK.test(tidy)) return;
  history.replaceState(history.state, "", `${tidy}${hash}`);
}
