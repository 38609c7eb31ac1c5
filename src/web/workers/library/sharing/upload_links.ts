/**
 * The vault's calls about upload links, and what the person's phone sends by
 * them.
 *
 * @module
 */
import { readTime } from "../../../../core/time.ts";
import type { Library, OwnRequest } from "../../../../library/mod.ts";
import { silentLinks } from "../../../../library/care/silent_phone.ts";
import type { VaultContext } from "../../vault/context.ts";
import { lastAccepted } from "./accepting_own.ts";
import type { PhoneState, RequestCard, RequestWish } from "./sharing_cards.ts";

/** Tells the upload halves of links that are there and have not ended. */
async function halvesOf(
  library: Library,
): Promise<(uploadId: string) => boolean> {
  const now = library.vault.session.platform.now();
  const adds = new Set(
    (await library.shares())
      .filter(({ expires_at }) =>
        (readTime(expires_at ?? undefined) ?? Infinity) > now
      )
      .map(({ opaque_id }) => library.state.held.links[opaque_id]?.adds),
  );
  return (uploadId) => adds.has(uploadId);
}

/** The calls of the group `sharing` about upload links. */
export function uploadLinks(context: VaultContext) {
  /** The account's upload links, the newest first. */
  const requests = async (
    given?: readonly OwnRequest[],
  ): Promise<readonly RequestCard[]> => {
    const library = context.opened();
    const all = given ?? await library.requests();
    // Those of links both ways are no links to hand out, unless one outlives
    // its link: who has its address could add still.
    const isOfLink = all.some(({ into }) => into !== undefined)
      ? await halvesOf(library)
      : () => false;
    const requests = all.filter((one) =>
      one.into === undefined || !isOfLink(one.opaque_id)
    );
    return requests.map((one): RequestCard => ({
      opaqueId: one.opaque_id,
      url: one.url,
      ...(one.note === undefined ? {} : { note: one.note }),
      createdAt: one.created_at,
      expiresAt: one.expires_at,
      maxFiles: one.max_files,
      filesUsed: one.files_used,
      maxBytes: one.max_bytes,
      bytesUsed: one.bytes_used,
      ...(one.last_received_at ? { lastReceivedAt: one.last_received_at } : {}),
      mine: one.isMine,
    })).toSorted((a, b) => a.createdAt < b.createdAt ? 1 : -1);
  };
  return {
    /** Makes an upload link. */
    async request(wish: RequestWish): Promise<
      { readonly opaqueId: string; readonly url: string }
    > {
      const { note, ...rest } = wish;
      const { opaqueId, url } = await context.opened().request({
        ...rest,
        ...(note === "" ? {} : { note }),
      });
      return { opaqueId, url };
    },
    requests: () => requests(),
    /** What comes from the person's own phone. */
    async phone(): Promise<PhoneState> {
      const library = context.opened();
      const all = await library.requests();
      const links = (await requests(all)).filter(({ mine }) => mine);
      const silent = silentLinks(all, context.platform.now());
      const inbox = await library.inbox(links.map((one) => one.opaqueId));
      const [oldest] = inbox.map(({ receivedAt }) => receivedAt).toSorted();
      const last = await lastAccepted(library);
      return {
        links,
        waits: inbox.length,
        silent: silent.map((one) => one.opaque_id),
        ...(oldest === undefined ? {} : { oldest }),
        ...(last === undefined ? {} : { last }),
      };
    },
    endRequest: (opaqueId: string) => context.opened().revokeRequest(opaqueId),
  };
}
