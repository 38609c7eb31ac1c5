/**
 * Tidying the address of a link that was pasted.
 *
 * @module
 */

/** A whole link, and what is neither a digit nor a letter after it. */
const LINK = /^(\/[su]\/[0-9a-f]{32})(?:[^0-9A-Za-z]|%[0-9A-F]{2})+$/;

/**
 * Removes a slash from the end, which some programs add to clickable links, and
 * a full stop or a bracket of the text that a link stood in.
 */
export function tidyAddress(): void {
  const { pathname, hash } = location;
  const tidy = pathname.match(LINK)?.[1];
  if (tidy === undefined) return;
  history.replaceState(history.state, "", `${tidy}${hash}`);
}
