/**
 * The upload links of a library, and the files that guests send by them.
 *
 * @module
 */
import type { Bytes } from "../core/bytes.ts";
import type { PlainSource } from "../client/stream/sealed_source.ts";
import type { Kept } from "./adding/upload.ts";
import { later, type LibraryContext, noteLinkIn } from "./library_context.ts";
import type { AcceptContext } from "./sharing/accept.ts";
import type { AcceptOptions, Waiting } from "./sharing/inbox.ts";
import type {
  MadeRequest,
  NewRequest,
  OwnRequest,
} from "./sharing/upload_links.ts";

/** The upload links of a library, and what comes by them. */
export interface LibraryInbox {
  /** Makes an upload link; see `upload_links.ts`. */
  request(request: NewRequest): Promise<MadeRequest>;
  requests(): Promise<readonly OwnRequest[]>;
  revokeRequest(opaqueId: string): Promise<void>;
  /** Says whether an upload link is for the person's own devices. */
  markMine(opaqueId: string, mine: boolean): Promise<void>;
  /** Guests' files that are not accepted yet; of all links, or of some. */
  inbox(links?: readonly string[]): Promise<readonly Waiting[]>;
  /** A guest's file, to be read in parts; see `inbox.ts`. */
  waiting(opaqueId: string, uploadId: string): Promise<PlainSource>;
  /** Takes a guest's file in, after reading and opening it; `accept.ts`. */
  accept(
    opaqueId: string,
    uploadId: string,
    options?: AcceptOptions,
  ): Promise<Kept>;
  /** Opens a guest's file to look at it; see `inbox.ts`. */
  peek(
    opaqueId: string,
    uploadId: string,
    maxBytes: number,
  ): Promise<{ readonly bytes: Bytes; readonly file: Waiting["file"] }>;
  refuse(opaqueId: string, uploadId: string): Promise<void>;
}

/** Makes the functions of upload links; `accepts` takes guests' files in. */
export function openInbox(
  context: LibraryContext,
  accepts: AcceptContext,
): LibraryInbox {
  const { state, vault: { session: { account } } } = context;
  const photoLinks = async () =>
    await (await later()).photoLinks(context, context.abroad.open);
  return {
    request: async (request) =>
      await (await later()).makeRequest(
        context,
        request,
        (opaqueId, note) => noteLinkIn(context, opaqueId, note),
      ),
    requests: async () =>
      await (await later()).ownRequests(context, await photoLinks(), (id) => {
        const kept = state.held.links[id];
        return kept?.removed === true ? undefined : kept;
      }),
    revokeRequest: (opaqueId) => account.revokeUploadLink(opaqueId),
    markMine: (opaqueId, mine) => noteLinkIn(context, opaqueId, { mine }),
    inbox: async (links) =>
      await (await later()).inbox(
        context,
        links ?? (await photoLinks()).map((one) => one.opaque_id),
      ),
    waiting: async (opaqueId, uploadId) =>
      await (await later()).openWaiting(context, opaqueId, uploadId),
    accept: async (opaqueId, uploadId, options) =>
      await (await later())
        .acceptWaiting(accepts, opaqueId, uploadId, options),
    peek: async (opaqueId, uploadId, maxBytes) =>
      await (await later())
        .peekWaiting(context, opaqueId, uploadId, maxBytes),
    refuse: async (opaqueId, uploadId) =>
      await (await later()).refuseWaiting(context, opaqueId, uploadId),
  };
}
