/**
 * The address of a link, as people paste it.
 *
 * @module
 */

const LINK = /^\/[su]\/[0-9a-f]{32}$/;

/** Takes a slash off the end, which programs that make links clickable add. */
export function tidyAddress(): void {
  const { pathname, hash } = location;
  const tidy = pathname.slice(0, -1);
  if (!LINK.test(tidy)) return;
  history.replaceState(history.state, "", `${tidy}${hash}`);
}
