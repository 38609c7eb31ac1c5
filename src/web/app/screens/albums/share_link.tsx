/**
 * Sharing all photos of an album with a link.
 *
 * @module
 */
import type { FollowedList } from "../../../../library/sharing/link_notes.ts";
import { messages } from "../../messages.ts";
import { Icon } from "../../parts/icon.tsx";
import { withPart } from "../../parts/lazy.tsx";

/** The button in the head of an album; its dialog is loaded at the first use. */
export function ShareLink(
  { source, title }: {
    readonly source: FollowedList;
    readonly title: string;
  },
) {
  const { albums } = messages.value;
  return (
    <button
      type="button"
      class="button fold"
      aria-label={albums.share}
      title={albums.share}
      onClick={() =>
        withPart(
          () => import("../sharing/make_link.tsx"),
          ({ shareAlbum }) => shareAlbum(source, title),
        )}
    >
      <Icon name="sharing" />
      <span>{albums.share}</span>
    </button>
  );
}
