/**
 * Whether guests give hearts and comments by a link both ways
 * (protocol/client-cryptography.md#guests-hearts-and-comments).
 *
 * @module
 */
import type { KeptLink } from "../../client/documents/state.ts";
import { takesRemarks } from "../albums/album_shown.ts";
import type { Albums } from "../albums/albums.ts";
import { listOf } from "./link_notes.ts";

/**
 * Whether viewers of a link may say something: its owner let them, and did not
 * turn comments off in the album. Undefined if this device cannot tell now.
 */
export function mayReact(
  { albums }: { readonly albums: Pick<Albums, "get"> },
  link: KeptLink | undefined,
): boolean | undefined {
  const isAllowed = link?.removed !== true && link?.adds !== undefined &&
    link.gives?.reacts === true;
  if (!isAllowed) return false;
  const list = listOf(link.follows ?? "");
  if (list?.kind !== "album") return list !== undefined;
  const album = albums.get(list.id);
  const isKnown = album !== undefined && album.fault === undefined;
  return isKnown ? takesRemarks(album) : undefined;
}
