/**
 * Picture frames: links that follow a list of the library. A device that is open
 * brings them up to date when the list has changed.
 *
 * @module
 */
import { isInHand } from "../../../library/albums/album_rights.ts";
import {
  hiddenFiles,
  isHidden,
} from "../../../library/showing/hidden_files.ts";
import { FramePacing } from "../../../library/sharing/frame_pacing.ts";
import { ConnectionError, type Library } from "../../../library/mod.ts";
import { canBePlaceless } from "../../../library/sharing/placeless.ts";
import { present } from "../../../client/documents/state.ts";
import type { VaultContext } from "../vault/context.ts";
import type { ListSource } from "./photo_lists.ts";

/** Most photos of a frame, the newest first: an index has at most 10,000. */
const MOST_PHOTOS = 5_000;

/** A list that a frame can follow. */
export type FrameSource = Extract<
  ListSource,
  { readonly kind: "album" | "collection" | "favourites" }
>;

/** How a list stands in the account's state. */
export function followed(source: FrameSource): string {
  return source.kind === "favourites"
    ? source.kind
    : `${source.kind}/${source.id}`;
}

/** The list that an entry of the state names, if this program knows its kind. */
function sourceOf(follows: string): FrameSource | undefined {
  const [kind, id = ""] = follows.split("/");
  if (kind === "favourites") return { kind };
  return kind === "album" || kind === "collection" ? { kind, id } : undefined;
}

/**
 * The assets of a list that a frame can show, one of each stack: no hidden photo,
 * whether hidden photos are locked here or not.
 */
export async function assetsOf(
  context: VaultContext,
  source: FrameSource,
): Promise<readonly string[]> {
  const library = context.opened();
  const hidden = hiddenFiles(library);
  await context.view().prepare(source);
  return context.view().listed(source).tiles
    .filter(([row]) =>
      isInHand(library, row) && canBePlaceless(row) &&
      !isHidden(library, row, hidden)
    )
    .slice(0, MOST_PHOTOS)
    .map(([{ id }]) => id);
}

/** For each library, when its frames are changed. */
const paces = new WeakMap<Library, FramePacing>();

/**
 * Brings the frames up to date whose lists have changed. A device on
 * which hidden photos may be visible adds nothing to them (`keepShareAt`).
 */
export async function followFrames(context: VaultContext): Promise<void> {
  const library = context.opened();
  const pacing = paces.get(library) ?? new FramePacing(context.platform.now);
  paces.set(library, pacing);
  for (const [opaqueId, { follows }] of present(library.state.held.links)) {
    const source = sourceOf(follows ?? "");
    if (source === undefined) continue;
    const assets = await assetsOf(context, source);
    // Once it is known what is hidden, the frame gets what was held back.
    const heads = [
      library.trust.mayMissHidden,
      ...assets.map((id) => `${id} ${library.index.get(id)?.head}`),
    ].join();
    const list = { assets, heads };
    if (!pacing.isDue(opaqueId, list)) continue;
    try {
      const links = await library.shares();
      const isThere = links.some((one) => one.opaque_id === opaqueId);
      const isChanged = isThere && await library.keepShareAt(opaqueId, assets);
      pacing.settled(opaqueId, list, isChanged);
    } catch (error) {
      // Another device changes it at this moment, or the server refuses it: a
      // later round looks again.
      pacing.failed(opaqueId);
      if (error instanceof ConnectionError) throw error;
    }
  }
}
