/**
 * The thread of a share link's page. It knows the link's keys, and no account.
 *
 * @module
 */
import type { BlobBody } from "../../../client/api/blob_body.ts";
import { browserFetch } from "../../browser.ts";
import { createViewer, type ShareCalls } from "../../../client/api/links.ts";
import { shareLinkCalls } from "./share_calls.ts";
import { toldWait } from "./told_wait.ts";
import {
  type Line,
  serveLine,
} from "../../../client/stream/threads/thread_messages.ts";
import { FIRST_PIECE } from "../../share_reader.ts";

/**
 * Asks for a link and for the bytes of its index as soon as the thread runs,
 * because the page itself may still be on its way. Returns the calls of the link,
 * of which the first ones get these answers. They are checked like any others.
 */
function fetchedAhead(calls: ShareCalls, opaqueId: string): ShareCalls {
  let head: ReturnType<ShareCalls["viewShare"]> | undefined = calls.viewShare(
    opaqueId,
  );
  let index:
    | { readonly hash: string; readonly body: Promise<BlobBody> }
    | undefined;
  head.then(({ metadata_hash: hash, passphrase_protected: isClosed }) => {
    if (isClosed) return;
    const body = calls.sharedBlob(opaqueId, hash, FIRST_PIECE);
    // Who asks for it is told, and asks again.
    body.catch(() => {});
    index = { hash, body };
  }).catch(() => {});
  return {
    ...calls,
    async viewShare(id) {
      const answer = id === opaqueId ? head : undefined;
      head = undefined;
      return await (answer ?? calls.viewShare(id));
    },
    async sharedBlob(id, hash, range) {
      const isIndex = id === opaqueId && index?.hash === hash &&
        range?.first === FIRST_PIECE.first;
      const answer = isIndex ? index?.body : undefined;
      if (isIndex) index = undefined;
      return await (answer ?? calls.sharedBlob(id, hash, range));
    },
  };
}

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
  // All calls wait together.
  wait: toldWait,
};

const viewer = createViewer(options);
const calls = self.name === "" ? viewer : fetchedAhead(viewer, self.name);

serveLine(self, shareLinkCalls(calls, tell));
