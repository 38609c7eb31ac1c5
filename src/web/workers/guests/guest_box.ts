/**
 * The thread of an upload link's page. It seals files for the person who made
 * the link, and knows of no account.
 *
 * @module
 */
import { guestCalls } from "./guest_calls.ts";
import {
  type Line,
  serveLine,
} from "../../../client/stream/threads/thread_messages.ts";

/** All functions that the page of an upload link can call. */
export type GuestGroups = ReturnType<typeof guestCalls>;

declare const self: Line & { readonly location: Location };

serveLine(
  self,
  guestCalls(
    self.location.origin,
    (event, data) => self.postMessage({ event, data }, []),
  ),
);
