/**
 * Picture frames: links that follow a list of the library. A device that is open
 * brings them up to date when the list has changed.
 *
 * @module
 */
import { isInHand } from "../../client/library/album_rights.ts";
import { hiddenFiles, isHidden } from "../../client/library/hidden_files.ts";
import { ConnectionError } from "../../client/library/mod.ts";
import { canBePlaceless } from "../../client/library/placeless.ts";
import { present } from "../../client/state.ts";
import type { VaultContext } from "./context.ts";
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
 * The assets of a list that a frame can show: no hidden photo, whether hidden
 * photos are locked here or not.
 */
export function assetsOf(
  context: VaultContext,
  source: FrameSource,
): readonly string[] {
  const library = context.opened();
  const hidden = hiddenFiles(library);
  return context.view().rowsOf(source)
    .filter(([row]) =>
      isInHand(library, row) && canBePlaceless(row) &&
      !isHidden(library, row, hidden)
    )
    .slice(0, MOST_PHOTOS)
    .map(([{ id }]) => id);
}

/** What was in each frame when this thread looked last, by its link. */
const seen = new Map<string, string>();

/** Pauses after a change that was refused, each twice the last one (ms). */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Until when a link is let alone, and the pause that this is, by its link. */
const paused = new Map<
  string,
  { readonly until: number; readonly ms: number }
>();

/** Brings the frames up to date whose lists have changed. */
export async function followFrames(context: VaultContext): Promise<void> {
  const library = context.opened();
  for (const [opaqueId, { follows }] of present(library.state.held.links)) {
    const source = sourceOf(follows ?? "");
    if (source === undefined) continue;
    const assets = assetsOf(context, source);
    const now = assets.join();
    if (seen.get(opaqueId) === now) continue;
    const pause = paused.get(opaqueId);
    if (pause !== undefined && context.platform.now() < pause.until) continue;
    try {
      const links = await library.shares();
      if (links.some((one) => one.opaque_id === opaqueId)) {
        await library.keepShareAt(opaqueId, assets);
      }
      seen.set(opaqueId, now);
      paused.delete(opaqueId);
    } catch (error) {
      if (error instanceof ConnectionError) throw error;
      // Another device changes it at this moment, or the server refuses it: a
      // later round looks again, and each try stores an index.
      const ms = Math.min(
        pause === undefined ? FIRST_PAUSE_MS : pause.ms * 2,
        LONGEST_PAUSE_MS,
      );
      paused.set(opaqueId, { until: context.platform.now() + ms, ms });
    }
  }
}
