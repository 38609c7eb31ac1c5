/**
 * The thread of a share link's page. It knows the link's keys, and no account.
 *
 * @module
 */
import { browserFetch, sleep } from "../../browser.ts";
import { createViewer } from "../../../client/api/links.ts";
import { fetchedAhead } from "./fetched_ahead.ts";
import { shareLinkCalls } from "./share_calls.ts";
import {
  type Line,
  serveLine,
} from "../../../client/stream/threads/thread_messages.ts";

/** All functions that the page of a link can call. */
export type LinkGroups = ReturnType<typeof shareLinkCalls>;

declare const self: Line & {
  readonly location: Location;
  /** The link that is asked for at once; empty if there is none. */
  readonly name: string;
};

const tell = (event: string, data: unknown) =>
  self.postMessage({ event, data }, []);

const options = {
  baseUrl: self.location.origin,
  fetch: browserFetch,
  // All calls wait together, and the page shows that.
  wait: async (ms: number) => {
    tell("waiting", { ms });
    await sleep(ms);
    tell("waiting", undefined);
  },
};

const viewer = createViewer(options);
const calls = self.name === "" ? viewer : fetchedAhead(viewer, self.name);

serveLine(self, shareLinkCalls(calls, tell));
