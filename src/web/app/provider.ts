/**
 * Going to an identity provider and coming back. The state of the sign-in waits
 * in this tab's storage, and the provider's answer is removed from the address
 * at once.
 *
 * @module
 */

const STATE = "strongroom.provider-state";

/**
 * The address by which a person came back, and the state with which they left.
 */
export interface Returned {
  readonly address: string;
  readonly state: string;
}

/** Takes the provider's answer out of the address of this page. */
export function takeReturned(): Returned | undefined {
  const { href, pathname, hash, search } = location;
  const answer = new URLSearchParams(search);
  if (!answer.has("state")) return undefined;
  history.replaceState(null, "", `${pathname}${hash}`);
  const state = taken();
  // Without a stored state no one left from here, and someone else made the
  // address.
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
