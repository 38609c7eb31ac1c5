/**
 * What a person may do with photos in albums, so that programs offer nothing
 * that the server always refuses (protocol/manifests.md#trash).
 *
 * @module
 */
import type { Row } from "../rows/rows.ts";

/** What decides it. */
interface RightsContext {
  readonly vault: { readonly session: { readonly userId: string } };
  readonly albums: {
    readonly get: (id: string) => { readonly role: string } | undefined;
  };
}

/** Whether the person owns an album: only they choose its cover. */
export function isOwnAlbum({ albums }: RightsContext, id: string): boolean {
  return albums.get(id)?.role === "owner";
}

/**
 * Whether the person may take a photo out of its album, and show it by a link:
 * it is their own, or in an album of theirs.
 */
export function isInHand(
  context: RightsContext,
  { owner, album }: Pick<Row, "owner" | "album">,
): boolean {
  return owner === context.vault.session.userId ||
    (album !== undefined && isOwnAlbum(context, album));
}
