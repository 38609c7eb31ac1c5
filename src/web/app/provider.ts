/**
 * Leaving for an identity provider and coming back. What belongs to the sign-in
 * waits in this tab's own storage, and the address is cleared of it at once.
 *
 * @module
 */

const STATE = "strongroom.provider-state";

/** The address that a person came back by, and the state that they left with. */
export interface Returned {
  readonly address: string;
  readonly state: string;
}

/** What came with the address of this page; it is gone from there afterwards. */
export function takeReturned(): Returned | undefined {
  const { href, pathname, hash, search } = location;
  const answer = new URLSearchParams(search);
  if (!answer.has("state")) return undefined;
  history.replaceState(null, "", `${pathname}${hash}`);
  const state = taken();
  // Of nobody who left from here: an address that somebody else made.
  return state === undefined ? undefined : { address: href, state };
}

/** Goes to the provider. */
export function leaveFor(authorizationUrl: string, state: string): void {
  sessionStorage.setItem(STATE, state);
  location.assign(authorizationUrl);
}

function taken(): string | undefined {
  try {
    const state = sessionStorage.getItem(STATE) ?? undefined;
    sessionStorage.removeItem(STATE);
    return state;
  } catch {
    return undefined;
  }
}
