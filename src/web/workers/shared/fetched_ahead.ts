/**
 * What the page of a share link needs first is asked for as soon as its thread
 * runs: the page itself may still be on its way.
 *
 * @module
 */
import type { BlobBody } from "../../../client/api/blob_body.ts";
import type { ShareCalls } from "../../../client/api/links.ts";
import { FIRST_PIECE } from "../../share_reader.ts";

/**
 * Asks for a link and for the bytes of its index. Returns the calls of the link,
 * of which the first ones get these answers. They are checked like any others.
 */
export function fetchedAhead(calls: ShareCalls, opaqueId: string): ShareCalls {
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
