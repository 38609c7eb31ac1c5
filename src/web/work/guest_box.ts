/**
 * The thread of an upload link's page: it seals for the one who made the link,
 * and knows nothing of any account.
 *
 * @module
 */
import { guestCalls } from "./guests/guest_calls.ts";
import { type Line, serveLine } from "./wire.ts";

/** Every function that the page of an upload link may call. */
export type GuestGroups = ReturnType<typeof guestCalls>;

declare const self: Line & { readonly location: Location };

serveLine(
  self,
  guestCalls(
    self.location.origin,
    (event, data) => self.postMessage({ event, data }, []),
  ),
);
