/**
 * Making, changing and ending a share link with what the account's programs
 * note of it: the list that it follows, and the upload link that takes files in
 * for it.
 *
 * @module
 */
import { assertHiddenKnown } from "../trust/trust.ts";
import type { Trust } from "../trust/trust.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { LinkContext } from "./link_index.ts";
import { forgetLink, noteLink } from "./link_notes.ts";
import {
  changeShare,
  type MadeShare,
  type NewShare,
  revokeShare,
  shareAssets,
  type ShareChanges,
} from "./links.ts";
import { endAdding, endAddingBefore } from "./upload_links.ts";

interface NotedLinkContext extends LinkContext {
  readonly state: SharedState;
  readonly trust: Trust;
}

/** Makes a link; notes which list it follows, or revokes it again. */
export async function makeLink(
  context: NotedLinkContext,
  share: NewShare,
): Promise<MadeShare> {
  // What a list has could be hidden; photos that were picked are seen.
  if (share.follows !== undefined && share.gives?.still !== true) {
    await assertHiddenKnown(context);
  }
  const made = await shareAssets(context, share);
  const { title = "", follows, gives, adds, places, films } = share;
  if (follows === undefined) return made;
  const { state, vault: { session: { platform } } } = context;
  try {
    await noteLink(state, made.opaqueId, {
      title,
      follows,
      ...(adds === undefined ? {} : { adds: adds.opaque_id }),
      ...(gives === undefined ? {} : { gives: { ...gives, places, films } }),
    }, platform.now());
  } catch (error) {
    // A link that follows nothing would show for ever what is in it now.
    await revokeShare(context, made.opaqueId).catch(() => {});
    throw error;
  }
  return made;
}

/** Changes a link, and until when it takes files in. */
export async function changeLink(
  context: NotedLinkContext,
  opaqueId: string,
  changes: ShareChanges,
): Promise<{ readonly leftOut: readonly string[] }> {
  const { state, vault: { session: { account } } } = context;
  const { adds } = state.held.links[opaqueId] ?? {};
  if (adds !== undefined) {
    await endAddingBefore(account, adds, changes.expiresAt);
  }
  return await changeShare(context, opaqueId, changes);
}

/** Ends a link, first the upload link that takes files in for it. */
export async function endLink(
  context: NotedLinkContext,
  opaqueId: string,
): Promise<void> {
  const { state, vault: { session: { account, platform } } } = context;
  const { adds } = state.held.links[opaqueId] ?? {};
  // First: while the link is there, the person can try again.
  if (adds !== undefined) await endAdding(account, adds);
  await revokeShare(context, opaqueId);
  // The link is gone: a note that stays says nothing of any other.
  await forgetLink(state, opaqueId, platform.now()).catch(() => {});
}
