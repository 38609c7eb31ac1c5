/**
 * The share links of a library: making them, keeping them at what they show,
 * and ending them.
 *
 * @module
 */
import type { LinkGives } from "../client/documents/state.ts";
import { later, type LibraryContext, noteLinkIn } from "./library_context.ts";
import type {
  MadeShare,
  NewShare,
  OwnShare,
  Said,
  ShareChanges,
  ShareContents,
} from "./sharing/links.ts";
import { assertHiddenKnown, mayMissHiddenOnceRead } from "./trust/trust.ts";

/** The share links of a library. */
export interface LibraryLinks {
  /**
   * Makes a link. Throws UnconfirmedState for one that follows a list, as long
   * as the list may have photos that are hidden elsewhere.
   */
  share(share: NewShare): Promise<MadeShare>;
  shares(): Promise<readonly OwnShare[]>;
  shareContents(
    opaqueId: string,
    metadataHash?: string,
  ): Promise<ShareContents>;
  /**
   * Makes a link show exactly these assets, or none. Returns whether it
   * changed. An asset that cannot be shown without its place stays out, unless
   * the link gives places. As long as photos that are hidden elsewhere may be
   * among them (`trust.mayMissHidden`), it only removes. `said` replaces what
   * guests said.
   */
  keepShareAt(
    opaqueId: string,
    assetIds: readonly string[] | "as_shown",
    said?: Said,
  ): Promise<boolean>;
  /**
   * Changes how a link follows its list, and whether it does. Throws
   * UnconfirmedState for one that is to follow again, as `share` does.
   */
  followList(opaqueId: string, change: LinkGives): Promise<void>;
  /** Changes an existing link; see `links.ts`. */
  changeShare(
    opaqueId: string,
    changes: ShareChanges,
  ): Promise<{ readonly leftOut: readonly string[] }>;
  revokeShare(opaqueId: string): Promise<void>;
}

/** Makes the functions of a library's share links. */
export function openLinks(context: LibraryContext): LibraryLinks {
  const { state, stillShown } = context;
  return {
    share: async (share) => await (await later()).makeLink(context, share),
    keepShareAt: async (opaqueId, assetIds, said) => {
      const { givenBy, keepShareAt } = await later();
      return await keepShareAt(context, opaqueId, assetIds, {
        ...givenBy(state.held.links[opaqueId]),
        removesOnly: await mayMissHiddenOnceRead(context),
        said,
      });
    },
    followList: async (opaqueId, change) => {
      const { gives } = state.held.links[opaqueId] ?? {};
      if (change.still === false) await assertHiddenKnown(context);
      await noteLinkIn(context, opaqueId, { gives: { ...gives, ...change } });
    },
    shares: async () => await (await later()).ownShares(context),
    shareContents: async (opaqueId, metadataHash) =>
      await (await later()).shareContents(context, opaqueId, metadataHash),
    changeShare: async (opaqueId, changes) =>
      await (await later()).changeLink(context, opaqueId, changes),
    revokeShare: async (opaqueId) => {
      await (await later()).endLink(context, opaqueId);
      await stillShown.told([opaqueId]);
    },
  };
}
