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
  const { state, vault: { session: { account, platform } } } = context;
  return {
    share: (share) => makeShare(context, share),
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
    changeShare: async (opaqueId, changes) => {
      const { adds } = state.held.links[opaqueId] ?? {};
      const { changeShare, endAddingBefore } = await later();
      if (adds !== undefined) {
        await endAddingBefore(account, adds, changes.expiresAt);
      }
      return await changeShare(context, opaqueId, changes);
    },
    revokeShare: async (opaqueId) => {
      const { endAdding, forgetLink, revokeShare } = await later();
      const { adds } = state.held.links[opaqueId] ?? {};
      // First: while the link is there, the person can try again.
      if (adds !== undefined) await endAdding(account, adds);
      await revokeShare(context, opaqueId);
      // The link is gone: a note that stays says nothing of any other.
      await forgetLink(state, opaqueId, platform.now()).catch(() => {});
    },
  };
}

/** Makes a link; notes which list it follows, or revokes it again. */
async function makeShare(
  context: LibraryContext,
  share: NewShare,
): Promise<MadeShare> {
  // What a list has could be hidden; photos that were picked are seen.
  if (share.follows !== undefined && share.gives?.still !== true) {
    await assertHiddenKnown(context);
  }
  const made = await (await later()).shareAssets(context, share);
  const { title = "", follows, gives, adds, places, films } = share;
  if (follows === undefined) return made;
  try {
    await noteLinkIn(context, made.opaqueId, {
      title,
      follows,
      ...(adds === undefined ? {} : { adds: adds.opaque_id }),
      ...(gives === undefined ? {} : { gives: { ...gives, places, films } }),
    });
  } catch (error) {
    // A link that follows nothing would show for ever what is in it now.
    await (await later()).revokeShare(context, made.opaqueId)
      .catch(() => {});
    throw error;
  }
  return made;
}
